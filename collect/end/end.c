/* end: the evidence of why the run ends. */
#include "collect/end/end.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/procfs/scan.h"
#include "collect/redact/redact.h"
#include "core/base/larger.h"
#include "core/base/quantity.h"
#include "core/end/end_cause.h"

#define GROWTH_S       10
#define GROWTH_LEAST_S 0.2
#define LIMIT_SHARE    0.5 /* of a limit of v1 is used, where it is the reason */
#define MOST_OF_LIMIT  0.5 /* no other process can have more */
#define AT_ONCE_S      0.5 /* from an OOM kill to the end that it causes */
#define SMALL          0.5 /* of the largest process: others share no memory with it */

/* -- while it runs ----------------------------------------------------------------------------- */

/* Processes that outlive the command say nothing about its end. */
static bool command_ended(const struct end *e, const struct process_table *t)
{
	int place = e->deaths.command > 0 ? process_table_find(t, e->deaths.command) : -1;

	return e->deaths.command > 0 && (place < 0 || t->processes[place].stat.state == 'Z' ||
	                                 t->processes[place].stat.state == 'X');
}

/* An OOM kill was counted since the sample before: the kernel prefers the largest process. */
static void look_for_victim(struct end *e, const struct process_table *t)
{
	double kills = e->deaths.oom ? oom_count(e->deaths.oom) : (double)NAN;
	bool other = e->largest_pid > 0 && e->largest_pid != e->deaths.command;
	int place;

	if (!(kills > e->oom_seen))
		return;
	e->oom_seen = kills;
	e->outlived = !command_ended(e, t);
	place = other ? process_table_find(t, e->largest_pid) : -1;
	other = other && (place < 0 || t->processes[place].stat.state == 'Z' ||
	                  t->processes[place].stat.state == 'X');
	e->victim_b = other && e->largest_alone ? e->largest_b : 0;
}

void end_sample(struct end *e, const struct tree *tree, const struct tree_counters *now)
{
	const struct process_table *t = tree_table(tree);
	const struct tracked_process *largest = NULL, *second = NULL;

	look_for_victim(e, t);
	end_deaths_look(&e->deaths, now->at);
	for (size_t i = 0; i < t->n; i++) {
		const struct tracked_process *p = &t->processes[t->order[i]];
		e->ignores_children |= p->used && p->ignores_children;
		if (p->used && (!largest || p->stat.rss_pages > largest->stat.rss_pages)) {
			second = largest;
			largest = p;
		} else if (p->used && (!second || p->stat.rss_pages > second->stat.rss_pages)) {
			second = p;
		}
	}
	if (!now->alive || !largest || largest->stat.rss_pages <= 0 || command_ended(e, t))
		return;
	e->memory[e->samples++ % END_SAMPLES] =
	    (struct end_memory){.at = now->at, .bytes = now->all.memory_b};
	e->largest_pid = largest->stat.pid;
	e->largest_alone =
	    !second || (double)second->stat.rss_pages < SMALL * (double)largest->stat.rss_pages;
	e->largest_b = (double)largest->stat.rss_pages * (double)sysconf(_SC_PAGESIZE);
	memcpy(e->largest, largest->stat.comm, sizeof e->largest);
	e->threads_most = larger(e->threads_most, now->all.threads);
	e->alive = (double)now->alive;
}

void end_look(struct end *e, const struct root *r, int pid)
{
	struct proc_pid_stat stat;

	if (proc_pid_stat_of(r, pid, &stat) == 0) {
		/* Each process has page faults, which its parent inherits. */
		e->childless = stat.cminflt == 0 && stat.cmajflt == 0;
		memcpy(e->name, stat.comm, sizeof e->name);
	}
	e->cpu_s = end_deaths_cpu_s(pid);
	e->written_b = end_deaths_written_b(r, pid);
	e->has_limits = prlimit(pid, RLIMIT_CPU, NULL, &e->cpu) == 0 &&
	                prlimit(pid, RLIMIT_FSIZE, NULL, &e->file) == 0 &&
	                prlimit(pid, RLIMIT_AS, NULL, &e->address) == 0 &&
	                prlimit(pid, RLIMIT_NPROC, NULL, &e->processes) == 0;
}

