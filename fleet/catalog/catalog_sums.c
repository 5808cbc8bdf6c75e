/* catalog_sums: the outputs of one group of runs, summed up run by run. */
#include "fleet/catalog/catalog_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/quantity.h"

#define KEY_MAX 1e9

/* -- maps: a key and width sums; a hash table with linear probing ------------------------------ */

static inline double *slot_of(const struct catalog_sums_map *m, double key)
{
	size_t stride = (size_t)1 + m->width, mask = m->cap - 1;
	size_t at = ((uint64_t)key * 0x9e3779b97f4a7c15u >> 32) & mask;

	while (m->slot[at * stride] != 0 && m->slot[at * stride] != key + 1)
		at = (at + 1) & mask;
	return m->slot + at * stride;
}

/* Most groups are of a few runs, so a map begins small. */
static bool grow_map(struct catalog_sums_map *m, size_t *bytes)
{
	size_t stride = (size_t)1 + m->width;
	struct catalog_sums_map more = {
	    .n = m->n, .cap = m->cap ? 2 * m->cap : 1, .width = m->width};

	more.slot = calloc(more.cap * stride, sizeof(double));
	if (!more.slot)
		return false;
	for (size_t i = 0; i < m->cap; i++) {
		const double *from = m->slot + i * stride;
		if (*from != 0)
			memcpy(slot_of(&more, *from - 1), from, stride * sizeof *from);
	}
	free(m->slot);
	*bytes += (more.cap - m->cap) * stride * sizeof *m->slot;
	*m = more;
	return true;
}

/* The sums of a key; NULL without memory. */
static inline double *sums_of(struct catalog_sums_map *m, double key, size_t *bytes)
{
	double *at;

	if (m->cap == 1 && *m->slot == key + 1) /* the only one of most maps */
		return m->slot + 1;
	if ((size_t)4 * m->n >= (size_t)3 * m->cap && !grow_map(m, bytes))
		return NULL;
	at = slot_of(m, key);
	if (*at == 0) {
		*at = key + 1;
		m->n++;
	}
	return at + 1;
}

static bool has_map(const struct catalog_output *o)
{
	return o->kind == CATALOG_OUT_MAP || o->kind == CATALOG_OUT_QUARTERS ||
	       o->kind == CATALOG_OUT_SPOTS || o->kind == CATALOG_OUT_DAYS;
}

