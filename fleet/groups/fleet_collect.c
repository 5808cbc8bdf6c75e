/* fleet_collect: the cells of a catalog, gathered group by group. */
#include "fleet/groups/fleet_collect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/numbers/log_bucket.h"

/* Larger buckets are computed each time. */
#define TABLE 4096

/* An ask of so much of a machine is all of it. */
#define WHOLE 0.999

struct stream {
	struct fleet_collect group;
	fleet_collect_each *each;
	catalog_each_day *each_day;
	void *ctx;
	struct bucket {
		double low, middle, high; /* high is 0 until it is known */
	} table[TABLE];
};

static int collect_no_memory(struct err *e)
{
	alloc_failed_note(NULL);
	return err_set(e, "out of memory");
}

/* -- adding a cell ----------------------------------------------------------------------------- */

static int grow_weights(struct fleet_weights *w, size_t more, struct err *e)
{
	size_t cap = w->cap ? w->cap : 64;
	struct fleet_weight *v;

	if (more > FLEET_COLLECT_WEIGHTS - w->n)
		return err_set(e, "a group has too many different values");
	while (cap < w->n + more)
		cap *= 2;
	if (cap == w->cap)
		return 0;
	if (!(v = realloc(w->v, cap * sizeof *v)))
		return collect_no_memory(e);
	w->v = v;
	w->cap = cap;
	return 0;
}

static struct bucket bucket_of(struct bucket *table, int k)
{
	struct bucket b;

	if (k >= 0 && k < TABLE && table[k].high > 0)
		return table[k];
	b = (struct bucket){log_bucket_low(k), log_bucket_middle(k), log_bucket_low(k + 1)};
	if (k >= 0 && k < TABLE)
		table[k] = b;
	return b;
}

static struct fleet_weight weight_of(double key, enum fleet_weights_keys keys, struct bucket *table)
{
	struct bucket b;

	if (keys == FLEET_WEIGHTS_DAYS)
		return (struct fleet_weight){.value = key, .low = key, .high = key};
	b = bucket_of(table, (int)key);
	return fleet_weights_bucket(b.low, b.middle, b.high, keys);
}

static int add_map(struct fleet_weights *w, const struct catalog_map *m,
                   enum fleet_weights_keys keys, size_t cell, struct bucket *table, struct err *e)
{
	if (grow_weights(w, m->n, e))
		return -1;
	for (size_t i = 0; i < m->n; i++) {
		struct fleet_weight one = weight_of(catalog_map_key(m, i), keys, table);
		one.runs = catalog_map_at(m, i, 0);
		one.sum = m->width > 1 ? catalog_map_at(m, i, 1) : 0;
		one.killed = m->width > 2 ? catalog_map_at(m, i, 2) : 0;
		one.cell = cell;
		w->v[w->n++] = one;
	}
	return 0;
}

/* Four maps in one. */
static int add_quarters(struct fleet_quarters *q, const struct catalog_map *m, size_t cell,
                        struct bucket *table, struct err *e)
{
	for (size_t i = 0; i < m->n && m->width > 3; i++) {
		size_t key = (size_t)catalog_map_key(m, i), k = key % FLEET_QUARTERS;
		struct fleet_weights *w = &q->of[k];
		struct fleet_weight one =
		    weight_of((double)(key / FLEET_QUARTERS), FLEET_WEIGHTS_PLAIN, table);
		if (grow_weights(w, 1, e))
			return -1;
		one.runs = catalog_map_at(m, i, 0);
		one.sum = catalog_map_at(m, i, 1);
		one.killed = catalog_map_at(m, i, 2);
		one.cell = cell;
		w->v[w->n++] = one;
		q->asked_byte_s += k < FLEET_QUARTERS / 2 ? 0 : catalog_map_at(m, i, 3);
	}
	return 0;
}

static int add_all_weights(struct fleet_collect *g, const struct catalog_cell *cell,
                           struct bucket *table, struct err *e)
{
	if (add_map(&g->needs.memory, &cell->memory, FLEET_WEIGHTS_PLAIN, g->n, table, e) ||
	    add_quarters(&g->needs.quarters, &cell->quarters, g->n, table, e) ||
	    add_map(&g->needs.wall, &cell->wall, FLEET_WEIGHTS_PLAIN, g->n, table, e) ||
	    add_map(&g->needs.cores, &cell->cores, FLEET_WEIGHTS_CORES, g->n, table, e) ||
	    add_map(&g->needs.gpus, &cell->gpus, FLEET_WEIGHTS_GPUS, g->n, table, e))
		return -1;
	return add_map(&g->days, &cell->days, FLEET_WEIGHTS_DAYS, g->n, table, e);
}

