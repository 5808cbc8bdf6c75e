/*
 * detail_json: --detail in a snapshot: rtrack.detail, and the rows in detail_metrics
 * (docs/snapshot.md).
 */
#ifndef CORE_DETAIL_JSON_H
#define CORE_DETAIL_JSON_H

#include <cjson/cJSON.h>

#include "core/detail_sums.h"
#include "core/json_write.h"

#define DETAIL_KEY         "detail"         /* of rtrack */
#define DETAIL_KEY_METRICS "detail_metrics" /* of the file */

/* By cell: which series were measured, and so are in the file. */
struct detail_measured {
	bool cell[DETAIL_CELLS_MAX];
};

/* Writes rtrack.detail into an open object; nothing without r->s->devices. 0, or -1. */
int detail_json_head(struct json_write *j, const struct overview_rows *r, struct detail_measured *m,
                     struct err *e);

/* Writes the columns of these series into an open object. 0, or -1. */
int detail_json_rows(struct json_write *j, const struct overview_rows *r,
                     const struct detail_measured *m, struct err *e);

/* Reads rtrack.detail, in the arena of s. NULL where it has another form; a series of another form
 * or name is passed over. */
struct detail *detail_json_read(struct snapshot *s, const cJSON *o);

#endif
