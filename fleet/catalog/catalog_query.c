/* catalog_query: groups of runs, and their days. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/catalog/catalog_bucket.h"
#include "fleet/catalog/catalog_sql.h"

#define DAY_MAX    3e6 /* beyond the year 9999 */
#define BUCKET_MAX 72000
#define ENDS_MAX   100 /* a newer version knows more causes */

/* -- cells ------------------------------------------------------------------------------------- */

/* Members of struct catalog_cell, and what they are of. */
#define AT(member) offsetof(struct catalog_cell, member)
static const struct {
	size_t member;
	double key_max;
	struct catalog_output output;
} cell_maps[] = {
    {AT(classes),
     CATALOG_CLASSES - 1,
     {.kind = CATALOG_OUT_MAP,
      .column = CATALOG_COLUMN_CLASS,
      .value = {CATALOG_COLUMN_OOM,
                CATALOG_COLUMN_NODE_S,
                CATALOG_COLUMN_PAID_S,
                CATALOG_COLUMN_ASKED_CORE_S,
                CATALOG_COLUMN_USED_CORE_S,
                CATALOG_COLUMN_UNUSED_CORE_S,
                CATALOG_COLUMN_ASKED_BYTE_S,
                CATALOG_COLUMN_USED_BYTE_S,
                CATALOG_COLUMN_UNUSED_BYTE_S,
                CATALOG_COLUMN_ASKED_GPU_S,
                CATALOG_COLUMN_USED_GPU_S,
                CATALOG_COLUMN_UNUSED_GPU_S,
                CATALOG_NODE_S_OF(CATALOG_COLUMN_ASKED_CORE_S),
                CATALOG_NODE_S_OF(CATALOG_COLUMN_ASKED_BYTE_S),
                CATALOG_NODE_S_OF(CATALOG_COLUMN_ASKED_GPU_S),
                CATALOG_NODE_S_OF(CATALOG_COLUMN_TIME_ASKED),
                CATALOG_NODE_S_TIMES(CATALOG_COLUMN_TIME_ASKED),
                CATALOG_NODE_S_TIMES(RTRACK_ROW_TIME_AT_1),
                CATALOG_NODE_S_TIMES(RTRACK_ROW_TIME_AT_2),
                CATALOG_NODE_S_TIMES(RTRACK_ROW_TIME_AT_4),
                CATALOG_NODE_S_TIMES(RTRACK_ROW_TIME_AT_8),
                CATALOG_NODE_S_TIMES(RTRACK_ROW_TIME_AT_16),
                CATALOG_NODE_S_TIMES(RTRACK_ROW_TIME_AT_32),
                CATALOG_NODE_S_TIMES(RTRACK_ROW_TIME_AT_64),
                CATALOG_NODE_S_TIMES(RTRACK_ROW_TIME_AT_128),
                CATALOG_NODE_S_TIMES(RTRACK_ROW_TIME_AT_256)},
      .n = CATALOG_SUMS - 1,
      .rows = CATALOG_ROWS_ALL}},
    {AT(memory),
     BUCKET_MAX,
     {.kind = CATALOG_OUT_MAP,
      .column = CATALOG_COLUMN_MEMORY_BUCKET,
      .value = {CATALOG_COLUMN_NODE_S, CATALOG_COLUMN_OOM},
      .n = 2}},
    {AT(quarters),
     4 * BUCKET_MAX + 3,
     {.kind = CATALOG_OUT_QUARTERS,
      .column = CATALOG_COLUMN_MEMORY_BUCKET,
      .value = {CATALOG_COLUMN_NODE_S, CATALOG_COLUMN_OOM, CATALOG_COLUMN_ASKED_BYTE_S},
      .n = 3}},
    {AT(wall),
     BUCKET_MAX,
     {.kind = CATALOG_OUT_MAP,
      .column = CATALOG_COLUMN_WALL_BUCKET,
      .value = {CATALOG_COLUMN_RECORDINGS},
      .n = 1}},
    {AT(cores), BUCKET_MAX, {.kind = CATALOG_OUT_MAP, .column = CATALOG_COLUMN_CORES_BUCKET}},
    {AT(gpus), BUCKET_MAX, {.kind = CATALOG_OUT_MAP, .column = CATALOG_COLUMN_GPUS_BUCKET}},
    {AT(days),
     DAY_MAX,
     {.kind = CATALOG_OUT_MAP,
      .column = CATALOG_COLUMN_DAY,
      .value = {CATALOG_COLUMN_MEMORY_NEED},
      .n = 1,
      .rows = CATALOG_ROWS_COUNTED}},
    {AT(mostly), CATALOG_MIXED, {.kind = CATALOG_OUT_MAP, .column = CATALOG_COLUMN_MOSTLY_CODE}},
    {AT(ends), ENDS_MAX, {.kind = CATALOG_OUT_MAP, .column = CATALOG_COLUMN_END_CODE}},
    {AT(origins),
     CATALOG_ORIGINS - 1,
     {.kind = CATALOG_OUT_MAP, .column = CATALOG_COLUMN_ORIGIN_CODE}},
};