static int compare_keys(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Its entries, by their keys, ascending. */
static struct catalog_map finish_map(const struct catalog_sums_map *m)
{
	size_t stride = (size_t)1 + m->width, n = 0;

	for (size_t i = 0; i < m->cap; i++) {
		double *to = m->slot + n * stride, *from = m->slot + i * stride;
		if (*from == 0)
			continue;
		memmove(to, from, stride * sizeof *to);
		*to -= 1;
		n++;
	}
	if (n > 1)
		qsort(m->slot, n, stride * sizeof *m->slot, compare_keys);
	return (struct catalog_map){.v = m->slot, .n = n, .width = m->width};
}

/* -- adding a run ------------------------------------------------------------------------------ */

static bool is_better(const struct catalog_sums_plan *p, const struct catalog_sums_best *a,
                      const struct catalog_sums_best *b)
{
	if (a->score != b->score)
		return a->score > b->score;
	if (a->wall != b->wall)
		return a->wall > b->wall;
	if (a->need != b->need)
		return a->need > b->need;
	return p->later(p->ctx, a->row, b->row);
}

static bool add_best(const struct catalog_sums_plan *p, struct catalog_sums *s,
                     union catalog_sums_output *o, size_t max, struct catalog_sums_best new)
{
	struct catalog_sums_best *v = o->best.v;
	size_t at = o->best.n;

	if (!v) {
		if (!(v = o->best.v = malloc(max * sizeof *v)))
			return false;
		s->bytes += max * sizeof *v;
	}
	while (at && is_better(p, &new, &v[at - 1]))
		at--;
	if (at == max)
		return true;
	if (o->best.n < max)
		o->best.n++;
	memmove(&v[at + 1], &v[at], (o->best.n - at - 1) * sizeof *v);
	v[at] = new;
	return true;
}

static struct catalog_sums_best best_of(double score, const double *column, double row)
{
	double wall = column[RTRACK_ROW_WALL], need = column[CATALOG_COLUMN_MEMORY_NEED];

	return (struct catalog_sums_best){score, isnan(wall) ? -1 : wall, isnan(need) ? -1 : need,
	                                  row};
}

/* 0: NULL. */
static inline double value_of(const double *column, int value)
{
	double v;

	if (value < CATALOG_COLUMNS)
		v = column[value];
	else if (value >= 2 * CATALOG_COLUMNS)
		v = column[value - 2 * CATALOG_COLUMNS] * column[CATALOG_COLUMN_NODE_S];
	else
		v = isnan(column[value - CATALOG_COLUMNS]) ? 0 : column[CATALOG_COLUMN_NODE_S];
	return isnan(v) ? 0 : v;
}

static bool add_to_map(struct catalog_sums *s, struct catalog_sums_map *m,
                       const struct catalog_output *of, double key, const double *column)
{
	double *sum = sums_of(m, key, &s->bytes);

	if (!sum)
		return false;
	sum[0]++;
	for (size_t i = 0; i < of->n; i++)
		sum[1 + i] += value_of(column, of->value[i]);
	return true;
}

static bool add_start(struct catalog_sums *s, union catalog_sums_output *o,
                      const struct catalog_output *of, double key, const double *column)
{
	size_t wide = 2 + of->n;
	double *row;

	if (isnan(column[RTRACK_ROW_START]))
		return true;
	if (o->starts.n == o->starts.cap) {
		size_t cap = o->starts.cap ? 2 * o->starts.cap : 4;
		row = realloc(o->starts.row, cap * wide * sizeof *row);
		if (!row)
			return false;
		s->bytes += (cap - o->starts.cap) * wide * sizeof *row;
		o->starts.row = row;
		o->starts.cap = cap;
	}
	row = o->starts.row + o->starts.n++ * wide;
	row[0] = column[RTRACK_ROW_START];
	row[1] = key;
	for (size_t i = 0; i < of->n; i++)
		row[2 + i] = value_of(column, of->value[i]);
	return true;
}

static bool add_days(struct catalog_sums *s, struct catalog_sums_map *m, const double *column)
{
	static const int amounts[] = {
	    [CATALOG_DAY_ASKED_CORE_S] = CATALOG_COLUMN_ASKED_CORE_S,
	    [CATALOG_DAY_USED_CORE_S] = CATALOG_COLUMN_USED_CORE_S,
	    [CATALOG_DAY_ASKED_BYTE_S] = CATALOG_COLUMN_ASKED_BYTE_S,
	    [CATALOG_DAY_USED_BYTE_S] = CATALOG_COLUMN_USED_BYTE_S,
	    [CATALOG_DAY_ASKED_GPU_S] = CATALOG_COLUMN_ASKED_GPU_S,
	    [CATALOG_DAY_USED_GPU_S] = CATALOG_COLUMN_USED_GPU_S,
	};
	double start = column[RTRACK_ROW_START], stop = column[CATALOG_COLUMN_STOP];
	double first = floor(start / QUANTITY_DAY_S), day = first;
	double *sum;

	if (!(first >= 0 && first <= KEY_MAX))
		return true;
	sum = sums_of(m, first, &s->bytes);
	if (!sum)
		return false;
	sum[CATALOG_DAY_STARTED]++;
	sum[CATALOG_DAY_FAILED] += column[CATALOG_COLUMN_CLASS] == CATALOG_FAILED;
	sum[CATALOG_DAY_OOM] += column[CATALOG_COLUMN_OOM] == 1;
	while (sum && stop > start && stop > day * QUANTITY_DAY_S && day < first + CATALOG_DAYS) {
		double share =
		    fmin(stop, (day + 1) * QUANTITY_DAY_S) - fmax(start, day * QUANTITY_DAY_S);
		sum[CATALOG_DAY_RUN_S] += share;
		share /= stop - start;
		for (int i = CATALOG_DAY_ASKED_CORE_S; i <= CATALOG_DAY_USED_GPU_S; i++) {
			double v = column[amounts[i]];
			sum[i] += isnan(v) ? 0 : share * v;
		}
		day++;
		if (stop > day * QUANTITY_DAY_S && day < first + CATALOG_DAYS)
			sum = sums_of(m, day, &s->bytes);
	}
	return sum;
}

static bool is_key(double v)
{
	return v >= 0 && v <= KEY_MAX;
}

/* Which enum catalog_rows a row is of. */
struct row_kinds {
	bool is[CATALOG_ROWS_KINDS];
};

static struct row_kinds kinds_of(const double *column)
{
	bool counted = column[CATALOG_COLUMN_CLASS] == CATALOG_COUNTED;
	bool killed = column[CATALOG_COLUMN_OOM] == 1;

	return (struct row_kinds){
	    .is = {[CATALOG_ROWS_TRUE] = column[CATALOG_COLUMN_CLASS] != CATALOG_IMPOSSIBLE,
	           [CATALOG_ROWS_ALL] = true,
	           [CATALOG_ROWS_COUNTED] = counted,
	           [CATALOG_ROWS_FINISHED] = counted && !killed,
	           [CATALOG_ROWS_KILLED] = counted && killed}};
}

/* The whole part of a key, without a call of floor(). */
static inline double whole(double v)
{
	return (double)(int64_t)v;
}

static inline bool add_to_output(struct catalog_sums *s, const struct catalog_sums_plan *p,
                                 size_t i, const double *column, double row,
                                 const struct row_kinds *kinds)
{
	const struct catalog_output *of = &p->output[i];
	union catalog_sums_output *o = &s->of[i];
	double v = of->kind == CATALOG_OUT_DAYS ? 0 : column[of->column], coarse;

	if (isnan(v) || !kinds->is[of->rows])
		return true;
	switch (of->kind) {
	case CATALOG_OUT_MIN:
		o->extreme = o->extreme < v ? o->extreme : v;
		return true;
	case CATALOG_OUT_MAX:
		o->extreme = o->extreme > v ? o->extreme : v;
		return true;
	case CATALOG_OUT_MAP:
		return !is_key(v) || add_to_map(s, &o->map, of, whole(v), column);
	case CATALOG_OUT_QUARTERS:
		return !is_key(v) || add_start(s, o, of, whole(v), column);
	case CATALOG_OUT_SPOTS:
		coarse = of->fine ? 1 : CATALOG_COARSE;
		v = floor(v / coarse) * CATALOG_SPOT + floor(column[of->by] / coarse);
		return !is_key(v) || add_to_map(s, &o->map, of, v, column);
	case CATALOG_OUT_DAYS:
		return add_days(s, &o->map, column);
	case CATALOG_OUT_NEWEST:
		return add_best(p, s, o, 1, best_of(v, column, row));
	case CATALOG_OUT_TOP:
		return add_best(p, s, o, p->output[i].most, best_of(v, column, row));
	case CATALOG_OUT_PLAIN:
	case CATALOG_OUT_COLUMN:
		break;
	}
	return true;
}

/* -- a group ----------------------------------------------------------------------------------- */

int catalog_sums_begin(struct catalog_sums *s, const struct catalog_sums_plan *p)
{
	*s = (struct catalog_sums){.of = calloc(p->n + 1, sizeof *s->of),
	                           .bytes = (p->n + 1) * sizeof *s->of};
	for (size_t i = 0; s->of && i < p->n; i++) {
		const struct catalog_output *o = &p->output[i];
		if (o->kind == CATALOG_OUT_QUARTERS)
			s->of[i].starts.map.width = 1 + (uint32_t)o->n;
		else if (has_map(o))
			s->of[i].map.width =
			    o->kind == CATALOG_OUT_DAYS ? CATALOG_DAY_SUMS : 1 + (uint32_t)o->n;
		else if (o->kind == CATALOG_OUT_MIN || o->kind == CATALOG_OUT_MAX)
			s->of[i].extreme = NAN;
	}
	return s->of ? 0 : -1;
}

int catalog_sums_add(struct catalog_sums *s, const struct catalog_sums_plan *p,
                     const double column[CATALOG_COLUMNS], double row)
{
	struct row_kinds kinds = kinds_of(column);

	for (size_t i = 0; i < p->n; i++)
		if (!add_to_output(s, p, i, column, row, &kinds))
			return -1;
	return 0;
}

size_t catalog_sums_starts(const struct catalog_sums *s, const struct catalog_sums_plan *p,
                           double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		const union catalog_sums_output *o = &s->of[i];
		if (p->output[i].kind != CATALOG_OUT_QUARTERS)
			continue;
		for (size_t k = 0; out && k < o->starts.n; k++)
			out[n + k] = o->starts.row[k * (2 + p->output[i].n)];
		n += o->starts.n;
	}
	return n;
}

