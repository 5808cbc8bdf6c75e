/*
 * detail_read: reads rtrack.detail (docs/snapshot.md).
 */
#ifndef CORE_RECORDING_DETAIL_READ_H
#define CORE_RECORDING_DETAIL_READ_H

#include <cjson/cJSON.h>

#include "core/recording/detail_sums.h"

/* In the arena of s. NULL where it has another form; a series of another form or name is passed
 * over. */
struct detail *detail_read(struct snapshot *s, const cJSON *o);

#endif
