/*
 * overview_sums: what an overview has besides its buckets: shares, differences and phases.
 */
#ifndef CORE_HEAD_OVERVIEW_SUMS_H
#define CORE_HEAD_OVERVIEW_SUMS_H

#include "core/head/overview.h"
#include "core/recording/written.h"

struct overview_sums;

/* NULL with a sentence without memory. */
struct overview_sums *overview_sums_new(const struct written *r, struct err *e);

/* Begins with the columns of a scope, before the walk's first chunk; adds a chunk. 0, or -1. */
int overview_sums_begin(struct overview_sums *u, enum metric_scope scope, struct err *e);
int overview_sums_add(struct overview_sums *u, const struct written_walk *w, struct err *e);

/* Sets the shares, differences and phases of v, in the arena of s. The names of phases are borrowed
 * from the recording. 0, or -1 without memory. */
int overview_sums_keep(const struct overview_sums *u, struct snapshot *s, struct overview *v,
                       struct err *e);

void overview_sums_free(struct overview_sums *u);

#endif