int catalog_sums_split(struct catalog_sums *s, const struct catalog_sums_plan *p,
                       const double quarter[3])
{
	for (size_t i = 0; i < p->n; i++) {
		const struct catalog_output *of = &p->output[i];
		union catalog_sums_output *o = &s->of[i];
		if (of->kind != CATALOG_OUT_QUARTERS)
			continue;
		for (size_t k = 0; k < o->starts.n; k++) {
			const double *row = o->starts.row + k * (2 + of->n);
			double key = 4 * row[1] + (row[0] >= quarter[0]) + (row[0] >= quarter[1]) +
			             (row[0] >= quarter[2]);
			double *sum = sums_of(&o->starts.map, key, &s->bytes);
			if (!sum)
				return -1;
			sum[0]++;
			for (size_t v = 0; v < of->n; v++)
				sum[1 + v] += row[2 + v];
		}
	}
	return 0;
}

void catalog_sums_results(struct catalog_sums *s, const struct catalog_sums_plan *p,
                          struct catalog_result *out)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct catalog_output *of = &p->output[i];
		union catalog_sums_output *o = &s->of[i];
		struct catalog_sums_best *best = o->best.v;
		out[i] = (struct catalog_result){.text = "", .number = NAN};
		if (has_map(of)) {
			out[i].map = finish_map(&o->map);
		} else if (of->kind == CATALOG_OUT_MIN || of->kind == CATALOG_OUT_MAX) {
			out[i].number = o->extreme;
		} else if (o->best.n) {
			for (size_t k = 0; k < o->best.n; k++) /* no row before is read again */
				((double *)best)[k] = best[k].row;
			out[i].map = (struct catalog_map){.v = (double *)best, .n = o->best.n};
		}
	}
}

void catalog_sums_free(struct catalog_sums *s, const struct catalog_sums_plan *p)
{
	for (size_t i = 0; s->of && i < p->n; i++) {
		if (p->output[i].kind == CATALOG_OUT_QUARTERS)
			free(s->of[i].starts.row);
		if (has_map(&p->output[i]))
			free(s->of[i].map.slot);
		else if (p->output[i].kind == CATALOG_OUT_NEWEST ||
		         p->output[i].kind == CATALOG_OUT_TOP)
			free(s->of[i].best.v);
	}
	free(s->of);
	*s = (struct catalog_sums){0};
}
