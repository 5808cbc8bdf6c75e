/* elapsed: the time that each row of a recording represents. */
#include "core/recording/elapsed.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"

#define NEAR  0.1 /* part of the interval: the jitter of other tools' time stamps */
#define GAP   1.2 /* intervals; a suspension in a shorter row does not matter */
#define GAP_S 1.0

/* cpu_usage has 4 decimals. */
#define CORES_ROUNDED 0.00005
#define CLEARLY_LESS  0.95

struct elapsed elapsed_written(const struct snapshot *s)
{
	return (struct elapsed){.start = s->meta.start_time,
	                        .interval = s->meta.interval > 0 ? s->meta.interval : 1,
	                        .own = s->job.known};
}

double elapsed_row(const struct elapsed *e, double before, double t, bool first)
{
	double s = t - before;

	if (!(s > 0) || !isfinite(s))
		return e->interval;
	if (!e->own &&
	    (first ? s >= e->interval * (1 - NEAR) : fabs(s - e->interval) <= NEAR * e->interval))
		return e->interval;
	return s;
}

bool elapsed_is_gap(const struct elapsed *e, double seconds)
{
	return e->own && seconds > GAP * e->interval && seconds > GAP_S;
}

double elapsed_awake(double seconds, double cpu_s, double cores)
{
	double most = cpu_s / (cores - CORES_ROUNDED);

	return cores > 2 * CORES_ROUNDED && most < CLEARLY_LESS * seconds ? cpu_s / cores : seconds;
}

/* The mean distance of the time stamps, for a recording without an interval. */
static double mean_spacing(const double *t, size_t n)
{
	double min = INFINITY, max = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		min = t[i] < min ? t[i] : min;
		max = t[i] > max ? t[i] : max;
	}
	return max > min && n > 1 ? (max - min) / (double)(n - 1) : 1;
}

struct elapsed_rows elapsed_rows(const struct snapshot *s, enum metric_scope scope)
{
	static const enum metric_id ids[METRIC_SCOPES][4] = {
	    [METRIC_SCOPE_PROCESS] = {METRIC_PROCESS_TIMESTAMP, METRIC_PROCESS_UTIME,
	                              METRIC_PROCESS_STIME, METRIC_PROCESS_CPU_USAGE},
	    [METRIC_SCOPE_SYSTEM] = {METRIC_SYSTEM_TIMESTAMP, METRIC_SYSTEM_UTIME,
	                             METRIC_SYSTEM_STIME, METRIC_SYSTEM_CPU_USAGE},
	};
	const struct frame *f = &s->rows[scope], *system = &s->rows[METRIC_SCOPE_SYSTEM];
	/* Prefer the machine's CPU columns: a machine is never quite idle, a job may be. */
	enum metric_scope from = system->rows == f->rows ? METRIC_SCOPE_SYSTEM : scope;
	const struct frame *cpu = &s->rows[from];
	struct elapsed_rows r = {.n = f->rows,
	                         .t = frame_col(f, ids[scope][0]),
	                         .utime = frame_col(cpu, ids[from][1]),
	                         .stime = frame_col(cpu, ids[from][2]),
	                         .cores = frame_col(cpu, ids[from][3])};

	r.rule = (struct elapsed){
	    .start = s->meta.start_time, .interval = s->meta.interval, .own = s->job.known};
	if (!(r.rule.interval > 0))
		r.rule.interval = r.t ? mean_spacing(r.t, r.n) : 1;
	return r;
}

double elapsed_at(const struct elapsed_rows *r, size_t row)
{
	double s;

	if (!r->t)
		return r->rule.interval > 0 ? r->rule.interval : 1;
	s = elapsed_row(&r->rule, row ? r->t[row - 1] : r->rule.start, r->t[row], row == 0);
	if (elapsed_is_gap(&r->rule, s) && r->utime && r->stime && r->cores)
		s = elapsed_awake(s, r->utime[row] + r->stime[row], r->cores[row]);
	return s;
}

double *elapsed_all(const struct elapsed_rows *r, struct err *e)
{
	double *all = alloc_failed_note(malloc((r->n ? r->n : 1) * sizeof *all));

	if (!all) {
		err_set(e, "no memory for the times of %zu rows", r->n);
		return NULL;
	}
	for (size_t i = 0; i < r->n; i++)
		all[i] = elapsed_at(r, i);
	return all;
}
