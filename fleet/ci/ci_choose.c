/* ci_choose: the runner that a job should have. */
#include "fleet/ci/ci_choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/larger.h"
#include "fleet/groups/fleet_time.h"
#include "report/prices/speed.h"
#include "report/stats/fail_bound.h"

#define ROUNDING 1e-9 /* of sums in any order */

/* A machine of 8 GiB shows between 7.6 and 8: the firmware and the kernel have taken their part. */
#define MEMORY_LEAST 0.85
#define MEMORY_MOST  1.05

/* GitHub's own runners have such names; larger ones are named by their organisation. */
#define GITHUB_HOSTED "GitHub Actions "

/* -- today ------------------------------------------------------------------------------------- */

static bool has_arch(const struct ci_job *j, const struct ci_runner *r)
{
	return strcmp(r->arch, *j->arch ? j->arch : "x64") == 0;
}

/* named: one label, or a list of them in JSON, as GitLab has it. */
static bool names_runner(const struct ci_job *j, const struct ci_runner *r)
{
	static const char other[] = "[]\", ";

	for (const char *at = j->named; *at;) {
		size_t n = strcspn(at, other);
		if (ci_prices_named(r, at, n))
			return true;
		at += n;
		at += strspn(at, other);
	}
	return false;
}

static bool has_size(const struct ci_job *j, const struct ci_runner *r)
{
	double share = j->memory_b / r->memory_b;

	return j->vcpus == r->vcpus && share >= MEMORY_LEAST && share <= MEMORY_MOST;
}

static bool may_be(const struct ci_job *j, const struct ci_runner *r)
{
	bool github = strcmp(j->provider, "github-actions") == 0;
	bool hosted = strncmp(j->machine, GITHUB_HOSTED, sizeof GITHUB_HOSTED - 1) == 0;

	if (strcmp(r->provider, j->provider) != 0 || !has_arch(j, r))
		return false;
	if (j->self_hosted || (*j->named && !names_runner(j, r)))
		return r->kind == CI_OWN && !*j->named;
	if (*j->named)
		return true;
	if (github && *j->machine && hosted != (r->kind != CI_LARGER && r->kind != CI_OWN))
		return false;
	return true;
}

const struct ci_runner *ci_choose_today(const struct ci_job *j, const struct ci_prices *p,
                                        bool *several)
{
	const struct ci_runner *found = NULL;

	*several = false;
	for (size_t i = 0; i < p->n; i++) {
		const struct ci_runner *r = &p->v[i];
		if (!may_be(j, r) || !has_size(j, r))
			continue;
		if (found && found->usd_minute != r->usd_minute)
			*several = true;
		else if (!found)
			found = r;
	}
	return *several ? NULL : found;
}

/* -- figures ----------------------------------------------------------------------------------- */

static double time_of(const struct ci_run *run, double vcpus)
{
	struct fleet_times t = {.known_s = run->wall_s, .asked_s = run->wall_s};

	memcpy(t.at, run->at_s, sizeof t.at);
	return fleet_time_at(&t, larger(vcpus, 1));
}

/* How many times as long the runs of which it is known would take, if all CPUs were free. */
static double mean_ratio(const struct ci_job *j, double vcpus)
{
	double time_s = 0, today_s = 0;

	for (size_t i = 0; i < j->n; i++) {
		double t = time_of(&j->run[i], vcpus);
		if (isnan(t))
			continue;
		time_s += t;
		today_s += time_of(&j->run[i], j->vcpus);
	}
	return time_s / today_s;
}

/* A run that others disturbed is taken to be disturbed on other CPUs, too: fewer are never said to
 * be faster than it was, nor more to be slower. */
double ci_choose_predict(const struct ci_job *j, const struct ci_run *run, double vcpus)
{
	double times = time_of(run, vcpus) / time_of(run, j->vcpus);

	if (vcpus == j->vcpus)
		return run->wall_s;
	if (!j->times_known)
		return vcpus > j->vcpus ? run->wall_s : (double)NAN;
	if (isnan(times))
		times = mean_ratio(j, vcpus);
	if (vcpus < j->vcpus && times < 1)
		times = 1;
	else if (vcpus > j->vcpus && times > 1)
		times = 1;
	return run->wall_s * times;
}

