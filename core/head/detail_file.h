/*
 * detail_file: what --detail recorded, in a file: rtrack.detail, and the rows in detail_metrics
 * (docs/snapshot.md).
 */
#ifndef CORE_HEAD_DETAIL_FILE_H
#define CORE_HEAD_DETAIL_FILE_H

#include "core/head/detail_sums.h"
#include "core/json/json_write.h"

#define DETAIL_KEY         "detail"         /* of rtrack */
#define DETAIL_KEY_METRICS "detail_metrics" /* of the file */

struct cJSON;

/* Reads rtrack.detail into the arena of s. NULL where it has another form; a series of another form
 * or name is passed over. */
struct detail *detail_file_read(struct snapshot *s, const struct cJSON *o);

/* By cell: which series were measured, and so are in the file. */
struct detail_measured {
	bool cell[DETAIL_CELLS_MAX];
};

/* Writes rtrack.detail into an open object; nothing without r->s->devices. 0, or -1. */
int detail_file_write(struct json_write *j, const struct written *r, struct detail_measured *m,
                      struct err *e);

/* The same of what was read. */
void detail_file_write_read(struct json_write *j, const struct detail *d);

/* Writes the columns of these series into an open object. 0, or -1. */
int detail_file_write_rows(struct json_write *j, const struct written *r,
                           const struct detail_measured *m, struct err *e);

#endif
