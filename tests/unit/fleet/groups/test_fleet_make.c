/* fleet_make: against a second, straightforward implementation on the same made-up rows: exact where each value has a
 * bucket of its own, within half a bucket on histograms. */
#include <stdio.h>

#include "fleet/groups/fleet.h"
#include "fleet_rows.h"
#include "report/advice/memory_rule.h"
#include "tests/unit/unit.h"

/* -- the second implementation: of one group, from its rows ----------------------------------------------------- */

struct second {
	double n, unknown, memory, cpus, gpus, time, again, p99;
	double machine_h, recoverable_h, money, recoverable;
	double fails_least, fails_most;
};

/* The rows of a group lie together; the last asked for are kept. */
static size_t begin, end;

static size_t end_of(const char *group, size_t *from)
{

	if (end == 0 || rows[begin].group != group) {
		for (begin = 0; begin < n_rows && rows[begin].group != group; begin++)
			;
		for (end = begin; end < n_rows && rows[end].group == group; end++)
			;
	}
	*from = begin;
	return end;
}

#define FOR_ROWS(i, group) for (size_t i = 0, to_##i = end_of(group, &i); i < to_##i; i++)

static bool counts(const struct row *r, const char *group)
{
	return r->class == CATALOG_COUNTED && r->group == group;
}

static double value_of(const struct row *r, char what)
{
	return what == 'm' ? r->need : what == 'w' ? r->wall : what == 'c' ? r->cores : r->gpus;
}

static double ranked(const char *group, char what, double percent)
{
	static double v[ROWS_MAX];
	size_t n = 0, rank = 1;

	FOR_ROWS(i, group)
	if (counts(&rows[i], group) && !isnan(value_of(&rows[i], what)))
		v[n++] = value_of(&rows[i], what);
	if (!n)
		return NAN;
	qsort(v, n, sizeof *v, rows_by_number);
	while ((double)rank * 100 < percent * (double)n)
		rank++;
	return v[rank - 1];
}

static double known(const char *group, char what)
{
	double n = 0;

	FOR_ROWS(i, group)
	n += counts(&rows[i], group) && !isnan(value_of(&rows[i], what));
	return n;
}

