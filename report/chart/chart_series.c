/* chart_series: the charts, and the lines of each. */
#include "report/chart/chart_series.h"

#include <math.h>
#include <stdio.h>

#include "core/head/overview.h"
#include "report/chart/chart_axis.h"
#include "report/stats/memory_peak.h"

static const struct chart charts[] = {
    {METRIC_CHART_CPU, "cpu", "CPU", UNIT_CORES, false, 0},
    {METRIC_CHART_MEMORY, "memory", "Memory", UNIT_BYTES, false, 0},
    {METRIC_CHART_DISK_IO, "disk_io", "Disk I/O", UNIT_RATE, false, 0},
    {METRIC_CHART_SPACE, "disk_space", "Disk space", UNIT_BYTES, false, 0},
    {METRIC_CHART_NET, "network", "Network", UNIT_RATE, false, 0},
    {METRIC_CHART_GPU, "gpu", "GPU usage", UNIT_GPUS, true, 0},
    {METRIC_CHART_GPU_EACH, "gpu_each", "GPU usage, per GPU", UNIT_PERCENT, false, 2},
    {METRIC_CHART_GPUS, "gpus", "GPUs in use", UNIT_COUNT, true, 0},
    {METRIC_CHART_VRAM, "vram", "GPU memory", UNIT_BYTES, true, 0},
    {METRIC_CHART_VRAM_EACH, "vram_each", "GPU memory, per GPU", UNIT_BYTES, false, 2},
    {METRIC_CHART_PRESSURE, "pressure", "Pressure: time spent waiting", UNIT_PERCENT, false, 1},
    {METRIC_CHART_TASKS, "tasks", "Processes and threads", UNIT_COUNT, false, 1},
};

#define TREE_LOOKS 3
#define LOOKS      CHART_SERIES_MAX
static const struct chart_look looks[LOOKS] = {
    {"tree", "#0b62b5", ""},
    {"tree-2", "#2776c4", "2 3"},
    {"tree-3", "#2a6f8f", "9 3"},
    {"system", "#b9500a", "7 4"},
    {"system-2", "#a9651c", "7 3 2 3"},
    {"system-3", "#8a5a83", "2 6"},
    {"system-4", "#7d6a1c", "13 3"},
    {"system-5", "#9c4545", "1 4"},
};

/* A chart has the job's scale: a line of the machine with a peak that many times the job's is not
 * drawn at first. */
#define APART 4

#define FAR 2 /* a limit above this multiple of the peak is mentioned, but not drawn */

const struct chart *chart_list(size_t *n)
{
	*n = sizeof charts / sizeof *charts;
	return charts;
}

static bool run_has_gpus(const struct run *run)
{
	return run->snapshot.server.gpu_count > 0 || run->stats[METRIC_SYSTEM_GPU_VRAM].max > 0 ||
	       run->stats[METRIC_PROCESS_GPU_VRAM].max > 0;
}

/* Lines of about zero, or equal to another line, say nothing: metric.def gives a peak for them. */
static bool is_series_shown(const struct run *run, enum metric_chart chart, const struct metric *m)
{
	if (m->chart != chart || !run->stats[m->id].n)
		return false;
	/* Only where it is not the line of the samples over again. */
	if (m->id == METRIC_PROCESS_MEMORY_PEAK)
		return memory_peak_between(run) &&
		       run->stats[m->id].max > run->memory_sampled_b * MEMORY_PEAK_MISSED;
	return !m->draw_if.peak || run->stats[m->draw_if.id].max >= m->draw_if.peak;
}

static size_t count_series(const struct run *run, enum metric_chart chart)
{
	size_t n = 0;

	for (int id = 0; id < METRIC_COUNT; id++)
		n += is_series_shown(run, chart, &metrics[id]);
	return n;
}

/* Whether the usage of the only GPU, or the lines of all GPUs, show how many are in use. */
static bool each_gpu_is_shown(const struct run *run)
{
	double n = snapshot_gpus(&run->snapshot);

	return n == 1 || (n > 1 && (double)count_series(run, METRIC_CHART_GPU_EACH) == n);
}

bool chart_shown(const struct chart *c, const struct run *run)
{
	if (c->chart == METRIC_CHART_GPUS && each_gpu_is_shown(run))
		return false;
	if (c->gpu)
		return run_has_gpus(run);
	return count_series(run, c->chart) >= c->least;
}

bool chart_needs_rows(const struct run *run)
{
	const struct overview *o = run->snapshot.overview;

	for (size_t i = 0; i < sizeof charts / sizeof *charts; i++)
		for (int id = 0; id < METRIC_COUNT && chart_shown(&charts[i], run); id++)
			if (is_series_shown(run, charts[i].chart, &metrics[id]) &&
			    !(o && o->column[id].mean))
				return true;
	return false;
}

void chart_series_label(const struct metric *m, char out[128])
{
	const char *whose = m->scope == METRIC_SCOPE_PROCESS ? "Job: " : "Machine: ";

	snprintf(out, 128, "%s%s", m->whole_label ? "" : whose, m->label);
}

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

/* The limit of a chart of this run: what the job may use, else what the machine has. peak: the
 * highest value of the chart's series. */
static struct chart_limit limit_of(enum metric_chart chart, const struct run *run, double peak)
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

static void append_series(struct chart_view *v, const struct metric *m,
                          size_t before[METRIC_SCOPES])
{
	struct chart_series *s = &v->series[v->n++];
	size_t nth = before[m->scope]++;

	*s = (struct chart_series){.m = m, .tree = m->scope == METRIC_SCOPE_PROCESS};
	s->look = &looks[s->tree ? nth % TREE_LOOKS : (TREE_LOOKS + nth) % LOOKS];
	s->mark = m->mark;
	snprintf(s->id, sizeof s->id, "%s_%s", metric_scope_name(m->scope), m->name[SCHEMA_1]);
	chart_series_label(m, s->label);
	chart_grid_digest(v->run, m, &s->mean, &s->max);
}

/* Sets which lines stand apart, and the peak of the others. */
static void set_scale(struct chart_view *v)
{
	double job = 0, least;

	for (size_t i = 0; i < v->n; i++)
		if (v->series[i].tree && v->series[i].max > job)
			job = v->series[i].max;
	least = chart_axis_top(v->chart->unit, job); /* a chart is as high anyway */
	for (size_t i = 0; i < v->n; i++) {
		struct chart_series *s = &v->series[i];
		s->apart = !s->tree && job > 0 && s->max > fmax(APART * job, least);
		if (!s->apart && s->max > v->peak)
			v->peak = s->max;
	}
}

void chart_series_choose(struct chart_view *v)
{
	size_t before[METRIC_SCOPES] = {0};

	v->n = 0;
	v->peak = 0;
	for (int id = 0; id < METRIC_COUNT && v->grid->n; id++) {
		const struct metric *m = &metrics[id];
		if (is_series_shown(v->run, v->chart->chart, m) && v->n < CHART_SERIES_MAX)
			append_series(v, m, before);
	}
	set_scale(v);
	v->limit = limit_of(v->chart->chart, v->run, v->peak);
}
