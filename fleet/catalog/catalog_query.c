/* catalog_query: groups of runs, and their days. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/log_bucket.h"
#include "fleet/catalog/catalog_sql.h"

/* -- details: what is shown of a group that is opened ------------------------------------------ */

#define SPOTS_MAX ((size_t)20000)

static const struct catalog_output detail_outputs[] = {
    {.kind = CATALOG_OUT_SPOTS,
     .column = CATALOG_COLUMN_MEMORY_BUCKET,
     .by = CATALOG_COLUMN_WALL_BUCKET,
     .value = {CATALOG_COLUMN_OOM},
     .n = 1},
    {.kind = CATALOG_OUT_SPOTS,
     .column = CATALOG_COLUMN_MEMORY_BUCKET,
     .by = CATALOG_COLUMN_INPUT_BUCKET,
     .value = {CATALOG_COLUMN_OOM},
     .n = 1,
     .fine = true},
    {.kind = CATALOG_OUT_TOP,
     .column = CATALOG_COLUMN_UNUSED_S,
     .most = CATALOG_WORST,
     .rows = CATALOG_ROWS_COUNTED},
    {.kind = CATALOG_OUT_TOP,
     .column = RTRACK_ROW_START,
     .most = CATALOG_HISTORY,
     .rows = CATALOG_ROWS_TRUE},
};

/* After three texts. */
#define OF_WORST(member) offsetof(struct catalog_worst, member)
static const struct {
	size_t member;
	int column;
} worst_numbers[] = {
    {OF_WORST(start), RTRACK_ROW_START},
    {OF_WORST(wall_s), RTRACK_ROW_WALL},
    {OF_WORST(used_core_s), CATALOG_COLUMN_USED_CORE_S},
    {OF_WORST(asked_cpus), RTRACK_ROW_ASKED_CPUS},
    {OF_WORST(memory_need_b), CATALOG_COLUMN_MEMORY_NEED},
    {OF_WORST(asked_memory_b), RTRACK_ROW_ASKED_MEMORY},
    {OF_WORST(oom), CATALOG_COLUMN_OOM},
    {OF_WORST(code), RTRACK_ROW_CODE},
    {OF_WORST(class), CATALOG_COLUMN_CLASS},
    {OF_WORST(end_code), CATALOG_COLUMN_END_CODE},
};
enum { WORST_SOURCE, WORST_HOST, WORST_USER, WORST_TEXTS };

#define WORST_NUMBERS  (sizeof worst_numbers / sizeof *worst_numbers)
#define WORST_OUTPUTS  (WORST_TEXTS + WORST_NUMBERS)
#define DETAIL_OUTPUTS (sizeof detail_outputs / sizeof *detail_outputs)

struct details_query {
	const struct catalog_query *q;
	struct catalog_detail *out;
	size_t n_keys;
};

static int no_details_memory(struct err *e)
{
	return err_set(e, "%s", strerror(ENOMEM));
}

static void free_runs(struct catalog_worst *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(v[i].source);
		free(v[i].host);
		free(v[i].user);
	}
}

void catalog_detail_free(struct catalog_detail *d)
{
	free_runs(d->worst, d->n_worst);
	free_runs(d->newest, d->n_newest);
	for (size_t i = 0; i < d->n_history; i++)
		free(d->history[i]);
	free(d->spot);
	free(d->input);
	*d = (struct catalog_detail){0};
}

/* -- details: groups --------------------------------------------------------------------------- */

static struct catalog_detail *detail_of(const struct details_query *d,
                                        const struct catalog_result *key)
{
	size_t k;

	for (size_t i = 0; i < d->q->n_only; i++) {
		const char *const *only = d->q->only + i * d->n_keys;
		for (k = 0; k < d->n_keys && strcmp(only[k], key[k].text) == 0; k++)
			;
		if (k == d->n_keys)
			return &d->out[i];
	}
	return NULL;
}

static int fill_spots(struct catalog_detail *to, const struct catalog_map *m, struct err *e)
{
	size_t n = m->n < SPOTS_MAX ? m->n : SPOTS_MAX;
	const int half = CATALOG_COARSE / 2;

	if (!(to->spot = calloc(n + 1, sizeof *to->spot)))
		return no_details_memory(e);
	for (; to->n_spots < n; to->n_spots++) {
		int key = (int)catalog_map_key(m, to->n_spots);
		to->spot[to->n_spots] = (struct catalog_spot){
		    .memory_b = log_bucket_low(key / CATALOG_SPOT * CATALOG_COARSE + half),
		    .wall_s = log_bucket_low(key % CATALOG_SPOT * CATALOG_COARSE + half),
		    .runs = catalog_map_at(m, to->n_spots, 0),
		    .oom = catalog_map_at(m, to->n_spots, 1),
		};
	}
	return 0;
}

static int fill_inputs(struct catalog_detail *to, const struct catalog_map *m, struct err *e)
{
	size_t n = m->n < SPOTS_MAX ? m->n : SPOTS_MAX;

	if (!n)
		return 0;
	if (!(to->input = calloc(n, sizeof *to->input)))
		return no_details_memory(e);
	for (; to->n_inputs < n; to->n_inputs++) {
		int key = (int)catalog_map_key(m, to->n_inputs);
		to->input[to->n_inputs] = (struct catalog_input){
		    .input_b = log_bucket_middle(key % CATALOG_SPOT),
		    .memory_b = log_bucket_middle(key / CATALOG_SPOT),
		    .runs = catalog_map_at(m, to->n_inputs, 0),
		    .oom = catalog_map_at(m, to->n_inputs, 1),
		};
	}
	return 0;
}