/* The step of SPEC 5.3, in bytes. */
static double stepped(double b)
{
	double mib = 128;

	while (mib < 2048 && b > mib * 1048576)
		mib *= 2;
	while (b > mib * 1048576)
		mib = mib < 3072 ? 3072 : mib + 1024;
	return mib * 1048576;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* Machine-seconds or money of one run under an ask. */
static double run_cost(const struct row *r, double cpus, double memory, double gpus, bool rates,
                       const struct fleet_rates *rate)
{
	const struct catalog_machine *m = &rows_machine[r->machine];
	double core = cpus, mem = memory / ROWS_GIB, gpu = isnan(gpus) ? 0 : gpus;

	if (rates)
		return (core * rate->cpu > mem * rate->memory ? core * rate->cpu
		                                              : mem * rate->memory) +
		       gpu * rate->gpu;
	core = cpus / m->vcpus;
	mem = memory / m->memory_b;
	if (mem > core || isnan(core))
		core = mem;
	if (m->gpus > 0 && gpu / m->gpus > core)
		core = gpu / m->gpus;
	return least(core, 1);
}

static double price_of(const struct catalog_machine *m)
{
	return strcmp(m->instance, "small") == 0   ? 0.4
	       : strcmp(m->instance, "large") == 0 ? 6.0
	                                           : NAN;
}

/* Costs with these asks; a run fails if its need is above memory / loose, and likewise of the time. */
static void proposed_cost(const char *group, const struct second *s, double loose,
                          const struct fleet_rates *rate, double *machine_s, double *money)
{
	*machine_s = *money = 0;
	FOR_ROWS(i, group)
	{
		const struct row *r = &rows[i];
		double gpus = isnan(s->gpus) ? r->asked_gpus : s->gpus, once, share, again,
		       again_share, t;
		if (!counts(r, group))
			continue;
		share = run_cost(r, s->cpus, s->memory, gpus, false, NULL);
		again_share = run_cost(r, s->cpus, s->again, gpus, false, NULL);
		once = rate ? run_cost(r, s->cpus, s->memory, gpus, true, rate)
		            : share * price_of(&rows_machine[r->machine]);
		again = rate ? run_cost(r, s->cpus, s->again, gpus, true, rate)
		             : again_share * price_of(&rows_machine[r->machine]);
		t = r->wall + (r->wall > s->time / loose ? s->time : 0);
		if (!isnan(share))
			*machine_s +=
			    share * t + (r->need > s->memory / loose ? again_share * r->wall : 0);
		if (!isnan(once))
			*money +=
			    (once * t + (r->need > s->memory / loose ? again * r->wall : 0)) / 3600;
	}
}

static double clamped(double asked, double proposed)
{
	return asked < proposed ? 0 : asked - proposed;
}

/* given: what was proposed, to check only costs and failures; NULL: proposes itself. */
static int by_need(const void *a, const void *b)
{
	const struct memory_value *x = a, *y = b;

	return (x->b > y->b) - (x->b < y->b);
}

/* Runs on this type of machine are given all of its memory, which is no ask. */
static bool has_all_memory(const char *group, int machine)
{
	double most = NAN;

	FOR_ROWS(i, group)
	if (counts(&rows[i], group) && rows[i].machine == machine)
		most = fmax(most, rows[i].asked_memory);
	return most >= 0.999 * rows_machine[machine].memory_b;
}

/* The rule has a second implementation of its own (tests/worked). */
static double ruled(const char *group, double killed, double killed_most)
{
	static struct memory_value v[ROWS_MAX];
	struct memory_rule rule;
	double asked = 0, known_s = 0;
	size_t n = 0;

	FOR_ROWS(i, group)
	{
		const struct row *r = &rows[i];
		double s = r->wall * (r->nodes > 0 ? r->nodes : 1);
		if (!counts(r, group))
			continue;
		v[n++] = (struct memory_value){r->need, 1, r->oom};
		if (isnan(r->asked_memory) || isnan(r->used_memory) ||
		    has_all_memory(group, r->machine))
			continue;
		asked += r->asked_memory * s;
		known_s += s;
	}
	qsort(v, n, sizeof *v, by_need);
	memory_rule_make(v, n,
	                 &(struct memory_situation){.today_b = known_s > 0 ? asked / known_s : NAN,
	                                            .lambda = MEMORY_RULE_BALANCED,
	                                            .killed_b = killed > 0 ? killed : 0,
	                                            .killed_most_b = fmax(killed_most, 0)},
	                 &rule);
	return rule.ask_b;
}

static struct second second_of(const char *group, const struct fleet_rates *rate,
                               const struct fleet_ask *given, double loose)
{
	struct second s = {.again = NAN};
	double killed = NAN, killed_most, killed_last = NAN, finished_last = NAN, paid = 0,
	       asked = 0, machine_s, money;

	FOR_ROWS(i, group)
	if (counts(&rows[i], group)) {
		s.n++;
		s.again = fmax(s.again, rows[i].need);
	}
	FOR_ROWS(i, group)
	s.again = fmax(s.again, rows[i].asked_memory);
	FOR_ROWS(i, group)
	{
		const struct row *r = &rows[i];
		if (!counts(r, group))
			continue;
		killed = fmax(killed, r->oom ? r->need : NAN);
		killed_last = fmax(killed_last, r->oom ? r->start : NAN);
		finished_last = fmax(finished_last, r->oom ? NAN : r->start);
	}
	killed_most = killed;
	if (finished_last >= killed_last)
		killed = NAN;
	s.p99 = ranked(group, 'm', 99);
	s.memory = given ? given->memory_b : ruled(group, killed, killed_most);
	s.again = fmax(s.again, s.memory);
	s.cpus = given ? given->cpus : fmax(1, floor(ranked(group, 'c', 95) + 0.5));
	s.time = given ? given->time_s : 60 * fmax(1, ceil(ranked(group, 'w', 99) * 1.2 / 60));
	s.gpus = known(group, 'g') * 100 < 95 * s.n ? NAN
	         : ranked(group, 'g', 100) == 0     ? 0
	                                            : fmax(1, ceil(ranked(group, 'g', 95)));
	if (given)
		s.gpus = given->gpus;
	FOR_ROWS(i, group)
	{
		const struct row *r = &rows[i];
		double share = rows_share(r), price = price_of(&rows_machine[r->machine]);
		if (!counts(r, group))
			continue;
		s.unknown += r->oom && r->need <= s.memory;
		s.fails_least += (r->oom || r->need > s.memory) + (r->wall > s.time);
		s.fails_most += (r->oom || r->need > s.memory / LOG_BUCKET_WIDTH) +
		                (r->wall > s.time / LOG_BUCKET_WIDTH);
		if (!isnan(share))
			paid += r->wall * share;
		asked += isnan(share * price) ? 0 : r->wall * share * price / 3600;
	}
	s.fails_most = least(s.fails_most, s.n);
	if (rate) {
		/* By the sums of each type of machine. */
		asked = 0;
		for (int m = 0; m < ROWS_MACHINES; m++) {
			double core = 0, byte = 0, gpu = 0;
			FOR_ROWS(i, group)
			{
				const struct row *r = &rows[i];
				if (!counts(r, group) || r->machine != m)
					continue;
				core += r->asked_cpus * r->wall / 3600;
				byte += r->asked_memory * r->wall / 3600 / ROWS_GIB;
				gpu += isnan(r->asked_gpus + r->gpus)
				           ? 0
				           : r->asked_gpus * r->wall / 3600;
			}
			asked += fmax(core * rate->cpu, byte * rate->memory) + gpu * rate->gpu;
		}
	}
	proposed_cost(group, &s, loose, rate, &machine_s, &money);
	s.machine_h = paid / 3600;
	s.recoverable_h = clamped(paid, machine_s) / 3600;
	s.money = asked;
	s.recoverable = clamped(asked, money);
	return s;
}

/* -- made-up rows ----------------------------------------------------------------------------------------------- */

static uint64_t seed;

static double chance(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(1 - chance())) * cos(6.283185307179586 * chance());
}

