/* run_buckets: the buckets of a run. */
#include "report/runs/run_buckets.h"

#include <math.h>

#include "core/head/overview.h"

static enum metric_id timestamp_of(enum metric_scope scope)
{
	return scope == METRIC_SCOPE_PROCESS ? METRIC_PROCESS_TIMESTAMP : METRIC_SYSTEM_TIMESTAMP;
}

const double *run_times(const struct run *run, enum metric_scope scope, size_t *n)
{
	const struct frame *f = &run->snapshot.rows[scope];
	const double *t = frame_col(f, timestamp_of(scope));

	*n = t ? f->rows : 0;
	return t;
}

double run_interval(const struct run *run)
{
	return run->interval > 0 ? run->interval : 1;
}

static void find_time_span(const struct run *run, double *from, double *to)
{
	*from = INFINITY;
	*to = -INFINITY;
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		size_t n;
		const double *t = run_times(run, (enum metric_scope)scope, &n);
		for (size_t i = 0; i < n; i++) {
			*from = t[i] < *from ? t[i] : *from;
			*to = t[i] > *to ? t[i] : *to;
		}
	}
}

static double sample_spacing(const struct run *run)
{
	size_t rows[METRIC_SCOPES];
	const double *t[METRIC_SCOPES] = {run_times(run, 0, &rows[0]), run_times(run, 1, &rows[1])};
	int longer = rows[1] > rows[0];

	return buckets_spacing(t[longer], rows[longer], run_interval(run));
}

struct buckets run_buckets(const struct run *run)
{
	const struct overview *o = run->snapshot.overview;
	size_t rows = 0;
	double from, to;

	if (o)
		return (struct buckets){.from = o->from, .step = o->step, .gap = o->gap, .n = o->n};
	for (int scope = 0; scope < METRIC_SCOPES; scope++) {
		size_t n;
		(void)run_times(run, (enum metric_scope)scope, &n);
		rows = n > rows ? n : rows;
	}
	find_time_span(run, &from, &to);
	if (!(from <= to))
		return (struct buckets){.n = 0};
	return buckets_between(from, to, rows, sample_spacing(run));
}
