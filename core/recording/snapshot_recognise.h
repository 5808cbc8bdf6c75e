/*
 * snapshot_recognise: what kind of file it is, from its beginning. snapshot_recognise(path) is in
 * snapshot.h.
 */
#ifndef CORE_RECORDING_SNAPSHOT_RECOGNISE_H
#define CORE_RECORDING_SNAPSHOT_RECOGNISE_H

#include <stdbool.h>

#include "core/json/json_read.h"

/* Whether it is a journal, before anything was read. */
bool snapshot_recognise_journal(struct json_read *in);

#endif
