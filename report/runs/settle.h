/*
 * settle: which of the files that were read are one run.
 *
 * - Two CSV files: resource-tracker's trackers and rtrack-collect --csv write the job's rows to one
 *   file and the machine's to another; neither names the other.
 * - A page and its recording, or two pages of it.
 * - Recordings with the same id (rtrack_row.id): copies, or a journal and its snapshot; r->copies.
 */
#ifndef REPORT_RUNS_SETTLE_H
#define REPORT_RUNS_SETTLE_H

#include "report/runs/load.h"

/* Leaves one of each. Call it after all are loaded. -1 only without memory. */
int settle_runs(struct runs *r, struct err *e);

#endif
