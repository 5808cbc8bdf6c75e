/* trend: the measures by which runs are compared. */
#include "report/stats/trend.h"

#include <math.h>

#include "report/prices/cost.h"
#include "report/runs/parts.h"
#include "report/stats/usage_column.h"

const struct trend_measure trend_measures[TREND_MEASURES] = {
    [TREND_DURATION] = {"duration", "Duration", "duration", "time", "duration", UNIT_SECONDS, true,
                        true, true},
    [TREND_CPU] = {"cpu", "Mean CPU", "mean CPU", "CPU on average", "process_cpu_usage.mean",
                   UNIT_CORES, false, true, true},
    [TREND_MEMORY] = {"memory", "Peak memory", "peak memory", "memory", "process_memory.max",
                      UNIT_BYTES, true, true, false},
    [TREND_CPU_TIME] = {"cpu_s", "CPU time", "CPU time", "CPU time", "cpu_seconds", UNIT_SECONDS,
                        true, false, false},
    [TREND_BYTES] = {"bytes", "Read and written", "bytes read and written",
                     "bytes read and written", NULL, UNIT_BYTES, true, false, false},
    [TREND_GPU_TIME] = {"gpu_s", "GPU time", "GPU time", "GPU time", NULL, UNIT_SECONDS, true,
                        false, false},
    [TREND_COST] = {"cost", "Cost", "cost", "cost", NULL, UNIT_MONEY, true, false, true},
};

/* Snapshots write memory that was not measured as 0, and no live process has 0 bytes. */
static double nan_unless_positive(double v)
{
	return v > 0 ? v : (double)NAN;
}

static const struct stats *usage_of(const struct run *run, enum usage what, const struct run *first)
{
	return load_stats(run, usage_column(what, first, USAGE_CPU));
}

double trend_value(enum trend_id id, const struct runs *r, size_t i, double price_hour)
{
	const struct run *run = &r->v[i];
	const struct run *first = &r->v[0];

	switch (id) {
	case TREND_DURATION:
		return run->duration;
	case TREND_CPU:
		return usage_of(run, USAGE_CPU, first)->mean;
	case TREND_MEMORY:
		return nan_unless_positive(usage_of(run, USAGE_MEMORY, first)->max);
	case TREND_CPU_TIME:
		return usage_cpu_seconds(run);
	case TREND_GPU_TIME:
		return nan_unless_positive(usage_of(run, USAGE_GPU, first)->mean * run->duration);
	case TREND_BYTES:
		return usage_of(run, USAGE_READ, first)->sum +
		       usage_of(run, USAGE_WRITE, first)->sum;
	case TREND_COST:
		return cost_run(price_hour, run->duration) * (double)parts_all_nodes(run);
	case TREND_MEASURES:
		break;
	}
	return NAN;
}

bool trend_metric_follows_load(enum metric_id id)
{
	switch (metrics[id].unit) {
	case METRIC_UNIT_CORES:
	case METRIC_UNIT_GPUS:
	case METRIC_UNIT_SHARE:
	case METRIC_UNIT_LOAD:
		return true;
	case METRIC_UNIT_SECONDS:
		return id != METRIC_PROCESS_UTIME && id != METRIC_PROCESS_STIME;
	default:
		return false;
	}
}

bool trend_ended(const struct run *run)
{
	return (run->status == RUN_FINISHED || run->status == RUN_UNKNOWN) &&
	       !parts_missing(run->parts);
}
