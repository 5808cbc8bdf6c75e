/*
 * snapshot_head: the blocks of a snapshot before its metrics, from their JSON text.
 *
 * All are tolerant: a member that is absent, null or of another kind leaves the field empty.
 */
#ifndef CORE_SNAPSHOT_HEAD_H
#define CORE_SNAPSHOT_HEAD_H

#include "core/snapshot.h"

/* The blocks of a snapshot that are objects of our own reading: json (n bytes) is the value of the
 * member key ("metadata", "server_info", "cloud_info", "rtrack"); any other key is ignored. 0, or
 * -1 where the text is not JSON. */
int snapshot_head(struct snapshot *s, const char *key, const char *json, size_t n);

/* The header line of a journal: an object of those members, and of "columns", the names of a
 * record's cells ("process_cpu_usage"). columns gets a metric for each, METRIC_COUNT for a name not
 * known. Returns how many, or -1 where the text is not such a line or has more than max of them. */
long snapshot_head_journal(struct snapshot *s, const char *text, size_t n, enum metric_id *columns,
                           size_t max);

/* Sets the fields to what holds for a file that tells nothing. */
void snapshot_head_defaults(struct snapshot *s);

#endif
