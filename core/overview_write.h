/*
 * overview_write: computes a recording's overview from its rows, and writes it.
 *
 * It walks over the rows anew, a few columns at a time, so that memory does not grow with the rows
 * (about 100 KiB).
 */
#ifndef CORE_OVERVIEW_WRITE_H
#define CORE_OVERVIEW_WRITE_H

#include "core/json_write.h"
#include "core/overview.h"
#include "core/snapshot.h"
#include "core/stats.h"

/* What is written: as snapshot_write got it, and what it computed. */
struct overview_rows {
	const struct snapshot *s; /* of ->limits, only .cpus is used: 0 or NAN, none */
	const struct snapshot_source *source;
	enum schema schema;
	const struct stats *stats; /* by metric */
	const bool *write;         /* by metric: the column is in the file */
};

/* Writes the member "overview" into an open object, if the recording is to have one. 0, or -1 if a
 * fetch failed or there is no memory. */
int overview_write(struct json_write *j, const struct overview_rows *r, struct err *e);

#endif