/* Only the sources of the runs are known here. */
static int take_sources(struct catalog_worst *v, size_t *n, size_t most,
                        const struct catalog_result *top, struct err *e)
{
	for (size_t i = 0; i < top->n && i < most; i++) {
		if (!(v[i].source = strdup(top->list[i])))
			return no_details_memory(e);
		(*n)++;
	}
	return 0;
}

static int take_history(struct catalog_detail *to, const struct catalog_result *top, struct err *e)
{
	for (size_t i = 0; i < top->n && i < CATALOG_HISTORY; i++) {
		if (!(to->history[i] = strdup(top->list[i])))
			return no_details_memory(e);
		to->n_history++;
	}
	return 0;
}

static int each_group_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	const struct details_query *d = ctx;
	const struct catalog_result *spots = v + d->n_keys, *inputs = spots + 1, *worst = spots + 2;
	struct catalog_detail *to = detail_of(d, v);

	if (!to || to->spot)
		return 0;
	if (take_sources(to->worst, &to->n_worst, CATALOG_WORST, worst, e) ||
	    take_sources(to->newest, &to->n_newest, CATALOG_NEWEST, worst + 1, e) ||
	    take_history(to, worst + 1, e))
		return -1;
	return fill_inputs(to, &inputs->map, e) || fill_spots(to, &spots->map, e) ? -1 : 0;
}

/* -- details: worst runs ----------------------------------------------------------------------- */

static int fill_worst(struct catalog_worst *w, const struct catalog_result *v, struct err *e)
{
	w->host = strdup(v[WORST_HOST].text);
	w->user = strdup(v[WORST_USER].text);
	for (size_t i = 0; i < WORST_NUMBERS; i++)
		memcpy((char *)w + worst_numbers[i].member, &v[WORST_TEXTS + i].number,
		       sizeof v->number);
	return w->host && w->user ? 0 : no_details_memory(e);
}

/* A run of several lists has one row. */
static int fill_run(struct catalog_worst *w, size_t n, const struct catalog_result *v,
                    struct err *e)
{
	for (size_t k = 0; k < n; k++)
		if (!w[k].host && strcmp(w[k].source, v[WORST_SOURCE].text) == 0)
			return fill_worst(&w[k], v, e);
	return 0;
}

static int each_worst_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	const struct details_query *d = ctx;

	for (size_t i = 0; i < d->q->n_only; i++)
		if (fill_run(d->out[i].worst, d->out[i].n_worst, v, e) ||
		    fill_run(d->out[i].newest, d->out[i].n_newest, v, e))
			return -1;
	return 0;
}

static int ask_worst(struct catalog *c, struct details_query *d, struct err *e)
{
	struct catalog_output output[WORST_OUTPUTS] = {
	    [WORST_SOURCE] = {.column = CATALOG_COLUMN_SOURCE},
	    [WORST_HOST] = {.column = RTRACK_ROW_HOST},
	    [WORST_USER] = {.column = RTRACK_ROW_USER}};
	struct catalog_statement st = {.output = output, .n_outputs = WORST_OUTPUTS};
	struct catalog_sql sql = {.n = 0};
	int failed;

	for (size_t i = 0; i < WORST_NUMBERS; i++)
		output[WORST_TEXTS + i].column = worst_numbers[i].column;
	catalog_sql_rows(&sql, &c->engine, output, WORST_OUTPUTS, d->out, d->q->n_only);
	failed = catalog_sql_select(&sql, &c->engine, &st, each_worst_row, d, e);
	catalog_sql_free(&sql);
	return failed;
}

/* A run that was forgotten in between. */
static void drop_unknown(struct catalog_worst *v, size_t *n)
{
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++) {
		if (v[i].host)
			v[kept++] = v[i];
		else
			free(v[i].source);
	}
	*n = kept;
}

int catalog_details(struct catalog *c, const struct catalog_query *q, struct catalog_detail *out,
                    struct err *e)
{
	struct catalog_statement st = {.output = detail_outputs, .n_outputs = DETAIL_OUTPUTS};
	struct details_query d = {.q = q, .out = out};
	struct catalog_sql sql = {.n = 0};
	struct catalog_asked a;
	int failed;

	if (!q->n_only)
		return 0;
	if (catalog_asked_read(q, &a, e))
		return -1;
	st.n_keys = st.n_whole = d.n_keys = a.n_keys;
	catalog_sql_groups(&sql, &c->engine, &a, detail_outputs, DETAIL_OUTPUTS, false);
	failed =
	    catalog_sql_select(&sql, &c->engine, &st, each_group_row, &d, e) || ask_worst(c, &d, e);
	catalog_sql_free(&sql);
	for (size_t i = 0; i < q->n_only; i++) {
		drop_unknown(out[i].worst, &out[i].n_worst);
		drop_unknown(out[i].newest, &out[i].n_newest);
	}
	return failed ? -1 : 0;
}

#define DAY_MAX    3e6 /* beyond the year 9999 */
#define BUCKET_MAX 72000
#define ENDS_MAX   100 /* a newer version knows more causes */

/* -- the groups of a query: cells -------------------------------------------------------------- */

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

/* -- the groups of a query: days --------------------------------------------------------------- */

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

/* -- the groups of a query: both --------------------------------------------------------------- */

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
