/*
 * detail_keys: what the writer and the reader of rtrack.detail share (docs/snapshot.md).
 */
#ifndef CORE_RECORDING_DETAIL_KEYS_H
#define CORE_RECORDING_DETAIL_KEYS_H

#include "core/recording/detail_sums.h"

#define DETAIL_KEY         "detail"         /* of rtrack */
#define DETAIL_KEY_METRICS "detail_metrics" /* of the file */
#define DETAIL_KEY_FROM    "from"
#define DETAIL_KEY_STEP    "step"
#define DETAIL_KEY_BUCKETS "buckets"
#define DETAIL_KEY_SERIES  "series"
#define DETAIL_KEY_NAME    "name"
#define DETAIL_KEY_POINTS  "points"

/* The numbers of a series: its key, where it is, and the digits that are written (0: all). */
#define DETAIL_NUMBERS 7
extern const struct detail_number {
	const char *key;
	size_t at;
	int digits;
} detail_numbers[DETAIL_NUMBERS];

#endif
