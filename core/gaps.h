/*
 * gaps: times in which a recording has no samples although it went on: those of a damaged journal.
 *
 * A row stands for the time since the row before it, and one behind a gap would stand for the gap
 * too. So in memory each gap has a row of its own at its end, in which nothing is measured (NAN).
 * In a file, where other tools want numbers, it has none, and rtrack.gaps tells of it.
 */
#ifndef CORE_GAPS_H
#define CORE_GAPS_H

#include <stdbool.h>

#include "core/err.h"
#include "core/snapshot.h"

#define GAPS_MAX 1024 /* in a recording */

/* Valid when zero; in order. */
struct gaps {
	size_t n;
	struct gap {
		double from,
		    to;     /* when the last sample before it was taken; when the next row begins */
		size_t row; /* its own, once gaps_fill was called */
	} v[GAPS_MAX];
};

/* Appends a gap. One more than GAPS_MAX, and one for which there is no memory (alloc_failed tells
 * then), is left out. */
void gaps_add(struct snapshot *s, double from, double to);
void gaps_clear(struct snapshot *s);

/* How many rows of s are those of gaps; whether this one is. */
size_t gaps_rows(const struct snapshot *s);
bool gaps_has(const struct snapshot *s, size_t row);

/* Gives each gap its row, in both scopes, which are square. Once. 0, or -1. */
int gaps_fill(struct snapshot *s, struct err *e);

#endif
