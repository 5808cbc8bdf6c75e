/*
 * comparison: runs beside each other, on time since their start.
 *
 * Rows are read of one run at a time: what is kept of each is two lines of at most CHART_POINTS_MAX
 * points, and what its phases used.
 */
#ifndef REPORT_CHART_COMPARISON_H
#define REPORT_CHART_COMPARISON_H

#include "core/buf.h"
#include "core/opts.h"
#include "report/chart/chart_grid.h"
#include "report/stats/phase_usage.h"

#define COMPARISON_MAX 10 /* runs */

enum comparison_line_id { COMPARISON_CPU, COMPARISON_MEMORY, COMPARISON_LINES };

struct comparison_run {
	size_t run;       /* its place among the runs */
	struct buf label; /* what to call it */
	struct chart_grid grid;
	double begin;                               /* Unix seconds: where its time is 0 */
	double span;                                /* seconds from there to the grid's end */
	struct chart_cell *cells[COMPARISON_LINES]; /* NULL: not measured */
	struct phase_usage phases;                  /* names are borrowed from the run */
	struct err why;                             /* why its rows could not be read; "" */
};

/* Valid when zero. The first run is this run. */
struct comparison {
	struct comparison_run v[COMPARISON_MAX];
	size_t n;
	size_t left_out; /* runs that found no room */
};

/* Of v[0] and the next runs of r, on which history_choose was called; v[0] keeps its rows. names
 * are those of the runs in the order in which they were given. Fails without memory, and where
 * there are more names than runs: then NULL, with a sentence. */
struct comparison *comparison_new(struct runs *r, const struct opts_list *names, struct err *e);

/* What is drawn of a line: NULL where there is no such column. */
const struct metric *comparison_metric(enum comparison_line_id line, const struct runs *r,
                                       size_t run);

/* NULL is fine. */
void comparison_free(struct comparison *c);

#endif
