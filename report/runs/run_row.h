/*
 * run_row: the rtrack_row of a run that was read (core/head/rtrack_row.h).
 */
#ifndef REPORT_RUNS_RUN_ROW_H
#define REPORT_RUNS_RUN_ROW_H

#include "core/head/rtrack_row.h"
#include "report/runs/load.h"

/* Fills *row with what the report shows of the run. */
void run_row_fill(struct rtrack_row *row, const struct run *run);

/* Its id alone. */
void run_row_id(const struct run *run, char id[RTRACK_ROW_ID_SIZE]);

/* Writes it as a member of an object that is open. */
void run_row_write(const struct run *run, struct json_write *j);

#endif
