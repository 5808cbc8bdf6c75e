/*
 * csv_table: the samples of tree and machine as one table in CSV, joined by time.
 *
 * The header is that of resource-tracker's get_combined_metrics(): "timestamp", the machine's
 * columns with "system_" before, the tree's with "process_", quoted, in the names and units of the
 * chosen schema. Below it stand bare numbers, and nothing where there is no value. All documented
 * columns are there, and those of ours that the recording has; a side that has no rows has no
 * columns.
 */
#ifndef REPORT_RENDER_CSV_TABLE_H
#define REPORT_RENDER_CSV_TABLE_H

#include <stdbool.h>

#include "core/err.h"
#include "report/runs/load.h"

struct csv_table_options {
	bool bytes; /* memory, GPU memory and disk space in bytes; the names stay, as upstream */
	bool human_names;   /* "System free memory", as upstream; our own columns by their labels */
	enum schema schema; /* of names and units; 0: the recording's own */
};

/* Takes n bytes; 0, or -1 with a sentence, after which it is not called again. */
typedef int (*csv_table_sink)(void *ctx, const char *p, size_t n, struct err *e);

/* The run's rows must be there (load.h). Rows of both that are less than half an interval apart are
 * one; memory does not grow with them. 0, or -1. */
int csv_table_write(const struct run *run, const struct csv_table_options *o, csv_table_sink sink,
                    void *ctx, struct err *e);

#endif
