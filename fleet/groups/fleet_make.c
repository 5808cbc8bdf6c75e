/* fleet_make: the fleet of a catalog: groups, totals, what is left out, days. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "fleet/groups/fleet_group.h"
#include "fleet/groups/fleet_rank.h"
#include "fleet/groups/fleet_round.h"

#define DAYS_MAX 36525 /* a century; later days are dropped */

struct making {
	struct fleet *fleet;
	const struct fleet_input *in;
	/* Groups that can be opened keep their histograms; they are too large to be kept of all. */
	struct fleet_rank open, closed;
};

double fleet_efficiency(const struct fleet_hours *h)
{
	return h->asked > 0 ? h->used / h->asked : (double)NAN;
}

/* Where nothing was asked for, nothing is known to be unused. */
static double unused_hours(const struct fleet_hours *h)
{
	return h->asked > 0 ? h->unused : (double)NAN;
}

void fleet_measures(const struct fleet *f, double out[MEASURE_FLEET_NAMES])
{
	const struct fleet_usage *u = &f->usage;

	out[MEASURE_FLEET_RUNS] = f->runs;
	out[MEASURE_FLEET_GROUPS] = f->all_groups;
	out[MEASURE_FLEET_FAILED] = f->failed;
	out[MEASURE_FLEET_OOM_KILLS] = f->oom;
	out[MEASURE_FLEET_CPU_EFFICIENCY] = fleet_efficiency(&u->cores);
	out[MEASURE_FLEET_MEMORY_EFFICIENCY] = fleet_efficiency(&u->memory);
	out[MEASURE_FLEET_GPU_EFFICIENCY] = fleet_efficiency(&u->gpus);
	out[MEASURE_FLEET_UNUSED_CORE_HOURS] = unused_hours(&u->cores);
	out[MEASURE_FLEET_UNUSED_GIB_HOURS] = unused_hours(&u->memory);
	out[MEASURE_FLEET_UNUSED_GPU_HOURS] = unused_hours(&u->gpus);
	out[MEASURE_FLEET_MONEY] = u->money;
	out[MEASURE_FLEET_RECOVERABLE] = u->recoverable;
	out[MEASURE_FLEET_BACKTEST_FAILED] =
	    f->backtest.runs > 0 ? f->backtest.failed / f->backtest.runs : (double)NAN;
	out[MEASURE_FLEET_BACKTEST_WASTED] =
	    f->backtest.runs > 0 ? f->backtest.wasted_gib_h : (double)NAN;
}

/* -- groups ------------------------------------------------------------------------------------ */

static void add_origins(struct fleet *f, const struct fleet_collect *g)
{
	for (int k = 0; k < CATALOG_ORIGINS; k++)
		f->origins[k] += g->origins[k];
}

static void add_left_out(struct fleet *f, const struct fleet_collect *g)
{
	for (int k = CATALOG_COUNTED + 1; k < CATALOG_CLASSES; k++) {
		f->left_out[k].runs += g->classes[k][CATALOG_SUM_RUNS];
		f->left_out[k].core_h += g->classes[k][CATALOG_SUM_ASKED_CORE_S] / QUANTITY_HOUR_S;
		f->left_out[k].memory_gib_h +=
		    g->classes[k][CATALOG_SUM_ASKED_BYTE_S] / QUANTITY_HOUR_S / QUANTITY_GIB;
	}
}

static void add_backtest_sum(struct fleet_backtest *sum, const struct fleet_backtest *one)
{
	if (!(one->runs > 0) || isnan(one->asked_wasted_gib_h))
		return;
	sum->learnt += one->learnt;
	sum->runs += one->runs;
	sum->failed += one->failed;
	sum->wasted_gib_h += one->wasted_gib_h;
	sum->asked_failed += one->asked_failed;
	sum->asked_wasted_gib_h += one->asked_wasted_gib_h;
	sum->used_gib_h += one->used_gib_h;
}

static void add_group_totals(struct fleet *f, const struct fleet_group *g)
{
	f->runs += g->runs;
	f->counted += g->counted;
	f->failed += g->failed;
	f->oom += g->oom;
	f->all_groups++;
	f->first = fmin(f->first, g->first);
	f->last = fmax(f->last, g->last);
	fleet_group_add_usage(&f->usage, &g->usage);
	add_backtest_sum(&f->backtest, &g->backtest);
}

