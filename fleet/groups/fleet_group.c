/* fleet_group: all numbers of one group of runs. */
#include "fleet/groups/fleet_group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "fleet/groups/fleet_line.h"
#include "fleet/groups/fleet_round.h"
#include "report/stats/fail_bound.h"

#define ROUNDING 1e-9

bool fleet_group_rates(const struct fleet_rates *r)
{
	return r->cpu > 0 || r->memory > 0 || r->gpu > 0;
}

/* -- sums -------------------------------------------------------------------------------------- */

static void sum_known(double *sum, double v)
{
	if (!isnan(v))
		*sum = isnan(*sum) ? v : *sum + v;
}

static void add_hours(struct fleet_hours *sum, const struct fleet_hours *one)
{
	sum_known(&sum->asked, one->asked);
	sum_known(&sum->used, one->used);
	sum_known(&sum->unused, one->unused);
}

void fleet_group_add_usage(struct fleet_usage *sum, const struct fleet_usage *one)
{
	add_hours(&sum->cores, &one->cores);
	add_hours(&sum->memory, &one->memory);
	add_hours(&sum->gpus, &one->gpus);
	sum_known(&sum->money, one->money);
	sum_known(&sum->recoverable, one->recoverable);
	sum_known(&sum->machine_h, one->machine_h);
	sum_known(&sum->machine_recoverable_h, one->machine_recoverable_h);
	sum->unpriced += one->unpriced;
}

struct fleet_usage fleet_group_no_usage(void)
{
	struct fleet_hours none = {NAN, NAN, NAN};

	return (struct fleet_usage){none, none, none, NAN, NAN, 0, NAN, NAN};
}

/* The catalog adds 0 for a run whose ask or use is unknown: 0 is that of no run is it known. */
static struct fleet_hours resource_hours(const double *sums, enum catalog_sum asked, double unit)
{
	if (!(sums[asked] > 0))
		return (struct fleet_hours){NAN, NAN, NAN};
	return (struct fleet_hours){sums[asked] / unit, sums[asked + 1] / unit,
	                            sums[asked + 2] / unit};
}

/* -- money ------------------------------------------------------------------------------------- */

static double asked_share(double asked, double there)
{
	return asked >= 0 && there > 0 ? asked / there : (double)NAN;
}

double fleet_group_money_share(const struct fleet_ask *ask, const struct catalog_machine *m)
{
	double share =
	    fmax(asked_share(ask->cpus, m->vcpus), asked_share(ask->memory_b, m->memory_b));

	share = fmax(share, asked_share(ask->gpus, m->gpus));
	return share > 1 ? 1 : share;
}

static double or_else(double known, double other)
{
	return isnan(known) ? other : known;
}

double fleet_group_money_machine_s(const struct fleet_cell *c, const struct fleet_ask *proposed)
{
	struct fleet_ask ask = {
	    .cpus = or_else(proposed->cpus, c->most.cpus),
	    .memory_b = or_else(proposed->memory_b, c->most.memory_b),
	    .gpus = or_else(proposed->gpus, c->most.gpus),
	};
	double s =
	    fleet_group_money_share(&ask, &c->machine) * (c->wall_s + c->more_s + c->time_again_s);

	ask.memory_b = c->again_b;
	return s + fleet_group_money_share(&ask, &c->machine) * c->memory_again_s;
}

double fleet_group_money_at_rates(const struct fleet_rates *r, double core_s, double byte_s,
                                  double gpu_s)
{
	return gpu_s / QUANTITY_HOUR_S * r->gpu +
	       fmax(core_s / QUANTITY_HOUR_S * r->cpu,
	            byte_s / QUANTITY_GIB / QUANTITY_HOUR_S * r->memory);
}

double fleet_group_money_asked(const struct fleet_rates *r, const struct fleet_cell *c)
{
	return fleet_group_money_at_rates(r, c->asked_core_s, c->asked_byte_s, c->asked_gpu_s);
}

