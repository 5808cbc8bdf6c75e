/*
 * gaps: times for which a recording has no samples, because its journal was damaged there.
 *
 * A row represents the time since the row before it, so a row after a gap would represent the gap
 * too. In memory each gap therefore has a row of its own at its end, with all columns NAN. A file
 * has no such rows, because other tools need numbers there; rtrack.gaps lists the gaps.
 */
#ifndef CORE_RECORDING_GAPS_H
#define CORE_RECORDING_GAPS_H

#include <stdbool.h>

#include "core/base/err.h"
#include "core/recording/snapshot.h"

#define GAPS_MAX 1024 /* in a recording */

/* Valid when zero; in order. */
struct gaps {
	size_t n;
	struct gap {
		double from, to; /* Unix seconds: from the last sample before it to the begin of
		               the next row */
		size_t row;      /* the gap's own row, once gaps_fill was called */
	} v[GAPS_MAX];
};

/* Appends a gap. It is dropped beyond GAPS_MAX, and without memory (see alloc_failed). */
void gaps_add(struct snapshot *s, double from, double to);
void gaps_clear(struct snapshot *s);

/* The number of rows of s that belong to gaps; whether this row does. */
size_t gaps_rows(const struct snapshot *s);
bool gaps_has(const struct snapshot *s, size_t row);

/* The number of gaps whose row is above this one. */
size_t gaps_before(const struct snapshot *s, size_t row);

/* Inserts a row for each gap into both scopes, after frame_square. Call it once. 0, or -1. */
int gaps_fill(struct snapshot *s, struct err *e);

#endif