static int by_seconds(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The smallest that so many percent do not exceed, as on the fleet's page. */
static double nearest_rank(const double *v, size_t n, double percent)
{
	size_t rank = (size_t)ceil((double)n * percent / 100 - ROUNDING);

	if (!n)
		return NAN;
	return v[rank ? rank - 1 : 0];
}

/* Runners have no scores. The range is that of the whole time: of a run in a catalog it is not
 * known how much of it would be the same at any speed. */
static double runner_range(const struct ci_job *j, const struct ci_runner *r)
{
	return r && r != j->today ? SPEED_RANGE_UNKNOWN : 1;
}

/* Figures of the job's runs with so many CPUs, billed as on this runner, which may be NULL. scratch
 * has room for n. */
static void add_figures(const struct ci_job *j, double vcpus, const struct ci_runner *billed,
                        double *scratch, struct ci_figures *out)
{
	double range = runner_range(j, billed);
	size_t n = 0;

	*out = (struct ci_figures){.minutes = billed ? 0 : NAN, .usd = billed ? 0 : NAN};
	out->usd_least = out->usd_most = out->usd;
	for (size_t i = 0; i < j->n; i++) {
		double wall_s = ci_choose_predict(j, &j->run[i], vcpus);
		if (billed) {
			out->minutes += ci_prices_minutes(billed, wall_s);
			out->usd += ci_prices_usd(billed, wall_s);
			out->usd_least += ci_prices_usd(billed, wall_s / range);
			out->usd_most += ci_prices_usd(billed, wall_s * range);
		}
		if (j->run[i].finished)
			scratch[n++] = wall_s;
	}
	for (size_t i = 0; i < n; i++)
		if (isnan(scratch[i]))
			n = 0;
	qsort(scratch, n, sizeof *scratch, by_seconds);
	out->p50_s = nearest_rank(scratch, n, 50);
	out->p95_s = nearest_rank(scratch, n, 95);
	out->most_s = nearest_rank(scratch, n, 100);
	out->p95_least_s = out->p95_s / range;
	out->p95_most_s = out->p95_s * range;
}

/* -- memory ------------------------------------------------------------------------------------ */

static int by_need(const void *a, const void *b)
{
	const struct memory_value *x = a, *y = b;

	return x->b < y->b ? -1 : x->b > y->b;
}

/* memory_rule.h, over the last runs: the ask is for the next one. */
static void ask_memory(struct ci_job *j, double lambda)
{
	struct memory_value v[MEMORY_RULE_LAST];
	struct memory_situation now = {.today_b = j->memory_b - CI_BESIDE_B, .lambda = lambda};
	double killed = NAN;
	size_t n = 0, recent = 0;

	for (size_t i = j->n; i-- && n < MEMORY_RULE_LAST;) {
		const struct ci_run *run = &j->run[i];
		double need = run->killed ? run->limit_b : run->need_b;
		if ((!run->killed && !run->finished) || !(need > 0))
			continue;
		if (run->killed && !recent)
			killed = larger(killed, need);
		if (run->killed)
			now.killed_most_b = fmax(now.killed_most_b, need);
		if (run->finished && recent++ < MEMORY_RULE_RECENT)
			now.recent_b = larger(now.recent_b, need);
		v[n++] = (struct memory_value){.b = need, .runs = 1, .killed = run->killed};
	}
	now.killed_b = killed > 0 ? killed : 0;
	qsort(v, n, sizeof *v, by_need);
	for (size_t i = 0; i < n; i++)
		v[i].b = memory_rule_value(v[i].b, v[n - 1].b);
	memory_rule_make(v, n, &now, &j->memory);
}

/* Runs that this runner would not have had memory enough for. */
static void try_memory(const struct ci_job *j, struct ci_offer *o)
{
	double limit = o->runner->memory_b - CI_BESIDE_B;

	for (size_t i = 0; i < j->n; i++) {
		const struct ci_run *run = &j->run[i];
		if (!run->killed && !(run->finished && run->need_b > 0))
			continue;
		/* How much more than its limit a run needs that was killed, nobody knows. */
		o->tried++;
		o->fails += run->killed || run->need_b > limit;
	}
}

static bool holds(const struct ci_job *j, const struct ci_runner *r)
{
	if (isnan(j->memory.ask_b))
		return r->memory_b >= j->memory_b || r == j->today;
	return j->memory.ask_b + CI_BESIDE_B <= r->memory_b;
}

/* -- the choice -------------------------------------------------------------------------------- */

/* Where a job may go without a test; test: where it may go with one. */
static bool may_go(const struct ci_job *j, const struct ci_runner *r, bool *test)
{
	bool public = j->today && j->today->kind == CI_PUBLIC;
	bool slim = r->kind == CI_SLIM && !(j->today && j->today->kind == CI_SLIM);

	*test = slim || !has_arch(j, r);
	if (strcmp(r->provider, j->provider) != 0)
		return false;
	return r->kind == CI_PUBLIC ? public : !(public && r->kind == CI_STANDARD);
}

/* Among runners that cost the same, today's; then the faster, the smaller, the first. */
static bool is_cheaper(const struct ci_job *j, const struct ci_offer *a, const struct ci_offer *b)
{
	double more = a->after.usd - b->after.usd;

	if (!b->runner || fabs(more) > ROUNDING * fmax(1, b->after.usd))
		return !b->runner || more < 0;
	if (a->runner == j->today || b->runner == j->today)
		return a->runner == j->today;
	if (a->after.p95_s != b->after.p95_s)
		return a->after.p95_s < b->after.p95_s;
	return a->runner->vcpus < b->runner->vcpus;
}

static bool is_faster(const struct ci_job *j, const struct ci_offer *a, const struct ci_offer *b)
{
	if (!b->runner || fabs(a->after.p95_s - b->after.p95_s) > ROUNDING * b->after.p95_s)
		return !b->runner || a->after.p95_s < b->after.p95_s;
	return is_cheaper(j, a, b);
}

static void consider(struct ci_job *j, const struct ci_runner *r, double most_s, double *scratch)
{
	struct ci_offer o = {.runner = r};
	bool test;

	if (!may_go(j, r, &test) || !holds(j, r))
		return;
	add_figures(j, r->vcpus, r, scratch, &o.after);
	if (!(o.after.p95_s <= most_s) || isnan(o.after.usd) ||
	    (r->most_s > 0 && !(o.after.most_s <= r->most_s)))
		return;
	try_memory(j, &o);
	if (test) {
		if (is_cheaper(j, &o, &j->other))
			j->other = o;
		return;
	}
	if (is_cheaper(j, &o, &j->offer))
		j->offer = o;
	if (o.after.usd <= j->before.usd * (1 + ROUNDING) && is_faster(j, &o, &j->fastest))
		j->fastest = o;
}

double ci_choose_saves(const struct ci_job *j)
{
	double saved = j->offer.runner ? j->before.usd - j->offer.after.usd : 0;

	return saved > 0 ? saved : 0;
}

static enum fleet_confidence confidence_of(const struct ci_job *j)
{
	bool same = j->offer.runner && j->offer.runner->vcpus == j->vcpus;

	if (j->finished < FLEET_RUNS_FEW || j->offer.tried < FLEET_RUNS_FEW ||
	    (!same && !j->times_known))
		return FLEET_WEAK;
	return j->fail_at_most <= FLEET_FAIL_GOOD ? FLEET_GOOD : FLEET_FAIR;
}

/* Whether the fastest runner that costs no more is worth it, and saves more time than the
 * cheapest. */
static bool saves_time(const struct ci_job *j)
{
	return j->fastest.runner && j->fastest.runner != j->today &&
	       j->fastest.after.p95_s <= (1 - CI_FASTER) * j->before.p95_s;
}

static enum ci_group group_of(struct ci_job *j)
{
	bool less, cheaper;

	if (!j->offer.runner)
		return CI_KEEP;
	less = j->killed > 0 && j->offer.runner->memory_b > j->memory_b / MEMORY_LEAST;
	cheaper = ci_choose_saves(j) >= CI_CHEAPER * j->before.usd && ci_choose_saves(j) > 0;
	if (!less && !cheaper && saves_time(j))
		j->offer = j->fastest;
	j->fail_at_most = fail_bound(j->offer.fails, j->offer.tried);
	j->confidence = confidence_of(j);
	if (j->offer.runner == j->today || (!less && !cheaper && j->today && !saves_time(j)))
		return CI_KEEP;
	if (j->confidence == FLEET_WEAK || !j->today)
		return CI_TEST_FIRST;
	if (less)
		return CI_FAILS_LESS;
	return cheaper ? CI_SAVES_MONEY : CI_SAVES_TIME;
}

/* No run was killed yet, and nothing is cheaper or faster. */
static void stay(struct ci_job *j)
{
	j->safer = holds(j, j->today) ? NULL : j->offer.runner;
	j->offer = (struct ci_offer){.runner = j->today, .after = j->before};
	try_memory(j, &j->offer);
	j->fail_at_most = fail_bound(j->offer.fails, j->offer.tried);
	j->confidence = confidence_of(j);
}

static void know_times(struct ci_job *j)
{
	double wall_s = 0, known_s = 0;

	for (size_t i = 0; i < j->n; i++) {
		wall_s += j->run[i].wall_s;
		known_s += isnan(j->run[i].at_s[0]) ? 0 : j->run[i].wall_s;
		j->finished += j->run[i].finished;
		j->killed += j->run[i].killed;
	}
	j->times_known = known_s >= CI_TIMES_KNOWN * wall_s && wall_s > 0;
}

/* Where today's runner is unknown, so is what it costs. */
void ci_choose(struct ci_job *j, const struct ci_prices *p, double lambda, double slowdown,
               double *scratch)
{
	double most_s;

	know_times(j);
	j->today = ci_choose_today(j, p, &j->several);
	add_figures(j, j->vcpus, j->today, scratch, &j->before);
	ask_memory(j, lambda);
	most_s = (1 + slowdown) * j->before.p95_s * (1 + ROUNDING);
	for (size_t i = 0; i < p->n; i++)
		consider(j, &p->v[i], most_s, scratch);
	if (j->other.runner &&
	    !(j->other.after.usd < lesser(j->before.usd, j->offer.after.usd) * (1 - CI_CHEAPER)))
		j->other.runner = NULL;
	j->confidence = FLEET_WEAK;
	j->fail_at_most = NAN;
	j->group = group_of(j);
	if (j->group == CI_KEEP && j->offer.runner && j->offer.runner != j->today)
		stay(j);
	if (j->group == CI_KEEP && j->other.runner)
		j->group = CI_TEST_FIRST;
}
