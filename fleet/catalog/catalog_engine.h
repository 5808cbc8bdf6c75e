/*
 * catalog_engine: what catalog_query.c asks of SQLite or ClickHouse, and how their SQL differs.
 *
 * catalog_sql.c writes the text that both understand. Values never enter it: each is a `?`, bound
 * in SQLite, and replaced by a quoted literal in ClickHouse. Names of columns are those of
 * catalog_columns only. Texts that are unknown are '' in the table, numbers NULL.
 *
 *   static const struct catalog_output most = {.kind = CATALOG_OUT_MAX, .column = RTRACK_ROW_WALL};
 *   catalog_sql_groups(&sql, &c->engine, &asked, &most, 1, false);
 *   st = (struct catalog_statement){.output = &most, .n_outputs = 1, .n_keys = asked.n_keys};
 *   failed = catalog_sql_select(&sql, &c->engine, &st, each, ctx, e);  each(ctx, v, e): v[n_keys]
 */
#ifndef FLEET_CATALOG_CATALOG_ENGINE_H
#define FLEET_CATALOG_CATALOG_ENGINE_H

#include "core/base/buf.h"
#include "fleet/catalog/catalog_row.h"

/* The version of the table `runs`: a database of a newer one is refused, and one of an older one
 * gets the columns that it lacks when it is opened for writing. 2: cores_demand.
 * 3: end_cause, mostly, and their codes. 4: inputs, time_at. 5: job_id, account, workflow_run,
 * origin, submit. 6: cpu_model, contended_s, stolen_s. 7: the table
 * folders. */
#define CATALOG_SCHEMA 7

/* Seconds: a journal begins a little before the start that its snapshot has. */
#define CATALOG_SAME_START 1.0

/* -- a statement ------------------------------------------------------------------------------- */

/* Aggregates over the rows of a group. `column`, `by` and `value` are indexes of catalog_columns.
 * A row whose `column` (of a map: key) is NULL does not count; a value that is NULL adds 0.
 * CATALOG_NODE_S_OF is a value as well: node_s, which adds 0 where the column is NULL. */
/* And CATALOG_NODE_S_TIMES: node_s × the column. */
#define CATALOG_NODE_S_OF(column)    (CATALOG_COLUMNS + (column))
#define CATALOG_NODE_S_TIMES(column) (2 * CATALOG_COLUMNS + (column))
enum catalog_output_kind {
	CATALOG_OUT_PLAIN, /* text or number: the column; only in statements without groups */
	/* The same; also of a column that no aggregate needs. */
	CATALOG_OUT_COLUMN,
	CATALOG_OUT_MIN, /* number */
	CATALOG_OUT_MAX, /* number; NULL where no row has one */
	CATALOG_OUT_MAP, /* map: by column (an integer): number of rows, sums of value[i] */
	/* map: by 4 * column + 0 … 3, the quarter of the rows by their start, and else as
	 * CATALOG_OUT_MAP. Of the n rows that count here and are equal in the first n_whole keys,
	 * sorted by start, those with the starts at places n / 4, n / 2 and 3 n / 4 (from 0) are
	 * the first of the next quarter, and those that start at the same time are in it as well.
	 * A row without a start does not count. */
	CATALOG_OUT_QUARTERS,
	CATALOG_OUT_SPOTS,  /* map: by intDiv(column, CATALOG_COARSE) * CATALOG_SPOT
	                       + intDiv(by, CATALOG_COARSE): rows, sums of value[i] */
	CATALOG_OUT_DAYS,   /* map: by day since 1970: enum catalog_day_sum, see there */
	CATALOG_OUT_NEWEST, /* text: source of the row with the largest column; of several that with
	                       the largest wall_s, then the largest memory_need_bytes (unknown is
	                       least), then the largest source */
	CATALOG_OUT_TOP, /* list of texts: the sources of the `most` largest rows by the same order,
	                       largest first */
};

#define CATALOG_COARSE 12    /* buckets of 1 % in one of a spot */
#define CATALOG_SPOT   65536 /* no bucket is above it */

/* Columns of CATALOG_OUT_DAYS. With stop > start, day d from floor(start / 86400) on, at most
 * CATALOG_DAYS of them, gets amount * (min(stop, 86400 (d + 1)) - max(start, 86400 d)) /
 * (stop - start) of each amount, and the seconds themselves. Otherwise the day of start gets
 * nothing of them. STARTED: 1, FAILED: 1 if class is CATALOG_FAILED, OOM: the column oom; these on
 * the day of start. */
enum catalog_day_sum {
	CATALOG_DAY_RUN_S,
	CATALOG_DAY_ASKED_CORE_S,
	CATALOG_DAY_USED_CORE_S,
	CATALOG_DAY_ASKED_BYTE_S,
	CATALOG_DAY_USED_BYTE_S,
	CATALOG_DAY_ASKED_GPU_S,
	CATALOG_DAY_USED_GPU_S,
	CATALOG_DAY_STARTED,
	CATALOG_DAY_FAILED,
	CATALOG_DAY_OOM,
	CATALOG_DAY_SUMS
};

