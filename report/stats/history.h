/*
 * history: chooses the run to report on and the earlier runs that it is compared with.
 */
#ifndef REPORT_STATS_HISTORY_H
#define REPORT_STATS_HISTORY_H

#include "report/runs/load.h"

/* Orders the runs: v[0] is this run (r->current, or else the newest), then the history, newest
 * first. Of the same job (r->group_by), marks the last `use` runs that finished, or whose end is
 * unknown, as used; the others get the reason why they are not. -1 if there is no run, or
 * r->current is not among them. */
int history_choose(struct runs *r, long use, struct err *e);

/* Whether run i is in the trend: this run, and every run of the same job that did not fail, used in
 * averages or not. */
bool history_is_trend(const struct runs *r, size_t i);

/* How many runs of the history are used. */
size_t history_used(const struct runs *r);

#endif
