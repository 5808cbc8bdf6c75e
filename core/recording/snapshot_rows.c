/* snapshot_rows: reads the rows of a snapshot. */
#include "core/recording/snapshot_rows.h"

#include <math.h>
#include <string.h>

#define ROW_KEYS_MAX 256

/* The metric of a column's name, or NULL. Notes which schema the name belongs to. */
static const struct metric *find_column(struct snapshot_rows *r, enum metric_scope scope,
                                        const char *name)
{
	int schema;
	const struct metric *m = metric_find(scope, name, &schema);

	if (!m)
		return NULL;
	r->spelled[m->id] = schema;
	if (schema == SCHEMA_2)
		r->s->schema = SCHEMA_2;
	return m;
}

static int read_column(struct snapshot_rows *r, const struct metric *m)
{
	struct frame *f = &r->s->rows[m->scope];
	bool first = true;
	int more;

	/* The last of two columns with the same name counts. */
	frame_clear(f, m->id);
	if (json_read_open(r->in, '['))
		return -1;
	while ((more = json_read_more(r->in, '[', &first)) > 0) {
		double v, *room;
		size_t n;
		if (json_read_cell(r->in, &v))
			return -1;
		if (frame_push(f, m->id, v, r->in->e)) {
			r->in->failed = true;
			return err_wrap(r->in->e, "%s: %s", r->in->name, m->name[SCHEMA_1]);
		}
		room = frame_room(f, m->id, &n);
		frame_fill(f, m->id, json_read_cells(r->in, room, n));
	}
	return more;
}

/* {"timestamp": [...], ...} */
static int read_columns(struct snapshot_rows *r, enum metric_scope scope)
{
	bool first = true;
	int more;

	if (json_read_open(r->in, '{'))
		return -1;
	while ((more = json_read_more(r->in, '{', &first)) > 0) {
		const struct metric *m;
		if (json_read_key(r->in, r->key))
			return -1;
		m = find_column(r, scope, buf_cstr(r->key));
		if (m && r->s->wants && !r->s->wants(m))
			m = NULL;
		if (m ? read_column(r, m) : json_read_skip(r->in, NULL))
			return -1;
	}
	return more;
}

/* Stores a cell in a row of its column; cells missing in earlier rows become NAN. */
static int put_cell(struct snapshot_rows *r, const struct metric *m, size_t row, double v)
{
	struct frame *f = &r->s->rows[m->scope];

	while (frame_len(f, m->id) < row)
		if (frame_push(f, m->id, NAN, r->in->e))
			return -1;
	if (frame_len(f, m->id) == row)
		return frame_push(f, m->id, v, r->in->e);
	frame_replace(f, m->id, v); /* the last of two members with the same name counts */
	return 0;
}

/* Fast path: rows repeat their keys in the same order, so the key's position predicts its column.
 * */
struct guess {
	const struct metric *m[ROW_KEYS_MAX];
};

static const struct metric *guess_column(struct snapshot_rows *r, enum metric_scope scope,
                                         struct guess *g, size_t place)
{
	const char *name = buf_cstr(r->key);
	const struct metric *m = place < ROW_KEYS_MAX ? g->m[place] : NULL;

	if (m && (strcmp(name, m->name[SCHEMA_1]) == 0 || strcmp(name, m->name[SCHEMA_2]) == 0))
		return m;
	m = find_column(r, scope, name);
	if (place < ROW_KEYS_MAX)
		g->m[place] = m;
	return m;
}

static int read_row(struct snapshot_rows *r, enum metric_scope scope, struct guess *g, size_t row)
{
	bool first = true;
	int more;
	size_t place = 0;

	if (json_read_open(r->in, '{'))
		return -1;
	while ((more = json_read_more(r->in, '{', &first)) > 0) {
		const struct metric *m;
		double v;
		if (json_read_key(r->in, r->key))
			return -1;
		m = guess_column(r, scope, g, place++);
		if (m ? json_read_cell(r->in, &v) : json_read_skip(r->in, NULL))
			return -1;
		if (m && put_cell(r, m, row, v)) {
			err_wrap(r->in->e, "%s", r->in->name);
			r->in->failed = true;
			return -1;
		}
	}
	return more;
}

/* [{"timestamp": …, …}, …] */
static int read_row_array(struct snapshot_rows *r, enum metric_scope scope)
{
	struct guess g = {{0}};
	bool first = true;
	int more;

	if (json_read_open(r->in, '['))
		return -1;
	for (size_t row = 0; (more = json_read_more(r->in, '[', &first)) > 0; row++)
		if (read_row(r, scope, &g, row))
			return -1;
	return more;
}

int snapshot_rows_read(struct snapshot_rows *r, enum metric_scope scope)
{
	int c = json_read_peek(r->in), failed;

	if (c == '[')
		failed = read_row_array(r, scope);
	else if (c == '{')
		failed = read_columns(r, scope);
	else
		return json_read_skip(r->in, NULL);
	if (failed)
		return -1;
	if (frame_square(&r->s->rows[scope], r->in->e)) {
		r->in->failed = true;
		return err_wrap(r->in->e, "%s", r->in->name);
	}
	return 0;
}

/* -- units ------------------------------------------------------------------------------------- */

/* Needs the file's schema, which is known only when all columns have been read: names that both
 * schemas share (disk_space_used_gb) mean different units. */
static int to_base(struct snapshot *s, const int spelled[METRIC_COUNT], struct err *e)
{
	for (int id = 0; id < METRIC_COUNT; id++) {
		struct frame *f = &s->rows[metrics[id].scope];
		int schema = spelled[id] ? spelled[id] : (int)s->schema;
		double scale = metric_scale(metrics[id].unit, (enum schema)schema);
		if (scale != 1 && frame_scale(f, (enum metric_id)id, scale, e))
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
	snapshot_rows_gpu single;
} gpu_sums[] = {
    {METRIC_PROCESS_GPU_USAGE, metric_gpu_usage}, {METRIC_PROCESS_GPU_UTILIZED, metric_gpu_usage},
    {METRIC_SYSTEM_GPU_USAGE, metric_gpu_usage},  {METRIC_SYSTEM_GPU_UTILIZED, metric_gpu_usage},
    {METRIC_PROCESS_GPU_VRAM, metric_gpu_vram},   {METRIC_SYSTEM_GPU_VRAM, metric_gpu_vram},
};
#define GPU_SUMS (sizeof gpu_sums / sizeof *gpu_sums)

snapshot_rows_gpu snapshot_rows_gpus_of(enum metric_id id)
{
	for (size_t i = 0; i < GPU_SUMS; i++)
		if (gpu_sums[i].sum == id)
			return gpu_sums[i].single;
	return NULL;
}

static int blank_gpu_sum(struct snapshot *s, enum metric_id sum, snapshot_rows_gpu single,
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

static double nan_if_0(double v, const void *ctx)
{
	(void)ctx;
	return v == 0 ? (double)NAN : v;
}

static int blank_unmeasured(struct snapshot *s, struct err *e)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		if (s->unmeasured[id] && metrics[id].documented &&
		    frame_change(&s->rows[metrics[id].scope], (enum metric_id)id, nan_if_0, NULL,
		                 e))
			return -1;
	for (size_t i = 0; i < GPU_SUMS; i++)
		if (blank_gpu_sum(s, gpu_sums[i].sum, gpu_sums[i].single, e))
			return -1;
	return 0;
}

int snapshot_rows_to_base(struct snapshot *s, const int spelled[METRIC_COUNT], struct err *e)
{
	if (to_base(s, spelled, e) || fill_children(s, e) || blank_unmeasured(s, e))
		return -1;
	return 0;
}
