/*
 * contention_run: how long others kept a run from the CPUs (core/numbers/contention.h).
 */
#ifndef REPORT_STATS_CONTENTION_RUN_H
#define REPORT_STATS_CONTENTION_RUN_H

#include "report/runs/load.h"

/* As its recording says. Not known of recordings of earlier versions and of other tools. */
struct snapshot_contention contention_run(const struct run *run);

/* Whether the run is contended; false where it is not known. */
bool contention_run_is(const struct run *run);

#endif
