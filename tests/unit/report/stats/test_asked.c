/* asked: what was asked for, what was used of it, and what another ask would have done. */
#include <math.h>
#include <string.h>

#include "report/runs/parts.h"
#include "report/stats/asked.h"
#include "tests/unit/unit.h"

#define GIB 1073741824.0

/* An hour; 2 cores of CPU time; memory of 4 GiB, peak 6 GiB. */
#define RUNS 8 /* of one case, at most */

static void make_run(struct run *run)
{
	static struct stats stats[RUNS][METRIC_COUNT];
	static size_t made;

	*run = (struct run){.duration = 3600, .stats = stats[made++ % RUNS]};
	for (int id = 0; id < METRIC_COUNT; id++)
		run->stats[id] = (struct stats){.max = NAN, .mean = NAN, .sum = NAN};
	run->stats[METRIC_PROCESS_CPU_USAGE] = (struct stats){.n = 9, .mean = 2, .max = 3.5};
	run->stats[METRIC_PROCESS_UTIME] = (struct stats){.n = 9, .sum = 6000};
	run->stats[METRIC_PROCESS_STIME] = (struct stats){.n = 9, .sum = 840};
	run->stats[METRIC_PROCESS_MEMORY] = (struct stats){.n = 9, .mean = 4 * GIB, .max = 6 * GIB};
	run->stats[METRIC_PROCESS_GPU_USAGE] = (struct stats){.n = 9, .mean = 0.5, .max = 1};
	run->snapshot.totals.known = true;
	run->snapshot.server.known = true;
	run->snapshot.server.gpu_count = 4;
	run->snapshot.asked.known = true;
	for (int i = 0; i < SNAPSHOT_ASKED_N; i++)
		run->snapshot.asked.of[i] = (struct snapshot_ask){.value = NAN};
}

static void ask(struct run *run, enum asked_resource of, double value, const char *source)
{
	run->snapshot.asked.of[of] =
	    (struct snapshot_ask){.value = value, .source = source, .detail = "x"};
}

static void expect_near(double got, double want)
{
	if (isnan(got) != isnan(want) || fabs(got - want) > 1e-9 * fabs(want))
		fail_msg("%.17g, not %.17g", got, want);
}

TEST(formulas)
{
	static const struct {
		enum asked_resource of;
		double amount, used, efficiency, unused;
	} cases[] = {
	    {ASKED_CPUS, 16, 2, 0.125, 14 * 3600},
	    {ASKED_CPUS, 1.5, 2, 2 / 1.5, 0}, /* more than asked: nothing is unused */
	    {ASKED_MEMORY, 64 * GIB, 6 * GIB, 6.0 / 64, 60 * GIB * 3600},
	    {ASKED_MEMORY, 5 * GIB, 6 * GIB, 1.2, GIB * 3600},
	    {ASKED_GPUS, 2, 0.5, 0.25, 1.5 * 3600},
	    {ASKED_TIME, 7200, 3600, 0.5, NAN},
	    {ASKED_CPUS, NAN, 2, NAN, NAN},
	    {ASKED_CPUS, 0, 2, NAN, NAN},
	    {ASKED_CPUS, (double)INFINITY, 2, NAN, NAN},
	};
	struct run run;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct asked a;
		make_run(&run);
		ask(&run, cases[i].of, cases[i].amount, SNAPSHOT_ASKED_SCHEDULER);
		a = asked_of(&run, cases[i].of);
		expect_near(a.amount, isnan(cases[i].efficiency) ? NAN : cases[i].amount);
		expect_near(a.used, cases[i].used);
		expect_near(a.efficiency, cases[i].efficiency);
		expect_near(a.unused, cases[i].unused);
		assert_int_equal(a.requested, !isnan(a.amount));
	}
}

