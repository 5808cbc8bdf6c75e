/* perf_cost: what the events of perf_events.h cost the job that they follow. */
#include "collect/events/perf_cost.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "collect/procfs/scan.h"
#include "core/base/larger.h"

/* CPU time on Linux 6.18, not less than what tests/bench/events.c measures (docs/bench.md): of a
 * fork, an exec and an end together, and of a switch, each for its records and for each event. */
#define FORK_NS         40000.0
#define FORK_EVENT_NS   5500.0
#define SWITCH_NS       700.0
#define SWITCH_EVENT_NS 50.0

#define SHARE    0.01
#define SAVED_NS 3e7
#define WORTH_NS 1e5 /* less is not worth a look at what the job used */

#define SECOND     INT64_C(1000000000)
#define FIRST_LOOK (SECOND / 4)       /* then twice as late, up to … */
#define LOOK       (SECOND * 19 / 20) /* … just before a usual sample */

static int64_t lesser_time(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

void perf_cost_begin(struct perf_cost *c, int64_t now)
{
	*c = (struct perf_cost){.looked = now,
	                        .due = now + FIRST_LOOK,
	                        .pause = FIRST_LOOK,
	                        .saved_ns = SAVED_NS,
	                        .calm = now};
}

/* A thread that was not there at the look before has begun since, unless that look was full. */
static void count_thread(struct perf_cost *c, int tid, uint64_t slices)
{
	uint64_t before = c->n_before == PERF_COST_THREADS ? slices : 0;

	for (int i = 0; i < c->n_before; i++)
		if (c->before[i].tid == tid && c->before[i].slices <= slices)
			before = c->before[i].slices;
	c->switches += (double)(slices - before);
	c->now[c->n++] = (struct perf_cost_thread){tid, slices};
}

struct listing {
	struct perf_cost *c;
	const struct root *r;
	int pid;
};

static int look_at_thread(void *ctx, const char *name, bool is_dir)
{
	const struct listing *l = ctx;
	struct proc_pid_schedstat now;
	struct scan s = scan_text(name, strlen(name));
	char path[64];
	int fd, tid;

	if (!is_dir || !scan_int(&s, &tid) || tid <= 0)
		return 0;
	snprintf(path, sizeof path, "task/%d/schedstat", tid);
	fd = proc_pid_open(l->r, l->pid, path);
	if (fd < 0)
		return 0;
	if (proc_pid_schedstat_read(fd, &now) == 0)
		count_thread(l->c, tid, now.slices);
	close(fd);
	return l->c->n == PERF_COST_THREADS;
}

bool perf_cost_count(struct perf_cost *c, const struct root *r, int pid)
{
	struct listing l = {c, r, pid};
	char path[32];

	if (c->n == PERF_COST_THREADS)
		return false;
	snprintf(path, sizeof path, "proc/%d/task", pid);
	(void)root_list(r, path, look_at_thread, &l);
	return c->n < PERF_COST_THREADS;
}

static double forks_ns(const struct perf_cost *c, int events)
{
	return c->forks * (FORK_NS + FORK_EVENT_NS * events);
}

static double switches_ns(const struct perf_cost *c, int events)
{
	return c->switches * (SWITCH_NS + SWITCH_EVENT_NS * events);
}

static double lost_ns(const struct perf_cost *c, int events)
{
	return forks_ns(c, events) + switches_ns(c, events);
}

bool perf_cost_is_worth(const struct perf_cost *c, int events)
{
	return lost_ns(c, events) > WORTH_NS;
}

enum perf_cost_why perf_cost_charge(struct perf_cost *c, const struct perf_cost_use *u,
                                    double *per_s)
{
	double s = larger((double)(u->now - c->looked) / (double)SECOND, 0.001);
	bool by_forks = forks_ns(c, u->events) > switches_ns(c, u->events);
	double forks_s = c->forks / s;

	*per_s = c->switches / s;
	if (c->switches <= PERF_COST_RATE * s * u->cpus)
		c->calm = u->now;
	c->saved_ns = lesser(c->saved_ns + SHARE * u->used_ns, SAVED_NS) - lost_ns(c, u->events);
	c->looked = u->now;
	c->pause = lesser_time(2 * c->pause, LOOK);
	c->due = u->now + (c->saved_ns < SAVED_NS / 2 ? FIRST_LOOK : c->pause);
	memcpy(c->before, c->now, (size_t)c->n * sizeof *c->now);
	c->n_before = c->n;
	c->n = 0;
	c->forks = c->switches = 0;
	if (u->now - c->calm >= PERF_COST_S * SECOND)
		return PERF_COST_SWITCHES;
	if (c->saved_ns >= 0)
		return PERF_COST_FINE;
	if (!by_forks)
		return PERF_COST_SWITCHES;
	*per_s = forks_s;
	return PERF_COST_FORKS;
}
