/* time_at_rows: samples of time_at from the columns of a recording. */
#include "core/recording/time_at_rows.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "core/base/larger.h"
#include "core/recording/elapsed.h"
#include "core/recording/states.h"

const enum metric_id time_at_rows_columns[TIME_AT_CELLS] = {
    [TIME_AT_CPU_USAGE] = METRIC_PROCESS_CPU_USAGE,
    [TIME_AT_MAIN_CPU_USAGE] = METRIC_PROCESS_MAIN_CPU_USAGE,
    [TIME_AT_CPU_WAIT] = METRIC_PROCESS_CPU_WAIT,
    [TIME_AT_STATE_CPU] = METRIC_PROCESS_STATE_CPU,
    [TIME_AT_STATE_CPU_WAIT] = METRIC_PROCESS_STATE_CPU_WAIT,
    [TIME_AT_STATE_THROTTLED] = METRIC_PROCESS_STATE_THROTTLED,
    [TIME_AT_THROTTLED] = METRIC_SYSTEM_THROTTLED,
    [TIME_AT_MACHINE_CPU_USAGE] = METRIC_SYSTEM_CPU_USAGE,
    [TIME_AT_STEAL] = METRIC_SYSTEM_CPU_STEAL,
};

static double positive(double v)
{
	return v > 0 && isfinite(v) ? v : 0;
}

/* A hypervisor that takes a CPU away stops the thread on it, and no account of the thread has that
 * time. The job has the share of it that it has of what ran; in that time it was ready. */
static void add_steal(struct time_at_sample *s, const double cell[TIME_AT_CELLS])
{
	double steal = positive(cell[TIME_AT_STEAL]), all = cell[TIME_AT_MACHINE_CPU_USAGE];
	double d = s->c + positive(s->w), more = steal * lesser(positive(s->c / all), 1);

	if (!(more > 0) || !(d > 0))
		return;
	s->b = lesser(s->b * (d + more) / d, 1);
	s->w = positive(s->w) + more;
	s->w_most = larger(s->w_most, s->w);
}

struct time_at_sample time_at_rows_sample(const double cell[TIME_AT_CELLS], double h, double cpus)
{
	struct time_at_sample s = {.h = h,
	                           .c = cell[TIME_AT_CPU_USAGE],
	                           .w = cell[TIME_AT_CPU_WAIT] / h,
	                           .w_most = NAN,
	                           .b_most = NAN};
	double free = cpus - positive(cell[TIME_AT_STEAL]), main = cell[TIME_AT_MAIN_CPU_USAGE];

	/* A throttled thread waits too. */
	if (isnan(s.w))
		s.w = cell[TIME_AT_THROTTLED] / h;
	s.b = (cell[TIME_AT_STATE_CPU] + cell[TIME_AT_STATE_CPU_WAIT] +
	       cell[TIME_AT_STATE_THROTTLED]) /
	      h;
	/* lesser() would take the 1 where the main thread was not measured. */
	s.b_least = larger(isnan(main) ? (double)NAN : lesser(main, 1),
	                   free > 0 ? lesser(s.c / free, 1) : (double)NAN);
	s.b = larger(s.b, isnan(s.b) ? (double)NAN : s.b_least);
	add_steal(&s, cell);
	return s;
}

double time_at_rows_cpus(const struct snapshot *s)
{
	return lesser(s->limits.cpus > 0 ? s->limits.cpus : (double)NAN,
	              s->server.vcpus > 0 ? s->server.vcpus : (double)NAN);
}

/* A column that is not in the file; of a state that the job never was in, if others are. */
static double absent_cell(int cell, bool states)
{
	return states && states_of_metric(time_at_rows_columns[cell]) != STATES_N ? 0 : (double)NAN;
}

/* The rows are sums over nodes, but for the states, which are their means. */
static void take_mean_node(double cell[TIME_AT_CELLS], double nodes)
{
	for (int i = 0; i < TIME_AT_CELLS; i++)
		if (states_of_metric(time_at_rows_columns[i]) == STATES_N)
			cell[i] /= nodes;
}

void time_at_rows_add(const struct snapshot *s, double nodes, struct time_at *t)
{
	const struct frame *job = &s->rows[METRIC_SCOPE_PROCESS];
	const struct elapsed_rows rows = elapsed_rows(s, METRIC_SCOPE_PROCESS);
	const double *col[TIME_AT_CELLS];
	double cpus = time_at_rows_cpus(s) / nodes;
	bool states = false;

	for (int k = 0; k < STATES_N; k++)
		states |= frame_has(job, states_metric((enum states_id)k));
	for (int i = 0; i < TIME_AT_CELLS; i++) {
		const struct frame *f = &s->rows[metrics[time_at_rows_columns[i]].scope];
		col[i] = f->rows == job->rows ? frame_col(f, time_at_rows_columns[i]) : NULL;
	}
	for (size_t i = 0; s->meta.children && col[TIME_AT_CPU_USAGE] && i < job->rows; i++) {
		double cell[TIME_AT_CELLS];
		struct time_at_sample sample;
		for (int k = 0; k < TIME_AT_CELLS; k++)
			cell[k] = col[k] ? col[k][i] : absent_cell(k, states);
		take_mean_node(cell, nodes);
		sample = time_at_rows_sample(cell, elapsed_at(&rows, i), cpus);
		time_at_add(t, &sample);
	}
	frame_rest(job);
}

/* -- while it is written ----------------------------------------------------------------------- */

struct writing {
	struct written_walk walk;
	struct written_cells of[TIME_AT_CELLS];
	double cells[TIME_AT_CELLS][WRITTEN_CHUNK];
};

static int add_written_chunk(struct writing *w, double cpus, bool states, struct time_at *t,
                             struct err *e)
{
	for (int k = 0; k < TIME_AT_CELLS; k++)
		if (w->walk.r->write[time_at_rows_columns[k]] &&
		    written_cells_read(&w->of[k], &w->walk, w->cells[k], e))
			return -1;
	for (size_t i = 0; i < w->walk.n; i++) {
		double cell[TIME_AT_CELLS];
		struct time_at_sample sample;
		for (int k = 0; k < TIME_AT_CELLS; k++)
			cell[k] = w->walk.r->write[time_at_rows_columns[k]]
			              ? w->cells[k][i]
			              : absent_cell(k, states);
		sample = time_at_rows_sample(cell, w->walk.seconds[i], cpus);
		if (!isnan(w->walk.t[i]))
			time_at_add(t, &sample);
	}
	return 0;
}

int time_at_rows_written(const struct written *r, struct time_at *t, struct err *e)
{
	static const struct buckets none;
	struct writing *w;
	bool states = false;
	int more = -1;

	if (!r->write[METRIC_PROCESS_CPU_USAGE] || !r->s->meta.children)
		return 0;
	w = alloc_failed_note(calloc(1, sizeof *w));
	if (!w)
		return err_set(e, "no memory for the time with other CPUs");
	for (int k = 0; k < STATES_N; k++)
		states |= r->write[states_metric((enum states_id)k)];
	if (written_walk_begin(&w->walk, r, &none, METRIC_SCOPE_PROCESS, e))
		goto out;
	for (int k = 0; k < TIME_AT_CELLS; k++)
		if (r->write[time_at_rows_columns[k]] &&
		    written_cells_open(&w->of[k], r, time_at_rows_columns[k], e))
			goto out;
	while ((more = written_walk_next(&w->walk, e)) > 0)
		if (add_written_chunk(w, time_at_rows_cpus(r->s), states, t, e)) {
			more = -1;
			break;
		}
out:
	free(w);
	return more;
}
