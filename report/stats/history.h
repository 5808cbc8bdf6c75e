/*
 * history: which run is this run, and which earlier ones count beside it.
 */
#ifndef REPORT_STATS_HISTORY_H
#define REPORT_STATS_HISTORY_H

#include "report/runs/load.h"

/* Orders the runs: v[0] is this run (r->current, or else the newest), the others are the history,
 * newest first. Marks the last `use` finished ones (or whose end is not told) of the same job
 * (r->group_by) as used, and says of the others why they are not. -1 where there is no run, or
 * r->current is not among them. */
int history_choose(struct runs *r, long use, struct err *e);

/* Whether run i belongs to the trend: this run, and all of the same job that did not fail, used in
 * the statistics or not. */
bool history_is_trend(const struct runs *r, size_t i);

/* How many runs of the history are used. */
size_t history_used(const struct runs *r);

#endif