static const struct {
	size_t member;
	enum catalog_output_kind kind;
	int column;
	enum catalog_rows rows;
} cell_numbers[] = {
    {AT(asked_cpus), CATALOG_OUT_MAX, RTRACK_ROW_ASKED_CPUS, CATALOG_ROWS_TRUE},
    {AT(asked_memory_b), CATALOG_OUT_MAX, RTRACK_ROW_ASKED_MEMORY, CATALOG_ROWS_TRUE},
    {AT(asked_gpus), CATALOG_OUT_MAX, RTRACK_ROW_ASKED_GPUS, CATALOG_ROWS_TRUE},
    {AT(asked_time_s), CATALOG_OUT_MAX, RTRACK_ROW_ASKED_TIME, CATALOG_ROWS_TRUE},
    {AT(memory_need_b), CATALOG_OUT_MAX, CATALOG_COLUMN_MEMORY_NEED, CATALOG_ROWS_COUNTED},
    {AT(wall_s), CATALOG_OUT_MAX, RTRACK_ROW_WALL, CATALOG_ROWS_COUNTED},
    {AT(killed_need_b), CATALOG_OUT_MAX, CATALOG_COLUMN_MEMORY_NEED, CATALOG_ROWS_KILLED},
    {AT(killed_last), CATALOG_OUT_MAX, RTRACK_ROW_START, CATALOG_ROWS_KILLED},
    {AT(finished_last), CATALOG_OUT_MAX, RTRACK_ROW_START, CATALOG_ROWS_FINISHED},
    {AT(first), CATALOG_OUT_MIN, RTRACK_ROW_START, CATALOG_ROWS_TRUE},
    {AT(last), CATALOG_OUT_MAX, RTRACK_ROW_START, CATALOG_ROWS_TRUE},
};

#define MAPS    (sizeof cell_maps / sizeof *cell_maps)
#define NUMBERS (sizeof cell_numbers / sizeof *cell_numbers)
#define OUTPUTS (MAPS + NUMBERS + 1) /* the last is the newest */

static void list_outputs(struct catalog_output out[OUTPUTS])
{
	for (size_t i = 0; i < MAPS; i++)
		out[i] = cell_maps[i].output;
	for (size_t i = 0; i < NUMBERS; i++)
		out[MAPS + i] = (struct catalog_output){.kind = cell_numbers[i].kind,
		                                        .column = cell_numbers[i].column,
		                                        .rows = cell_numbers[i].rows};
	out[OUTPUTS - 1] =
	    (struct catalog_output){.kind = CATALOG_OUT_NEWEST, .column = RTRACK_ROW_START};
}

/* Readers use keys as indexes, and the database may be anybody's. */
static int check_keys(const struct catalog_map *m, double max, const char *place, struct err *e)
{
	for (size_t i = 0; i < m->n; i++)
		if (!(catalog_map_key(m, i) >= 0 && catalog_map_key(m, i) <= max))
			return err_set(
			    e, "%s: the catalog is damaged: it has rows that no run makes", place);
	return 0;
}

/* Fills *machine as well, which the cell borrows. */
static int read_cell(const struct catalog_result *v, size_t n_keys, const char *place,
                     struct catalog_machine *machine, struct catalog_cell *cell, struct err *e)
{
	const struct catalog_result *of = v + n_keys + 2; /* the machine, and one or several */

	*machine = (struct catalog_machine){.vendor = ""};
	*cell = (struct catalog_cell){.machine = machine, .newest = of[OUTPUTS - 1].text};
	for (size_t i = 0; i < CATALOG_KEYS; i++)
		cell->group[i] = i < n_keys ? v[i].text : "";
	if (catalog_machine_parse(v[n_keys].text, machine))
		return err_set(e, "%s: the catalog is damaged: a type of machine makes no sense",
		               place);
	for (size_t i = 0; i < MAPS; i++) {
		memcpy((char *)cell + cell_maps[i].member, &of[i].map, sizeof of[i].map);
		if (check_keys(&of[i].map, cell_maps[i].key_max, place, e))
			return -1;
	}
	for (size_t i = 0; i < NUMBERS; i++)
		memcpy((char *)cell + cell_numbers[i].member, &of[MAPS + i].number,
		       sizeof of->number);
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
	struct catalog_output output[OUTPUTS];
	struct catalog_statement st = {.output = output,
	                               .n_outputs = OUTPUTS,
	                               .days = each_day ? each_days_row : NULL,
	                               .days_ctx = &q};
	struct catalog_sql sql = {.n = 0};
	struct catalog_asked a;
	int failed;

	if (catalog_asked_read(query, &a, e))
		return -1;
	q.n_keys = a.n_keys;
	st.n_whole = a.n_whole = a.n_keys;
	a.key[a.n_keys++] = (struct catalog_key){.column = CATALOG_COLUMN_MACHINE};
	a.apart = true;
	st.n_keys = a.n_keys + 1;
	list_outputs(output);
	catalog_sql_groups(&sql, &c->engine, &a, output, OUTPUTS, false);
	failed = catalog_sql_select(&sql, &c->engine, &st, each_cell_row, &q, e);
	catalog_sql_free(&sql);
	/* An engine that groups rows itself has added up the days meanwhile. */
	if (!failed && each_day && !c->engine.packed)
		failed = ask_days(c, &a, &q, e);
	return failed ? -1 : 0;
}
