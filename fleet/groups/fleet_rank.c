/* fleet_rank: the groups with most to recover. */
#include "fleet/groups/fleet_rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"

static int larger_first(double a, double b)
{
	a = isnan(a) ? 0 : a;
	b = isnan(b) ? 0 : b;
	return (a < b) - (a > b);
}

int fleet_rank_compare(const struct fleet_group *a, const struct fleet_group *b)
{
	int order = larger_first(a->usage.recoverable, b->usage.recoverable);

	if (!order)
		order =
		    larger_first(a->usage.machine_recoverable_h, b->usage.machine_recoverable_h);
	for (size_t i = 0; !order && i < CATALOG_KEYS && a->key[i] && b->key[i]; i++)
		order = strcmp(a->key[i], b->key[i]);
	return order;
}

static void swap_groups(struct fleet_group *a, struct fleet_group *b)
{
	struct fleet_group kept = *a;

	*a = *b;
	*b = kept;
}

/* Whether i has less to recover than k, and so belongs above it. */
static bool belongs_above(const struct fleet_rank *r, size_t i, size_t k)
{
	return fleet_rank_compare(&r->v[i], &r->v[k]) > 0;
}

static void sift_up(struct fleet_rank *r, size_t i)
{
	for (; i > 0 && belongs_above(r, i, (i - 1) / 2); i = (i - 1) / 2)
		swap_groups(&r->v[i], &r->v[(i - 1) / 2]);
}

static void sift_down(struct fleet_rank *r)
{
	for (size_t i = 0, least = 0;; i = least) {
		for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < r->n; k++)
			if (belongs_above(r, k, least))
				least = k;
		if (least == i)
			return;
		swap_groups(&r->v[i], &r->v[least]);
	}
}

bool fleet_rank_keeps(const struct fleet_rank *r, const struct fleet_group *g)
{
	return r->n < r->max || (r->n && fleet_rank_compare(g, &r->v[0]) < 0);
}

int fleet_rank_add(struct fleet_rank *r, struct fleet_group *g, struct err *e)
{
	if (!fleet_rank_keeps(r, g))
		return 1;
	if (r->n == r->max) {
		swap_groups(g, &r->v[0]);
		sift_down(r);
		return 1;
	}
	if (r->n == r->cap) {
		size_t cap = r->cap ? r->cap * 2 : 64;
		struct fleet_group *v = alloc_failed_note(realloc(r->v, cap * sizeof *v));
		if (!v)
			return err_set(e, "out of memory");
		r->v = v;
		r->cap = cap;
	}
	r->v[r->n++] = *g;
	*g = (struct fleet_group){0};
	sift_up(r, r->n - 1);
	return 0;
}

static int by_rank(const void *a, const void *b)
{
	return fleet_rank_compare(a, b);
}

void fleet_rank_sort(struct fleet_rank *r)
{
	if (r->n)
		qsort(r->v, r->n, sizeof *r->v, by_rank);
}
