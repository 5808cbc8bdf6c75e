/*
 * column_file: columns of doubles in a file without a name, a part at a time.
 *
 * What lies there is the kernel's to keep or to write out: it is none of this process's memory.
 */
#ifndef CORE_COLUMN_FILE_H
#define CORE_COLUMN_FILE_H

#include <stddef.h>

#define COLUMN_FILE_PART 16384 /* cells */

struct column_file; /* opaque */

/* For columns 0 … n - 1, empty all. NULL where no file can be had, or no memory. */
struct column_file *column_file_new(size_t n);

/* Adds COLUMN_FILE_PART cells to a column. 0, or -1 (a full disk, no memory), and nothing was
 * added. */
int column_file_add(struct column_file *s, size_t column, const double *part);

/* Part i of a column, which must be there, read and written again. 0, or -1. */
int column_file_get(const struct column_file *s, size_t column, size_t i, double *part);
int column_file_put(const struct column_file *s, size_t column, size_t i, const double *part);

/* Empties a column; its place is used again by it. */
void column_file_clear(struct column_file *s, size_t column);

/* All parts of a column one after the other, not to be written to, for as long as s lives; later
 * parts are not seen. NULL without address space. */
double *column_file_map(struct column_file *s, size_t column);

/* Takes what was read of the maps out of this process's memory; it comes back when read again. */
void column_file_rest(const struct column_file *s);

/* NULL is fine. */
void column_file_free(struct column_file *s);

#endif