double fleet_group_money_proposed(const struct fleet_rates *r, const struct fleet_cell *c,
                                  const struct fleet_ask *proposed)
{
	/* The sums of what was asked lack runs whose use is unknown. Both sides of the difference
	 * must lack them, so the sums are used here, not the largest ask. */
	double wall_s = c->wall_s > 0 ? c->wall_s : (double)INFINITY;
	double cpus = or_else(proposed->cpus, c->asked_core_s / wall_s);
	double memory_b = or_else(proposed->memory_b, c->asked_byte_s / wall_s);
	double gpus = or_else(proposed->gpus, c->asked_gpu_s / wall_s);
	double s = c->wall_s + c->more_s + c->time_again_s, again_s = c->memory_again_s;

	return fleet_group_money_at_rates(r, cpus * s, memory_b * s, gpus * s) +
	       fleet_group_money_at_rates(r, cpus * again_s, c->again_b * again_s, gpus * again_s);
}

double fleet_group_money_recoverable(double asked, double proposed)
{
	double less = asked - proposed;

	if (isnan(less))
		return (double)NAN;
	/* The rest of equal sums that were added up in another order is no saving. */
	return less > asked * ROUNDING ? fmin(less, asked) : 0;
}

/* How long runs on each type of machine would have been run again. */
static void fill_again(struct fleet_collect *g, const struct fleet_proposal *p)
{
	for (size_t i = 0; i < g->needs.memory.n; i++) {
		const struct fleet_weight *w = &g->needs.memory.v[i];
		/* Those that were killed with less failed with today's ask, too. */
		if (fleet_weights_fails(w, p->ask.memory_b))
			g->cell[w->cell].memory_again_s += w->sum;
	}
	for (size_t i = 0; i < g->needs.wall.n; i++) {
		const struct fleet_weight *w = &g->needs.wall.v[i];
		if (fleet_weights_fails(w,
		                        p->longer > 1 ? p->ask.time_s / p->longer : p->ask.time_s))
			g->cell[w->cell].time_again_s += w->sum * p->ask.time_s;
	}
	for (size_t i = 0; i < g->n; i++) {
		struct fleet_cell *c = &g->cell[i];
		double longer = isnan(p->longer) ? 1 : fleet_time_longer(&c->times, p->ask.cpus);
		c->again_b = p->again_b;
		c->more_s = c->times.known_s * (longer - 1);
		/* Runs that would be run again get longer by the same share as all on it. */
		if (c->wall_s > 0)
			c->memory_again_s *= 1 + c->more_s / c->wall_s;
	}
}

static void fill_money(struct fleet_usage *u, struct fleet_collect *g, const struct fleet_ask *ask,
                       const struct fleet_input *in)
{
	bool rates = fleet_group_rates(&in->rates);
	double money = NAN, proposed = NAN, paid_s = NAN, proposed_s = NAN;

	for (size_t i = 0; i < g->n; i++) {
		const struct fleet_cell *c = &g->cell[i];
		double s = fleet_group_money_machine_s(c, ask);
		double price = !rates && in->price ? in->price(in->price_ctx, &c->machine) : NAN;
		if (!(c->runs > 0))
			continue;
		sum_known(&proposed_s, s);
		sum_known(&paid_s, isnan(s) ? s : c->paid_s);
		if (rates) {
			sum_known(&money, fleet_group_money_asked(&in->rates, c));
			sum_known(&proposed, fleet_group_money_proposed(&in->rates, c, ask));
		} else if (isnan(price * s)) {
			u->unpriced += c->runs;
		} else {
			sum_known(&money, price * c->paid_s / QUANTITY_HOUR_S);
			sum_known(&proposed, price * s / QUANTITY_HOUR_S);
		}
	}
	u->money = money;
	u->recoverable = fleet_group_money_recoverable(money, proposed);
	u->machine_h = paid_s / QUANTITY_HOUR_S;
	u->machine_recoverable_h =
	    fleet_group_money_recoverable(paid_s, proposed_s) / QUANTITY_HOUR_S;
}

/* -- a group ----------------------------------------------------------------------------------- */

