/* default_stats: the default set of statistics. */
#include "report/stats/default_stats.h"

#include <math.h>
#include <stdio.h>

#include "report/stats/trend.h"

const struct default_stat default_stats[DEFAULT_STATS] = {
    {METRIC_PROCESS_CPU_USAGE, DEFAULT_STAT_MEAN, "CPU, mean"},
    {METRIC_PROCESS_CPU_USAGE, DEFAULT_STAT_MAX, "CPU, peak"},
    {METRIC_PROCESS_MEMORY, DEFAULT_STAT_MEAN, "Memory, mean"},
    {METRIC_PROCESS_MEMORY, DEFAULT_STAT_MAX, "Memory, peak"},
    {METRIC_PROCESS_GPU_USAGE, DEFAULT_STAT_MEAN, "GPU, mean"},
    {METRIC_PROCESS_GPU_USAGE, DEFAULT_STAT_MAX, "GPU, peak"},
    {METRIC_PROCESS_GPU_VRAM, DEFAULT_STAT_MEAN, "GPU memory, mean"},
    {METRIC_PROCESS_GPU_VRAM, DEFAULT_STAT_MAX, "GPU memory, peak"},
    {METRIC_PROCESS_GPU_UTILIZED, DEFAULT_STAT_MEAN, "GPUs in use, mean"},
    {METRIC_PROCESS_GPU_UTILIZED, DEFAULT_STAT_MAX, "GPUs in use, peak"},
    {METRIC_SYSTEM_DISK_SPACE_USED, DEFAULT_STAT_MAX, "Disk space used on the machine, peak"},
    {METRIC_SYSTEM_NET_RECV_BYTES, DEFAULT_STAT_SUM, "Received by the machine, total"},
    {METRIC_SYSTEM_NET_SENT_BYTES, DEFAULT_STAT_SUM, "Sent by the machine, total"},
    {METRIC_COUNT, DEFAULT_STAT_DURATION, "Duration"},
};

const struct default_total default_totals[DEFAULT_TOTALS] = {
    {METRIC_PROCESS_READ_BYTES, "Read from disk, total"},
    {METRIC_PROCESS_WRITE_BYTES, "Written to disk, total"},
};

void default_total_id(const struct default_total *t, char out[96])
{
	snprintf(out, 96, "%s_%s.sum", metric_scope_name(metrics[t->id].scope),
	         metrics[t->id].name[SCHEMA_1]);
}

void default_stat_column(const struct default_stat *f, char out[64])
{
	if (f->id == METRIC_COUNT)
		snprintf(out, 64, "timestamp");
	else
		snprintf(out, 64, "%s_%s", metric_scope_name(metrics[f->id].scope),
		         metrics[f->id].name[SCHEMA_1]);
}

const char *default_stat_statistic(const struct default_stat *f)
{
	static const char *const names[] = {"mean", "max", "sum", "duration"};

	return names[f->how];
}

double default_stat_base(const struct default_stat *f, const struct run *run)
{
	switch (f->how) {
	case DEFAULT_STAT_MEAN:
		return load_stats(run, f->id)->mean;
	case DEFAULT_STAT_MAX:
		return load_stats(run, f->id)->max;
	case DEFAULT_STAT_SUM:
		return load_stats(run, f->id)->sum;
	case DEFAULT_STAT_DURATION:
		return run->sampled_duration;
	}
	return NAN;
}

double default_stat_shown(const struct default_stat *f, const struct run *run)
{
	/* Documented columns have 0 where nothing was measured. Disks of size 0 are not disks. */
	if (f->id == METRIC_SYSTEM_DISK_SPACE_USED &&
	    load_stats(run, METRIC_SYSTEM_DISK_SPACE_TOTAL)->max == 0)
		return NAN;
	return f->how == DEFAULT_STAT_DURATION ? run->duration : default_stat_base(f, run);
}

enum unit default_stat_unit(const struct default_stat *f)
{
	static const enum unit units[] = {
	    [METRIC_UNIT_SECONDS] = UNIT_SECONDS, [METRIC_UNIT_CORES] = UNIT_CORES,
	    [METRIC_UNIT_MEMORY] = UNIT_BYTES,    [METRIC_UNIT_VRAM] = UNIT_BYTES,
	    [METRIC_UNIT_SPACE] = UNIT_BYTES,     [METRIC_UNIT_BYTES] = UNIT_BYTES,
	    [METRIC_UNIT_GPUS] = UNIT_GPUS,       [METRIC_UNIT_SHARE] = UNIT_COUNT,
	    [METRIC_UNIT_LOAD] = UNIT_COUNT,      [METRIC_UNIT_COUNT] = UNIT_COUNT,
	};

	return f->id == METRIC_COUNT ? UNIT_SECONDS : units[metrics[f->id].unit];
}

bool default_stat_is_gpu(const struct default_stat *f)
{
	return f->id != METRIC_COUNT && metrics[f->id].chart >= METRIC_CHART_GPU;
}

bool default_stat_follows_load(const struct default_stat *f)
{
	return f->how == DEFAULT_STAT_DURATION || trend_metric_follows_load(f->id);
}

void default_stat_id(const struct default_stat *f, char out[96])
{
	char column[64];

	default_stat_column(f, column);
	if (f->how == DEFAULT_STAT_DURATION)
		snprintf(out, 96, "duration");
	else
		snprintf(out, 96, "%s.%s", column, default_stat_statistic(f));
}

double default_stat_spell(const struct default_stat *f, double base)
{
	double scale = f->id == METRIC_COUNT ? 1 : metric_scale(metrics[f->id].unit, SCHEMA_1);

	return stats_round(base / scale, 2);
}

double default_stat_aggregate(const struct default_stat *f, const struct runs *r, size_t from)
{
	bool mean = f->how == DEFAULT_STAT_MEAN || f->how == DEFAULT_STAT_DURATION;
	double max = NAN, sum = 0;
	size_t n = 0;

	for (size_t i = from; i < r->n; i++) {
		double v = i == 0 || r->v[i].used ? default_stat_base(f, &r->v[i]) : NAN;
		if (isnan(v))
			continue;
		max = n++ == 0 || v > max ? v : max;
		sum += v;
	}
	return n && mean ? sum / (double)n : max;
}
