/*
 * stats_stream: exact statistics of a column that need not fit in memory.
 *
 * For the collector, which writes the statistics of a run of any length within 3 MiB RSS. Memory is
 * bounded (320 KiB); the source is read once for the mean and the deviation, and several times more
 * for each percentile of a long column. A sketch (t-digest, P²) would read it once but give an
 * approximation, and the report would show other numbers than the snapshot. For a column in memory,
 * stats.h is 3 to 4 times faster.
 */
#ifndef CORE_RECORDING_STATS_STREAM_H
#define CORE_RECORDING_STATS_STREAM_H

#include "core/base/err.h"
#include "core/numbers/metric.h"
#include "core/numbers/stats.h"
#include "core/recording/elapsed.h"
#include "core/recording/snapshot_source.h"

/* Statistics of one column of a source, in base units, weighted by the time that each row
 * represents. 0, or -1 if a fetch failed or there is no memory. */
int stats_stream_of(const struct snapshot_source *rows, const struct elapsed *rule,
                    enum metric_id id, struct stats *out, struct err *e);

#endif
