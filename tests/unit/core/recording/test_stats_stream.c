/* summary: equals stats, however long the column, and reads it in pieces. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/recording/snapshot_source.h"
#include "core/recording/stats_stream.h"
#include "tests/unit/unit.h"

struct column {
	double *v, *t;            /* t NULL: all rows are equally long */
	size_t n, largest;        /* cells asked for at once */
	size_t fails_at;          /* the row at which a fetch fails */
	size_t fetches, fails_on; /* how many there were; the one that fails, or 0 */
};

static int fetch(void *ctx, enum metric_id id, size_t from, size_t n, double *out, struct err *e)
{
	struct column *c = ctx;

	assert_true(from + n <= c->n);
	for (size_t i = 0; i < n && id != METRIC_PROCESS_MEMORY; i++)
		out[i] = id != METRIC_PROCESS_TIMESTAMP ? NAN
		         : c->t                         ? c->t[from + i]
		                                        : (double)(from + i + 1);
	if (id != METRIC_PROCESS_MEMORY)
		return 0;
	if (from + n > c->fails_at)
		return err_set(e, "row %zu is lost", from);
	if (++c->fetches == c->fails_on)
		return err_set(e, "fetch %zu fails", c->fetches);
	c->largest = n > c->largest ? n : c->largest;
	for (size_t i = 0; i < n; i++)
		out[i] = c->v[from + i];
	return 0;
}

static const struct elapsed rule = {.start = 0, .interval = 1, .own = true};

static uint64_t next(uint64_t *s)
{
	return *s = *s * 6364136223846793005ull + 1442695040888963407ull;
}

/* The kinds of columns: what is in a cell. */
static double value(int kind, uint64_t r)
{
	double part = (double)(r >> 11) / 9007199254740992.0;

	switch (kind) {
	case 0: /* any sign and size */
		return (part - 0.5) * pow(10, (double)(r % 40) - 20);
	case 1: /* many equal */
		return (double)(r >> 33) / 1e9 > 1 ? 4096 * (double)(r >> 60) : 0;
	case 2: /* some not measured */
		return r >> 61 == 0 ? NAN : -part * 1e12;
	case 3: /* all but equal: only the last bits differ */
		return 1.0 + (double)(r >> 44) * 2.220446049250313e-16;
	case 4: /* all equal */
		return -42.5;
	case 5: /* both zeros, and the smallest numbers */
		return r >> 62 == 0 ? 0 : r >> 62 == 1 ? -0.0 : r >> 62 == 2 ? 5e-324 : -5e-324;
	default:
		return NAN;
	}
}

/* Rows of one second, with short ones and long ones among them: binary fractions, so that sums are
 * exact. */
static double row_length(uint64_t r)
{
	return r >> 60 == 0 ? 0.015625 : r >> 60 == 1 ? 64 : 1;
}

static bool near(double a, double b, double scale)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * scale + 1e-300;
}

static void compare(struct column *c)
{
	struct snapshot_source rows = {.rows = c->n, .fetch = fetch, .ctx = c};
	double *weight = c->t ? malloc(c->n * sizeof *weight) : NULL;
	struct stats want, got;
	double scale;

	for (size_t i = 0; weight && i < c->n; i++)
		weight[i] = c->t[i] - (i ? c->t[i - 1] : 0);
	assert_int_equal(stats_of(c->v, weight, c->n, &want, NULL), 0);
	free(weight);
	assert_int_equal(stats_stream_of(&rows, &rule, METRIC_PROCESS_MEMORY, &got, NULL), 0);
	scale = fmax(fabs(want.min), fabs(want.max));
	assert_int_equal(got.n, want.n);
	assert_int_equal(got.left, want.left);
	/* These are values of the column: not even the last bit may differ. */
	assert_true(got.min == want.min || isnan(want.min));
	assert_true(got.max == want.max || isnan(want.max));
	assert_true(near(got.p50, want.p50, scale * (c->t ? 1e-3 : 1e-6)));
	assert_true(near(got.p95, want.p95, scale * (c->t ? 1e-3 : 1e-6)));
	assert_true(near(got.mean, want.mean, scale));
	assert_true(near(got.sum, want.sum, scale * (double)c->n));
	assert_true(near(got.sd, want.sd, scale));
	assert_true(c->largest <= 2048);
}

