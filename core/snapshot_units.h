/*
 * snapshot_units: rows as a file spells them become rows in base units.
 */
#ifndef CORE_SNAPSHOT_UNITS_H
#define CORE_SNAPSHOT_UNITS_H

#include "core/err.h"
#include "core/snapshot.h"

/* Changes the rows of s, as they were read, to base units, and makes NAN of what a documented
 * column holds only because it needs a number. spelled[id]: the schema of the name by which the
 * column was found, 0 where both have it. 0, or -1 without memory. */
int snapshot_units_to_base(struct snapshot *s, const int spelled[METRIC_COUNT], struct err *e);

#endif
