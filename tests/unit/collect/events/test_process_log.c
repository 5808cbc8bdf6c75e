/* Tests of collect/events/process_log.c with sources of events that say what a test wants. */
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/events/perf_events.h"
#include "collect/events/proc_events.h"
#include "collect/events/process_log.h"
#include "collect/machine/clocks.h"
#include "core/processes/process_tree.h"
#include "tests/unit/unit.h"

#define S       INT64_C(1000000000)
#define COMMAND 1000000000 /* above all pids */
#define FD      1000       /* of the connector */
#define BUSY    1500       /* readings at once: no time is left to look at processes */

/* -- the sources, instead of those of the kernel ----------------------------------------------- */

static struct perf_events_record records[8192]; /* of perf */
static int n_records, next_record;
static struct proc_event ends[4]; /* of the connector */
static int n_ends, next_end;
static bool loses;    /* the connector */
static bool unproven; /* it does not report here */

int perf_events_open(struct perf_events *p, int pid, const struct root *r, struct err *e)
{
	(void)pid, (void)r, (void)e;
	*p = (struct perf_events){.cpus = 1, .n = 2, .poll = -1};
	return 0;
}

int perf_events_allowed(const struct root *r, const char **change, struct err *e)
{
	(void)r, (void)change, (void)e;
	return 0;
}

int perf_events_fd(const struct perf_events *p)
{
	return p->poll;
}

void perf_events_with(struct perf_events *p, int fd)
{
	(void)p, (void)fd;
}

void perf_events_woken(struct perf_events *p)
{
	(void)p;
}

int perf_events_next(struct perf_events *p, uint64_t until, struct perf_events_record *out)
{
	(void)p;
	if (next_record == n_records || records[next_record].at > until)
		return 0;
	*out = records[next_record++];
	return 1;
}

bool perf_events_renew(struct perf_events *p)
{
	(void)p;
	return true;
}

uint64_t perf_events_total(const struct perf_events *p)
{
	(void)p;
	return 0;
}

void perf_events_close(struct perf_events *p)
{
	p->n = 0;
}

static int open_connector(struct proc_events *p)
{
	*p = (struct proc_events){.fd = FD};
	return 0;
}

int proc_events_open(struct proc_events *p, int parent, struct err *e)
{
	(void)parent, (void)e;
	return open_connector(p);
}

int proc_events_open_all(struct proc_events *p, struct err *e)
{
	(void)e;
	return open_connector(p);
}

int proc_events_open_deaths(struct proc_events *p, struct err *e)
{
	(void)e;
	return open_connector(p);
}

int proc_events_begin_ends(struct proc_events *p, struct err *e)
{
	(void)e;
	return open_connector(p);
}

int proc_events_prove_ends(struct proc_events *p, struct err *e)
{
	(void)e;
	p->fd = unproven ? -1 : p->fd;
	return unproven ? -1 : 0;
}

bool proc_events_next(struct proc_events *p, struct proc_event *out)
{
	p->lost |= loses;
	if (next_end == n_ends)
		return false;
	*out = ends[next_end++];
	return true;
}

bool proc_events_have_end(const struct proc_events *p, int pid)
{
	(void)p, (void)pid;
	return false;
}

bool proc_events_have_child_end(struct proc_events *p, int parent)
{
	(void)p, (void)parent;
	return false;
}

void proc_events_wait(const struct proc_events *p, int ms)
{
	(void)p, (void)ms;
}

void proc_events_close(struct proc_events *p)
{
	p->fd = -1;
}

/* -- a job of perf ----------------------------------------------------------------------------- */

static struct process_log *begin(struct root *r, int64_t now)
{
	struct process_log *l;

	n_records = next_record = n_ends = next_end = 0;
	loses = unproven = false;
	assert_int_equal(root_open(r, NULL, NULL), 0);
	l = process_log_open(r, false, PROCESS_TREE_PERF, NULL);
	assert_non_null(l);
	process_log_root(l, COMMAND, false);
	process_log_journal(l, NULL, now, 0);
	return l;
}

