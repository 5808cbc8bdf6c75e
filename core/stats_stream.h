/*
 * stats_stream: exact statistics of a column that need not fit in memory.
 *
 * For the collector, which writes the statistics of a run of any length within 3 MiB RSS. Memory is
 * fixed (320 KiB); the source is read once for the mean and the deviation, and several times more
 * for each percentile of a long column. A sketch (t-digest, P²) would read it once but give an
 * approximation, and the report would show other numbers than the snapshot. For a column in memory,
 * stats.h is 3 to 4 times faster.
 */
#ifndef CORE_STATS_STREAM_H
#define CORE_STATS_STREAM_H

#include "core/elapsed.h"
#include "core/err.h"
#include "core/metric.h"
#include "core/snapshot.h"
#include "core/stats.h"

/* Statistics of one column of a source, in base units, weighted by the time that each row
 * represents. 0, or -1 if a fetch failed or there is no memory. */
int stats_stream_of(const struct snapshot_source *rows, const struct elapsed *rule,
                    enum metric_id id, struct stats *out, struct err *e);

#endif
