/* array_spread: which runs are elements, which attempt counts, how they differ. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/stats/array_spread.h"
#include "report/stats/history.h"
#include "tests/unit/unit.h"

#define MAX 1200

/* A run of an array: the attempt makes its key and its start. */
struct given {
	double index;
	enum run_status status;
	double seconds, memory_b;
	const char *array, *cause;
	int attempt;
};

static struct run v[MAX];
static struct stats stats[MAX][METRIC_COUNT];
static struct runs runs;

static void make(struct run *run, size_t i, const struct given *g)
{
	static const char *const jobs[] = {"job.0", "job.1", "job.2"};

	*run = (struct run){.file = "x",
	                    .start = 1000.0 * g->attempt + (double)i,
	                    .status = g->status,
	                    .duration = g->seconds};
	run->stats = stats[i];
	for (int id = 0; id < METRIC_COUNT; id++)
		run->stats[id] = stats_none();
	run->stats[METRIC_PROCESS_CPU_USAGE] = (struct stats){.n = 1, .mean = 1};
	run->stats[METRIC_PROCESS_MEMORY] = (struct stats){.n = 1, .max = g->memory_b};
	run->snapshot.part = (struct snapshot_part){.known = true,
	                                            .job = jobs[g->attempt],
	                                            .array_job = g->array ? g->array : "a",
	                                            .array_index = g->index};
	run->snapshot.exit.cause = g->cause ? g->cause : "exited";
	run->snapshot.limits.memory_b = run->snapshot.totals.oom_kills = NAN;
	run->snapshot.server.memory_b = NAN;
}

static struct array_spread spread(const struct given *given, size_t n)
{
	struct array_spread a;

	for (size_t i = 0; i < n; i++)
		make(&v[i], i, &given[i]);
	runs = (struct runs){.v = v, .n = n};
	assert_int_equal(array_spread_make(&a, &runs), 0);
	return a;
}
#define SPREAD(given) spread(given, sizeof given / sizeof *given)

static void ranges_are(const struct array_spread *a, enum array_outcome outcome, const char *text)
{
	struct buf b = {0};

	array_spread_ranges(a, outcome, &b);
	assert_string_equal(buf_cstr(&b), text);
	buf_free(&b);
}

TEST(outcomes)
{
	static const struct given given[] = {
	    {7, RUN_FINISHED, 10, 100, 0, 0, 0},   {3, RUN_FAILED, 10, 100, 0, 0, 0},
	    {0, RUN_FINISHED, 20, 300, 0, 0, 0},   {1, RUN_KILLED, 10, 900, 0, "oom", 0},
	    {2, RUN_UNKNOWN, 30, 200, 0, 0, 0},    {4, RUN_UNFINISHED, 10, 100, 0, 0, 0},
	    {5, RUN_KILLED, 10, 100, 0, 0, 0},     {9, RUN_FINISHED, 10, 100, "b", 0, 0},
	    {NAN, RUN_FINISHED, 10, 1, 0, 0, 0},   {-1, RUN_FINISHED, 10, 1, 0, 0, 0},
	    {1.5, RUN_FINISHED, 10, 1, 0, 0, 0},   {8, RUN_FINISHED, 10, 1, "", 0, 0},
	    {1e17, RUN_FINISHED, 10, 1, "", 0, 0},
	};
	static const size_t counts[ARRAY_OUTCOMES] = {2, 1, 1, 1, 1, 1};
	struct array_spread a = SPREAD(given);

	assert_int_equal(a.n, 7);
	assert_memory_equal(a.count, counts, sizeof counts);
	ranges_are(&a, ARRAY_OUTCOMES, "0-5,7");
	ranges_are(&a, ARRAY_FINISHED, "0,7");
	ranges_are(&a, ARRAY_OOM, "1");
	/* Of those that finished, or whose end is unknown. */
	assert_int_equal(a.of[TREND_DURATION].n, 3);
	assert_true(a.of[TREND_DURATION].p50 == 20);
	assert_true(a.of[TREND_MEMORY].max == 300);
	assert_true(a.v[1].value[TREND_MEMORY] == 900);
	assert_int_equal(a.earlier + a.parts, 0);
	array_spread_free(&a);
}

