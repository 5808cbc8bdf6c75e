/*
 * head_fields: reads the objects of a snapshot's head into their structs, by the table of
 * snapshot_fields.def. For snapshot_head.c.
 */
#ifndef CORE_RECORDING_HEAD_FIELDS_H
#define CORE_RECORDING_HEAD_FIELDS_H

#include <cjson/cJSON.h>

#include "core/recording/snapshot_fields.h"

/* Any object, and any key, may be NULL. */
const cJSON *head_fields_member(const cJSON *o, const char *key);

/* A number, also as text; NAN where it is none. */
double head_fields_number(const cJSON *v);

/* Reads the members of a block from object o into *record, the block's struct. o may be NULL: then
 * every field gets what it has where the file says nothing. */
void head_fields_read(struct snapshot *s, enum snapshot_block block, const cJSON *o, void *record);

/* The member with a block's key, or its old key. */
const cJSON *head_fields_block(const cJSON *o, enum snapshot_block block);

/* Allocates *all for the elements of an array, at most max. Returns how many to read. */
size_t head_fields_alloc(struct snapshot *s, const cJSON *array, size_t max, size_t size,
                         void **all);

#endif
