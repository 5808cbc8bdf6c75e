/* fleet_make: the fleet of a catalog: groups, totals, what is left out, days. */
#include <math.h>
#include <stdlib.h>

#include "core/alloc_failed.h"
#include "report/fleet/fleet_details.h"
#include "report/fleet/fleet_group.h"
#include "report/fleet/fleet_rank.h"

#define HOUR_S   3600.0
#define GIB      1073741824.0
#define DAYS_MAX 36525 /* a century; later days are dropped */

struct making {
	struct fleet *fleet;
	const struct fleet_input *in;
	struct fleet_rank rank;
};

double fleet_efficiency(const struct fleet_hours *h)
{
	return h->asked > 0 ? h->used / h->asked : (double)NAN;
}

/* -- groups ------------------------------------------------------------------------------------ */

static void add_left_out(struct fleet *f, const struct fleet_collect *g)
{
	for (int k = CATALOG_COUNTED + 1; k < CATALOG_CLASSES; k++) {
		f->left_out[k].runs += g->classes[k][CATALOG_SUM_RUNS];
		f->left_out[k].core_h += g->classes[k][CATALOG_SUM_ASKED_CORE_S] / HOUR_S;
		f->left_out[k].memory_gib_h +=
		    g->classes[k][CATALOG_SUM_ASKED_BYTE_S] / HOUR_S / GIB;
	}
}

static void add_totals(struct fleet *f, const struct fleet_group *g)
{
	f->runs += g->runs;
	f->counted += g->counted;
	f->failed += g->failed;
	f->oom += g->oom;
	f->all_groups++;
	f->first = fmin(f->first, g->first);
	f->last = fmax(f->last, g->last);
	fleet_group_add_usage(&f->usage, &g->usage);
}

static int take_group(void *ctx, struct fleet_collect *c, struct err *e)
{
	struct making *m = ctx;
	struct fleet *f = m->fleet;
	struct fleet_group g;
	int more = -1;

	f->keys = c->keys;
	add_left_out(f, c);
	if (fleet_group_make(&g, c, m->in, e))
		goto out;
	add_totals(f, &g);
	more = fleet_rank_add(&m->rank, &g, e);
	if (more == 1) {
		fleet_group_add_usage(&f->rest, &g.usage);
		f->rest_groups++;
		f->rest_runs += g.runs;
	}
out:
	fleet_group_free(&g);
	return more < 0 ? -1 : 0;
}

/* -- days -------------------------------------------------------------------------------------- */

static int take_day(void *ctx, const struct catalog_day *day, struct err *e)
{
	struct fleet *f = ctx;
	struct catalog_day *v;

	if (f->n_days == DAYS_MAX)
		return 0;
	/* Doubled whenever the number is a power of two. */
	if ((f->n_days & (f->n_days - 1)) == 0) {
		v = alloc_failed_note(realloc(f->day, (f->n_days ? 2 * f->n_days : 1) * sizeof *v));
		if (!v)
			return err_set(e, "out of memory");
		f->day = v;
	}
	f->day[f->n_days++] = *day;
	return 0;
}

int fleet_make(struct fleet *f, const struct fleet_input *in, struct err *e)
{
	struct making m = {.fleet = f, .in = in, .rank = {.max = FLEET_GROUPS_MAX}};
	int failed;

	*f = (struct fleet){.first = NAN,
	                    .last = NAN,
	                    .usage = fleet_group_no_usage(),
	                    .rest = fleet_group_no_usage(),
	                    .rates = fleet_group_rates(&in->rates)};
	failed = fleet_collect_groups(in->catalog, in->query, take_group, &m, e);
	fleet_rank_sort(&m.rank);
	f->group = m.rank.v;
	f->n = m.rank.n;
	if (failed || catalog_days(in->catalog, in->query, take_day, f, e))
		return -1;
	return fleet_details_read(f->group, f->n < FLEET_DETAILS_MAX ? f->n : FLEET_DETAILS_MAX,
	                          f->keys, in, e);
}

void fleet_free(struct fleet *f)
{
	for (size_t i = 0; i < f->n; i++)
		fleet_group_free(&f->group[i]);
	free(f->group);
	free(f->day);
	*f = (struct fleet){0};
}
