/*
 * trace_events: the processes and phases of a run on a time line, with counters, in the Trace Event
 * format ("Trace Event Format", Google), which Perfetto and speedscope open.
 *
 * Times are microseconds since the start of the run. Processes are complete events of process 1, in
 * lanes (its threads): what overlaps in a lane is nested, and a child lies in its parent's lane
 * where it can. Phases are process 2, sums of short processes process 3, counters process 4.
 */
#ifndef REPORT_RENDER_TRACE_EVENTS_H
#define REPORT_RENDER_TRACE_EVENTS_H

#include "report/render/csv_table.h"

/* Writes a piece at a time. 0, or -1 with a sentence. */
int trace_events_write(const struct run *run, csv_table_sink sink, void *ctx, struct err *e);

#endif
