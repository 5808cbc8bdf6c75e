/*
 * summary: the statistics of a column that need not fit in memory.
 */
#ifndef CORE_SUMMARY_H
#define CORE_SUMMARY_H

#include "elapsed.h"
#include "err.h"
#include "metric.h"
#include "snapshot.h"
#include "stats.h"

/* Exact statistics of one column of a source, in base units, weighted by the time that each row
 * represents, with bounded memory: long columns are read several times. 0, or -1 where a fetch
 * failed or there is no memory. */
int summary_of(const struct snapshot_source *rows, const struct elapsed *rule, enum metric_id id,
               struct stats *out, struct err *e);

#endif
