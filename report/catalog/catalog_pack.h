/*
 * catalog_pack: the numbers of a run that groups are made of, as one blob.
 *
 * SQLite takes 20 ns to read a column of a row, so a blob of 90 bytes instead of 27 columns halves
 * the time of a query. The columns are there too, for conditions and for people. Pure.
 */
#ifndef REPORT_CATALOG_CATALOG_PACK_H
#define REPORT_CATALOG_CATALOG_PACK_H

#include "report/catalog/catalog_row.h"

#define CATALOG_PACK_MAX 200

/* Packs a run's values; the length in bytes. */
size_t catalog_pack(const struct catalog_value v[CATALOG_COLUMNS],
                    unsigned char out[CATALOG_PACK_MAX]);

/* Packs the sum of the parts of a run. */
size_t catalog_pack_numbers(const double column[CATALOG_COLUMNS],
                            unsigned char out[CATALOG_PACK_MAX]);

/* Sets the columns that CATALOG_OUT_… can have: those of the blob, those computed from them, and
 * start. NAN: NULL. Numbers that no run has are NAN, and all are in a blob that is none of ours. */
void catalog_unpack(double start, const unsigned char *p, size_t n, double column[CATALOG_COLUMNS]);

/* Whether catalog_unpack sets the column. */
bool catalog_is_packed(int column);

/* Adds a recording to the run that it is a part of: see catalog.h, struct catalog_cell. first: sum
 * is not yet set. */
void catalog_pack_add(double sum[CATALOG_COLUMNS], const double part[CATALOG_COLUMNS], bool first);

#endif
