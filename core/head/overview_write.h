/*
 * overview_write: writes an overview (rtrack.overview, docs/snapshot.md).
 */
#ifndef CORE_HEAD_OVERVIEW_WRITE_H
#define CORE_HEAD_OVERVIEW_WRITE_H

#include "core/head/overview.h"
#include "core/json/json_write.h"

/* Writes the member "overview" into an open object. packed: as a page carries it, with the levels
 * of a picture in place of its numbers, and nine digits of the others. */
void overview_write(struct json_write *j, const struct overview *o, enum schema schema,
                    bool packed);

#endif