static const char *group_name(int i)
{
	static char name[1000][16];

	snprintf(name[i], sizeof name[i], "job-%03d", i);
	return name[i];
}

/* The rows' own text. */
static const char *same_text(const char *name)
{
	return group_name(atoi(name + 4));
}

/* Groups of all kinds: right-sized and oversized, skewed, killed for memory, with GPUs, on several machines. */
static void make_rows(uint64_t from, int groups)
{
	seed = from;
	n_rows = begin = end = 0;
	for (int g = 0; g < groups; g++) {
		int n = 1 + (int)(chance() * chance() * 120), machine = (int)(chance() * 3);
		double memory = exp(normal() * 1.5) * ROWS_GIB, wall = exp(3 + 2.5 * normal()),
		       spread = chance();
		double cores = exp(normal()), over = 1 + 6 * chance() * chance(),
		       asks_gpus = chance() < 0.3;
		double ask = stepped(memory * (0.7 + over));
		for (int i = 0; i < n; i++) {
			struct row *r = &rows[n_rows++];
			*r = (struct row){
			    .group = group_name(g),
			    .user = "/x",
			    .machine = chance() < 0.8 ? machine : (int)(chance() * 3),
			    .class = CATALOG_COUNTED,
			    .start = 1.7e9 + 86400 * 30 * chance(),
			    .wall = wall * exp(spread * normal()) + 1,
			    .need = memory * exp(0.3 * spread * normal()),
			    .cores = cores * (0.5 + chance()),
			    .gpus = asks_gpus > 0 ? (chance() < 0.5 ? 1 : chance() * 2) : NAN,
			    .asked_cpus = ceil(cores * over),
			    .asked_memory = chance() < 0.9 ? ask : ask * 2,
			    .asked_gpus = asks_gpus > 0 ? 2 : NAN,
			    .asked_time = 7200};
			if (chance() < 0.05)
				r->need *= 4;
			r->oom = r->need > r->asked_memory;
			if (r->oom)
				r->need = r->asked_memory;
			r->used_memory = r->need / 2;
			if (chance() < 0.06)
				r->class = (enum catalog_class)(
				    1 + (int)(chance() * (CATALOG_CLASSES - 1)));
		}
	}
}

