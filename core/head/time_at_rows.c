/* time_at_rows: samples of time_at from the columns of a recording. */
#include "core/head/time_at_rows.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "core/base/larger.h"
#include "core/numbers/contention.h"
#include "core/recording/elapsed.h"
#include "core/recording/states.h"

const enum metric_id time_at_rows_columns[TIME_AT_CELLS] = {
    [TIME_AT_CPU_USAGE] = METRIC_PROCESS_CPU_USAGE,
    [TIME_AT_MAIN_CPU_USAGE] = METRIC_PROCESS_MAIN_CPU_USAGE,
    [TIME_AT_MAIN_THREADS] = METRIC_PROCESS_MAIN_THREADS,
    [TIME_AT_BUSIEST_THREAD] = METRIC_PROCESS_BUSIEST_THREAD,
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

static double stat_sum(const struct stats *stats, enum metric_id id)
{
	return stats[id].n ? positive(stats[id].sum) : 0;
}

/* Nothing is known to be lost of several nodes, whose cgroups are not summed. */
struct time_at_rows time_at_rows_of(const struct snapshot *s, const struct stats *stats,
                                    double nodes)
{
	double limit = s->limits.cpus > 0 ? s->limits.cpus : (double)NAN;
	double machine = s->server.vcpus > 0 ? s->server.vcpus : (double)NAN;
	bool quota = stats[METRIC_SYSTEM_THROTTLED].n > 0;
	double cpu = stat_sum(stats, METRIC_PROCESS_UTIME) + stat_sum(stats, METRIC_PROCESS_STIME);
	double ran = stat_sum(stats, METRIC_PROCESS_STATE_CPU), wall = 0;
	double ready = ran + stat_sum(stats, METRIC_PROCESS_STATE_CPU_WAIT) +
	               stat_sum(stats, METRIC_PROCESS_STATE_THROTTLED);
	double lost = s->totals.cgroup_cpu_some_s - stat_sum(stats, METRIC_PROCESS_CPU_WAIT);
	struct time_at_rows all = {.cpus = quota ? machine : lesser(limit, machine),
	                           .machine = machine};

	all.cpus /= nodes;
	for (int k = 0; k < STATES_N; k++) {
		all.states |= stats[states_metric((enum states_id)k)].n > 0;
		wall += stat_sum(stats, states_metric((enum states_id)k));
	}
	if (!s->totals.known || nodes > 1)
		return all;
	all.more_wait = cpu > 0 ? positive(lost / cpu) : 0;
	all.more_ready =
	    lesser(positive((ran + s->totals.cgroup_cpu_full_s - ready) / (wall - ready)), 1);
	return all;
}

/* A hypervisor that takes a CPU away stops the thread on it, and no account of the thread has that
 * time. The job has the share of it that it has of what ran; in that time it was ready. */
static void add_steal(struct time_at_sample *s, const double cell[TIME_AT_CELLS])
{
	double steal = positive(cell[TIME_AT_STEAL]), all = cell[TIME_AT_MACHINE_CPU_USAGE];
	double d = s->c + s->w, more = steal * lesser(positive(s->c / all), 1);

	if (!(more > 0) || !(d > 0))
		return;
	s->b = s->b * (d + more) / d;
	s->w += more;
}

/* A thread that a quota stopped waits as well, but not for others. What only the pressure of the
 * cgroup counts is left out: mostly it is threads of the job that wait for each other. */
static void judge_contention(struct time_at_sample *s, const struct time_at_rows *all,
                             const double cell[TIME_AT_CELLS])
{
	double waited = cell[TIME_AT_CPU_WAIT] - positive(cell[TIME_AT_THROTTLED]);
	const struct contention_sample c = {
	    .cpus = all->cpus,
	    .machine = all->machine,
	    .used = s->c,
	    .waited = isnan(waited) ? waited : positive(waited / s->h),
	    .all_used = cell[TIME_AT_MACHINE_CPU_USAGE],
	    .steal = cell[TIME_AT_STEAL],
	};

	s->contended = contention_waited(&c);
	s->stolen = contention_stolen(&c);
}

struct time_at_sample time_at_rows_sample(const struct time_at_rows *all,
                                          const double cell[TIME_AT_CELLS], double h)
{
	struct time_at_sample s = {.h = h, .c = cell[TIME_AT_CPU_USAGE], .b_most = NAN};
	double free = all->cpus - positive(cell[TIME_AT_STEAL]);
	double main = cell[TIME_AT_MAIN_THREADS] == 1 ? cell[TIME_AT_MAIN_CPU_USAGE] : (double)NAN;

	/* A throttled thread waits too. */
	s.w = positive(isnan(cell[TIME_AT_CPU_WAIT]) ? cell[TIME_AT_THROTTLED] / h
	                                             : cell[TIME_AT_CPU_WAIT] / h);
	s.w += all->more_wait * positive(s.c);
	s.b = (cell[TIME_AT_STATE_CPU] + cell[TIME_AT_STATE_CPU_WAIT] +
	       cell[TIME_AT_STATE_THROTTLED]) /
	      h;
	if (s.b < 1)
		s.b += (1 - s.b) * all->more_ready;
	s.b_least = larger(larger(main, cell[TIME_AT_BUSIEST_THREAD] / h),
	                   free > 0 ? s.c / free : (double)NAN);
	judge_contention(&s, all, cell);
	add_steal(&s, cell);
	return s;
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

void time_at_rows_add(const struct snapshot *s, const struct stats *stats, double nodes,
                      struct time_at *t)
{
	const struct frame *job = &s->rows[METRIC_SCOPE_PROCESS];
	const struct elapsed_rows rows = elapsed_rows(s, METRIC_SCOPE_PROCESS);
	const double *col[TIME_AT_CELLS];
	const struct time_at_rows all = time_at_rows_of(s, stats, nodes);

	for (int i = 0; i < TIME_AT_CELLS; i++) {
		const struct frame *f = &s->rows[metrics[time_at_rows_columns[i]].scope];
		col[i] = f->rows == job->rows ? frame_col(f, time_at_rows_columns[i]) : NULL;
	}
	for (size_t i = 0; s->meta.children && col[TIME_AT_CPU_USAGE] && i < job->rows; i++) {
		double cell[TIME_AT_CELLS];
		struct time_at_sample sample;
		for (int k = 0; k < TIME_AT_CELLS; k++)
			cell[k] = col[k] ? col[k][i] : absent_cell(k, all.states);
		take_mean_node(cell, nodes);
		sample = time_at_rows_sample(&all, cell, elapsed_at(&rows, i));
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

static int add_written_chunk(struct writing *w, const struct time_at_rows *all, struct time_at *t,
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
			              : absent_cell(k, all->states);
		sample = time_at_rows_sample(all, cell, w->walk.seconds[i]);
		if (!isnan(w->walk.t[i]))
			time_at_add(t, &sample);
	}
	return 0;
}

int time_at_rows_written(const struct written *r, struct time_at *t, struct err *e)
{
	static const struct buckets none;
	struct writing *w;
	struct time_at_rows all;
	int more = -1;

	if (!r->write[METRIC_PROCESS_CPU_USAGE] || !r->s->meta.children)
		return 0;
	w = alloc_failed_note(calloc(1, sizeof *w));
	if (!w)
		return err_set(e, "no memory for the time with other CPUs");
	all = time_at_rows_of(r->s, r->stats, 1);
	if (written_walk_begin(&w->walk, r, &none, METRIC_SCOPE_PROCESS, e))
		goto out;
	for (int k = 0; k < TIME_AT_CELLS; k++)
		if (r->write[time_at_rows_columns[k]] &&
		    written_cells_open(&w->of[k], r, time_at_rows_columns[k], e))
			goto out;
	while ((more = written_walk_next(&w->walk, e)) > 0)
		if (add_written_chunk(w, &all, t, e)) {
			more = -1;
			break;
		}
out:
	free(w);
	return more;
}
