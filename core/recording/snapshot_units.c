/* snapshot_units: converts rows from the units of a file to base units. */
#include "core/recording/snapshot_units.h"

#include <math.h>

static double scale_cell(double v, const void *scale)
{
	v *= *(const double *)scale;
	return isinf(v) ? (double)NAN : v;
}

/* Needs the file's schema, which is known only when all columns have been read: names that both
 * schemas share (disk_space_used_gb) mean different units. */
static int to_base(struct snapshot *s, const int spelled[METRIC_COUNT], struct err *e)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		struct frame *f = &s->rows[metrics[id].scope];
		int schema = spelled[id] ? spelled[id] : (int)s->schema;
		double scale = metric_scale(metrics[id].unit, (enum schema)schema);
		if (scale != 1 && frame_change(f, (enum metric_id)id, scale_cell, &scale, e))
			return -1;
	}
	return 0;
}

static double nan_as_0(double v, const void *ctx)
{
	(void)ctx;
	return isnan(v) ? 0 : v;
}

/* resource-tracker 0.5 writes "" for a tree without descendants. */
static int fill_children(struct snapshot *s, struct err *e)
{
	struct frame *f = &s->rows[METRIC_SCOPE_PROCESS];

	return s->meta.children ? frame_change(f, METRIC_PROCESS_CHILDREN, nan_as_0, NULL, e) : 0;
}

/* The columns of the single GPUs, and the current row. */
struct gpu_rows {
	const double *col[METRIC_GPUS];
	size_t n, rows, *row; /* a column in a file is padded beyond its rows */
};

static double nan_if_no_gpu(double v, const void *ctx)
{
	const struct gpu_rows *g = ctx;
	size_t row = (*g->row)++;

	for (size_t i = 0; row < g->rows && i < g->n; i++)
		if (!isnan(g->col[i][row]))
			return v;
	return NAN;
}

/* Documented columns hold a number in every row. In rows where no single GPU was measured, the
 * collector only filled the GPU sums in, so they become NAN. */
static const struct {
	enum metric_id sum;
	snapshot_units_gpu single;
} gpu_sums[] = {
    {METRIC_PROCESS_GPU_USAGE, metric_gpu_usage}, {METRIC_PROCESS_GPU_UTILIZED, metric_gpu_usage},
    {METRIC_SYSTEM_GPU_USAGE, metric_gpu_usage},  {METRIC_SYSTEM_GPU_UTILIZED, metric_gpu_usage},
    {METRIC_PROCESS_GPU_VRAM, metric_gpu_vram},   {METRIC_SYSTEM_GPU_VRAM, metric_gpu_vram},
};
#define GPU_SUMS (sizeof gpu_sums / sizeof *gpu_sums)

snapshot_units_gpu snapshot_units_gpus_of(enum metric_id id)
{
	for (size_t i = 0; i < GPU_SUMS; i++)
		if (gpu_sums[i].sum == id)
			return gpu_sums[i].single;
	return NULL;
}

static int blank_gpu_sum(struct snapshot *s, enum metric_id sum, snapshot_units_gpu single,
                         struct err *e)
{
	struct frame *f = &s->rows[metrics[sum].scope];
	const struct frame *system = &s->rows[METRIC_SCOPE_SYSTEM];
	struct gpu_rows g = {.rows = system->rows, .row = &(size_t){0}};

	for (size_t i = 0; i < METRIC_GPUS; i++) {
		const double *col = frame_col(system, single(i));
		if (col)
			g.col[g.n++] = col;
	}
	return g.n && f->rows == g.rows ? frame_change(f, sum, nan_if_no_gpu, &g, e) : 0;
}

static int blank_unmeasured(struct snapshot *s, struct err *e)
{
	for (size_t i = 0; i < GPU_SUMS; i++)
		if (blank_gpu_sum(s, gpu_sums[i].sum, gpu_sums[i].single, e))
			return -1;
	return 0;
}

int snapshot_units_to_base(struct snapshot *s, const int spelled[METRIC_COUNT], struct err *e)
{
	return to_base(s, spelled, e) || fill_children(s, e) || blank_unmeasured(s, e) ? -1 : 0;
}
