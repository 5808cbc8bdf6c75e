/*
 * page_rows: reads as much of the recording that a report is about as the report needs.
 *
 * A long recording has an overview in its head (core/recording/overview.h). Everything that a
 * report says is made from that, so its rows are read only for what they alone have.
 */
#ifndef REPORT_PAGE_ROWS_H
#define REPORT_PAGE_ROWS_H

#include "report/report_options.h"
#include "report/runs/load.h"

/* Reads the run's overview, or its rows where the recording has none, or where the options or the
 * overview itself require them. -1 with a sentence; the run is unchanged then. */
int page_rows_load(struct run *run, const struct report_options *o, struct err *e);

#endif