/* Which rows of a group an output is of. */
enum catalog_rows {
	CATALOG_ROWS_TRUE, /* those that can be true: class <> CATALOG_IMPOSSIBLE */
	CATALOG_ROWS_ALL,
	CATALOG_ROWS_COUNTED,  /* class = CATALOG_COUNTED */
	CATALOG_ROWS_FINISHED, /* of these, those that finished: oom = 0 */
	CATALOG_ROWS_KILLED,   /* and those that were killed because memory ran out: oom = 1 */
	CATALOG_ROWS_KINDS
};

#define CATALOG_OUT_VALUES    26
#define CATALOG_GROUP_OUTPUTS CATALOG_COLUMNS /* of a statement, at most */
struct catalog_output {
	enum catalog_output_kind kind;
	int column, by;
	int value[CATALOG_OUT_VALUES];
	size_t n;    /* of value */
	size_t most; /* of CATALOG_OUT_TOP */
	bool fine;   /* of CATALOG_OUT_SPOTS: buckets are not made coarse */
	enum catalog_rows rows;
};

/* n_keys + n_outputs results. A value other than 0 ends the statement, which returns -1. */
struct catalog_result;
typedef int catalog_each_row(void *ctx, const struct catalog_result *v, struct err *e);

/* SELECT texts of keys, then outputs. */
struct catalog_statement {
	const char *sql;
	const struct catalog_value *value; /* of each `?`, in order: text, number or integer */
	size_t n_values;
	size_t n_keys; /* texts, first; "" where unknown */
	const struct catalog_output *output;
	size_t n_outputs;
	size_t n_whole; /* groups that are equal in so many keys are handed over together */
	/* For an engine that groups rows itself: */
	bool ordered; /* the rows come in the order of the first key */
	/* Called at the end with CATALOG_OUT_DAYS of all rows but those of CATALOG_NO_ASK,
	 * CATALOG_UNMEASURED and CATALOG_IMPOSSIBLE; or NULL. */
	catalog_each_row *days;
	void *days_ctx;
};

/* One result: which member is set follows from the output. NAN: NULL. All borrowed for the call. */
struct catalog_result {
	const char *text; /* keys too; of CATALOG_COLUMN_SOURCE_MTIME its digits */
	double number;
	struct catalog_map map;  /* keys ascending */
	const char *const *list; /* n texts */
	size_t n;
};

/* -- an engine --------------------------------------------------------------------------------- */

struct catalog_engine {
	void *self;        /* the engine's own; NULL: closed */
	int upgraded_from; /* catalog_older */

	/* How its SQL differs. */
	const char *table; /* after FROM: "runs", "runs FINAL" */
	/* The same of some sources, before and after their list: no other rows are read. */
	const char *sources, *sources_end;
	/* The same of rows that were added at a time or later: its Unix seconds and sources_end
	 * follow this text. NULL: reading all of table costs no more. */
	const char *came_since;
	const char *list; /* before the tuples of (a, b) IN (…): "VALUES ", "" */
	/* An aggregate that makes all numbers of a run's recordings one value, the column `packed`:
	 * such an engine reads start, packed and rowid, and groups rows itself. NULL: a column for
	 * each, and GROUP BY. */
	const char *packed;
	/* Whether an index that is ordered by name has this column. NULL: there is none. */
	bool (*indexed)(int column);
	/* The expression of the value of a key, which is one `?`, in a column "k=v;k2=v2"; '' where
	 * there is none. */
	void (*pair)(struct buf *sql, const char *column);
	/* The expressions of all outputs of a statement, with commas between them; of an engine
	 * that groups rows itself, those that are plain alone. */
	void (*outputs)(struct buf *sql, const struct catalog_output *v, size_t n);
	/* The aggregate of the three starts of CATALOG_OUT_QUARTERS, which is read as `quarters`.
	 * Of an engine that groups rows itself, NULL. */
	void (*quarters)(struct buf *sql, const struct catalog_output *o);

	int (*missing)(void *self, const struct catalog_source *v, size_t n, bool *missing,
	               struct err *e);
	/* All or none. */
	int (*put)(void *self, const struct catalog_run *v, size_t n, struct err *e);
	int (*forget)(void *self, const char *source, double before, size_t *n, struct err *e);
	int (*each_closed)(void *self, catalog_each_folder *each, void *ctx, struct err *e);
	int (*close_folders)(void *self, const struct catalog_folder *v, size_t n, struct err *e);
	int (*older_rows)(void *self, size_t *n, struct err *e); /* NULL: none is known */
	/* Begins, or ends, one transaction for many calls. NULL: each is one. */
	int (*bulk)(void *self, bool begin, struct err *e);
	int (*select)(void *self, const struct catalog_statement *s, catalog_each_row *each,
	              void *ctx, struct err *e);
	void (*close)(void *self);
};

struct catalog {
	char place[256]; /* for sentences: where it is, or its beginning */
	struct catalog_engine engine;
};

/* They fill *out; place as in catalog_open. */
int catalog_sqlite_open(const char *place, enum catalog_use use, struct catalog_engine *out,
                        struct err *e);
int catalog_clickhouse_open(const char *place, enum catalog_use use,
                            const struct catalog_fetcher *fetcher, struct catalog_engine *out,
                            struct err *e);

#endif
