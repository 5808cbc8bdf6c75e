/*
 * column_file: growing columns of doubles in an unnamed temporary file, for frames too large for
 * memory.
 *
 * Columns are appended in parts of COLUMN_FILE_PART cells, and mapped into memory once they are
 * complete. The pages are the kernel's cache, not this process's memory: a week of 44 columns took
 * 303 MiB in memory and takes 28 MiB so. (For the collector's smaller columns of a known length see
 * journal.c.)
 */
#ifndef CORE_NUMBERS_COLUMN_FILE_H
#define CORE_NUMBERS_COLUMN_FILE_H

#include <stddef.h>

#define COLUMN_FILE_PART 16384 /* cells */

struct column_file; /* opaque */

/* n empty columns, numbered from 0. NULL without a temporary file or memory. */
struct column_file *column_file_new(size_t n);

/* Appends COLUMN_FILE_PART cells to a column. 0, or -1 (a full disk, no memory) with nothing
 * appended. */
int column_file_add(struct column_file *s, size_t column, const double *part);

/* Reads or overwrites part i of a column, which must exist. 0, or -1. */
int column_file_get(const struct column_file *s, size_t column, size_t i, double *part);
int column_file_put(const struct column_file *s, size_t column, size_t i, const double *part);

/* Empties a column; its space in the file is reused for it. */
void column_file_clear(struct column_file *s, size_t column);

/* Maps all parts of a column as one read-only array, valid as long as s; parts appended later are
 * not in it. NULL without address space. */
double *column_file_map(struct column_file *s, size_t column);

/* Drops the pages of all maps from this process's memory; the next access reads them again. */
void column_file_rest(const struct column_file *s);

/* NULL is fine. */
void column_file_free(struct column_file *s);

#endif
