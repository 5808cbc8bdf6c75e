/* catalog_cells: groups of runs and their days, asked of an engine. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static const struct catalog_output day_output = {.kind = CATALOG_OUT_DAYS};

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
	const struct catalog_result *of = v + n_keys + 1;

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

/* -- days -------------------------------------------------------------------------------------- */

/* Of both queries; sums of a day of both are added. */
struct day_sums {
	const char *place;
	double *v; /* n times the day, and enum catalog_day_sum */
	size_t n;
};

#define DAY_STRIDE ((size_t)1 + CATALOG_DAY_SUMS)

static int each_days_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	struct day_sums *d = ctx, all = {.place = d->place};
	const struct catalog_map *m = &v->map;
	size_t i = 0, k = 0;

	if (check_keys(m, DAY_MAX, d->place, e))
		return -1;
	all.v = malloc((d->n + m->n + 1) * DAY_STRIDE * sizeof *all.v);
	if (!all.v)
		return err_set(e, "%s", strerror(ENOMEM));
	while (i < d->n || k < m->n) {
		double *to = all.v + all.n++ * DAY_STRIDE;
		double old = i < d->n ? d->v[i * DAY_STRIDE] : INFINITY;
		double new = k < m->n ? catalog_map_key(m, k) : INFINITY;
		memset(to, 0, DAY_STRIDE * sizeof *to);
		*to = old < new ? old : new;
		for (size_t s = 1; s < DAY_STRIDE && old <= new; s++)
			to[s] += d->v[i * DAY_STRIDE + s];
		for (size_t s = 1; s < DAY_STRIDE && new <= old; s++)
			to[s] += m->v[k * DAY_STRIDE + s];
		i += old <= new;
		k += new <= old;
	}
	free(d->v);
	*d = all;
	return 0;
}

static int hand_over_days(const struct day_sums *d, catalog_each_day *each, void *ctx,
                          struct err *e)
{
	for (size_t i = 0; i < d->n; i++) {
		const double *v = d->v + i * DAY_STRIDE + 1;
		struct catalog_day day = {
		    .day = (int64_t)v[-1],
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
		if (each(ctx, &day, e))
			return -1;
	}
	return 0;
}

/* -- cells of runs of several recordings, kept until it is their turn -------------------------- */

struct kept_cell {
	struct catalog_cell cell;
	int number;
	bool handed_over;
	_Alignas(double) char room[]; /* numbers of its maps, then texts */
};

#define SHARED_MACHINES 64

struct cells_query {
	const char *place;
	size_t n_keys;
	struct kept_cell **kept; /* n, by their groups; NULL: handed over */
	size_t n;
	/* Types of machines of kept cells: of some 10,000 cells they would take 2 MB. */
	struct catalog_machine machine[SHARED_MACHINES];
	size_t n_machines;
	catalog_each_cell *each;
	void *ctx;
};

/* NULL: there are too many. */
static const struct catalog_machine *share_machine(struct cells_query *q,
                                                   const struct catalog_machine *m)
{
	size_t i = 0;

	while (i < q->n_machines && memcmp(&q->machine[i], m, sizeof *m) != 0)
		i++;
	if (i == SHARED_MACHINES)
		return NULL;
	if (i == q->n_machines)
		q->machine[q->n_machines++] = *m;
	return &q->machine[i];
}

#define KEPT_MAPS 6
static void maps_of(struct catalog_cell *cell, struct catalog_map *map[KEPT_MAPS])
{
	struct catalog_map *all[] = {&cell->classes, &cell->memory, &cell->wall,
	                             &cell->cores,   &cell->gpus,   &cell->days};

	memcpy(map, all, sizeof all);
}

static size_t numbers_of_map(const struct catalog_map *m)
{
	return m->n * (1 + m->width);
}

static const char *keep_text(char **at, const char *text)
{
	size_t n = strlen(text ? text : "") + 1;
	char *copy = memcpy(*at, text ? text : "", n);

	*at += n;
	return copy;
}

static struct kept_cell *keep_cell(struct cells_query *q, const struct catalog_cell *cell)
{
	const struct catalog_machine *machine = share_machine(q, cell->machine);
	struct catalog_cell from = *cell;
	struct catalog_map *map[KEPT_MAPS];
	struct kept_cell *k;
	size_t room =
	    strlen(cell->newest ? cell->newest : "") + 1 + (machine ? 0 : sizeof *machine);
	char *at;

	maps_of(&from, map);
	for (int i = 0; i < KEPT_MAPS; i++)
		room += numbers_of_map(map[i]) * sizeof(double);
	for (int i = 0; i < CATALOG_KEYS; i++)
		room += strlen(cell->group[i]) + 1;
	k = malloc(sizeof *k + room);
	if (!k)
		return NULL;
	*k = (struct kept_cell){.cell = *cell};
	maps_of(&k->cell, map);
	at = k->room;
	k->cell.machine = machine;
	if (!machine) {
		k->cell.machine = memcpy(at, cell->machine, sizeof *machine);
		at += sizeof *machine;
	}
	for (int i = 0; i < KEPT_MAPS; i++) {
		size_t n = numbers_of_map(map[i]) * sizeof(double);
		if (n)
			map[i]->v = memcpy(at, map[i]->v, n);
		at += n;
	}
	k->cell.newest = keep_text(&at, cell->newest);
	for (int i = 0; i < CATALOG_KEYS; i++)
		k->cell.group[i] = keep_text(&at, cell->group[i]);
	return k;
}

static int each_joined_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	struct cells_query *q = ctx;
	struct catalog_machine machine;
	struct catalog_cell cell;

