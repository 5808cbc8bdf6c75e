/* chart_axis: a few ticks from 0, in round steps and one unit. */
#include <math.h>
#include <string.h>

#include "core/base/buf.h"
#include "report/chart/chart_axis.h"
#include "tests/unit/unit.h"

static void join(struct buf *b, const struct chart_tick *ticks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%s%s", i ? ", " : "", ticks[i].text);
}

TEST(values)
{
	static const struct {
		enum unit unit;
		double peak;
		const char *texts;
	} cases[] = {
	    {UNIT_CORES, 3.9, "0, 1 core, 2 cores, 3 cores, 4 cores"},
	    {UNIT_CORES, 0.4, "0, 0.1 cores, 0.2 cores, 0.3 cores, 0.4 cores"},
	    {UNIT_CORES, 0, "0, 0.02 cores, 0.04 cores, 0.06 cores, 0.08 cores, 0.1 cores"},
	    {UNIT_CORES, 43000, "0, 10,000 cores, 20,000 cores, 30,000 cores, 40,000 cores"},
	    {UNIT_GPUS, 4200, "0, 1,000 GPUs, 2,000 GPUs, 3,000 GPUs, 4,000 GPUs"},
	    {UNIT_CORES, 192, "0, 50 cores, 100 cores, 150 cores, 200 cores"},
	    {UNIT_BYTES, 4.2e9, "0, 1 GiB, 2 GiB, 3 GiB, 4 GiB"},
	    {UNIT_BYTES, 1.5e9, "0, 0.5 GiB, 1 GiB"},
	    {UNIT_BYTES, 700, "0, 0.25 KiB, 0.5 KiB, 0.75 KiB, 1 KiB"},
	    {UNIT_RATE, 9.9e6, "0, 4 MiB/s, 8 MiB/s"},
	    {UNIT_PERCENT, 0.1, "0, 1%, 2%, 3%, 4%, 5%"},
	    {UNIT_PERCENT, 69, "0, 20%, 40%, 60%"},
	    {UNIT_COUNT, 1, "0, 1, 2"},
	    {UNIT_COUNT, 31, "0, 10, 20, 30"},
	    {UNIT_COUNT, 20000, "0, 5,000, 10,000, 15,000, 20,000"},
	    {UNIT_GPUS, 1.9, "0, 0.5 GPUs, 1 GPU, 1.5 GPUs, 2 GPUs"},
	};
	struct chart_tick ticks[CHART_TICKS_MAX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		double top = chart_axis_top(cases[i].unit, cases[i].peak);
		size_t n = chart_axis_values(cases[i].unit, top, ticks);
		assert_true(top > cases[i].peak);
		assert_true(ticks[0].at == 0);
		join(&b, ticks, n);
		assert_string_equal(buf_cstr(&b), cases[i].texts);
		buf_free(&b);
	}
}

TEST(times)
{
	static const struct {
		double span;
		const char *texts;
	} cases[] = {
	    {0.35, "0, 0.05 s, 0.1 s, 0.15 s, 0.2 s, 0.25 s, 0.3 s, 0.35 s"},
	    {5, "0, 1 s, 2 s, 3 s, 4 s, 5 s"},
	    {64, "0, 10 s, 20 s, 30 s, 40 s, 50 s, 60 s"},
	    {200, "0, 30 s, 60 s, 90 s, 120 s, 150 s, 180 s"},
	    {600, "0, 2 min, 4 min, 6 min, 8 min, 10 min"},
	    {3600, "0, 10 min, 20 min, 30 min, 40 min, 50 min, 60 min"},
	    {4 * 3600, "0, 1 h, 2 h, 3 h, 4 h"},
	    {86400, "0, 6 h, 12 h, 18 h, 24 h"},
	    {7 * 86400, "0, 1 d, 2 d, 3 d, 4 d, 5 d, 6 d, 7 d"},
	    {100 * 86400.0, "0, 20 d, 40 d, 60 d, 80 d, 100 d"},
	};
	struct chart_tick ticks[CHART_TICKS_MAX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		size_t n = chart_axis_times(cases[i].span, ticks);
		join(&b, ticks, n);
		assert_string_equal(buf_cstr(&b), cases[i].texts);
		assert_true(ticks[n - 1].at <= cases[i].span * 1.000001);
		buf_free(&b);
	}
}

/* Any number gives a few ascending ticks. */
TEST(extremes)
{
	static const double hostile[] = {0,     -5,     NAN,  INFINITY, -INFINITY,
	                                 1e308, 5e-324, 1e17, 1.7e308,  0.1 + 0.2};
	struct chart_tick ticks[CHART_TICKS_MAX];

	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++)
		for (int u = UNIT_BYTES; u <= UNIT_PERCENT; u++) {
			double top = chart_axis_top((enum unit)u, hostile[i]);
			size_t n = chart_axis_values((enum unit)u, top, ticks);
			assert_true(isfinite(top) && top > 0);
			assert_in_range(n, 2, 8);
			for (size_t k = 1; k < n; k++)
				assert_true(ticks[k].at > ticks[k - 1].at && *ticks[k].text);
			n = chart_axis_times(hostile[i], ticks);
			assert_in_range(n, 1, 9);
		}
}
