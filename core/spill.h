/*
 * spill: columns of doubles in a file without a name, a part at a time.
 *
 * What lies there is the kernel's to keep or to write out: it is none of this process's memory.
 */
#ifndef CORE_SPILL_H
#define CORE_SPILL_H

#include <stddef.h>

#define SPILL_PART 16384 /* cells */

struct spill; /* opaque */

/* For columns 0 … n - 1, empty all. NULL where no file can be had, or no memory. */
struct spill *spill_new(size_t n);

/* Adds SPILL_PART cells to a column. 0, or -1 (a full disk, no memory), and nothing was added. */
int spill_add(struct spill *s, size_t column, const double *part);

/* Part i of a column, which must be there, read and written again. 0, or -1. */
int spill_get(const struct spill *s, size_t column, size_t i, double *part);
int spill_put(const struct spill *s, size_t column, size_t i, const double *part);

/* Empties a column; its place is used again by it. */
void spill_clear(struct spill *s, size_t column);

/* All parts of a column one after the other, not to be written to, for as long as s lives; later
 * parts are not seen. NULL without address space. */
double *spill_map(struct spill *s, size_t column);

/* Takes what was read of the maps out of this process's memory; it comes back when read again. */
void spill_rest(const struct spill *s);

/* NULL is fine. */
void spill_free(struct spill *s);

#endif
