/*
 * detail_write: writes what --detail recorded: rtrack.detail, and the rows in detail_metrics
 * (docs/snapshot.md).
 */
#ifndef CORE_RECORDING_DETAIL_WRITE_H
#define CORE_RECORDING_DETAIL_WRITE_H

#include "core/json/json_write.h"
#include "core/recording/detail_keys.h"
#include "core/recording/overview_walk.h"

/* By cell: which series were measured, and so are in the file. */
struct detail_measured {
	bool cell[DETAIL_CELLS_MAX];
};

/* Writes rtrack.detail into an open object; nothing without r->s->devices. 0, or -1. */
int detail_write_head(struct json_write *j, const struct overview_rows *r,
                      struct detail_measured *m, struct err *e);

/* The same of what was read. */
void detail_write_read(struct json_write *j, const struct detail *d);

/* Writes the columns of these series into an open object. 0, or -1. */
int detail_write_rows(struct json_write *j, const struct overview_rows *r,
                      const struct detail_measured *m, struct err *e);

#endif