TEST(sources)
{
	static const struct {
		const char *source, *known;
		bool requested;
	} cases[] = {
	    {SNAPSHOT_ASKED_OPTION, SNAPSHOT_ASKED_OPTION, true},
	    {SNAPSHOT_ASKED_ENVIRONMENT, SNAPSHOT_ASKED_ENVIRONMENT, true},
	    {SNAPSHOT_ASKED_SCHEDULER, SNAPSHOT_ASKED_SCHEDULER, true},
	    {SNAPSHOT_ASKED_LIMIT, SNAPSHOT_ASKED_LIMIT, false},
	    {SNAPSHOT_ASKED_MACHINE, SNAPSHOT_ASKED_MACHINE, false},
	    {"<script>", "", false},
	    {NULL, "", false},
	};
	struct run run;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct asked a;
		make_run(&run);
		ask(&run, ASKED_CPUS, 4, cases[i].source);
		a = asked_of(&run, ASKED_CPUS);
		assert_string_equal(a.source, cases[i].known);
		assert_int_equal(a.requested, cases[i].requested);
		expect_near(a.efficiency, 0.5);
	}
}

/* Recordings of other tools and of older versions, and what was not measured. */
TEST(unknown)
{
	struct run run;
	struct asked a;

	make_run(&run);
	ask(&run, ASKED_CPUS, 4, SNAPSHOT_ASKED_OPTION);
	run.snapshot.asked.known = false;
	a = asked_of(&run, ASKED_CPUS);
	assert_true(isnan(a.amount) && isnan(a.efficiency) && isnan(a.unused) && !a.requested);
	run.snapshot.asked.known = true;
	run.duration = NAN;
	assert_true(isnan(asked_of(&run, ASKED_CPUS).unused));
	make_run(&run);
	/* GPUs that nobody could measure: the column has zeros */
	ask(&run, ASKED_GPUS, 1, SNAPSHOT_ASKED_SCHEDULER);
	run.snapshot.server.gpu_count = 0;
	run.stats[METRIC_PROCESS_GPU_USAGE].mean = run.stats[METRIC_PROCESS_GPU_USAGE].max = 0;
	a = asked_of(&run, ASKED_GPUS);
	assert_true(a.amount == 1 && isnan(a.used) && isnan(a.efficiency) && isnan(a.unused));
}

TEST(columns)
{
	assert_int_equal(asked_of_column(METRIC_PROCESS_CPU_USAGE), ASKED_CPUS);
	assert_int_equal(asked_of_column(METRIC_PROCESS_MEMORY), ASKED_MEMORY);
	assert_int_equal(asked_of_column(METRIC_PROCESS_GPU_USAGE), ASKED_GPUS);
	assert_int_equal(asked_of_column(METRIC_PROCESS_GPU_VRAM), ASKED_RESOURCES);
	assert_int_equal(asked_of_column(METRIC_PROCESS_READ_BYTES), ASKED_RESOURCES);
	assert_int_equal(asked_of_column(METRIC_SYSTEM_CPU_USAGE), ASKED_RESOURCES);
}

TEST(trial)
{
	/* this run; one that counts; one that needed more; one that took longer; one that is not
	 * used; one of which nothing is known; and one of two nodes */
	static const struct {
		double peak_gib, seconds;
		bool used;
	} all[] = {{6, 3600, false},  {6, 3600, true},  {9, 3600, true}, {6, 7200, true},
	           {99, 99e9, false}, {NAN, NAN, true}, {12, 3600, true}};
	struct run v[7];
	/* Evenly spread, 8 GiB would do. */
	struct parts_node node[] = {{.used.memory_b = 3 * GIB}, {.used.memory_b = 9 * GIB}};
	struct parts two = {.node = node, .n_nodes = 2};
	const struct runs runs = {.v = v, .n = 7};
	struct asked_trial t;

	for (size_t i = 0; i < 7; i++) {
		make_run(&v[i]);
		v[i].stats[METRIC_PROCESS_MEMORY].max = all[i].peak_gib * GIB;
		v[i].duration = all[i].seconds;
		v[i].shows_need = all[i].used;
	}
	v[6].parts = &two;
	t = asked_try(&runs, 8 * GIB, 5400);
	assert_int_equal(t.runs, 5);
	assert_int_equal(t.memory, 2);
	assert_int_equal(t.time, 1);
	assert_int_equal(t.failed, 3);
	t = asked_try(&runs, 5 * GIB, NAN);
	assert_int_equal(t.runs, 5);
	assert_int_equal(t.memory, 5);
	assert_int_equal(t.time, 0);
	t = asked_try(&runs, NAN, NAN);
	assert_int_equal(t.runs, 0);
}

