/*
 * parts_join: recordings that are parts of one job → one run (docs/parts.md).
 */
#ifndef REPORT_RUNS_PARTS_JOIN_H
#define REPORT_RUNS_PARTS_JOIN_H

#include "report/runs/parts.h"

/* Joins the runs whose recordings have the same rtrack.part.job, after all files were loaded. Each
 * part is read whole, once, and added to the sums, so memory does not grow with the number of
 * parts' rows. Of the joined runs only the current or newest keeps its rows. A part that cannot be
 * read is added to r->failed. 0, or -1 without memory. */
int parts_join(struct runs *r, struct err *e);

/* The rows of any run: reads the parts of a joined one again. */
int parts_load_whole(struct run *run, struct err *e);

#endif
