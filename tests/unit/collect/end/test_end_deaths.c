/* Tests of collect/end/end_deaths.c: what is made of deaths, without the kernel's events. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/end/end_deaths.h"
#include "core/end/end_cause.h"
#include "tests/unit/unit.h"

#define S       INT64_C(1000000000)
#define COMMAND 1000000000 /* above all pids */

struct got {
	struct root root;
	struct end_deaths deaths;
	struct snapshot snapshot;
	struct snapshot_evidence evidence;
};

static void begin(struct got *g)
{
	*g = (struct got){.evidence = end_cause_none()};
	assert_int_equal(root_open(&g->root, NULL, NULL), 0);
	g->deaths = (struct end_deaths){.events = {.fd = -1}, .root = &g->root, .command = COMMAND};
}

static const struct snapshot_evidence *fill(struct got *g)
{
	g->snapshot.end.evidence = &g->evidence;
	end_deaths_fill(&g->deaths, 100 * S, &g->snapshot);
	return &g->evidence;
}

static void finish(struct got *g)
{
	end_deaths_close(&g->deaths);
	snapshot_free(&g->snapshot);
	root_close(&g->root);
}

TEST(nothing_is_known_without_events)
{
	struct got g;

	begin(&g);
	end_deaths_reaped(&g.deaths, COMMAND, SIGKILL, "x", 99 * S);
	end_deaths_reaped(&g.deaths, COMMAND + 1, 0, "x", 99 * S);
	assert_true(isnan(fill(&g)->killed_others));
	assert_false(g.evidence.death.known);
	assert_string_equal(g.evidence.oom_victim, "");
	assert_int_equal(g.deaths.reaped, 1);
	finish(&g);
}

