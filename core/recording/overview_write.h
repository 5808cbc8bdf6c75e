/*
 * overview_write: computes a recording's overview from its rows, and writes it.
 *
 * It walks over the rows anew, a few columns at a time, so that memory does not grow with the rows
 * (about 100 KiB).
 */
#ifndef CORE_RECORDING_OVERVIEW_WRITE_H
#define CORE_RECORDING_OVERVIEW_WRITE_H

#include "core/json/json_write.h"
#include "core/recording/written.h"

/* Writes the member "overview" into an open object; nothing for rows with gaps, or without times.
 * 0, or -1 if a fetch failed or there is no memory. */
int overview_write(struct json_write *j, const struct written *r, struct err *e);

#endif