/* -- the parts --------------------------------------------------------------------------------- */

static double limit_if_any(rlim_t v)
{
	return v == RLIM_INFINITY ? (double)NAN : (double)v;
}

static void fill_limits(const struct end *e, const struct end_known *k, struct snapshot *s)
{
	struct snapshot_evidence *out = s->end.evidence;

	if (!e->has_limits)
		return;
	out->cpu_limit_s = limit_if_any(e->cpu.rlim_cur);
	/* The kernel has moved it by a second, if the signal was the kernel's. */
	if (s->exit.signal == SIGXCPU && end_deaths_cpu_limit_s(SIGXCPU, &e->cpu, e->cpu_s) > 0)
		out->cpu_limit_s -= 1;
	out->cpu_hard_s = limit_if_any(e->cpu.rlim_max);
	out->cpu_used_s = s->exit.signal ? e->cpu_s : k->all_cpu_s;
	out->file_limit_b = limit_if_any(e->file.rlim_cur);
	out->file_written_b = e->written_b;
	out->address_limit_b = limit_if_any(e->address.rlim_cur);
	if (!isnan(out->address_limit_b) && k->address_b <= out->address_limit_b)
		out->address_used_b = k->address_b;
	if (geteuid() != 0) {
		out->processes_limit = limit_if_any(e->processes.rlim_cur);
		out->processes_most = e->threads_most > 0 ? e->threads_most : (double)NAN;
	}
}

/* Bytes a second in the last seconds. */
static double growth_rate(const struct end *e)
{
	size_t n = e->samples < END_SAMPLES ? e->samples : END_SAMPLES;
	const struct end_memory *last, *first;
	double s;

	if (n < 2)
		return NAN;
	last = first = &e->memory[(e->samples - 1) % END_SAMPLES];
	for (size_t i = 2; i <= n; i++) {
		const struct end_memory *m = &e->memory[(e->samples - i) % END_SAMPLES];
		if (last->at - m->at <= GROWTH_S * INT64_C(1000000000))
			first = m;
	}
	s = (double)(last->at - first->at) / 1e9;
	return s >= GROWTH_LEAST_S ? (last->bytes - first->bytes) / s : (double)NAN;
}

/* The command was the job's only process. */
static bool is_single(const struct end *e)
{
	return e->childless && e->alive <= 1 && e->deaths.reaped == 0 && !e->ignores_children;
}

/* A process that ended between two samples may have been larger than any of them saw. */
static void tell_memory(const struct end *e, const struct end_known *k, struct snapshot *s)
{
	struct snapshot_evidence *out = s->end.evidence;
	bool unseen = k->max_rss_b > e->largest_b;
	bool alone = e->alive <= 1 && s->exit.signal == SIGKILL;
	bool of_command = *e->name && k->pid > 0 &&
	                  (is_single(e) || (e->largest_pid == k->pid && (!unseen || alone)));
	struct buf name = {0};

	if (e->samples) {
		out->memory_b = e->memory[(e->samples - 1) % END_SAMPLES].bytes;
		out->growth_bs = growth_rate(e);
		out->largest_b = e->largest_b;
	}
	if (unseen) {
		out->largest_b = k->max_rss_b;
		out->memory_b = larger(out->memory_b, k->max_rss_b);
	}
	/* A sample may have seen the command before it called exec(3). */
	if (of_command)
		redact_text(e->name, sizeof e->name, &name);
	else if (!unseen)
		redact_text(e->largest, sizeof e->largest, &name);
	out->largest = snapshot_strdup(s, name.failed ? "" : buf_cstr(&name));
	buf_free(&name);
}

