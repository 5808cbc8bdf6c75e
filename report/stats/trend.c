/* trend: the measures by which runs are compared. */
#include "report/stats/trend.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "report/prices/cost.h"
#include "report/runs/parts.h"
#include "report/stats/usage_column.h"

const struct trend_measure trend_measures[TREND_MEASURES] = {
    [TREND_DURATION] = {"duration", "Duration", "duration", UNIT_SECONDS, true, true},
    [TREND_CPU] = {"cpu", "Mean CPU", "mean CPU", UNIT_CORES, false, true},
    [TREND_MEMORY] = {"memory", "Peak memory", "peak memory", UNIT_BYTES, true, true},
    [TREND_BYTES] = {"bytes", "Read and written", "bytes read and written", UNIT_BYTES, true,
                     false},
    [TREND_COST] = {"cost", "Cost", "cost", UNIT_MONEY, true, false},
};

/* Snapshots write memory that was not measured as 0, and no live process has 0 bytes. */
static double nan_unless_positive(double v)
{
	return v > 0 ? v : (double)NAN;
}

double trend_value(enum trend_id id, const struct runs *r, size_t i, double price_hour)
{
	const struct run *run = &r->v[i];
	const struct run *first = &r->v[0];
	const struct stats *s = run->stats;

	switch (id) {
	case TREND_DURATION:
		return run->duration;
	case TREND_CPU:
		return s[usage_column(USAGE_CPU, first, USAGE_CPU)].mean;
	case TREND_MEMORY:
		return nan_unless_positive(s[usage_column(USAGE_MEMORY, first, USAGE_CPU)].max);
	case TREND_BYTES:
		return s[usage_column(USAGE_READ, first, USAGE_CPU)].sum +
		       s[usage_column(USAGE_WRITE, first, USAGE_CPU)].sum;
	case TREND_COST:
		return cost_run(price_hour, run->duration) * (double)parts_all_nodes(run);
	case TREND_MEASURES:
		break;
	}
	return NAN;
}

int trend_noise(enum trend_id id, const struct runs *r, double price_hour,
                struct change_detect *out)
{
	double *v = alloc_failed_note(calloc(r->n, sizeof *v));
	size_t n = 0;

	*out = change_detect_of(NULL, 0);
	if (!v)
		return -1;
	for (size_t i = 1; i < r->n; i++) {
		double one = r->v[i].used ? trend_value(id, r, i, price_hour) : (double)NAN;
		if (isfinite(one))
			v[n++] = one;
	}
	*out = change_detect_of(v, n);
	free(v);
	return 0;
}

bool trend_ended(const struct run *run)
{
	return (run->status == RUN_FINISHED || run->status == RUN_UNKNOWN) &&
	       !parts_missing(run->parts);
}
