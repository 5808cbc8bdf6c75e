/* snapshot_source: a recording in memory as a source of rows. */
#include "core/recording/snapshot_source.h"

#include <math.h>

#include "core/recording/detail.h"
#include "core/recording/gaps.h"

/* A cell of a device: its frames have no rows for gaps. */
static void fetch_detail(struct snapshot *s, size_t cell, size_t from, size_t n, double *out)
{
	const struct frame *f =
	    cell / METRIC_COUNT < s->n_detail_rows ? &s->detail_rows[cell / METRIC_COUNT] : NULL;
	const double *col = f ? frame_col(f, (enum metric_id)(cell % METRIC_COUNT)) : NULL;

	if (f && from == 0)
		frame_rest(f);
	for (size_t i = 0; i < n; i++) {
		size_t row = from + i - gaps_before(s, from + i);
		out[i] = col && row < f->rows && !gaps_has(s, from + i) ? col[row] : (double)NAN;
	}
}

static int fetch_frame(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                       struct err *e)
{
	struct snapshot *s = ctx;
	const struct frame *f;
	const double *col;

	(void)e;
	if (id > METRIC_COUNT) {
		fetch_detail(s, (size_t)id - DETAIL_CELL(0), from, n, out);
		return 0;
	}
	f = &s->rows[metrics[id].scope];
	col = frame_col(f, id);
	if (from == 0) /* a new column: drop the pages of the one before */
		frame_rest(f);
	for (size_t i = 0; i < n; i++)
		out[i] = col && from + i < f->rows ? col[from + i] : __builtin_nan("");
	return 0;
}

struct snapshot_source snapshot_source_of(struct snapshot *s)
{
	size_t process = s->rows[METRIC_SCOPE_PROCESS].rows,
	       system = s->rows[METRIC_SCOPE_SYSTEM].rows;

	return (struct snapshot_source){
	    .rows = process > system ? process : system, .fetch = fetch_frame, .ctx = s};
}
