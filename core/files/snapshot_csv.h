/*
 * snapshot_csv: the dialects of a recording that are CSV.
 *
 *   the files of resource-tracker's trackers, and what rtrack-collect --csv writes: one scope
 *   what rtrack-report --csv and get_combined_metrics() write: both scopes, with prefixes
 *   the tracking files of gpu_tracker
 *
 * The header says which it is, and in which units (docs/snapshot.md).
 */
#ifndef CORE_FILES_SNAPSHOT_CSV_H
#define CORE_FILES_SNAPSHOT_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/gz.h"
#include "core/recording/snapshot.h"

/* Whether the content that begins with these n bytes is CSV with the time of a sample in a column,
 * or of gpu_tracker. */
bool snapshot_csv_recognise(const char *begun, size_t n);

/* Reads it into *s, which has the values of snapshot_head_defaults: what CSV does not have is
 * unknown. begun: as for csv_read_init. 0, or -1 with a sentence that names the file and line. */
int snapshot_csv_read(struct snapshot *s, struct gz_in *g, const char *begun, size_t n,
                      const char *name, struct err *e);

#endif
