/* catalog_cells: groups of runs and their days, asked of an engine. */
#include <math.h>

#include "report/catalog/catalog_sql.h"

#define DAY_MAX    3e6 /* beyond the year 9999 */
#define BUCKET_MAX 72000

/* -- cells ------------------------------------------------------------------------------------- */

enum cell_output {
	CELL_CLASSES,
	CELL_MEMORY,
	CELL_WALL,
	CELL_CORES,
	CELL_GPUS,
	CELL_DAYS,
	CELL_ASKED_CPUS,
	CELL_ASKED_MEMORY,
	CELL_ASKED_GPUS,
	CELL_ASKED_TIME,
	CELL_MEMORY_NEED,
	CELL_LONGEST,
	CELL_KILLED_NEED,
	CELL_KILLED_LAST,
	CELL_FINISHED_LAST,
	CELL_FIRST,
	CELL_LAST,
	CELL_NEWEST,
	CELL_OUTPUTS
};

#define CELL_MAPS (CELL_DAYS + 1)

static const struct catalog_output cell_outputs[CELL_OUTPUTS] = {
    [CELL_CLASSES] = {.kind = CATALOG_OUT_MAP,
                      .column = CATALOG_COLUMN_CLASS,
                      .value = {CATALOG_COLUMN_OOM, CATALOG_COLUMN_NODE_S, CATALOG_COLUMN_PAID_S,
                                CATALOG_COLUMN_ASKED_CORE_S, CATALOG_COLUMN_USED_CORE_S,
                                CATALOG_COLUMN_UNUSED_CORE_S, CATALOG_COLUMN_ASKED_BYTE_S,
                                CATALOG_COLUMN_USED_BYTE_S, CATALOG_COLUMN_UNUSED_BYTE_S,
                                CATALOG_COLUMN_ASKED_GPU_S, CATALOG_COLUMN_USED_GPU_S,
                                CATALOG_COLUMN_UNUSED_GPU_S,
                                CATALOG_NODE_S_OF(CATALOG_COLUMN_ASKED_CORE_S),
                                CATALOG_NODE_S_OF(CATALOG_COLUMN_ASKED_BYTE_S),
                                CATALOG_NODE_S_OF(CATALOG_COLUMN_ASKED_GPU_S)},
                      .n = CATALOG_SUMS - 1,
                      .rows = CATALOG_ROWS_ALL},
    [CELL_MEMORY] = {.kind = CATALOG_OUT_MAP,
                     .column = CATALOG_COLUMN_MEMORY_BUCKET,
                     .value = {CATALOG_COLUMN_NODE_S, CATALOG_COLUMN_OOM},
                     .n = 2},
    [CELL_WALL] = {.kind = CATALOG_OUT_MAP,
                   .column = CATALOG_COLUMN_WALL_BUCKET,
                   .value = {CATALOG_COLUMN_RECORDINGS},
                   .n = 1},
    [CELL_CORES] = {.kind = CATALOG_OUT_MAP, .column = CATALOG_COLUMN_CORES_BUCKET},
    [CELL_GPUS] = {.kind = CATALOG_OUT_MAP, .column = CATALOG_COLUMN_GPUS_BUCKET},
    [CELL_DAYS] = {.kind = CATALOG_OUT_MAP,
                   .column = CATALOG_COLUMN_DAY,
                   .value = {CATALOG_COLUMN_MEMORY_NEED},
                   .n = 1,
                   .rows = CATALOG_ROWS_COUNTED},
    [CELL_ASKED_CPUS] = {.kind = CATALOG_OUT_MAX, .column = RTRACK_ROW_ASKED_CPUS},
    [CELL_ASKED_MEMORY] = {.kind = CATALOG_OUT_MAX, .column = RTRACK_ROW_ASKED_MEMORY},
    [CELL_ASKED_GPUS] = {.kind = CATALOG_OUT_MAX, .column = RTRACK_ROW_ASKED_GPUS},
    [CELL_ASKED_TIME] = {.kind = CATALOG_OUT_MAX, .column = RTRACK_ROW_ASKED_TIME},
    [CELL_MEMORY_NEED] = {.kind = CATALOG_OUT_MAX,
                          .column = CATALOG_COLUMN_MEMORY_NEED,
                          .rows = CATALOG_ROWS_COUNTED},
    [CELL_LONGEST] = {.kind = CATALOG_OUT_MAX,
                      .column = RTRACK_ROW_WALL,
                      .rows = CATALOG_ROWS_COUNTED},
    [CELL_KILLED_NEED] = {.kind = CATALOG_OUT_MAX,
                          .column = CATALOG_COLUMN_MEMORY_NEED,
                          .rows = CATALOG_ROWS_KILLED},
    [CELL_KILLED_LAST] = {.kind = CATALOG_OUT_MAX,
                          .column = RTRACK_ROW_START,
                          .rows = CATALOG_ROWS_KILLED},
    [CELL_FINISHED_LAST] = {.kind = CATALOG_OUT_MAX,
                            .column = RTRACK_ROW_START,
                            .rows = CATALOG_ROWS_FINISHED},
    [CELL_FIRST] = {.kind = CATALOG_OUT_MIN, .column = RTRACK_ROW_START},
    [CELL_LAST] = {.kind = CATALOG_OUT_MAX, .column = RTRACK_ROW_START},
    [CELL_NEWEST] = {.kind = CATALOG_OUT_NEWEST, .column = RTRACK_ROW_START},
};

