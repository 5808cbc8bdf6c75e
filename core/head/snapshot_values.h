/*
 * snapshot_values: the members of a snapshot's objects, read into their structs by the table of
 * snapshot_fields.def.
 *
 * A member that is absent, or of another kind, is what its kind has for unknown (enum
 * snapshot_field_kind). Objects may be NULL: nothing in them is known. Strings are copied into the
 * snapshot.
 */
#ifndef CORE_HEAD_SNAPSHOT_VALUES_H
#define CORE_HEAD_SNAPSHOT_VALUES_H

#include <stddef.h>

#include <cjson/cJSON.h>

#include "core/recording/snapshot_fields.h"

/* The member with a key; NULL: there is none, or key is NULL. */
const cJSON *snapshot_values_member(const cJSON *o, const char *key);

/* The member with a block's key, or its old key. */
const cJSON *snapshot_values_block(const cJSON *o, enum snapshot_block block);

/* A number, also one that is written as a string; NAN: it is none. */
double snapshot_values_number(const cJSON *v);

/* Reads the members of a block from object o into *record, the block's struct. o may be NULL: then
 * every field gets what it has where the file says nothing. */
void snapshot_values_read(struct snapshot *s, enum snapshot_block block, const cJSON *o,
                          void *record);

/* Allocates *all for the elements of an array, at most max of size bytes each. Returns how many to
 * read. */
size_t snapshot_values_alloc(struct snapshot *s, const cJSON *array, size_t max, size_t size,
                             void **all);

/* Reads at most max elements of an array into all. Returns how many. */
size_t snapshot_values_array(struct snapshot *s, const cJSON *array, enum snapshot_block block,
                             void *all, size_t size, size_t max);

#endif
