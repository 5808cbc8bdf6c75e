/*
 * overview_read: reads a recording's overview.
 */
#ifndef CORE_RECORDING_OVERVIEW_READ_H
#define CORE_RECORDING_OVERVIEW_READ_H

#include <cjson/cJSON.h>

#include "core/recording/overview.h"

/* Reads the member "overview" of rtrack into the arena of s. NULL if o is no overview, or if
 * anything in it is not as docs/snapshot.md says; members and columns that are not known are
 * skipped. */
struct overview *overview_read(struct snapshot *s, const cJSON *o);

#endif
