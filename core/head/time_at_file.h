/*
 * time_at_file: the member "time_at" of rtrack: the sums of core/numbers/time_at.h
 * (docs/snapshot.md).
 */
#ifndef CORE_HEAD_TIME_AT_FILE_H
#define CORE_HEAD_TIME_AT_FILE_H

#include "core/json/json_read.h"
#include "core/json/json_write.h"
#include "core/numbers/time_at.h"
#include "core/recording/snapshot.h"

#define TIME_AT_FILE_KEY "time_at"

/* Rounds the sums as the file has them, so that a reader computes the same from it. */
void time_at_file_round(struct time_at *t);

/* Writes the member into an object that is open. */
void time_at_file_write(struct json_write *j, const struct time_at *t);

/* Reads the value of the member into s->time_at, in the arena: NULL if it is not such a member, or
 * its numbers cannot be true. key is used for its keys. -1 if the JSON is wrong. */
int time_at_file_read(struct snapshot *s, struct json_read *in, struct buf *key);

#endif
