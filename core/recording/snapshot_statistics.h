/*
 * snapshot_statistics: reads the statistics in the head of a snapshot, as they are inflated.
 *
 * They are most of a head, and a history of 10,000 runs reads so many: without a tree that takes
 * a third of the time.
 */
#ifndef CORE_RECORDING_SNAPSHOT_STATISTICS_H
#define CORE_RECORDING_SNAPSHOT_STATISTICS_H

#include <stdbool.h>

#include "core/json/json_read.h"
#include "core/recording/snapshot.h"

/* Whether the member with this name has them. */
bool snapshot_statistics_is(const char *key);

/* Reads the object that comes next into s->summary: of every column, but for the time stamps, which
 * the head's "samples" has. Uses key for names. 0, or -1 with the reader's sentence. */
int snapshot_statistics_read(struct snapshot *s, struct json_read *in, struct buf *key);

#endif