/* The time since the job began, where its scheduler says when: the recording may be of a part. */
static void fill_time(const struct end_known *k, struct snapshot *s)
{
	const struct snapshot_ask *asked = &s->asked.of[SNAPSHOT_ASKED_TIME];
	const char *text = getenv("SLURM_JOB_START_TIME");
	struct scan digits = scan_text(text ? text : "", text ? strlen(text) : 0);
	double now = (double)time(NULL);
	uint64_t start;

	if (!s->asked.known || !(asked->value > 0) || !asked->source)
		return;
	s->end.evidence->time_limit_s = asked->value;
	s->end.evidence->time_enforced = strcmp(asked->source, SNAPSHOT_ASKED_SCHEDULER) == 0;
	s->end.evidence->time_used_s = k->ran_s + k->wall_s;
	if (s->end.evidence->time_enforced && scan_u64(&digits, &start) && start)
		s->end.evidence->time_used_s =
		    larger(s->end.evidence->time_used_s, now - (double)start);
}

/* Where the kernel reports no deaths: the command was the victim if it was alone, or had that much
 * memory that none of the others could have more. */
static void find_victim(const struct end *e, const struct end_known *k, struct snapshot *s)
{
	struct snapshot_evidence *out = s->end.evidence;
	bool most = e->largest_pid == k->pid && e->largest_alone &&
	            e->largest_b > MOST_OF_LIMIT * out->oom_limit_b;

	if (k->pid <= 0)
		out->oom_victim = "";
	if (k->pid <= 0 || e->deaths.complete)
		return;
	if (is_single(e))
		out->killed_others = 0;
	if (!(out->oom_kills >= 1) || *out->oom_victim || s->exit.signal != SIGKILL)
		return;
	if (is_single(e) || most)
		out->oom_victim = SNAPSHOT_VICTIM_COMMAND;
}

/* A victim takes a moment to end, and a shell one to report that. */
static bool has_outlived(const struct end *e, const struct snapshot *s)
{
	return e->outlived && s->end.evidence->oom_before_s > AT_ONCE_S;
}

/* Where the kernel reports no deaths: whether a process of the job was an OOM killer's victim, by
 * the status of the command, or because the largest process, to which others were small, was gone
 * when the kill was counted. */
static bool has_victim(const struct end *e, const struct snapshot *s)
{
	const struct snapshot_evidence *out = s->end.evidence;

	if (e->victim_b > MOST_OF_LIMIT * out->oom_limit_b)
		return true;
	if (has_outlived(e, s))
		return false;
	return s->exit.signal == SIGKILL ? *out->oom_victim : s->exit.code == 128 + SIGKILL;
}

/* In a cgroup that was not made for the command, others may have been killed: those that came into
 * it meanwhile. A kill is the job's only if a process of it ended by SIGKILL then. */
static void bind_kills(const struct end *e, const struct end_known *k, struct snapshot *s)
{
	struct snapshot_evidence *out = s->end.evidence;
	bool killed = s->exit.known && s->exit.signal == SIGKILL && !has_outlived(e, s);
	bool bound = e->deaths.complete
	                 ? end_deaths_candidates(&e->deaths, k->at) + killed >= out->oom_kills
	                 : has_victim(e, s);

	if (!k->oom->open || oom_is_closed(k->oom) || !(out->oom_kills >= 1) || bound)
		return;
	out->oom_kills_shared = out->oom_kills;
	out->oom_kills = NAN;
	out->oom_victim = "";
}

/* A command that ended by itself was no victim. */
static void settle_victim(const struct end_known *k, struct snapshot *s)
{
	struct snapshot_evidence *out = s->end.evidence;

	if (k->pid > 0 && out->oom_kills >= 1 && s->exit.signal != SIGKILL)
		out->oom_victim = SNAPSHOT_VICTIM_OTHER;
}

/* The counters of a cgroup that the recorder is not in. */
static void fill_outside(const struct end_known *k, struct snapshot_evidence *out)
{
	double kills = k->outside->kills;

	if (k->outside->slurm)
		out->oom_kills = kills;
	else
		out->oom_kills_shared = kills;
	out->slurm_step = k->outside->slurm;
	if (!(kills > 0))
		return;
	out->oom_before_s = 0;
	out->oom_limit_b = k->limits ? k->limits->of.memory_b : (double)NAN;
	out->oom_of = k->outside->slurm ? SNAPSHOT_OOM_STEP : "";
}