/* Readers use keys as indexes, and the database may be anybody's. */
static int check_keys(const struct catalog_map *m, double max, const char *place, struct err *e)
{
	for (size_t i = 0; i < m->n; i++)
		if (!(catalog_map_key(m, i) >= 0 && catalog_map_key(m, i) <= max))
			return err_set(
			    e, "%s: the catalog is damaged: it has rows that no run makes", place);
	return 0;
}

/* Fills *machine, too, which the cell borrows. */
static int read_cell(const struct catalog_result *v, size_t n_keys, const char *place,
                     struct catalog_machine *machine, struct catalog_cell *cell, struct err *e)
{
	static const double max[CELL_MAPS] = {[CELL_CLASSES] = CATALOG_CLASSES - 1,
	                                      [CELL_MEMORY] = BUCKET_MAX,
	                                      [CELL_WALL] = BUCKET_MAX,
	                                      [CELL_CORES] = BUCKET_MAX,
	                                      [CELL_GPUS] = BUCKET_MAX,
	                                      [CELL_DAYS] = DAY_MAX};
	const struct catalog_result *of =
	    v + n_keys + 2; /* after the machine, and whether it is apart */

	*machine = (struct catalog_machine){.vendor = ""};
	*cell = (struct catalog_cell){
	    .machine = machine,
	    .classes = of[CELL_CLASSES].map,
	    .memory = of[CELL_MEMORY].map,
	    .wall = of[CELL_WALL].map,
	    .cores = of[CELL_CORES].map,
	    .gpus = of[CELL_GPUS].map,
	    .days = of[CELL_DAYS].map,
	    .asked_cpus = of[CELL_ASKED_CPUS].number,
	    .asked_memory_b = of[CELL_ASKED_MEMORY].number,
	    .asked_gpus = of[CELL_ASKED_GPUS].number,
	    .asked_time_s = of[CELL_ASKED_TIME].number,
	    .memory_need_b = of[CELL_MEMORY_NEED].number,
	    .wall_s = of[CELL_LONGEST].number,
	    .killed_need_b = of[CELL_KILLED_NEED].number,
	    .killed_last = of[CELL_KILLED_LAST].number,
	    .finished_last = of[CELL_FINISHED_LAST].number,
	    .first = of[CELL_FIRST].number,
	    .last = of[CELL_LAST].number,
	    .newest = of[CELL_NEWEST].text,
	};
	for (size_t i = 0; i < CATALOG_KEYS; i++)
		cell->group[i] = i < n_keys ? v[i].text : "";
	if (catalog_machine_parse(v[n_keys].text, machine))
		return err_set(e, "%s: the catalog is damaged: a type of machine makes no sense",
		               place);
	for (int i = 0; i < CELL_MAPS; i++)
		if (check_keys(&of[i].map, max[i], place, e))
			return -1;
	return 0;
}