	if (read_cell(v, q->n_keys, q->place, &machine, &cell, e))
		return -1;
	/* Doubled whenever the number is a power of two. */
	if ((q->n & (q->n - 1)) == 0) {
		struct kept_cell **more =
		    realloc(q->kept, (q->n ? 2 * q->n : 1) * sizeof(struct kept_cell *));
		if (!more)
			return err_set(e, "%s", strerror(ENOMEM));
		q->kept = more;
	}
	q->kept[q->n] = keep_cell(q, &cell);
	if (!q->kept[q->n])
		return err_set(e, "%s", strerror(ENOMEM));
	q->n++;
	return 0;
}

static int compare_groups(const struct catalog_cell *a, const struct catalog_cell *b)
{
	int d = 0;

	for (int i = 0; i < CATALOG_KEYS && d == 0; i++)
		d = strcmp(a->group[i], b->group[i]);
	return d;
}

static int compare_kept(const void *a, const void *b)
{
	const struct kept_cell *const *x = a, *const *y = b;
	int d = compare_groups(&(*x)->cell, &(*y)->cell);

	return d ? d : (*x)->number - (*y)->number;
}

static void sort_kept(struct cells_query *q)
{
	for (size_t i = 0; i < q->n; i++)
		q->kept[i]->number = (int)i;
	if (q->n > 1)
		qsort(q->kept, q->n, sizeof(struct kept_cell *), compare_kept);
}

static size_t first_kept(const struct cells_query *q, const struct catalog_cell *cell)
{
	size_t low = 0, high = q->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_groups(&q->kept[middle]->cell, cell) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Hands over the kept cells of this group; NULL: all that are left. */
static int hand_over_kept(struct cells_query *q, const struct catalog_cell *of, struct err *e)
{
	size_t i = of ? first_kept(q, of) : 0;

	for (; i < q->n && (!of || compare_groups(&q->kept[i]->cell, of) == 0); i++) {
		if (q->kept[i]->handed_over)
			continue;
		q->kept[i]->handed_over = true;
		if (q->each && q->each(q->ctx, &q->kept[i]->cell, e))
			return -1;
	}
	return 0;
}

static void free_kept(struct cells_query *q)
{
	for (size_t i = 0; i < q->n; i++)
		free(q->kept[i]);
	free(q->kept);
}

static int each_cell_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	struct cells_query *q = ctx;
	struct catalog_machine machine;
	struct catalog_cell cell;

	if (read_cell(v, q->n_keys, q->place, &machine, &cell, e) || hand_over_kept(q, &cell, e))
		return -1;
	return q->each ? q->each(q->ctx, &cell, e) : 0;
}

/* -- both -------------------------------------------------------------------------------------- */

static int ask_days(struct catalog *c, const struct catalog_asked *a, enum catalog_part part,
                    struct day_sums *days, struct err *e)
{
	struct catalog_statement st = {.output = &day_output, .n_outputs = 1};
	struct catalog_asked all = *a;
	struct catalog_sql sql = {.n = 0};
	int failed;

	all.n_keys = 0;
	catalog_sql_groups(&sql, &c->engine, &all, part, &day_output, 1, true);
	failed = catalog_sql_select(&sql, &c->engine, &st, each_days_row, days, e);
	catalog_sql_free(&sql);
	return failed;
}

/* An engine that groups rows itself adds up days meanwhile. */
static int ask_cells(struct catalog *c, const struct catalog_asked *a, enum catalog_part part,
                     struct cells_query *q, struct day_sums *days, struct err *e)
{
	struct catalog_statement st = {.output = cell_outputs,
	                               .n_outputs = CELL_OUTPUTS,
	                               .n_keys = a->n_keys,
	                               .n_whole = q->n_keys,
	                               .days = days ? each_days_row : NULL,
	                               .days_ctx = days};
	struct catalog_sql sql = {.n = 0};
	int failed;

	catalog_sql_groups(&sql, &c->engine, a, part, cell_outputs, CELL_OUTPUTS, false);
	failed = catalog_sql_select(&sql, &c->engine, &st,
	                            part == CATALOG_JOINED ? each_joined_row : each_cell_row, q, e);
	catalog_sql_free(&sql);
	if (!failed && days && !c->engine.packed)
		failed = ask_days(c, a, part, days, e);
	return failed;
}

int catalog_overview(struct catalog *c, const struct catalog_query *query,
                     catalog_each_cell *each_cell, catalog_each_day *each_day, void *ctx,
                     struct err *e)
{
	struct cells_query q = {.place = c->place, .each = each_cell, .ctx = ctx};
	struct day_sums days = {.place = c->place}, *wanted = each_day ? &days : NULL;
	struct catalog_asked a;
	int failed;

	if (catalog_asked_read(query, &a, e))
		return -1;
	q.n_keys = a.n_keys;
	a.key[a.n_keys++] = (struct catalog_key){.column = CATALOG_COLUMN_MACHINE};
	failed = ask_cells(c, &a, CATALOG_JOINED, &q, wanted, e);
	if (!failed)
		sort_kept(&q);
	failed = failed || ask_cells(c, &a, CATALOG_ALONE, &q, wanted, e) ||
	         hand_over_kept(&q, NULL, e) ||
	         (each_day && hand_over_days(&days, each_day, ctx, e));
	free_kept(&q);
	free(days.v);
	return failed ? -1 : 0;
}
