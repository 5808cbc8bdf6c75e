/*
 * fleet_rows: a catalog of made-up rows in memory, in place of the real one, for the tests of the fleet.
 *
 * It answers with histograms whose buckets are 1 % wide, or (rows_exact) with one bucket for each value, so that the
 * same code can be tested on exact rows.
 */
#ifndef TESTS_FLEET_ROWS_H
#define TESTS_FLEET_ROWS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/log_bucket.h"
#include "fleet/catalog/catalog.h"

#define ROWS_MAX 20000
#define ROWS_GIB 1073741824.0

struct row {
	const char *group, *user;
	int machine; /* index in rows_machine */
	enum catalog_class class;
	bool oom;
	double nodes; /* 0 is as 1 */
	double start, wall, need, cores, gpus;
	double asked_cpus, asked_memory, asked_gpus, asked_time; /* NAN: unknown */
	double used_memory;
};

static struct row rows[ROWS_MAX];
static size_t n_rows;
static bool rows_exact;
static int64_t rows_days = 5;
static int rows_fail; /* the query fails at this cell */
static const struct catalog_machine rows_machine[] = {
    {.vendor = "aws", .instance = "small", .vcpus = 8, .memory_b = 32 * ROWS_GIB, .gpus = 0},
    {.vendor = "aws", .instance = "large", .vcpus = 64, .memory_b = 256 * ROWS_GIB, .gpus = 4},
    {.vendor = "gcp", .instance = "unpriced", .vcpus = 16, .memory_b = 64 * ROWS_GIB, .gpus = 0},
    {.vendor = "", .instance = "", .vcpus = NAN, .memory_b = NAN, .gpus = NAN},
};
#define ROWS_MACHINES 4

/* -- buckets ---------------------------------------------------------------------------------------------------- */

static double rows_value[4 * ROWS_MAX];
static size_t rows_values;

int log_bucket(double v)
{
	size_t low = 0, high = rows_values;

	if (!rows_exact)
		return v < LOG_BUCKET_MIN
		           ? 0
		           : 1 + (int)floor(log(v / LOG_BUCKET_MIN) / log(LOG_BUCKET_WIDTH) + 1e-9);
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (rows_value[middle] < v)
			low = middle + 1;
		else
			high = middle;
	}
	return 2 * (int)low;
}

double log_bucket_low(int bucket)
{
	if (rows_exact)
		return rows_value[bucket / 2];
	return bucket <= 0 ? 0 : LOG_BUCKET_MIN * pow(LOG_BUCKET_WIDTH, bucket - 1);
}

double log_bucket_middle(int bucket)
{
	return rows_exact ? rows_value[bucket / 2]
	                  : log_bucket_low(bucket) * sqrt(LOG_BUCKET_WIDTH);
}

static int rows_by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void rows_prepare(void)
{
	rows_values = 0;
	for (size_t i = 0; i < n_rows; i++) {
		const double of[] = {rows[i].need, rows[i].wall, rows[i].cores, rows[i].gpus};
		for (int k = 0; k < 4; k++)
			if (!isnan(of[k]))
				rows_value[rows_values++] = of[k];
	}
	qsort(rows_value, rows_values, sizeof *rows_value, rows_by_number);
}

/* -- maps ------------------------------------------------------------------------------------------------------- */

struct rows_map {
	double v[ROWS_MAX * 4];
	size_t n, width;
};

static void rows_add(struct rows_map *m, double key, double first, double second, double third)
{
	size_t wide = 1 + m->width, i = 0;

	while (i < m->n && m->v[i * wide] < key)
		i++;
	if (i == m->n || m->v[i * wide] != key) {
		memmove(&m->v[(i + 1) * wide], &m->v[i * wide], (m->n - i) * wide * sizeof(double));
		m->n++;
		m->v[i * wide] = key;
		for (size_t k = 1; k < wide; k++)
			m->v[i * wide + k] = 0;
	}
	m->v[i * wide + 1] += first;
	if (m->width > 1)
		m->v[i * wide + 2] += second;
	if (m->width > 2)
		m->v[i * wide + 3] += third;
}

static struct catalog_map rows_lend(const struct rows_map *m)
{
	return (struct catalog_map){m->v, m->n, m->width};
}

/* -- the catalog ------------------------------------------------------------------------------------------------ */

static int rows_groups(const char *out[ROWS_MAX])
{
	int n = 0;

	for (size_t i = 0; i < n_rows; i++) {
		int k = 0;
		while (k < n && strcmp(out[k], rows[i].group) != 0)
			k++;
		if (k == n)
			out[n++] = rows[i].group;
	}
	return n;
}

static double rows_share(const struct row *r)
{
	const struct catalog_machine *m = &rows_machine[r->machine];
	double s = fmax(r->asked_cpus / m->vcpus, r->asked_memory / m->memory_b);

	return fmin(fmax(s, m->gpus > 0 ? r->asked_gpus / m->gpus : NAN), 1);
}

