/* figures: the default set of statistics. */
#include "figures.h"

#include <math.h>
#include <stdio.h>

const struct figure figures[FIGURES] = {
    {METRIC_PROCESS_CPU_USAGE, FIGURE_MEAN, "CPU, mean"},
    {METRIC_PROCESS_CPU_USAGE, FIGURE_MAX, "CPU, peak"},
    {METRIC_PROCESS_MEMORY, FIGURE_MEAN, "Memory, mean"},
    {METRIC_PROCESS_MEMORY, FIGURE_MAX, "Memory, peak"},
    {METRIC_PROCESS_GPU_USAGE, FIGURE_MEAN, "GPU, mean"},
    {METRIC_PROCESS_GPU_USAGE, FIGURE_MAX, "GPU, peak"},
    {METRIC_PROCESS_GPU_VRAM, FIGURE_MEAN, "GPU memory, mean"},
    {METRIC_PROCESS_GPU_VRAM, FIGURE_MAX, "GPU memory, peak"},
    {METRIC_PROCESS_GPU_UTILIZED, FIGURE_MEAN, "GPUs in use, mean"},
    {METRIC_PROCESS_GPU_UTILIZED, FIGURE_MAX, "GPUs in use, peak"},
    {METRIC_SYSTEM_DISK_SPACE_USED, FIGURE_MAX, "Disk space used on the machine, peak"},
    {METRIC_SYSTEM_NET_RECV_BYTES, FIGURE_SUM, "Received by the machine, total"},
    {METRIC_SYSTEM_NET_SENT_BYTES, FIGURE_SUM, "Sent by the machine, total"},
    {METRIC_COUNT, FIGURE_DURATION, "Duration"},
};

void figure_column(const struct figure *f, char out[64])
{
	if (f->id == METRIC_COUNT)
		snprintf(out, 64, "timestamp");
	else
		snprintf(out, 64, "%s_%s", metric_scope_name(metrics[f->id].scope),
		         metrics[f->id].name[SCHEMA_1]);
}

const char *figure_statistic(const struct figure *f)
{
	static const char *const names[] = {"mean", "max", "sum", "duration"};

	return names[f->how];
}

double figure_base(const struct figure *f, const struct run *run)
{
	switch (f->how) {
	case FIGURE_MEAN:
		return run->stats[f->id].mean;
	case FIGURE_MAX:
		return run->stats[f->id].max;
	case FIGURE_SUM:
		return run->stats[f->id].sum;
	case FIGURE_DURATION:
		return run->sampled_duration;
	}
	return NAN;
}

double figure_shown(const struct figure *f, const struct run *run)
{
	return f->how == FIGURE_DURATION ? run->duration : figure_base(f, run);
}

enum tree_unit figure_unit(const struct figure *f)
{
	static const enum tree_unit units[] = {
	    [METRIC_UNIT_SECONDS] = TREE_SECONDS, [METRIC_UNIT_CORES] = TREE_CORES,
	    [METRIC_UNIT_MEMORY] = TREE_BYTES,    [METRIC_UNIT_VRAM] = TREE_BYTES,
	    [METRIC_UNIT_SPACE] = TREE_BYTES,     [METRIC_UNIT_BYTES] = TREE_BYTES,
	    [METRIC_UNIT_GPUS] = TREE_GPUS,       [METRIC_UNIT_SHARE] = TREE_COUNT,
	    [METRIC_UNIT_LOAD] = TREE_COUNT,      [METRIC_UNIT_COUNT] = TREE_COUNT,
	};

	return f->id == METRIC_COUNT ? TREE_SECONDS : units[metrics[f->id].unit];
}

bool figure_is_gpu(const struct figure *f)
{
	return f->id != METRIC_COUNT && metrics[f->id].chart >= METRIC_CHART_GPU;
}

void figure_id(const struct figure *f, char out[96])
{
	char column[64];

	figure_column(f, column);
	if (f->how == FIGURE_DURATION)
		snprintf(out, 96, "duration");
	else
		snprintf(out, 96, "%s.%s", column, figure_statistic(f));
}

double figure_spell(const struct figure *f, double base)
{
	double scale = f->id == METRIC_COUNT ? 1 : metric_scale(metrics[f->id].unit, SCHEMA_1);

	return stats_round(base / scale, 2);
}

double figure_aggregate(const struct figure *f, const struct runs *r, size_t from)
{
	bool mean = f->how == FIGURE_MEAN || f->how == FIGURE_DURATION;
	double max = NAN, sum = 0;
	size_t n = 0;

	for (size_t i = from; i < r->n; i++) {
		double v = i == 0 || r->v[i].used ? figure_base(f, &r->v[i]) : NAN;
		if (isnan(v))
			continue;
		max = n++ == 0 || v > max ? v : max;
		sum += v;
	}
	return !n ? NAN : mean ? sum / (double)n : max;
}