TEST(last_attempt_counts)
{
	static const struct given given[] = {
	    {0, RUN_FINISHED, 10, 100, 0, 0, 1}, {0, RUN_FAILED, 10, 100, 0, 0, 0},
	    {1, RUN_FAILED, 10, 100, 0, 0, 0},   {1, RUN_FINISHED, 40, 100, 0, 0, 2},
	    {1, RUN_KILLED, 10, 100, 0, 0, 1},   {2, RUN_FINISHED, 10, 100, 0, 0, 0},
	    {2, RUN_FINISHED, 90, 100, 0, 0, 0},
	};
	struct array_spread a = SPREAD(given);

	assert_int_equal(a.n, 3);
	assert_int_equal(a.count[ARRAY_FINISHED], 3);
	assert_int_equal(a.earlier, 3);
	assert_int_equal(a.parts, 1);
	assert_int_equal(a.v[1].run, 3);
	assert_int_equal(a.v[2].run, 6);
	array_spread_free(&a);
}

TEST(not_an_array)
{
	static const struct given alone[] = {{0, RUN_FINISHED, 10, 1, 0, 0, 0},
	                                     {1, RUN_FINISHED, 10, 1, "b", 0, 0}};
	static const struct given same[] = {{3, RUN_FINISHED, 10, 1, 0, 0, 1},
	                                    {3, RUN_FAILED, 10, 1, 0, 0, 0}};
	static const struct given none[] = {{0, RUN_FINISHED, 10, 1, "", 0, 0},
	                                    {1, RUN_FINISHED, 10, 1, "", 0, 0}};
	struct array_spread a[] = {SPREAD(alone), SPREAD(same), SPREAD(none)};

	for (size_t i = 0; i < sizeof a / sizeof *a; i++) {
		assert_int_equal(a[i].n, 0);
		assert_null(a[i].v);
	}
}

/* Eight of 100 s ± 2: the margin is a tenth of the median. */
TEST(outliers)
{
	static const double seconds[] = {98, 99, 100, 100, 100, 101, 102, 100, 109, 111, 50};
	struct given given[12] = {{0}};
	struct array_spread a;

	for (size_t i = 0; i < 11; i++)
		given[i] = (struct given){(double)i, RUN_FINISHED, seconds[i], 5, 0, 0, 0};
	given[11] = (struct given){11, RUN_FAILED, 1, 5, 0, 0, 0};
	a = spread(given, 12);
	for (size_t i = 0; i < 12; i++) {
		assert_int_equal(a.v[i].beyond[TREND_DURATION], i == 9 || i == 10);
		assert_false(a.v[i].beyond[TREND_MEMORY]);
		assert_int_equal(a.v[i].distance > 0, i == 9 || i == 10);
	}
	assert_true(a.v[10].distance > a.v[9].distance);
	array_spread_free(&a);
	a = spread(given + 4, 7); /* seven finished are too few to judge */
	for (size_t i = 0; i < a.n; i++)
		assert_true(a.v[i].distance == 0);
	array_spread_free(&a);
}

TEST(many)
{
	static struct given given[MAX];
	struct array_spread a;
	struct buf b = {0};

	for (size_t i = 0; i < MAX; i++)
		given[i] = (struct given){
		    (double)(MAX - i), i % 2 ? RUN_FAILED : RUN_FINISHED, 5, 7, 0, 0, 0};
	a = spread(given, MAX);
	ranges_are(&a, ARRAY_OUTCOMES, "1-1200");
	array_spread_ranges(&a, ARRAY_FAILED, &b);
	assert_true(b.len < 320);
	assert_string_equal(buf_cstr(&b) + b.len - 4, ",…");
	assert_true(a.of[TREND_DURATION].min == 5 && a.of[TREND_DURATION].p95 == 5);
	buf_free(&b);
	array_spread_free(&a);
}