/* A run that failed otherwise shows what is too little, and not what is enough. */
TEST(trial_of_failed)
{
	struct run run;
	const struct runs runs = {.v = &run, .n = 1};

	make_run(&run);
	run.status = RUN_FAILED;
	assert_int_equal(asked_try(&runs, 8 * GIB, 2 * run.duration).runs, 0);
	assert_int_equal(asked_try(&runs, 5 * GIB, NAN).failed, 1);
	assert_int_equal(asked_try(&runs, 8 * GIB, run.duration / 2).time, 1);
}

/* The peak is not all that a run may have needed. */
TEST(needed)
{
	struct run run;

	make_run(&run);
	expect_near(asked_memory_needed(&run), 6 * GIB);
	run.snapshot.totals.oom_kills = 1;
	run.snapshot.limits.known = true;
	run.snapshot.limits.cpus = run.snapshot.limits.memory_high_b = NAN;
	run.snapshot.limits.memory_b = 10 * GIB;
	run.snapshot.server.memory_b = 64 * GIB;
	expect_near(asked_memory_needed(&run), 10 * GIB);
	run.stats[METRIC_PROCESS_MEMORY] = (struct stats){.max = NAN};
	run.snapshot.totals = (struct snapshot_totals){0};
	assert_true(isnan(asked_memory_needed(&run)));
}

/* A run that was killed at its limit needed more than that, and nobody knows how much. */
TEST(killed)
{
	struct run run;
	const struct runs runs = {.v = &run, .n = 1};
	struct asked_trial t;

	make_run(&run);
	run.snapshot.totals.known = true;
	run.snapshot.totals.oom_kills = 1;
	run.snapshot.limits.known = true;
	run.snapshot.limits.cpus = run.snapshot.limits.memory_high_b = NAN;
	run.snapshot.limits.memory_b = 10 * GIB;
	run.snapshot.server.memory_b = 64 * GIB;
	t = asked_try(&runs, 20 * GIB, NAN);
	assert_int_equal(t.runs, 1);
	assert_int_equal(t.unknown, 1);
	assert_int_equal(t.memory, 1);
	assert_int_equal(t.failed, 1);
	t = asked_try(&runs, 10 * GIB, NAN);
	assert_int_equal(t.unknown, 0);
	assert_int_equal(t.memory, 1);
	assert_int_equal(t.failed, 1);
}

TEST(amounts)
{
	char out[64];

	assert_string_equal(asked_text(ASKED_CPUS, 16, out), "16 CPUs");
	assert_string_equal(asked_text(ASKED_CPUS, 0.5, out), "0.50 CPUs");
	assert_string_equal(asked_text(ASKED_MEMORY, 64 * GIB, out), "64.0 GiB");
	assert_string_equal(asked_text(ASKED_GPUS, 1, out), "1 GPU");
	assert_string_equal(asked_text(ASKED_TIME, 14400, out), "4 h");
}

TEST(requested)
{
	static const struct {
		const char *source;
		double value;
		bool counts;
	} cases[] = {
	    {"option", 5, true},  {"environment", 5, true}, {"scheduler", 5, true},
	    {"limit", 5, false},  {"machine", 5, false},    {NULL, 5, false},
	    {"option", 0, false}, {"option", NAN, false},
	};
	struct run run = {.snapshot.asked.known = true};
	struct snapshot_ask *ask = &run.snapshot.asked.of[SNAPSHOT_ASKED_TIME];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double got;
		ask->source = cases[i].source;
		ask->value = cases[i].value;
		got = asked_requested(&run, ASKED_TIME);
		assert_true(cases[i].counts ? got == 5 : isnan(got));
	}
	assert_true(isnan(asked_requested(&run, ASKED_MEMORY)));
	ask->value = 5;
	ask->source = "limit";
	assert_true(asked_today(&run, ASKED_TIME) == 5);
	ask->source = "machine";
	assert_true(isnan(asked_today(&run, ASKED_TIME)));
	ask->source = NULL;
	assert_true(isnan(asked_today(&run, ASKED_TIME)));
}