struct cells_query {
	const char *place;
	size_t n_keys;
	catalog_each_cell *each_cell;
	catalog_each_day *each_day;
	void *ctx;
};

static int each_cell_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	const struct cells_query *q = ctx;
	struct catalog_machine machine;
	struct catalog_cell cell;

	if (read_cell(v, q->n_keys, q->place, &machine, &cell, e))
		return -1;
	return q->each_cell ? q->each_cell(q->ctx, &cell, e) : 0;
}

/* -- days -------------------------------------------------------------------------------------- */

static int each_days_row(void *ctx, const struct catalog_result *result, struct err *e)
{
	const struct cells_query *q = ctx;
	const struct catalog_map *m = &result->map;

	if (check_keys(m, DAY_MAX, q->place, e))
		return -1;
	for (size_t i = 0; i < m->n; i++) {
		const double *v = &catalog_map_at(m, i, 0);
		struct catalog_day day = {
		    .day = (int64_t)catalog_map_key(m, i),
		    .run_s = v[CATALOG_DAY_RUN_S],
		    .asked_core_s = v[CATALOG_DAY_ASKED_CORE_S],
		    .used_core_s = v[CATALOG_DAY_USED_CORE_S],
		    .asked_byte_s = v[CATALOG_DAY_ASKED_BYTE_S],
		    .used_byte_s = v[CATALOG_DAY_USED_BYTE_S],
		    .asked_gpu_s = v[CATALOG_DAY_ASKED_GPU_S],
		    .used_gpu_s = v[CATALOG_DAY_USED_GPU_S],
		    .started = v[CATALOG_DAY_STARTED],
		    .failed = v[CATALOG_DAY_FAILED],
		    .oom = v[CATALOG_DAY_OOM],
		};
		if (q->each_day(q->ctx, &day, e))
			return -1;
	}
	return 0;
}

static int ask_days(struct catalog *c, struct catalog_asked *a, struct cells_query *q,
                    struct err *e)
{
	static const struct catalog_output days = {.kind = CATALOG_OUT_DAYS};
	struct catalog_statement st = {.output = &days, .n_outputs = 1};
	struct catalog_sql sql = {.n = 0};
	int failed;

	a->n_keys = 0;
	a->apart = false;
	catalog_sql_groups(&sql, &c->engine, a, &days, 1, true);
	failed = catalog_sql_select(&sql, &c->engine, &st, each_days_row, q, e);
	catalog_sql_free(&sql);
	return failed;
}

/* -- both -------------------------------------------------------------------------------------- */

int catalog_overview(struct catalog *c, const struct catalog_query *query,
                     catalog_each_cell *each_cell, catalog_each_day *each_day, void *ctx,
                     struct err *e)
{
	struct cells_query q = {c->place, 0, each_cell, each_day, ctx};
	struct catalog_statement st = {.output = cell_outputs,
	                               .n_outputs = CELL_OUTPUTS,
	                               .days = each_day ? each_days_row : NULL,
	                               .days_ctx = &q};
	struct catalog_sql sql = {.n = 0};
	struct catalog_asked a;
	int failed;

	if (catalog_asked_read(query, &a, e))
		return -1;
	q.n_keys = a.n_keys;
	st.n_whole = a.n_keys;
	a.key[a.n_keys++] = (struct catalog_key){.column = CATALOG_COLUMN_MACHINE};
	a.apart = true;
	st.n_keys = a.n_keys + 1;
	catalog_sql_groups(&sql, &c->engine, &a, cell_outputs, CELL_OUTPUTS, false);
	failed = catalog_sql_select(&sql, &c->engine, &st, each_cell_row, &q, e);
	catalog_sql_free(&sql);
	/* An engine that groups rows itself has added up the days meanwhile. */
	if (!failed && each_day && !c->engine.packed)
		failed = ask_days(c, &a, &q, e);
	return failed ? -1 : 0;
}
