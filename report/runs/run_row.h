/*
 * run_row: the rtrack_row of a run that was read (core/head/rtrack_row.h).
 */
#ifndef REPORT_RUNS_RUN_ROW_H
#define REPORT_RUNS_RUN_ROW_H

#include "core/head/rtrack_row.h"
#include "report/runs/load.h"

/* Fills *row with what the report shows of the run. */
void run_row_fill(struct rtrack_row *row, const struct run *run);

/* Writes it as a member of an object that is open. */
void run_row_write(const struct run *run, struct json_write *j);

#endif
