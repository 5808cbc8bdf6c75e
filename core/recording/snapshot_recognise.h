/*
 * snapshot_recognise: what kind of file it is, from its beginning.
 */
#ifndef CORE_RECORDING_SNAPSHOT_RECOGNISE_H
#define CORE_RECORDING_SNAPSHOT_RECOGNISE_H

#include <stdbool.h>

#include "core/json/json_read.h"

/* Whether path is a regular file that looks like a recording, perhaps damaged: a journal, or a JSON
 * object with one of the metric blocks. No output of a template looks like that. */
bool snapshot_recognise(const char *path);

/* Whether it is a journal, before anything was read. */
bool snapshot_recognise_journal(struct json_read *in);

#endif