static struct fleet_spread spread_of(const struct fleet_weights *w, double max)
{
	return (struct fleet_spread){
	    .p50 = fleet_weights_percentile(w, 50),
	    .p95 = fleet_weights_percentile(w, 95),
	    .p99 = fleet_weights_percentile(w, 99),
	    .max = isnan(max) ? fleet_weights_percentile(w, 100) : max,
	};
}

/* Per node. */
static struct fleet_ask mean_ask(const struct fleet_collect *g)
{
	return (struct fleet_ask){
	    .cpus = fleet_collect_mean(g, CATALOG_SUM_ASKED_CORE_S, CATALOG_SUM_CORES_KNOWN_S),
	    .memory_b = fleet_collect_mean(g, CATALOG_SUM_ASKED_BYTE_S, CATALOG_SUM_BYTES_KNOWN_S),
	    .gpus = fleet_collect_mean(g, CATALOG_SUM_ASKED_GPU_S, CATALOG_SUM_GPUS_KNOWN_S),
	    .time_s = g->most.time_s,
	};
}

static void count_runs(struct fleet_group *out, const struct fleet_collect *g)
{
	for (int k = 0; k < CATALOG_CLASSES; k++) {
		out->runs += g->classes[k][CATALOG_SUM_RUNS];
		out->oom += g->classes[k][CATALOG_SUM_OOM];
	}
	out->failed = g->classes[CATALOG_FAILED][CATALOG_SUM_RUNS];
	out->counted = g->needs.counted;
	out->first = g->first;
	out->last = g->last;
	memcpy(out->mostly, g->mostly, sizeof out->mostly);
	memcpy(out->ends, g->ends, sizeof out->ends);
}

static int fill_trend(struct fleet_group *out, const struct fleet_weights *days, struct err *e)
{
	double points[FLEET_TREND_POINTS];

	out->trend = fleet_weights_trend(days);
	if (!fleet_weights_points(days, points))
		return 0;
	if (!(out->days = alloc_failed_note(malloc(sizeof points))))
		return err_set(e, "out of memory");
	for (int i = 0; i < FLEET_TREND_POINTS; i++)
		out->days[i] = points[i];
	return 0;
}

int fleet_group_make(struct fleet_group *out, struct fleet_collect *g, const struct fleet_input *in,
                     struct err *e)
{
	const double *sums = g->classes[CATALOG_COUNTED];
	struct fleet_proposal p;

	*out = (struct fleet_group){.usage = fleet_group_no_usage(), .most = g->most};
	count_runs(out, g);
	out->usage.cores = resource_hours(sums, CATALOG_SUM_ASKED_CORE_S, QUANTITY_HOUR_S);
	out->usage.memory =
	    resource_hours(sums, CATALOG_SUM_ASKED_BYTE_S, QUANTITY_HOUR_S * QUANTITY_GIB);
	out->usage.gpus = resource_hours(sums, CATALOG_SUM_ASKED_GPU_S, QUANTITY_HOUR_S);
	out->wall = spread_of(&g->needs.wall, g->wall_max_s);
	out->memory = spread_of(&g->needs.memory, g->memory_max_b);
	out->cores = spread_of(&g->needs.cores, NAN);
	fleet_ask_propose(&g->needs, &in->policy, &p);
	out->backtest = p.backtest;
	out->growth = p.memory.growth;
	out->longer = p.longer;
	out->proposed = p.ask;
	out->unknown = p.unknown;
	/* The histograms do not show whether the same run fails for both. */
	out->would_fail = out->counted > 0 ? fmin(p.fail_memory + p.fail_time, out->counted) : NAN;
	fill_again(g, &p);
	out->asked = mean_ask(g);
	fill_money(&out->usage, g, &p.ask, in);
	if (fill_trend(out, &g->days, e))
		return -1;
	for (size_t i = 0; i < g->keys; i++) {
		out->key[i] = g->key[i];
		g->key[i] = NULL;
	}
	out->newest = g->newest;
	g->newest = NULL;
	fleet_round_group(out);
	return 0;
}