static void put(struct perf_events_record r)
{
	records[n_records++] = r;
}

static void finish(struct process_log *l, struct root *r)
{
	process_log_close(l);
	root_close(r);
}

/* Whether events of the connector are awaited. */
static bool hears(const struct process_log *l, int64_t now)
{
	int64_t deadline = INT64_MAX;

	return process_log_fd(l, now, &deadline) == FD;
}

/* What perf has lost is no reason to give up the connector, which has taken over. */
TEST(losses_are_those_of_the_source)
{
	struct root root;
	int64_t now = clocks_now(CLOCK_MONOTONIC);
	struct process_log *l = begin(&root, now);
	int left;

	for (int i = 0; i < 4; i++, now += S) {
		assert_false(hears(l, now));
		put((struct perf_events_record){.kind = PERF_EVENTS_LOST, .at = 1, .value = 1});
		process_log_read(l, now);
	}
	assert_true(hears(l, now));
	loses = true;
	for (left = 10; left > 0 && hears(l, now); left--, now += S)
		process_log_read(l, now);
	assert_int_equal(left, 6);
	finish(l, &root);
}

/* A child that lives, but is said to end: where it is looked at, it is not let go. */
static void put_child(enum perf_events_kind kind, int64_t at)
{
	put((struct perf_events_record){
	    .kind = kind, .at = (uint64_t)at, .pid = getpid(), .tid = getpid(), .parent = COMMAND});
}

static void put_status(int64_t at)
{
	ends[n_ends++] = (struct proc_event){
	    .kind = PROC_EVENT_END, .at = (uint64_t)at, .pid = getpid(), .tid = getpid()};
}

static bool is_there(struct process_log *l)
{
	const struct top_process top = {.pid = getpid()};
	struct process_entry e = {0};

	(void)process_log_find(l, &top, &e);
	return e.id != 0;
}

static const struct {
	bool status, early, loss, busy; /* what comes of it, and when */
	bool there;
} looks[] = {
    {.status = true, .there = false}, /* complete: nobody looks */
    {.status = false, .there = true},
    {.status = true, .early = true, .there = true},
    {.status = true, .loss = true, .there = true},
    {.status = true, .busy = true, .there = false},
};

TEST(only_incomplete_ends_are_looked_at)
{
	for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
		struct root root;
		int64_t now = clocks_now(CLOCK_MONOTONIC);
		struct process_log *l = begin(&root, now);
		if (looks[i].loss)
			put((struct perf_events_record){
			    .kind = PERF_EVENTS_LOST, .at = 1, .value = 1});
		put_child(PERF_EVENTS_FORK, now);
		for (int n = looks[i].busy ? BUSY : 1; n; n--)
			process_log_read(l, now);
		assert_true(is_there(l));
		if (looks[i].early)
			put_status(now);
		process_log_read(l, now);
		put_child(PERF_EVENTS_EXIT, now);
		put_child(PERF_EVENTS_CPU_TIME, now);
		if (looks[i].busy)
			process_log_read(l, now);
		if (looks[i].status && !looks[i].early)
			put_status(now);
		process_log_read(l, now);
		assert_int_equal(is_there(l), looks[i].there);
		finish(l, &root);
	}
}

static void note_lost(void *ctx, bool last)
{
	int *times = ctx;

	assert_true(last);
	++*times;
}

/* The subscription begins before the command, and is proved while it runs. */
TEST(deaths_are_not_known_without_a_proof)
{
	for (int works = 0; works < 2; works++) {
		struct root root;
		struct process_log *l = begin(&root, clocks_now(CLOCK_MONOTONIC));
		int times = 0;
		const struct process_log_deaths deaths = {.lost = note_lost, .ctx = &times};
		assert_true(process_log_tell(l, &deaths));
		unproven = !works;
		process_log_started(l);
		assert_int_equal(times, !works);
		assert_int_equal(process_log_tell(l, &deaths), works);
		finish(l, &root);
	}
}
