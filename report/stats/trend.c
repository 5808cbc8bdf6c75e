/* trend: the measures by which runs are compared. */
#include "report/stats/trend.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "report/prices/cost.h"
#include "report/runs/parts.h"
#include "report/stats/usage_column.h"

#define MAD_TO_SD 1.4826 /* for a normal distribution */

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

/* -- noise ------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_of(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

struct trend_noise trend_noise_of(double *v, size_t n)
{
	struct trend_noise out = {.n = n, .mean = NAN, .median = NAN, .margin = NAN};
	double sum = 0, deviation;

	if (!n)
		return out;
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	out.mean = sum / (double)n;
	out.median = median_of(v, n);
	if (n < TREND_RUNS)
		return out;
	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - out.median);
	deviation = median_of(v, n) * MAD_TO_SD;
	out.margin = fmax(TREND_CHANGE * out.median, TREND_DEVIATIONS * deviation);
	return out;
}

bool trend_beyond(const struct trend_noise *noise, double now)
{
	return fabs(now - noise->median) > noise->margin;
}

/* id TREND_MEASURES: of the state. */
static int noise_of(enum trend_id id, enum states_id state, const struct runs *r, double price_hour,
                    struct trend_noise *out)
{
	double *v = alloc_failed_note(calloc(r->n, sizeof *v));
	size_t n = 0;

	*out = trend_noise_of(NULL, 0);
	if (!v)
		return -1;
	for (size_t i = 1; i < r->n; i++) {
		double one = id == TREND_MEASURES ? state_use_sampled(&r->v[i], state)
		                                  : trend_value(id, r, i, price_hour);
		if (r->v[i].used && isfinite(one))
			v[n++] = one;
	}
	*out = trend_noise_of(v, n);
	free(v);
	return 0;
}

int trend_noise(enum trend_id id, const struct runs *r, double price_hour, struct trend_noise *out)
{
	return noise_of(id, STATES_N, r, price_hour, out);
}

int trend_noise_of_state(enum states_id state, const struct runs *r, struct trend_noise *out)
{
	return noise_of(TREND_MEASURES, state, r, NAN, out);
}

bool trend_ended(const struct run *run)
{
	return (run->status == RUN_FINISHED || run->status == RUN_UNKNOWN) &&
	       !parts_missing(run->parts);
}
