/*
 * parts_group: which recordings are parts of one job, and what the head of each says of its part.
 */
#ifndef REPORT_RUNS_PARTS_GROUP_H
#define REPORT_RUNS_PARTS_GROUP_H

#include "report/runs/parts.h"

/* Fills order with the indexes of the runs that are parts, those of one run next to each other, and
 * returns their number. turn[i] becomes 0 for the first command that was recorded in its place of
 * the job, 1 for the next. Both have room for r->n. */
size_t parts_group_order(const struct runs *r, size_t *order, size_t *turn);

/* How many runs from order[0] on, of n, are of one run; *join: whether they are to be joined. */
size_t parts_group_length(const struct runs *r, const size_t *order, const size_t *turn, size_t n,
                          bool *join);

/* What the heads of the runs order[0] … order[n - 1] say, in the arena of `out`. A recording that
 * another one of the same node or task covers is left out of it, with a note. NULL without memory.
 * */
struct parts *parts_group_make(const struct runs *r, const size_t *order, size_t n,
                               struct snapshot *out);

/* Removes parts whose ->file is NULL, and nodes without parts. Then sets what depends on all parts:
 * counts, the worst, the latest. */
void parts_group_settle(struct parts *p);

#endif