static double test_price(void *ctx, const struct catalog_machine *m)
{
	(void)ctx;
	return price_of(m);
}

static void made(struct fleet *f, const struct fleet_rates *rates, bool prices)
{
	struct catalog_query q = {0};
	struct fleet_input in = {.query = &q, .price = prices ? test_price : NULL};
	struct err e = {0};

	if (rates)
		in.rates = *rates;
	assert_int_equal(fleet_make(f, &in, &e), 0);
}

#define ROUNDED 5e-9 /* sums have nine digits (fleet_round.h) */

static void assert_close(double a, double b, double share, const char *what, const char *group)
{
	if (isnan(a) && isnan(b))
		return;
	if (!(fabs(a - b) <= share * fmax(fabs(a), fabs(b)) + 1e-9))
		fail_msg("%s of %s: %.17g and %.17g", what, group, a, b);
}

static void assert_within(double v, double low, double high, const char *what, const char *group)
{
	double slack = ROUNDED * fabs(high) + 1e-9;

	if (!(v >= low - slack && v <= high + slack))
		fail_msg("%s of %s: %.17g is not within %.17g … %.17g", what, group, v, low, high);
}

#define GROUPS 200
static const struct fleet_rates site = {0.04, 0.006, 2.5};

static bool has_counted(const char *group)
{
	return known(group, 'm') > 0;
}

static void check_exact(const struct fleet *f, const struct fleet_rates *rates)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct fleet_group *g = &f->group[i];
		const char *name = same_text(g->key[0]);
		struct second s = second_of(name, rates, NULL, 1);
		bool priced = false;

		assert_close(g->counted, s.n, 0, "counted", name);
		if (!has_counted(name)) {
			assert_true(isnan(g->usage.money) && isnan(g->proposed.memory_b));
			continue;
		}
		FOR_ROWS(k, name)
		priced = priced || (counts(&rows[k], name) && (rates || rows[k].machine < 2));
		assert_close(g->proposed.memory_b, s.memory, 0, "memory", name);
		assert_close(g->proposed.cpus, s.cpus, 0, "cpus", name);
		assert_close(g->proposed.gpus, s.gpus, 0, "gpus", name);
		assert_close(g->proposed.time_s, s.time, 0, "time", name);
		assert_close(g->unknown, s.unknown, 0, "unknown", name);
		assert_close(g->would_fail, least(s.fails_least, s.n), 0, "failures", name);
		assert_close(g->usage.machine_h, s.machine_h, ROUNDED, "machine-hours", name);
		assert_close(g->usage.machine_recoverable_h, s.recoverable_h, ROUNDED,
		             "recoverable hours", name);
		assert_close(g->usage.money, priced ? s.money : NAN, ROUNDED, "money", name);
		assert_close(g->usage.recoverable, priced ? s.recoverable : NAN, ROUNDED,
		             "recoverable", name);
		assert_close(g->memory.p50, ranked(name, 'm', 50), 0, "p50", name);
		assert_close(g->wall.p95, ranked(name, 'w', 95), 0, "p95", name);
		assert_close(g->memory.p99, ranked(name, 'm', 99), 0, "p99", name);
		assert_close(g->wall.max, ranked(name, 'w', 100), 0, "max", name);
		assert_close(g->cores.max, ranked(name, 'c', 100), 0, "max", name);
	}
}

TEST(test_exact_on_rows)
{
	struct fleet f;

	rows_exact = true;
	make_rows(1, GROUPS);
	made(&f, NULL, true);
	assert_int_equal(f.n, GROUPS);
	assert_false(f.rates);
	check_exact(&f, NULL);
	fleet_free(&f);
	made(&f, &site, true);
	assert_true(f.rates);
	check_exact(&f, &site);
	fleet_free(&f);
}

#define HALF 0.00501