void fleet_group_judge(struct fleet_group *g)
{
	const struct fleet_backtest *t = &g->backtest;

	g->fail_at_most = g->counted > 0 ? fail_bound(g->would_fail, g->counted) : (double)NAN;
	/* An ask that failed on runs that it was not made from says more than those that it was. */
	if (t->failed > 0)
		g->fail_at_most = fmax(g->fail_at_most, fail_bound(t->failed, t->runs));
	g->confidence = g->fail_at_most <= FLEET_FAIL_GOOD ? FLEET_GOOD : FLEET_FAIR;
	if (!(g->counted >= FLEET_RUNS_FEW))
		g->confidence = FLEET_WEAK;
}

/* -- a group that can be opened ---------------------------------------------------------------- */

/* The runs of one bucket may be on several types of machines. */
static int make_bars(const struct fleet_weights *w, struct fleet_bar **bars, size_t *n)
{
	struct fleet_bar *v = alloc_failed_note(calloc(w->n + 1, sizeof *v));

	*n = 0;
	if (!(*bars = v))
		return -1;
	for (size_t i = 0; i < w->n; i++) {
		if (!i || w->v[i].low != w->v[i - 1].low)
			v[(*n)++] = (struct fleet_bar){.low = w->v[i].low, .high = w->v[i].high};
		v[*n - 1].runs += w->v[i].runs;
	}
	return 0;
}

struct fleet_detail *fleet_group_detail(const struct fleet_needs *needs,
                                        const struct fleet_policy *policy)
{
	struct fleet_proposal p;
	struct fleet_detail *d = alloc_failed_note(calloc(1, sizeof *d));

	if (!d)
		return NULL;
	if (make_bars(&needs->memory, &d->memory, &d->n_memory) ||
	    make_bars(&needs->wall, &d->wall, &d->n_wall)) {
		fleet_group_close(d);
		return NULL;
	}
	fleet_ask_propose(needs, policy, &p);
	fleet_ask_advice(&p, &d->advice);
	return d;
}

void fleet_group_close(struct fleet_detail *d)
{
	if (!d)
		return;
	free(d->memory);
	free(d->wall);
	catalog_detail_free(&d->runs);
	fleet_worse_free(&d->worse);
	free(d);
}

static void take_runs(struct fleet_group *g, const struct catalog_detail *runs)
{
	struct fleet_detail *d = g->detail;

	d->runs = *runs;
	fleet_line_make(&d->runs, g->counted, g->proposed.memory_b, &d->line);
	fleet_line_advice(&d->line, &d->advice.line);
}

int fleet_group_read_details(struct fleet_group *v, size_t n, size_t keys,
                             const struct fleet_input *in, struct err *e)
{
	struct catalog_query q = *in->query;
	struct catalog_detail *runs = alloc_failed_note(calloc(n + 1, sizeof *runs));
	const char **only = alloc_failed_note(calloc(n * keys + 1, sizeof *only));
	struct fleet_worse_of *worse = alloc_failed_note(calloc(n + 1, sizeof *worse));
	int failed = !runs || !only || !worse ? err_set(e, "out of memory") : 0;
	size_t n_worse = 0;

	for (size_t i = 0; i < n * keys && !failed; i++)
		only[i] = v[i / keys].key[i % keys];
	q.only = only;
	q.n_only = n;
	if (!failed)
		failed = catalog_details(in->catalog, &q, runs, e);
	for (size_t i = 0; i < n && runs; i++) {
		const struct catalog_detail *of = &runs[i];
		if (!v[i].detail) {
			catalog_detail_free(&runs[i]);
			continue;
		}
		take_runs(&v[i], of);
		if (worse)
			worse[n_worse++] = (struct fleet_worse_of){
			    (const char *const *)of->history, of->n_history, &v[i].detail->worse};
	}
	if (!failed)
		failed = fleet_worse_find(in->catalog, worse, n_worse, e);
	free(worse);
	free(runs);
	free(only);
	return failed;
}

void fleet_group_free(struct fleet_group *g)
{
	for (size_t i = 0; i < CATALOG_KEYS; i++)
		free(g->key[i]);
	free(g->newest);
	free(g->days);
	fleet_group_close(g->detail);
	*g = (struct fleet_group){0};
}
