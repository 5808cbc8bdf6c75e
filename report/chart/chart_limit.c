/* chart_limit: the upper bound of a chart's measures. */
#include "report/chart/chart_limit.h"

#include <stdio.h>

#include "report/units/units.h"

#define FAR 2 /* a limit above this multiple of the peak is mentioned, but not drawn */

/* Sets the first known limit: later calls change nothing. The text is like "4 CPUs", "1.5 CPUs". */
static void set_count(struct chart_limit *l, double value, const char *one, const char *many)
{
	if (!(value > 0) || l->known)
		return;
	l->known = true;
	l->value = value;
	snprintf(l->text, sizeof l->text, "%.4g%s", value, value == 1 ? one : many);
	snprintf(l->mark, sizeof l->mark, "%.4g%s", value, value == 1 ? one : many);
}

static void set_bytes(struct chart_limit *l, double value, const char *before, const char *mark)
{
	char text[64];

	if (!(value > 0) || l->known)
		return;
	l->known = true;
	l->value = value;
	units_text(UNIT_BYTES, value, NULL, text);
	snprintf(l->text, sizeof l->text, "%s %s", before, text);
	snprintf(l->mark, sizeof l->mark, "%s %.16s", mark, text);
}

/* The memory of each GPU; 0 unless all have the same, as one line cannot show several limits. */
static double memory_of_each(const struct snapshot *s)
{
	double each = s->n_gpus ? s->gpus[0].memory_b : 0;

	for (size_t i = 1; i < s->n_gpus && i < METRIC_GPUS; i++)
		if (s->gpus[i].memory_b != each)
			return 0;
	return each;
}

struct chart_limit chart_limit_of(enum metric_chart chart, const struct run *run, double peak)
{
	const struct snapshot *s = &run->snapshot;
	struct chart_limit l = {0};

	switch (chart) {
	case METRIC_CHART_CPU:
		set_count(&l, s->limits.cpus, " CPU allowed", " CPUs allowed");
		set_count(&l, s->server.vcpus, " CPU", " CPUs");
		break;
	case METRIC_CHART_MEMORY:
		set_bytes(&l, s->limits.memory_b, "Memory limit", "Limit");
		set_bytes(&l, s->server.memory_b, "Machine memory", "Machine");
		break;
	case METRIC_CHART_SPACE:
		set_bytes(&l, run->stats[METRIC_SYSTEM_DISK_SPACE_TOTAL].max, "Disk size", "Size");
		break;
	case METRIC_CHART_GPU:
	case METRIC_CHART_GPUS:
		set_count(&l, snapshot_gpus(s), " GPU", " GPUs");
		break;
	case METRIC_CHART_VRAM:
		set_bytes(&l, snapshot_gpus_memory(s), "GPU memory", "GPUs");
		break;
	case METRIC_CHART_GPU_EACH:
		set_count(&l, 100, "", "% of a GPU");
		break;
	case METRIC_CHART_VRAM_EACH:
		set_bytes(&l, memory_of_each(s), "Memory of one GPU", "One GPU");
		break;
	default:
		break;
	}
	l.drawn = l.known && l.value <= FAR * peak;
	return l;
}