static void check_histograms(const struct fleet *f, const struct fleet_rates *rates)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct fleet_group *g = &f->group[i];
		const char *name = same_text(g->key[0]);
		struct second exact, loose;

		if (!has_counted(name))
			continue;
		exact = second_of(name, rates, NULL, 1);
		assert_close(g->memory.p50, ranked(name, 'm', 50), HALF, "p50", name);
		assert_close(g->memory.p95, ranked(name, 'm', 95), HALF, "p95", name);
		assert_close(g->memory.p99, exact.p99, HALF, "p99", name);
		assert_close(g->memory.max, ranked(name, 'm', 100), 0, "max", name);
		assert_close(g->wall.p50, ranked(name, 'w', 50), HALF, "wall p50", name);
		assert_close(g->wall.p95, ranked(name, 'w', 95), HALF, "wall p95", name);
		assert_close(g->cores.p95, ranked(name, 'c', 95), HALF, "cores p95", name);
		assert_within(
		    g->proposed.cpus, fmax(1, floor(ranked(name, 'c', 95) * (1 - HALF) + 0.5)),
		    fmax(1, floor(ranked(name, 'c', 95) * (1 + HALF) + 0.5)), "cpus", name);
		assert_within(g->proposed.time_s, ranked(name, 'w', 99) * 1.2 * (1 - HALF),
		              ranked(name, 'w', 99) * 1.2 * (1 + HALF) + 60, "time", name);
		/* Buckets may make another ask the cheapest. */
		assert_within(g->proposed.memory_b, stepped(ranked(name, 'm', 50) * (1 - HALF)),
		              fmax(stepped(g->memory.max * 2.5), exact.memory), "memory", name);
		/* Failures are never understated, and money that is recoverable never overstated. */
		exact = second_of(name, rates, &g->proposed, 1);
		loose = second_of(name, rates, &g->proposed, LOG_BUCKET_WIDTH);
		assert_within(g->would_fail, least(exact.fails_least, g->counted), exact.fails_most,
		              "failures", name);
		assert_close(g->usage.machine_h, exact.machine_h, ROUNDED, "machine-hours", name);
		assert_within(g->usage.machine_recoverable_h, loose.recoverable_h,
		              exact.recoverable_h, "recoverable hours", name);
		if (!isnan(g->usage.money))
			assert_within(g->usage.recoverable, loose.recoverable, exact.recoverable,
			              "recoverable", name);
	}
}

TEST(test_histograms)
{
	struct fleet f;

	rows_exact = false;
	for (uint64_t from = 2; from < 4; from++) {
		make_rows(from, GROUPS);
		made(&f, NULL, true);
		check_histograms(&f, NULL);
		fleet_free(&f);
		made(&f, &site, true);
		check_histograms(&f, &site);
		fleet_free(&f);
	}
}

/* -- statistics for gates: each is from the right member, and what is unknown is not 0 ---------- */

TEST(measures_known)
{
	static const double expected[MEASURE_FLEET_NAMES] = {2000, 45,  30,  25,  0.25, 0.5,  0.75,
	                                                     76,   101, 103, 105, 107,  0.25, 42};
	const struct fleet f = {
	    .runs = 2000,
	    .counted = 1900,
	    .failed = 30,
	    .oom = 25,
	    .n = 40,
	    .all_groups = 45,
	    .usage = {.cores = {100, 25, 76},
	              .memory = {200, 100, 101},
	              .gpus = {400, 300, 103},
	              .money = 105,
	              .recoverable = 107},
	    .backtest = {.runs = 40, .failed = 10, .wasted_gib_h = 42},
	};
	double v[MEASURE_FLEET_NAMES];

	fleet_measures(&f, v);
	for (size_t i = 0; i < MEASURE_FLEET_NAMES; i++)
		assert_true(v[i] == expected[i]);
}

TEST(measures_unknown)
{
	const struct fleet none = {.usage = {.money = NAN, .recoverable = NAN}};
	const struct fleet nan = {.usage = {.cores = {NAN, NAN, NAN},
	                                    .memory = {NAN, NAN, NAN},
	                                    .gpus = {NAN, NAN, NAN},
	                                    .money = NAN,
	                                    .recoverable = NAN}};
	const struct fleet *const all[] = {&none, &nan};
	double v[MEASURE_FLEET_NAMES];

	for (size_t k = 0; k < 2; k++) {
		fleet_measures(all[k], v);
		for (size_t i = 0; i < MEASURE_FLEET_NAMES; i++)
			assert_true(i >= MEASURE_FLEET_CPU_EFFICIENCY ? isnan(v[i]) : v[i] == 0);
	}
}
