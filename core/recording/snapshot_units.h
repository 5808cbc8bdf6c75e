/*
 * snapshot_units: converts rows from the units of a file to base units.
 */
#ifndef CORE_RECORDING_SNAPSHOT_UNITS_H
#define CORE_RECORDING_SNAPSHOT_UNITS_H

#include "core/base/err.h"
#include "core/recording/snapshot.h"

/* Converts the rows of s to base units, and replaces numbers by NAN that stand in a documented
 * column only because other tools need a number. spelled[id]: the schema whose name the column
 * had, 0 if both schemas use that name. 0, or -1 without memory. */
int snapshot_units_to_base(struct snapshot *s, const int spelled[METRIC_COUNT], struct err *e);

/* A sum over GPUs in such a column was measured only in rows in which a column of a single GPU was,
 * if the file has any. Which: this function's; NULL: id is no such sum. */
typedef enum metric_id (*snapshot_units_gpu)(size_t gpu);
snapshot_units_gpu snapshot_units_gpus_of(enum metric_id id);

#endif
