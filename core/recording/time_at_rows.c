/* time_at_rows: samples of time_at from the columns of a recording. */
#include "core/recording/time_at_rows.h"

#include <math.h>

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
	double free = cpus - positive(cell[TIME_AT_STEAL]);

	/* A throttled thread waits too. */
	if (isnan(s.w))
		s.w = cell[TIME_AT_THROTTLED] / h;
	s.b = (cell[TIME_AT_STATE_CPU] + cell[TIME_AT_STATE_CPU_WAIT] +
	       cell[TIME_AT_STATE_THROTTLED]) /
	      h;
	s.b_least = larger(lesser(cell[TIME_AT_MAIN_CPU_USAGE], 1),
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

/* Whether any column of a state is there: then one that is not stands for 0. */
static bool has_states(const struct frame *f)
{
	for (int k = 0; k < STATES_N; k++)
		if (frame_has(f, states_metric((enum states_id)k)))
			return true;
	return false;
}

void time_at_rows_add(const struct snapshot *s, struct time_at *t)
{
	const struct frame *job = &s->rows[METRIC_SCOPE_PROCESS];
	const struct elapsed_rows rows = elapsed_rows(s, METRIC_SCOPE_PROCESS);
	bool states = has_states(job);
	double cpus = time_at_rows_cpus(s);
	const double *col[TIME_AT_CELLS];

	for (int i = 0; i < TIME_AT_CELLS; i++) {
		const struct frame *f = &s->rows[metrics[time_at_rows_columns[i]].scope];
		col[i] = f->rows == job->rows ? frame_col(f, time_at_rows_columns[i]) : NULL;
	}
	for (size_t i = 0; col[TIME_AT_CPU_USAGE] && i < job->rows; i++) {
		double cell[TIME_AT_CELLS];
		struct time_at_sample sample;
		for (int k = 0; k < TIME_AT_CELLS; k++)
			cell[k] = col[k] ? col[k][i]
			          : states_of_metric(time_at_rows_columns[k]) != STATES_N && states
			              ? 0
			              : (double)NAN;
		sample = time_at_rows_sample(cell, elapsed_at(&rows, i), cpus);
		time_at_add(t, &sample);
	}
	frame_rest(job);
}