static int take_group(void *ctx, struct fleet_collect *c, struct err *e)
{
	struct making *m = ctx;
	struct fleet *f = m->fleet;
	struct fleet_group g;
	int full = -1;

	add_left_out(f, c);
	add_origins(f, c);
	if (fleet_group_make(&g, c, m->in, e))
		goto out;
	add_group_totals(f, &g);
	if (fleet_rank_keeps(&m->open, &g) &&
	    !(g.detail = fleet_group_detail(&c->needs, &m->in->policy))) {
		err_set(e, "out of memory");
		goto out;
	}
	full = fleet_rank_add(&m->open, &g, e);
	if (full == 1) {
		fleet_group_close(g.detail);
		g.detail = NULL;
		full = fleet_rank_add(&m->closed, &g, e);
	}
	if (full == 1) {
		fleet_group_add_usage(&f->rest, &g.usage);
		f->rest_groups++;
		f->rest_runs += g.runs;
	}
out:
	fleet_group_free(&g);
	return full < 0 ? -1 : 0;
}

static void round_sums(struct fleet *f)
{
	fleet_round_usage(&f->usage);
	fleet_round_usage(&f->rest);
	fleet_round_backtest(&f->backtest);
	for (int k = 0; k < CATALOG_CLASSES; k++) {
		f->left_out[k].core_h = fleet_round(f->left_out[k].core_h, FLEET_ROUND_DIGITS);
		f->left_out[k].memory_gib_h =
		    fleet_round(f->left_out[k].memory_gib_h, FLEET_ROUND_DIGITS);
	}
}

/* The groups of both, or none without memory. */
static int join_ranks(struct fleet *f, struct making *m, struct err *e)
{
	struct fleet_group *v;

	fleet_rank_sort(&m->open);
	fleet_rank_sort(&m->closed);
	f->group = m->open.v;
	f->n = m->open.n;
	if (!m->closed.n)
		return 0;
	v = alloc_failed_note(realloc(f->group, (f->n + m->closed.n) * sizeof *v));
	if (!v)
		return err_set(e, "out of memory");
	memcpy(&v[f->n], m->closed.v, m->closed.n * sizeof *v);
	f->group = v;
	f->n += m->closed.n;
	m->closed.n = 0;
	return 0;
}

/* -- days -------------------------------------------------------------------------------------- */

static int take_day(void *ctx, const struct catalog_day *day, struct err *e)
{
	struct fleet *f = ((struct making *)ctx)->fleet;
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
	f->day[f->n_days] = *day;
	fleet_round_day(&f->day[f->n_days++]);
	return 0;
}

int fleet_make(struct fleet *f, const struct fleet_input *in, struct err *e)
{
	struct making m = {.fleet = f,
	                   .in = in,
	                   .open = {.max = FLEET_DETAILS_MAX},
	                   .closed = {.max = FLEET_GROUPS_MAX - FLEET_DETAILS_MAX}};
	int failed;

	*f = (struct fleet){.keys = fleet_collect_keys(in->query),
	                    .first = NAN,
	                    .last = NAN,
	                    .usage = fleet_group_no_usage(),
	                    .rest = fleet_group_no_usage(),
	                    .rates = fleet_group_rates(&in->rates)};
	failed = fleet_collect_groups(in->catalog, in->query, take_group, take_day, &m, e);
	failed = join_ranks(f, &m, failed ? NULL : e) || failed;
	round_sums(f);
	for (size_t i = 0; i < f->n; i++)
		fleet_group_judge(&f->group[i]);
	for (size_t i = 0; i < m.closed.n; i++)
		fleet_group_free(&m.closed.v[i]);
	free(m.closed.v);
	if (failed)
		return -1;
	return fleet_group_read_details(f->group, m.open.n, f->keys, in, e);
}

void fleet_free(struct fleet *f)
{
	for (size_t i = 0; i < f->n; i++)
		fleet_group_free(&f->group[i]);
	free(f->group);
	free(f->day);
	*f = (struct fleet){0};
}