static void add_classes(struct fleet_collect *g, const struct catalog_map *m, struct fleet_cell *of)
{
	double counted[CATALOG_SUMS] = {0};

	for (size_t i = 0; i < m->n; i++) {
		double class = catalog_map_key(m, i);
		if (!(class >= 0 && class < CATALOG_CLASSES))
			continue;
		for (size_t k = 0; k < CATALOG_SUMS && k < m->width; k++) {
			double sum = catalog_map_at(m, i, k);
			g->classes[(int)class][k] += sum;
			if (class == CATALOG_COUNTED)
				counted[k] = sum;
		}
	}
	of->runs = counted[CATALOG_SUM_RUNS];
	of->wall_s = counted[CATALOG_SUM_WALL_S];
	of->paid_s = counted[CATALOG_SUM_PAID_S];
	of->asked_core_s = counted[CATALOG_SUM_ASKED_CORE_S];
	of->asked_byte_s = counted[CATALOG_SUM_ASKED_BYTE_S];
	of->asked_gpu_s = counted[CATALOG_SUM_ASKED_GPU_S];
	of->bytes_known_s = counted[CATALOG_SUM_BYTES_KNOWN_S];
	of->times = fleet_time_of_sums(counted);
}

/* A key beyond n is of a newer version. */
static void add_counts(double *sum, size_t n, const struct catalog_map *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (catalog_map_key(m, i) < (double)n)
			sum[(size_t)catalog_map_key(m, i)] += catalog_map_at(m, i, 0);
}

static int add_newest(struct fleet_collect *g, const struct catalog_cell *cell, struct err *e)
{
	const char *newest = cell->newest ? cell->newest : "";
	char *copy;

	if (g->newest &&
	    (cell->last < g->last || (cell->last == g->last && strcmp(newest, g->newest) <= 0)))
		return 0;
	if (!(copy = strdup(newest)))
		return collect_no_memory(e);
	free(g->newest);
	g->newest = copy;
	return 0;
}

static void add_largest(struct fleet_collect *g, const struct catalog_cell *cell)
{
	g->most.cpus = fmax(g->most.cpus, cell->asked_cpus);
	g->most.memory_b = fmax(g->most.memory_b, cell->asked_memory_b);
	g->most.gpus = fmax(g->most.gpus, cell->asked_gpus);
	g->most.time_s = fmax(g->most.time_s, cell->asked_time_s);
	g->memory_max_b = fmax(g->memory_max_b, cell->memory_need_b);
	g->wall_max_s = fmax(g->wall_max_s, cell->wall_s);
	g->killed_b = fmax(g->killed_b, cell->killed_need_b);
	g->killed_last = fmax(g->killed_last, cell->killed_last);
	g->finished_last = fmax(g->finished_last, cell->finished_last);
	g->first = fmin(g->first, cell->first);
	g->last = fmax(g->last, cell->last);
}

static int add_cell(struct fleet_collect *g, const struct catalog_cell *cell, struct bucket *table,
                    struct err *e)
{
	struct fleet_cell *of;

	if (g->n == g->cap) {
		size_t cap = g->cap ? g->cap * 2 : 4;
		if (cap > FLEET_COLLECT_CELLS)
			return err_set(e, "a group has too many types of machines");
		if (!(of = realloc(g->cell, cap * sizeof *of)))
			return collect_no_memory(e);
		g->cell = of;
		g->cap = cap;
	}
	of = &g->cell[g->n];
	*of = (struct fleet_cell){
	    .machine = *cell->machine,
	    .most = {cell->asked_cpus, cell->asked_memory_b, cell->asked_gpus, cell->asked_time_s},
	};
	if (add_all_weights(g, cell, table, e) || add_newest(g, cell, e))
		return -1;
	add_classes(g, &cell->classes, of);
	add_counts(g->mostly, CATALOG_MOSTLY, &cell->mostly);
	add_counts(g->ends, END_CAUSE_COUNT, &cell->ends);
	add_counts(g->origins, CATALOG_ORIGINS, &cell->origins);
	add_largest(g, cell);
	g->n++;
	return 0;
}

/* -- groups ------------------------------------------------------------------------------------ */

static int by_weight_value(const void *a, const void *b)
{
	const struct fleet_weight *v = a, *w = b;

	return (v->value > w->value) - (v->value < w->value);
}

static void finish_weights(struct fleet_weights *w, size_t cells, double max, bool oom)
{
	if (cells > 1 && w->n)
		qsort(w->v, w->n, sizeof *w->v, by_weight_value);
	fleet_weights_finish(w, max, oom);
}

double fleet_collect_mean(const struct fleet_collect *g, enum catalog_sum asked,
                          enum catalog_sum known_s)
{
	const double *sums = g->classes[CATALOG_COUNTED];

	return sums[asked] > 0 ? sums[asked] / sums[known_s] : (double)NAN;
}

/* The mean ask over time. The whole machine, which stands for an ask where there was none, is not
 * one here, as in the report of one job (asked_today). */
static double today_memory(const struct fleet_collect *g)
{
	double byte_s = 0, known_s = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct fleet_cell *c = &g->cell[i];
		if (c->most.memory_b >= WHOLE * c->machine.memory_b)
			continue;
		byte_s += c->asked_byte_s;
		known_s += c->bytes_known_s;
	}
	return byte_s > 0 ? byte_s / known_s : (double)NAN;
}

