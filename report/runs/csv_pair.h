/*
 * csv_pair: two CSV files → one run. resource-tracker's trackers and rtrack-collect --csv write the
 * job's rows to one file and the machine's to another; neither names the other.
 */
#ifndef REPORT_RUNS_CSV_PAIR_H
#define REPORT_RUNS_CSV_PAIR_H

#include "core/base/err.h"
#include "report/runs/load.h"

/* Makes one run of a CSV file with the job's rows alone and one with the machine's rows alone if
 * their times overlap, by half of the shorter one at least: for each job the machine with the
 * longest overlap that no other job has taken. Call it after all are loaded. The rows are dropped.
 * -1 only without memory. */
int csv_pair(struct runs *r, struct err *e);

#endif