static void rows_sum(double *sums, const struct row *r)
{
	double nodes = r->nodes > 0 ? r->nodes : 1, share = rows_share(r);
	const double asked[] = {r->asked_cpus, r->asked_memory, r->asked_gpus};
	const double used[] = {r->cores, r->used_memory, r->gpus};

	sums[CATALOG_SUM_RUNS]++;
	sums[CATALOG_SUM_OOM] += r->oom;
	sums[CATALOG_SUM_WALL_S] += r->wall * nodes;
	sums[CATALOG_SUM_PAID_S] += isnan(share) ? 0 : r->wall * share * nodes;
	for (int k = 0; k < 3; k++) {
		if (isnan(asked[k]) || isnan(used[k]))
			continue;
		sums[CATALOG_SUM_ASKED_CORE_S + 3 * k] += asked[k] * r->wall * nodes;
		sums[CATALOG_SUM_USED_CORE_S + 3 * k] += used[k] * r->wall * nodes;
		sums[CATALOG_SUM_UNUSED_CORE_S + 3 * k] +=
		    fmax(asked[k] - used[k], 0) * r->wall * nodes;
		sums[CATALOG_SUM_CORES_KNOWN_S + k] += r->wall * nodes;
	}
}

static size_t rows_keys(const struct catalog_query *q)
{
	return q->group_by ? q->group_by->n : 1;
}

static bool rows_wanted(const struct catalog_query *q, const char *group)
{
	bool wanted = !q->only;

	for (size_t i = 0; i < q->n_only; i++)
		wanted = wanted || strcmp(q->only[i * rows_keys(q)], group) == 0;
	return wanted;
}

static int rows_cell(const char *group, int machine, catalog_each_cell *each, void *ctx,
                     struct err *e)
{
	static struct rows_map classes, memory, wall, cores, gpus, days;
	double sums[CATALOG_CLASSES][CATALOG_SUMS] = {{0}},
	       all[CATALOG_CLASSES * (1 + CATALOG_SUMS)];
	struct catalog_cell cell = {
	    .group = {group, "second"}, .machine = &rows_machine[machine], .newest = ""};
	size_t n = 0;
	bool any = false;

	memory = wall = cores = gpus = days = classes = (struct rows_map){.width = 1};
	wall.width = days.width = 2;
	memory.width = 3;
	cell.asked_cpus = cell.asked_memory_b = cell.asked_gpus = cell.asked_time_s = NAN;
	cell.memory_need_b = cell.wall_s = cell.first = cell.last = NAN;
	cell.killed_need_b = cell.killed_last = cell.finished_last = NAN;
	for (size_t i = 0; i < n_rows; i++) {
		const struct row *r = &rows[i];
		double nodes = r->nodes > 0 ? r->nodes : 1;
		if (strcmp(r->group, group) != 0 || r->machine != machine)
			continue;
		any = true;
		rows_sum(sums[r->class], r);
		cell.asked_cpus = fmax(cell.asked_cpus, r->asked_cpus);
		cell.asked_memory_b = fmax(cell.asked_memory_b, r->asked_memory);
		cell.asked_gpus = fmax(cell.asked_gpus, r->asked_gpus);
		cell.asked_time_s = fmax(cell.asked_time_s, r->asked_time);
		cell.first = fmin(cell.first, r->start);
		if (!(cell.last > r->start))
			cell.newest = r->user ? r->user : "";
		cell.last = fmax(cell.last, r->start);
		if (r->class != CATALOG_COUNTED)
			continue;
		cell.memory_need_b = fmax(cell.memory_need_b, r->need);
		cell.wall_s = fmax(cell.wall_s, r->wall);
		cell.killed_need_b = fmax(cell.killed_need_b, r->oom ? r->need : NAN);
		cell.killed_last = fmax(cell.killed_last, r->oom ? r->start : NAN);
		cell.finished_last = fmax(cell.finished_last, r->oom ? NAN : r->start);
		rows_add(&memory, log_bucket(r->need), 1, r->wall * nodes, r->oom);
		rows_add(&wall, log_bucket(r->wall), 1, nodes, 0);
		if (!isnan(r->cores))
			rows_add(&cores, log_bucket(r->cores), 1, 0, 0);
		if (!isnan(r->gpus))
			rows_add(&gpus, log_bucket(r->gpus), 1, 0, 0);
		rows_add(&days, floor(r->start / 86400), 1, r->need, 0);
	}
	if (!any)
		return 0;
	for (int k = 0; k < CATALOG_CLASSES; k++) {
		if (!(sums[k][CATALOG_SUM_RUNS] > 0))
			continue;
		all[n * (1 + CATALOG_SUMS)] = k;
		memcpy(&all[n * (1 + CATALOG_SUMS) + 1], sums[k], sizeof sums[k]);
		n++;
	}
	cell.classes = (struct catalog_map){all, n, CATALOG_SUMS};
	cell.memory = rows_lend(&memory);
	cell.wall = rows_lend(&wall);
	cell.cores = rows_lend(&cores);
	cell.gpus = rows_lend(&gpus);
	cell.days = rows_lend(&days);
	return each(ctx, &cell, e);
}

