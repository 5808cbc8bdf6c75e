/* made_run: jobs of a made-up fleet, and how each ended. */
#include "tests/bench/fleet/made_run.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/fleet/made_random.h"

#define DAY      86400.0
#define SKEW     1.1   /* the exponent of Zipf's law */
#define ELEMENTS 12    /* of an array at most */
#define SHORT    0.015 /* share of runs that end within seconds */
#define BROKEN   0.004 /* share of recordings without an end */

int made_fleet_open(struct made_fleet *f, uint64_t seed, size_t groups, size_t recordings,
                    struct err *e)
{
	double sum = 0;

	*f = (struct made_fleet){.seed = seed, .samples = 230, .period = 90 * DAY};
	f->end = 1795219200; /* 2026-11-21T00:00:00Z */
	f->groups = groups ? groups : (size_t)fmax(1, 3 * sqrt((double)recordings));
	f->sum = calloc(f->groups, sizeof *f->sum);
	if (!f->sum)
		return err_set(e, "no memory for %zu groups", f->groups);
	for (size_t i = 0; i < f->groups; i++)
		f->sum[i] = sum += pow((double)i + 3, -SKEW);
	return 0;
}

void made_fleet_close(struct made_fleet *f)
{
	free(f->sum);
	f->sum = NULL;
}

static size_t pick_group(const struct made_fleet *f, struct made_random *r)
{
	double at = made_share(r) * f->sum[f->groups - 1];
	size_t low = 0, high = f->groups - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (f->sum[middle] > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* More on working days, and in working hours. */
static double pick_start(const struct made_fleet *f, struct made_random *r, double longest)
{
	for (;;) {
		double t = f->end - f->period + made_share(r) * fmax(f->period - longest, DAY);
		double day = floor(t / DAY), hour = (t - day * DAY) / 3600;
		int weekday = (int)fmod(day + 3, 7); /* 1970 began on a Thursday; 0: Monday */
		double busy = weekday < 5 ? 1 : 0.45;
		if (hour < 7 || hour > 19)
			busy *= 0.5;
		if (made_share(r) < busy)
			return floor(t * 100) / 100;
	}
}

static void submit(struct made_fleet *f)
{
	struct made_random r = made_stream(f->seed, 's', f->submission);
	bool first = f->submission < f->groups;

	made_group(&f->group, f->seed, first ? f->submission : pick_group(f, &r));
	f->elements = f->group.arrays && !first ? 4 + made_pick(&r, ELEMENTS - 3) : 1;
	f->submitted = pick_start(f, &r, 3 * f->group.wall_s);
	f->element = f->node = 0;
	f->submission++;
}

/* Samples are a second apart, or as many as leave no more than max of them. */
static void set_samples(struct made_run *run, size_t max)
{
	static const double intervals[] = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 3600};
	size_t i = 0;

	while (run->wall_s / intervals[i] > (double)max &&
	       i + 1 < sizeof intervals / sizeof *intervals)
		i++;
	run->interval = intervals[i];
	run->samples = (size_t)ceil(run->wall_s / run->interval);
	if (run->samples > max)
		run->samples = max;
}

/* How it ends, which may be earlier than it should. */
static void end_run(struct made_run *run, const struct made_group *g, struct made_random *r)
{
	static const int codes[] = {1, 1, 1, 2, 255};
	double limit = isnan(run->asked_memory_b) ? g->machine->memory_b : run->asked_memory_b;

	if (run->peak_b > limit) {
		run->end = MADE_OOM;
		run->signal = SIGKILL;
		run->peak_b = limit * made_between(r, 0.985, 1);
		run->wall_s *= made_between(r, 0.2, 0.95);
	} else if (made_share(r) < g->fails) {
		run->end = MADE_FAILED;
		run->signal = made_share(r) < 0.2 ? SIGSEGV : 0;
		run->code = codes[made_pick(r, sizeof codes / sizeof *codes)];
		run->wall_s *= made_between(r, 0.02, 0.9);
		run->peak_b *= made_between(r, 0.3, 0.95);
	} else if (run->wall_s > g->asked_time_s) {
		run->end = MADE_TIMEOUT;
		run->signal = SIGTERM;
		run->wall_s = g->asked_time_s;
	}
	if (made_share(r) < BROKEN)
		run->end = MADE_UNFINISHED;
	if (made_share(r) < SHORT)
		run->wall_s = made_between(r, 0.5, 9);
	run->wall_s = fmax(floor(run->wall_s * 100) / 100, 0.5);
}

/* Needs grow with time, and so does an ask that has become too small. */
static void set_needs(struct made_run *run, const struct made_fleet *f, struct made_random *r)
{
	const struct made_group *g = run->group;
	double age = 1 - (f->end - f->submitted) / f->period;
	double usual = g->need_b * pow(g->growth, age);

	run->asked_memory_b = g->asked_memory_b;
	if (usual > 0.97 * g->asked_memory_b)
		run->asked_memory_b = fmin(made_round_memory(1.4 * usual), g->machine->memory_b);
	run->peak_b = usual * made_around(r, g->need_spread) * (f->node ? 1 : 1.1);
	run->cores = fmin(g->cores * made_around(r, 0.06),
	                  isnan(g->asked_cpus) ? g->machine->vcpus : g->asked_cpus);
	run->gpus =
	    isnan(g->asked_gpus) ? 0 : g->asked_gpus * fmin(1, g->gpu_share * made_around(r, 0.1));
	run->wall_s = g->wall_s * made_around(r, g->wall_spread);
}

const struct made_run *made_fleet_next(struct made_fleet *f)
{
	struct made_run *run = &f->run;
	const struct made_group *g = &f->group;
	struct made_random r;

	if (f->element == f->elements)
		submit(f);
	r = made_stream(f->seed, 'e', f->submission * 64 + f->element);
	*run = (struct made_run){.group = g, .number = f->number++, .node = f->node};
	run->array = f->elements > 1 ? (double)(400000 + f->submission * 64) : (double)NAN;
	run->index = f->elements > 1 ? (double)f->element : (double)NAN;
	run->job = 400000 + f->submission * 64 + f->element;
	run->user =
	    (g->user + (made_share(&r) < 0.7 ? 0 : made_pick(&r, g->more_users + 1))) % MADE_USERS;
	run->start = f->submitted + floor(made_between(&r, 0, 40) * (double)f->element);
	run->host = (made_pick(&r, g->machine->hosts) + f->node) % g->machine->hosts;
	run->pid = 1000 + (double)((run->job * 2654435761u + f->node) % 4000000);
	set_needs(run, f, &r);
	end_run(run, g, &r);
	set_samples(run, f->samples);
	if (++f->node >= (size_t)g->nodes) {
		f->node = 0;
		f->element++;
	}
	return run;
}
