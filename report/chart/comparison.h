/*
 * comparison: runs side by side, by time since their start.
 *
 * Only one run's rows are in memory at a time. Each run keeps two lines of at most CHART_POINTS_MAX
 * points, and what its phases used.
 */
#ifndef REPORT_CHART_COMPARISON_H
#define REPORT_CHART_COMPARISON_H

#include "core/base/buf.h"
#include "core/base/opts.h"
#include "report/chart/chart_grid.h"
#include "report/stats/phase_usage.h"

#define COMPARISON_MAX 10 /* runs */

enum comparison_line_id { COMPARISON_CPU, COMPARISON_MEMORY, COMPARISON_LINES };

struct comparison_run {
	size_t run;       /* its index in the runs */
	struct buf label; /* its name on the page */
	struct chart_grid grid;
	double begin;                           /* Unix seconds: its time 0 */
	double span;                            /* seconds from there to the grid's end */
	struct bucket *cells[COMPARISON_LINES]; /* NULL: not measured */
	struct phase_usage phases;              /* names are borrowed from the run */
	struct err why;                         /* why its rows could not be read; "" */
};

/* Valid when zero. The first run is this run. */
struct comparison {
	struct comparison_run v[COMPARISON_MAX];
	size_t n;
	size_t left_out; /* runs beyond COMPARISON_MAX */
};

/* Compares v[0] and the next runs of r, after history_choose; v[0] keeps its rows. names are for
 * the runs in the order in which they were given. NULL with a sentence without memory, and if there
 * are more names than runs. */
struct comparison *comparison_new(struct runs *r, const struct opts_list *names, struct err *e);

/* The column of a line: the job's or the machine's, as v[0] has it for all runs. NULL if this run
 * does not have it. */
const struct metric *comparison_metric(enum comparison_line_id line, const struct runs *r,
                                       size_t run);

/* NULL is fine. */
void comparison_free(struct comparison *c);

/* -- an axis on which each phase that all runs have begins at the same place in all ------------ */

#define COMPARISON_PHASES_MAX 12 /* phases */

/* Valid when zero: no phase in common. */
struct comparison_align {
	size_t n;
	const char *name[COMPARISON_PHASES_MAX]; /* borrowed from the runs */
	double at[COMPARISON_PHASES_MAX];        /* seconds on the axis: where it begins */
	double
	    width[COMPARISON_PHASES_MAX]; /* how long it takes in the run where it takes longest */
	double from[COMPARISON_PHASES_MAX][COMPARISON_MAX],
	    to[COMPARISON_PHASES_MAX][COMPARISON_MAX]; /* Unix */
	double span;
};

/* From the phases that each run went through once, in the same order. Runs without phases do not
 * count and have no place on the axis; at least two must have phases. */
void comparison_align(struct comparison_align *a, const struct comparison *c);

/* The place of a time on the axis, and in *phase its phase; NAN: it is in none. */
double comparison_align_at(const struct comparison_align *a, size_t run, double unix_s,
                           size_t *phase);

#endif