static int finish_group(struct stream *s, struct err *e)
{
	struct fleet_collect *g = &s->group;
	bool oom = g->classes[CATALOG_COUNTED][CATALOG_SUM_OOM] > 0;

	if (!g->n)
		return 0;
	g->needs.counted = g->classes[CATALOG_COUNTED][CATALOG_SUM_RUNS];
	g->needs.times = fleet_time_of_sums(g->classes[CATALOG_COUNTED]);
	g->needs.wall_s = g->classes[CATALOG_COUNTED][CATALOG_SUM_WALL_S];
	g->needs.today_cpus =
	    fleet_collect_mean(g, CATALOG_SUM_ASKED_CORE_S, CATALOG_SUM_CORES_KNOWN_S);
	g->needs.used_cores =
	    fleet_collect_mean(g, CATALOG_SUM_USED_CORE_S, CATALOG_SUM_CORES_KNOWN_S);
	g->needs.most_memory_b = g->most.memory_b;
	g->needs.today_memory_b = today_memory(g);
	g->needs.killed_b = g->finished_last >= g->killed_last ? (double)NAN : g->killed_b;
	g->needs.killed_most_b = g->killed_b;
	finish_weights(&g->needs.memory, g->n, g->memory_max_b, oom);
	for (int i = 0; i < FLEET_QUARTERS; i++)
		finish_weights(&g->needs.quarters.of[i], g->n, g->memory_max_b, oom);
	finish_weights(&g->needs.wall, g->n, g->wall_max_s, false);
	finish_weights(&g->needs.cores, g->n, NAN, false);
	finish_weights(&g->needs.gpus, g->n, NAN, false);
	if (g->n > 1)
		qsort(g->days.v, g->days.n, sizeof *g->days.v, by_weight_value);
	return s->each(s->ctx, g, e);
}

static void free_texts(struct fleet_collect *g)
{
	for (size_t i = 0; i < CATALOG_KEYS; i++) {
		free(g->key[i]);
		g->key[i] = NULL;
	}
	free(g->newest);
	g->newest = NULL;
}

/* Keeps the memory of the lists. */
static int begin_group(struct fleet_collect *g, const struct catalog_cell *cell, struct err *e)
{
	struct fleet_weights *const lists[] = {&g->needs.memory, &g->needs.wall, &g->needs.cores,
	                                       &g->needs.gpus, &g->days};
	struct fleet_quarters *q = &g->needs.quarters;

	free_texts(g);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		lists[i]->n = 0;
	for (int i = 0; i < FLEET_QUARTERS; i++)
		q->of[i].n = 0;
	q->asked_byte_s = 0;
	g->n = 0;
	memset(g->classes, 0, sizeof g->classes);
	memset(g->mostly, 0, sizeof g->mostly);
	memset(g->origins, 0, sizeof g->origins);
	memset(g->ends, 0, sizeof g->ends);
	g->most = (struct fleet_ask){NAN, NAN, NAN, NAN};
	g->memory_max_b = g->wall_max_s = g->first = g->last = NAN;
	g->killed_b = g->killed_last = g->finished_last = NAN;
	for (size_t i = 0; i < g->keys; i++)
		if (!(g->key[i] = strdup(cell->group[i])))
			return collect_no_memory(e);
	return 0;
}

static bool same_group(const struct fleet_collect *g, const struct catalog_cell *cell)
{
	for (size_t i = 0; i < g->keys; i++)
		if (!g->key[i] || strcmp(g->key[i], cell->group[i]) != 0)
			return false;
	return g->n > 0;
}

static int take_cell(void *ctx, const struct catalog_cell *cell, struct err *e)
{
	struct stream *s = ctx;

	if (!same_group(&s->group, cell) && (finish_group(s, e) || begin_group(&s->group, cell, e)))
		return -1;
	return add_cell(&s->group, cell, s->table, e);
}

static int pass_day(void *ctx, const struct catalog_day *day, struct err *e)
{
	const struct stream *s = ctx;

	return s->each_day(s->ctx, day, e);
}

size_t fleet_collect_keys(const struct catalog_query *q)
{
	size_t n = q->group_by ? q->group_by->n : 0;

	if (n > CATALOG_KEYS)
		n = CATALOG_KEYS;
	return n ? n : 1;
}

int fleet_collect_groups(struct catalog *c, const struct catalog_query *q, fleet_collect_each *each,
                         catalog_each_day *each_day, void *ctx, struct err *e)
{
	struct stream *s = alloc_failed_note(calloc(1, sizeof *s));
	int failed;

	if (!s)
		return err_set(e, "out of memory");
	s->each = each;
	s->each_day = each_day;
	s->ctx = ctx;
	s->group.keys = fleet_collect_keys(q);
	failed = catalog_overview(c, q, take_cell, pass_day, s, e);
	if (!failed)
		failed = finish_group(s, e);
	free_texts(&s->group);
	free(s->group.cell);
	free(s->group.needs.memory.v);
	for (int i = 0; i < FLEET_QUARTERS; i++)
		free(s->group.needs.quarters.of[i].v);
	free(s->group.needs.wall.v);
	free(s->group.needs.cores.v);
	free(s->group.needs.gpus.v);
	free(s->group.days.v);
	free(s);
	return failed;
}