/* -- many groups, without rows ---------------------------------------------------------------------------------- */

static struct {
	int groups, buckets; /* 0: rows are used */
} rows_many;

/* Groups have asked for 0, 1, 2 … hours of the whole first machine, and each of their runs needs a little. */
static int rows_many_cells(catalog_each_cell *each, void *ctx, struct err *e)
{
	static double memory[3 * 4096], wall[3 * 4096], days[3 * 4096], cores[2];
	double n = rows_many.buckets, sums[1 + CATALOG_SUMS] = {CATALOG_COUNTED, n};
	char name[32];

	cores[0] = 700; /* about 1 */
	cores[1] = n;

	for (int k = 0; k < rows_many.buckets; k++) {
		double m[3] = {2000 + k, 1, 0}, w[3] = {1000 + k, 1, 1}, d[3] = {19000 + k, 1, 1e9};
		memcpy(&memory[3 * k], m, sizeof m);
		memcpy(&wall[3 * k], w, sizeof w);
		memcpy(&days[3 * k], d, sizeof d);
	}
	for (int i = 0; i < rows_many.groups; i++) {
		/* In no order. */
		int hours = (int)((int64_t)i * 7919 % rows_many.groups);
		size_t b = (size_t)rows_many.buckets;
		struct catalog_cell cell = {.group = {name},
		                            .machine = &rows_machine[0],
		                            .newest =
		                                "/a/path/of/the/length/that/paths/mostly/have.gz"};
		snprintf(name, sizeof name, "job-%06d", hours);
		for (size_t k = 0; k < b; k++)
			memory[3 * k + 2] = hours * 3600 / n;
		sums[1 + CATALOG_SUM_WALL_S] = hours * 3600;
		sums[1 + CATALOG_SUM_PAID_S] = hours * 3600;
		sums[1 + CATALOG_SUM_ASKED_CORE_S] = hours * 3600 * 8;
		sums[1 + CATALOG_SUM_CORES_KNOWN_S] = hours * 3600;
		cell.classes = (struct catalog_map){sums, 1, CATALOG_SUMS};
		cell.memory = (struct catalog_map){memory, b, 2};
		cell.wall = (struct catalog_map){wall, b, 2};
		cell.cores = (struct catalog_map){cores, 1, 1};
		cell.gpus = (struct catalog_map){NULL, 0, 1};
		cell.days = (struct catalog_map){days, b, 2};
		cell.asked_cpus = 8;
		cell.asked_memory_b = cell.asked_gpus = cell.asked_time_s = NAN;
		cell.memory_need_b = cell.wall_s = 1e18;
		cell.killed_need_b = cell.killed_last = cell.finished_last = NAN;
		cell.first = cell.last = i;
		if (each(ctx, &cell, e))
			return -1;
	}
	return 0;
}

static int rows_cells(const struct catalog_query *q, catalog_each_cell *each, void *ctx,
                      struct err *e)
{
	static const char *group[ROWS_MAX];
	int n = rows_groups(group), cells = 0;

	if (rows_many.groups)
		return rows_many_cells(each, ctx, e);
	rows_prepare();
	for (int i = 0; i < n; i++)
		for (int m = 0; m < ROWS_MACHINES && rows_wanted(q, group[i]); m++) {
			if (rows_fail && ++cells >= rows_fail)
				return err_set(e, "the catalog is gone");
			if (rows_cell(group[i], m, each, ctx, e))
				return -1;
		}
	return 0;
}

int catalog_overview(struct catalog *c, const struct catalog_query *q, catalog_each_cell *each_cell,
                     catalog_each_day *each_day, void *ctx, struct err *e)
{
	(void)c;
	if (rows_cells(q, each_cell, ctx, e))
		return -1;
	for (int64_t day = 0; day < rows_days; day++) {
		struct catalog_day d = {.day = 100 + day, .started = (double)n_rows};
		if (each_day(ctx, &d, e))
			return -1;
	}
	return 0;
}

int catalog_details(struct catalog *c, const struct catalog_query *q, struct catalog_detail *out,
                    struct err *e)
{
	(void)c;
	(void)e;
	for (size_t i = 0; i < q->n_only; i++) {
		out[i] =
		    (struct catalog_detail){.spot = calloc(1, sizeof *out->spot), .n_spots = 1};
		out[i].spot[0] = (struct catalog_spot){1, 2, 3, 0};
		out[i].worst[out[i].n_worst++] = (struct catalog_worst){
		    .source = strdup("/runs/worst"), .host = strdup("h"), .wall_s = 7};
	}
	return 0;
}

void catalog_detail_free(struct catalog_detail *d)
{
	for (size_t i = 0; i < d->n_worst; i++) {
		free(d->worst[i].source);
		free(d->worst[i].host);
	}
	free(d->spot);
}

#endif