TEST(limits_of_cpu_time)
{
	const rlim_t none = RLIM_INFINITY;
	const struct {
		int signal;
		rlim_t soft, hard;
		double cpu_s, reached_s;
	} cases[] = {
	    {SIGXCPU, 2, none, 1.01, 1}, {SIGXCPU, 100, none, 0.01, 0}, {SIGXCPU, none, none, 9, 0},
	    {SIGXCPU, 3, 3, 2.5, 2},     {SIGKILL, 2, 2, 2.01, 2},      {SIGKILL, 2, 2, 1.5, 0},
	    {SIGKILL, 2, none, 9, 0},    {SIGSEGV, 2, 2, 9, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct rlimit cpu = {.rlim_cur = cases[i].soft, .rlim_max = cases[i].hard};
		assert_true(end_deaths_cpu_limit_s(cases[i].signal, &cpu, cases[i].cpu_s) ==
		            cases[i].reached_s);
		assert_true(isnan(end_deaths_cpu_limit_s(cases[i].signal, &cpu, NAN)));
	}
}

TEST(what_is_reaped_is_known)
{
	struct got g;

	begin(&g);
	end_deaths_reaped(&g.deaths, COMMAND + 1, SIGSEGV, "x", 95 * S);
	end_deaths_reaped(&g.deaths, COMMAND + 2, SIGKILL, "x", 99 * S);
	assert_true(fill(&g)->killed_others == 1);
	/* Of two deaths, the last one. */
	assert_true(g.evidence.death.known && g.evidence.death.before_s == 1);
	assert_string_equal(g.evidence.death.signal, "KILL");
	assert_string_equal(g.evidence.death.name, "x");
	assert_true(g.evidence.death.pid == COMMAND + 2);
	finish(&g);
}

TEST(a_death_long_before_is_no_reason)
{
	struct got g;

	begin(&g);
	end_deaths_reaped(&g.deaths, COMMAND + 1, SIGSEGV, "x", 80 * S);
	assert_false(fill(&g)->death.known);
	finish(&g);
}

/* SIGTERM and SIGPIPE are how a job ends its helpers; not if its status says so. */
TEST(a_helper_that_was_ended_is_no_reason)
{
	static const struct {
		int signal, code;
		bool known;
	} cases[] = {{SIGTERM, 1, false},  {SIGTERM, 143, true}, {SIGPIPE, 1, false},
	             {SIGPIPE, 141, true}, {SIGABRT, 1, true},   {SIGKILL, 1, true}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct got g;
		begin(&g);
		g.snapshot.exit.known = true;
		g.snapshot.exit.code = cases[i].code;
		end_deaths_reaped(&g.deaths, COMMAND + 1, cases[i].signal, "x", 99 * S);
		assert_int_equal(fill(&g)->death.known, cases[i].known);
		finish(&g);
	}
}

/* As after looks at the counters: of the kills, how many were surely others', and how many of the
 * dead were surely no victims. */
TEST(victims)
{
	static const struct {
		bool complete;
		double kills, killed, victims, no_victims;
		const char *who;
	} cases[] = {
	    {true, 0, 0, 0, 0, ""},
	    {true, NAN, 0, 0, 0, ""},
	    {true, 1, 0, 0, 0, SNAPSHOT_VICTIM_COMMAND},
	    {true, 1, 1, 1, 0, SNAPSHOT_VICTIM_OTHER},
	    {true, 1, 1, 0, 0, ""},
	    {true, 1, 1, 0, 1, SNAPSHOT_VICTIM_COMMAND},
	    {true, 2, 1, 1, 0, SNAPSHOT_VICTIM_COMMAND},
	    {true, 2, 3, 1, 1, ""},
	    {false, 1, 0, 0, 0, ""},
	    {false, 1, 1, 1, 0, SNAPSHOT_VICTIM_OTHER},
	    {false, 2, 1, 1, 0, ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct got g;
		begin(&g);
		g.deaths.complete = cases[i].complete;
		g.deaths.killed = cases[i].killed;
		g.deaths.victims = cases[i].victims;
		g.deaths.no_victims = cases[i].no_victims;
		g.evidence.oom_kills = cases[i].kills;
		if (strcmp(fill(&g)->oom_victim, cases[i].who) != 0)
			print_error("case %zu: %s\n", i, g.evidence.oom_victim);
		assert_string_equal(g.evidence.oom_victim, cases[i].who);
		finish(&g);
	}
}

TEST(a_doubt_counts)
{
	struct got g;

	begin(&g);
	g.deaths.complete = true;
	g.deaths.doubt = 99 * S + S / 2;
	g.evidence.oom_kills = 1;
	assert_true(fill(&g)->killed_others == 1);
	assert_string_equal(g.evidence.oom_victim, "");
	finish(&g);
}

/* The counter of a cgroup, in a file. */
static void count(struct got *g, struct oom *oom, int kills)
{
	char text[32];
	int n = snprintf(text, sizeof text, "oom_kill %d\n", kills);

	if (oom->events < 0)
		oom->events = memfd_create("oom", MFD_CLOEXEC);
	assert_true(oom->events >= 0 && pwrite(oom->events, text, (size_t)n, 0) == n);
	g->deaths.oom = oom;
}

/* A death so long after a kill was counted is not that of its victim, where others may be in the
 * cgroup. */
TEST(deaths_long_after_a_kill_are_no_victims)
{
	static const struct {
		int64_t counted, died;
		bool made;
		double candidates;
	} cases[] = {
	    {90 * S, 91 * S, false, 1}, {90 * S, 96 * S, false, 0}, {90 * S, 96 * S, true, 1}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct oom oom = {.open = true, .v2 = true, .events = -1, .made = cases[i].made};
		struct got g;
		begin(&g);
		g.deaths.complete = true;
		count(&g, &oom, 0);
		end_deaths_look(&g.deaths, 80 * S);
		count(&g, &oom, 1);
		end_deaths_look(&g.deaths, cases[i].counted);
		g.deaths.last[g.deaths.n++].at = cases[i].died;
		g.deaths.killed = g.deaths.unsettled = 1;
		end_deaths_settle(&g.deaths);
		assert_true(end_deaths_candidates(&g.deaths, 100 * S) == cases[i].candidates);
		close(oom.events);
		finish(&g);
	}
}

static void died(struct got *g, int pid, int signal, const char *name)
{
	const struct proc_event e = {
	    .kind = PROC_EVENT_END, .at = 99 * S, .pid = pid, .tid = pid, .status = signal};

	end_deaths_died(&g->deaths, &e, name ? &(struct process_log_dead){.name = name} : NULL);
}

TEST(what_another_one_reads)
{
	struct got g;

	begin(&g);
	end_deaths_open_told(&g.deaths, &g.root, NULL, NULL, COMMAND);
	assert_int_equal(end_deaths_fd(&g.deaths), -1);
	died(&g, COMMAND, SIGKILL, "sh");
	died(&g, COMMAND + 1, SIGSEGV, "first");
	died(&g, COMMAND + 2, SIGKILL, "second");
	end_deaths_settle(&g.deaths);
	/* It was told already. */
	end_deaths_reaped(&g.deaths, COMMAND + 2, SIGKILL, "x", 99 * S);
	assert_true(fill(&g)->killed_others == 1);
	assert_string_equal(g.evidence.death.name, "second");
	assert_int_equal(g.evidence.death.pid, COMMAND + 2);
	finish(&g);
}

TEST(what_was_lost_is_not_known)
{
	struct got g;

	begin(&g);
	end_deaths_open_told(&g.deaths, &g.root, NULL, NULL, COMMAND);
	end_deaths_lost(&g.deaths, false);
	assert_true(isnan(fill(&g)->killed_others));
	finish(&g);
}

/* Its zombie was gone, and what it had used is known within bounds. */
TEST(a_limit_that_it_may_have_reached_is_not_known)
{
	const struct {
		int signal;
		double least_s, most_s, reached_s;
	} cases[] = {{SIGKILL, 0, 10, NAN},  {SIGKILL, 0, 4, 0},   {SIGKILL, 5.1, 5.2, 5},
	             {SIGXCPU, 1.9, 3, NAN}, {SIGXCPU, 0, 1.9, 0}, {SIGXCPU, 2.1, 9, 2},
	             {SIGSEGV, 0, 10, 0}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct process_log_dead dead = {
		    .name = "x",
		    .limits = {.known = true, .cpu = {2, 5}, .file = RLIM_INFINITY},
		    .cpu_least_s = cases[i].least_s,
		    .cpu_most_s = cases[i].most_s};
		const struct proc_event e = {.kind = PROC_EVENT_END,
		                             .at = 99 * S,
		                             .pid = COMMAND + 1,
		                             .tid = COMMAND + 1,
		                             .status = cases[i].signal};
		double reached_s;
		struct got g;
		begin(&g);
		end_deaths_open_told(&g.deaths, &g.root, NULL, NULL, COMMAND);
		end_deaths_died(&g.deaths, &e, &dead);
		reached_s = fill(&g)->death.cpu_limit_s;
		assert_true(isnan(cases[i].reached_s) ? isnan(reached_s)
		                                      : reached_s == cases[i].reached_s);
		finish(&g);
	}
}
