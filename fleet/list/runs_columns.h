/*
 * runs_columns: the columns of the table of runs, their values as JSON, and how runs are ordered by
 * them.
 */
#ifndef FLEET_LIST_RUNS_COLUMNS_H
#define FLEET_LIST_RUNS_COLUMNS_H

#include <cjson/cJSON.h>

#include "fleet/catalog/catalog_list.h"
#include "report/units/units.h"

enum runs_column {
#define COLUMN(id, ...) RUNS_COLUMN_##id,
#include "fleet/catalog/listed_columns.def"
#undef COLUMN
	RUNS_COLUMNS
};

enum runs_kind { RUNS_NUMBER, RUNS_SHARE, RUNS_TIME, RUNS_TEXT };

struct runs_columns_row {
	const char *id, *label;
	enum unit unit;
	enum runs_kind kind;
	bool pack;
	int column, over; /* of the catalog; -1: none */
};

extern const struct runs_columns_row runs_columns[RUNS_COLUMNS];

/* A run: of several recordings, CPUs and hours are sums, and memory that of the node or task with
 * the most. NAN and "": unknown. Texts are borrowed from the row, or in `made`. */
struct runs_values {
	const char *id, *job_id, *name, *user, *account, *host, *signal, *mostly, *origin;
	const char *workflow_run, *source, *report;
	const char *end;   /* "finished", "its time was up" … */
	const char *level; /* "", "warn", "bad" */
	double start, submit, wall_s, asked_time_s, code, recordings, class;
	double asked_cpus, cpus, cpu_efficiency;
	double asked_memory_b, memory_b, memory_efficiency;
	bool memory_bound; /* it used at least memory_b, by accounting */
	double asked_gpus, gpus, gpu_efficiency;
	double unused_core_h, unused_gib_h, unused_gpu_h, cost;
	struct buf made[3]; /* id, end, report */
};

/* The value of a column: one of both, by its kind. */
struct runs_cell {
	double number;
	const char *text;
};

void runs_columns_fill(const struct runs_values *r, struct runs_cell out[RUNS_COLUMNS]);

/* Appends the values that the page's script has, as JSON without brackets, to that of their
 * columns. Returns how many bytes that are. */
size_t runs_columns_pack(const struct runs_cell *cell, struct buf packed[RUNS_COLUMNS]);
void runs_columns_add_packed(cJSON *runs, const struct buf packed[RUNS_COLUMNS]);

/* "columns" of "table", and a row of it; text: room that is used again. */
void runs_columns_add_heads(cJSON *table, const char *currency);
void runs_columns_add_row(cJSON *rows, const struct runs_cell *cell, struct buf *text);

/* "sort". sort: NULL: the newest first. */
void runs_columns_add_sort(cJSON *runs, const char *sort);

#endif
