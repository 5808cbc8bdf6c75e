/*
 * csv_table: the samples of job and machine as one CSV table, joined by time.
 *
 * The header is that of resource-tracker's get_combined_metrics(): "timestamp", then the machine's
 * columns with the prefix "system_" and the job's with "process_", or with others, quoted, in the
 * names and units of the chosen schema. Cells are bare numbers; a missing value is an empty cell.
 * The table has all documented columns, and rtrack's own columns if the recording has them; a scope
 * without rows has no columns.
 */
#ifndef REPORT_RENDER_CSV_TABLE_H
#define REPORT_RENDER_CSV_TABLE_H

#include <stdbool.h>

#include "core/base/err.h"
#include "report/runs/load.h"

struct csv_table_options {
	bool bytes;       /* memory, GPU memory and disk space in bytes; same names, as upstream */
	bool human_names; /* "System free memory", as upstream; rtrack's own columns: labels */
	const char *prefix[METRIC_SCOPES]; /* of the names, "" for none; NULL: as upstream */
	enum schema schema;                /* names and units; 0: as in the recording */
};

/* Receives n bytes of CSV. After it returns -1 (with a sentence) it is not called again. */
typedef int (*csv_table_sink)(void *ctx, const char *p, size_t n, struct err *e);

/* The run must still have its rows (load.h). Rows of job and machine that are at most half an
 * interval apart become one line. Uses constant memory. Returns 0, or -1. */
int csv_table_write(const struct run *run, const struct csv_table_options *o, csv_table_sink sink,
                    void *ctx, struct err *e);

#endif
