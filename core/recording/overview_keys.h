/*
 * overview_keys: what the writer and the reader of an overview share: the keys of rtrack.overview
 * (docs/snapshot.md), and the pairs of columns whose differences it has.
 */
#ifndef CORE_RECORDING_OVERVIEW_KEYS_H
#define CORE_RECORDING_OVERVIEW_KEYS_H

#include "core/numbers/metric.h"

#define OVERVIEW_KEY             "overview"
#define OVERVIEW_KEY_SCHEMA      "schema"
#define OVERVIEW_KEY_FROM        "from"
#define OVERVIEW_KEY_STEP        "step"
#define OVERVIEW_KEY_GAP         "gap"
#define OVERVIEW_KEY_BUCKETS     "buckets"
#define OVERVIEW_KEY_SECONDS     "seconds"
#define OVERVIEW_KEY_COLUMNS     "columns"
#define OVERVIEW_KEY_PACKED      "packed"
#define OVERVIEW_KEY_MIN         "min"
#define OVERVIEW_KEY_MEAN        "mean"
#define OVERVIEW_KEY_MAX         "max"
#define OVERVIEW_KEY_SD          "sd"
#define OVERVIEW_KEY_RATE_MEAN   "rate_mean"
#define OVERVIEW_KEY_RATE_MAX    "rate_max"
#define OVERVIEW_KEY_SHARES      "shares"
#define OVERVIEW_KEY_COLUMN      "column"
#define OVERVIEW_KEY_TO          "to"
#define OVERVIEW_KEY_SHARE       "share"
#define OVERVIEW_KEY_DIFFERENCES "differences"
#define OVERVIEW_KEY_ALL         "all"
#define OVERVIEW_KEY_PART        "part"
#define OVERVIEW_KEY_PHASES      "phases"
#define OVERVIEW_KEY_NAME        "name"

#define OVERVIEW_PAIRS 6
extern const struct overview_pair {
	enum metric_id all, part;
} overview_pairs[OVERVIEW_PAIRS];

/* "process_cpu_usage": as in "statistics". Returns out. */
#define OVERVIEW_NAME_MAX 64
const char *overview_column_name(enum metric_id id, char out[OVERVIEW_NAME_MAX]);

#endif
