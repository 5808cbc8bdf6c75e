/*
 * snapshot_head: reads the blocks of a snapshot that stand before its metrics.
 *
 * Reading is tolerant: a member that is absent, null or of another kind leaves its field unknown.
 * The keys are in core/recording/snapshot_fields.def.
 */
#ifndef CORE_HEAD_SNAPSHOT_HEAD_H
#define CORE_HEAD_SNAPSHOT_HEAD_H

#include "core/recording/snapshot.h"

/* Reads one block: json (n bytes) is the value of the member key ("metadata", "server_info",
 * "cloud_info", "rtrack"). Any other key is ignored. 0, or -1 if the text is not JSON. */
int snapshot_head(struct snapshot *s, const char *key, const char *json, size_t n);

/* Reads the header line of a journal: an object of these blocks, and of "columns", the names of a
 * record's cells ("process_cpu_usage"). columns gets the metric of each, DETAIL_CELL(0) … for a
 * cell of a device, or METRIC_COUNT for an unknown name. Returns the number of columns, or -1 if
 * the text is not such a line or has more than max columns. */
long snapshot_head_journal(struct snapshot *s, const char *text, size_t n, enum metric_id *columns,
                           size_t max);

/* Reads what samples know of single rows of the table of processes: an array of "sampled". Returns
 * how many there are, in *out. */
size_t snapshot_head_sampled(struct snapshot *s, const char *json, size_t n,
                             struct snapshot_process **out);

/* Sets all fields to the values for a file without any of these blocks. */
void snapshot_head_defaults(struct snapshot *s);

#endif
