/* Tests of collect/end/end_signals.c: which signals are kept, their senders, their order. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "collect/end/end_signals.h"
#include "core/end/end_cause.h"
#include "tests/unit/unit.h"

#define S INT64_C(1000000000)

struct got {
	struct root root;
	struct end_signals signals;
	struct snapshot snapshot;
	struct snapshot_evidence evidence;
};

static void begin(struct got *g)
{
	*g = (struct got){.evidence = end_cause_none()};
	assert_int_equal(root_open(&g->root, NULL, NULL), 0);
}

static void add(struct got *g, int signal, int code, int pid, int64_t at)
{
	const struct signalfd_siginfo info = {.ssi_signo = (uint32_t)signal,
	                                      .ssi_code = code,
	                                      .ssi_pid = (uint32_t)pid,
	                                      .ssi_uid = 7};

	end_signals_add(&g->signals, &g->root, &info, at);
}

static const struct snapshot_evidence *fill(struct got *g, int64_t end)
{
	g->snapshot.end.evidence = &g->evidence;
	end_signals_fill(&g->signals, end, &g->snapshot);
	return &g->evidence;
}

static void finish(struct got *g)
{
	snapshot_free(&g->snapshot);
	root_close(&g->root);
}

TEST(only_what_can_end_a_process)
{
	static const int harmless[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGTSTP, SIGTTIN};
	struct got g;

	begin(&g);
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		add(&g, harmless[i], SI_USER, getpid(), 0);
	/* Those the kernel raised for what the recorder did. */
	add(&g, SIGPIPE, SI_USER, getpid(), 0);
	add(&g, SIGXFSZ, SI_KERNEL, 0, 0);
	assert_int_equal(fill(&g, S)->n_signals, 0);
	add(&g, SIGXCPU, SI_USER, 1, 0);
	assert_int_equal(fill(&g, S)->n_signals, 1);
	finish(&g);
}

TEST(who_sent_it)
{
	const struct snapshot_end_signal *s;
	struct got g;

	begin(&g);
	add(&g, SIGINT, SI_KERNEL, 0, S);
	add(&g, SIGHUP, SI_KERNEL, 0, 2 * S);
	add(&g, SIGTERM, SI_USER, getpid(), 3 * S);
	add(&g, SIGTERM, SI_USER, 0, 9 * S); /* of another namespace */
	s = fill(&g, 5 * S)->signals;
	assert_string_equal(s[0].signal, "INT");
	assert_string_equal(s[0].from, "the terminal");
	assert_true(isnan(s[0].pid) && isnan(s[0].uid) && s[0].before_s == 4);
	assert_string_equal(s[1].from, "the terminal");
	assert_string_equal(s[2].from, "test_end_signal"); /* as the kernel cuts it */
	assert_true(s[2].pid == getpid() && s[2].uid == 7 && s[2].before_s == 2);
	assert_string_equal(s[3].from, "");
	assert_true(isnan(s[3].pid) && s[3].before_s == 0);
	finish(&g);
}

TEST(the_last_are_kept)
{
	const struct snapshot_evidence *e;
	struct got g;

	begin(&g);
	for (int i = 1; i <= 10; i++)
		add(&g, SIGRTMIN + i, SI_USER, 0, i * S);
	e = fill(&g, 10 * S);
	assert_int_equal(e->n_signals, SNAPSHOT_END_SIGNALS);
	for (size_t i = 0; i < e->n_signals; i++)
		assert_true(e->signals[i].before_s == (double)(SNAPSHOT_END_SIGNALS - 1 - i));
	finish(&g);
}
