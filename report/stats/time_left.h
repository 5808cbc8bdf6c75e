/*
 * time_left: how long a running job will still take, from how long earlier runs took.
 *
 * Only earlier runs that took longer than this one has run so far count: the median of the time
 * that they still took from then on. A median of all would be past before a slow run ends.
 */
#ifndef REPORT_STATS_TIME_LEFT_H
#define REPORT_STATS_TIME_LEFT_H

#include "core/base/buf.h"
#include "report/runs/load.h"

/* {0}: not known, as there are no earlier runs. */
struct time_left {
	size_t runs;      /* earlier runs of known length */
	double left_s;    /* NAN: this one runs longer than all of them */
	double longest_s; /* of them */
};

/* took: seconds, sorted by this function. Pure. */
struct time_left time_left_of(double *took, size_t n, double elapsed_s);

/* The lengths of the runs of the history that are used (history.h), to be freed, and their number.
 * NULL, with *n 0: there are none, or there is no memory. */
double *time_left_history(const struct runs *r, size_t *n);

/* Appends "about 12 min left, from 8 earlier runs", or "longer than each of 8 earlier runs, which
 * took at most 19 min"; nothing if it is not known. */
void time_left_text(const struct time_left *t, struct buf *out);

#endif