/* In v1 a limit is hit by the page cache as well. */
static void check_limit(const struct end_known *k, struct snapshot_evidence *out)
{
	if (k->oom->v2 || !(out->oom_limit_b > 0) ||
	    larger(out->memory_b, out->largest_b) >= LIMIT_SHARE * out->oom_limit_b)
		return;
	out->oom_of = out->oom_cgroup = "";
	out->oom_limit_b = NAN;
}

/* -- all --------------------------------------------------------------------------------------- */

static bool has_succeeded(const struct snapshot *s)
{
	return s->exit.known && !s->exit.signal && s->exit.code == 0;
}

/* Whether the command is timeout(1) and its time was up: it ends with the same status if its own
 * command does. */
static bool has_timed_out(const struct end_known *k)
{
	const char *name = k->command ? k->command[0] : NULL,
		   *slash = name ? strrchr(name, '/') : NULL;
	double s;

	if (!name || strcmp(slash ? slash + 1 : name, "timeout") != 0)
		return false;
	for (size_t i = 1; k->command[i]; i++) {
		const char *text = k->command[i];
		bool has_value = strcmp(text, "-s") == 0 || strcmp(text, "-k") == 0;
		if (*text != '-')
			return !quantity_duration(text, strlen(text), QUANTITY_BARE, &s) && s > 0 &&
			       k->wall_s >= s;
		i += has_value && k->command[i + 1];
	}
	return false;
}

void end_fill(const struct end *e, const struct end_known *k, struct snapshot *s)
{
	struct snapshot_evidence *out = snapshot_alloc(s, sizeof *out);
	struct end_cause_facts facts = {.known = s->exit.known,
	                                .code = s->exit.code,
	                                .signal = s->exit.signal,
	                                .timed_out = has_timed_out(k),
	                                .evidence = out};
	struct buf sentence = {0};

	if (!out)
		return;
	s->end.evidence = out;
	*out = end_cause_none();
	s->end.known = true;
	fill_limits(e, k, s);
	tell_memory(e, k, s);
	fill_time(k, s);
	if (k->outside && k->outside->open) {
		fill_outside(k, out);
	} else {
		oom_fill(k->oom, k->at, s);
		check_limit(k, out);
	}
	if (k->job_end && job_end_over_memory(k->job_end, k->peak_b))
		out->launcher_limit_b = k->job_end->of[JOB_END_KILL_ABOVE];
	out->core_dumped = k->status >= 0 && WIFSIGNALED(k->status) && WCOREDUMP(k->status);
	end_signals_fill(&e->signals, k->at, s);
	end_deaths_fill(&e->deaths, k->at, s);
	find_victim(e, k, s);
	bind_kills(e, k, s);
	settle_victim(k, s);
	out->forks_refused = pids_limit_refused(&e->pids);
	out->forks_limit = out->forks_refused > 0 ? e->pids.limit : (double)NAN;
	if (k->output && !has_succeeded(s))
		end_space_fill(&e->space, k->output, s);
	s->end.cause = end_cause_word(end_cause_of(&facts, &sentence));
	s->end.sentence = snapshot_strdup(s, sentence.failed ? "" : buf_cstr(&sentence));
	buf_free(&sentence);
}

bool end_is_oom(const struct snapshot *s)
{
	enum end_cause cause = s->end.known ? end_cause_find(s->end.cause) : END_CAUSE_UNKNOWN;

	return cause == END_CAUSE_OOM || cause == END_CAUSE_MEMORY_LIMIT ||
	       (cause == END_CAUSE_OOM_PROCESS && s->end.evidence->slurm_step);
}

void end_notes(struct snapshot *s)
{
	const struct snapshot_evidence *e = s->end.evidence;
	bool shared = e && e->oom_kills_shared >= 1;
	double kills = shared ? e->oom_kills_shared : NAN;

	if (e && e->oom_kills >= 1)
		kills = e->oom_kills;
	if (kills >= 1)
		snapshot_note(s, "The kernel's OOM killer ended %.0f process%s %s.", kills,
		              kills == 1 ? "" : "es",
		              shared ? "in the job's cgroup, which others use as well"
		                     : "of the job");
}

void end_close(struct end *e)
{
	end_deaths_close(&e->deaths);
	pids_limit_close(&e->pids);
}
