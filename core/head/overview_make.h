/*
 * overview_make: computes a recording's overview from its rows.
 *
 * It walks over the rows again, a few columns at a time, so that memory does not grow with the rows
 * (about half a MiB).
 */
#ifndef CORE_HEAD_OVERVIEW_MAKE_H
#define CORE_HEAD_OVERVIEW_MAKE_H

#include "core/head/overview.h"
#include "core/recording/written.h"

/* Makes *out in the arena of s; NULL for rows with gaps, or without times. 0, or -1 if a fetch
 * failed or there is no memory. */
int overview_make(struct snapshot *s, const struct written *r, const struct overview **out,
                  struct err *e);

#endif
