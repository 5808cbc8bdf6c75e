/*
 * stats_stream: the statistics of a column that need not fit in memory.
 */
#ifndef CORE_STATS_STREAM_H
#define CORE_STATS_STREAM_H

#include "core/elapsed.h"
#include "core/err.h"
#include "core/metric.h"
#include "core/snapshot.h"
#include "core/stats.h"

/* Exact statistics of one column of a source, in base units, weighted by the time that each row
 * represents, with bounded memory: long columns are read several times. 0, or -1 where a fetch
 * failed or there is no memory. */
int stats_stream_of(const struct snapshot_source *rows, const struct elapsed *rule,
                    enum metric_id id, struct stats *out, struct err *e);

#endif