TEST(equals_stats)
{
	static const size_t sizes[] = {0,   1,     2,     3,     100,   511,   512,
	                               513, 16384, 16385, 32769, 40000, 200000};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (int kind = 0; kind < 7; kind++) {
			struct column c = {.n = sizes[i], .fails_at = SIZE_MAX};
			uint64_t s = 7 + (uint64_t)kind;
			c.v = malloc((c.n ? c.n : 1) * sizeof *c.v);
			assert_non_null(c.v);
			for (size_t k = 0; k < c.n; k++)
				c.v[k] = value(kind, next(&s));
			compare(&c);
			c.t = malloc((c.n ? c.n : 1) * sizeof *c.t);
			assert_non_null(c.t);
			for (size_t k = 0; k < c.n; k++)
				c.t[k] = (k ? c.t[k - 1] : 0) + row_length(next(&s));
			compare(&c);
			free(c.v);
			free(c.t);
		}
}

/* The values on both sides of a percentile lie in different parts of the range. */
TEST(between_two_crowds)
{
	struct column c = {.n = 80000, .fails_at = SIZE_MAX};

	c.v = malloc(c.n * sizeof *c.v);
	assert_non_null(c.v);
	for (size_t equal = 0; equal < 2; equal++)
		for (size_t low = 39999; low <= 40001; low++) {
			for (size_t i = 0; i < c.n; i++)
				c.v[i] = (i < low ? -5 : 1e9) + (equal ? 0 : (double)i / 1e5);
			compare(&c);
		}
	free(c.v);
}

TEST(a_lost_row_is_an_error)
{
	static double v[8000];
	struct column c = {.v = v, .n = 8000, .fails_at = 5000};
	struct snapshot_source rows = {.rows = c.n, .fetch = fetch, .ctx = &c};
	struct stats got;
	struct err e = {{0}};

	assert_int_equal(stats_stream_of(&rows, &rule, METRIC_PROCESS_MEMORY, &got, &e), -1);
	assert_string_equal(e.msg, "row 4096 is lost");
}

/* Of 3,601 s between two rows the machine was awake for one: its CPU columns say so. */
static int fetch_suspended(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                           struct err *e)
{
	static const double t[] = {101, 102, 3703, 3704};

	(void)ctx;
	(void)e;
	for (size_t i = 0; i < n; i++)
		out[i] = id == METRIC_SYSTEM_TIMESTAMP || id == METRIC_PROCESS_TIMESTAMP
		             ? t[from + i]
		         : id == METRIC_SYSTEM_UTIME     ? 0.2
		         : id == METRIC_SYSTEM_STIME     ? 0.05
		         : id == METRIC_SYSTEM_CPU_USAGE ? 0.25
		                                         : (double)(from + i);
	return 0;
}

TEST(a_suspension_weighs_nothing)
{
	const struct elapsed since = {.start = 100, .interval = 1, .own = true};
	struct snapshot_source rows = {.rows = 4, .fetch = fetch_suspended};
	struct stats got;

	assert_int_equal(stats_stream_of(&rows, &since, METRIC_PROCESS_MEMORY, &got, NULL), 0);
	assert_true(near(got.mean, 1.5, 1));
	assert_true(near(got.p50, 1.5, 1));
}

/* A long column is read several times over: whichever reading fails, it is said. */
TEST(any_lost_fetch_is_an_error)
{
	struct column c = {.n = 40000, .fails_at = SIZE_MAX};
	struct snapshot_source rows = {.rows = c.n, .fetch = fetch, .ctx = &c};
	struct stats got;
	size_t all;

	c.v = malloc(c.n * sizeof *c.v);
	assert_non_null(c.v);
	for (size_t i = 0; i < c.n; i++) /* between two crowds: the next value is in another part */
		c.v[i] = (i < 20000 ? -5 : 1e9) + (double)i / 1e5;
	assert_int_equal(stats_stream_of(&rows, &rule, METRIC_PROCESS_MEMORY, &got, NULL), 0);
	all = c.fetches;
	assert_true(all > 5 * c.n / 2048);
	for (size_t k = 1; k <= all; k++) {
		struct err e = {{0}};
		char want[64];
		c.fetches = 0;
		c.fails_on = k;
		assert_int_equal(stats_stream_of(&rows, &rule, METRIC_PROCESS_MEMORY, &got, &e),
		                 -1);
		snprintf(want, sizeof want, "fetch %zu fails", k);
		assert_string_equal(e.msg, want);
	}
	free(c.v);
}
