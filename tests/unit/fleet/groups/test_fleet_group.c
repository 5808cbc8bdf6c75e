/* fleet_group, fleet_collect, fleet_detail: groups whose numbers are computed by hand. */
#include "fleet/groups/fleet.h"
#include "fleet_rows.h"
#include "tests/unit/unit.h"

static double one_an_hour(void *ctx, const struct catalog_machine *m)
{
	(void)ctx;
	return strcmp(m->instance, "unpriced") == 0 ? NAN : 1;
}

static struct fleet fleet;

static void make_fleet(bool prices, const struct fleet_rates *rates)
{
	struct catalog_query q = {0};
	struct fleet_input in = {.query = &q, .price = prices ? one_an_hour : NULL};
	struct err e = {0};

	if (rates)
		in.rates = *rates;
	assert_int_equal(fleet_make(&fleet, &in, &e), 0);
}

static int begin_test(void **state)
{
	(void)state;
	n_rows = 0;
	rows_exact = false;
	rows_fail = rows_many.groups = 0;
	return 0;
}

static int end_test(void **state)
{
	(void)state;
	fleet_free(&fleet);
	return 0;
}

/* n runs of an hour, each on an eighth of the first machine: 1 of 8 CPUs, 4 of 32 GiB. */
static struct row *add_runs(const char *group, int n)
{
	for (int i = 0; i < n; i++)
		rows[n_rows++] = (struct row){.group = group,
		                              .user = "/run",
		                              .class = CATALOG_COUNTED,
		                              .start = 86400.0 * 100 + i,
		                              .wall = 3600,
		                              .need = 3.2 * ROWS_GIB,
		                              .used_memory = 2 * ROWS_GIB,
		                              .cores = 0.9,
		                              .gpus = NAN,
		                              .asked_cpus = 1,
		                              .asked_memory = 4 * ROWS_GIB,
		                              .asked_gpus = NAN,
		                              .asked_time = 7200};
	return &rows[n_rows - (size_t)n];
}

static void assert_near(double a, double b)
{
	/* Sums have nine digits (fleet_round.h). */
	if (!(fabs(a - b) <= 5e-9 * fabs(b)))
		fail_msg("%.17g is not %.17g", a, b);
}

TEST_WITH(test_counts, begin_test, end_test)
{
	struct row *r = add_runs("a", 14);

	r[0].oom = true;
	for (int k = 1; k < CATALOG_CLASSES; k++)
		for (int i = 0; i < k && i < 2; i++)
			r[2 * k + i].class = (enum catalog_class)k;
	r[4].oom = true; /* too short, and killed for memory */
	r[11].asked_cpus = NAN;
	add_runs("b", 2)->start = 86400.0 * 90;
	make_fleet(true, NULL);
	assert_true(fleet.keys == 1 && fleet.n == 2 && fleet.all_groups == 2 &&
	            fleet.rest_groups == 0);
	assert_true(fleet.runs == 16 && fleet.counted == 5 && fleet.failed == 2 && fleet.oom == 2);
	assert_true(fleet.first == 86400.0 * 90 && fleet.last == 86400.0 * 100 + 13);
	assert_true(fleet.left_out[CATALOG_COUNTED].runs == 0);
	assert_true(fleet.left_out[CATALOG_NO_ASK].runs == 1);
	for (int k = 2; k < CATALOG_CLASSES; k++)
		assert_true(fleet.left_out[k].runs == 2);
	assert_near(fleet.left_out[CATALOG_FAILED].core_h, 2);
	assert_near(fleet.left_out[CATALOG_FAILED].memory_gib_h, 8);
	assert_near(fleet.left_out[CATALOG_UNMEASURED].core_h, 1);
	assert_near(fleet.left_out[CATALOG_UNMEASURED].memory_gib_h, 8);
	assert_true(fleet.n_days == 5 && fleet.day[0].day == 100 && fleet.day[4].day == 104);
}

TEST_WITH(test_hours, begin_test, end_test)
{
	const struct fleet_usage *u;

	add_runs("a", 3)[2].asked_cpus = NAN;
	make_fleet(true, NULL);
	u = &fleet.group[0].usage;
	assert_near(u->cores.asked, 2);
	assert_near(u->cores.used, 1.8);
	assert_near(u->cores.unused, 0.2);
	assert_near(u->memory.asked, 12);
	assert_near(u->memory.used, 6);
	assert_near(u->memory.unused, 6);
	assert_true(isnan(u->gpus.asked) && isnan(u->gpus.used) && isnan(u->gpus.unused));
	assert_near(fleet.usage.memory.asked, 12);
	assert_near(fleet_efficiency(&u->memory), 0.5);
	assert_true(isnan(fleet_efficiency(&u->gpus)));
	assert_true(isnan(fleet_efficiency(&(struct fleet_hours){0, 1, 0})));
	assert_near(u->machine_h, 3 * 0.125);
	assert_near(u->money, 3 * 0.125);
	assert_near(fleet.group[0].asked.memory_b, 4 * ROWS_GIB);
	assert_near(fleet.group[0].asked.cpus, 1); /* of the two that have asked */
	assert_near(fleet.group[0].most.cpus, 1);
	assert_near(fleet.group[0].asked.time_s, 7200);
	assert_true(isnan(fleet.group[0].asked.gpus));
	fleet_free(&fleet);
	n_rows = 0;
	add_runs("a", 2)->asked_gpus = 3;
	for (size_t i = 0; i < 2; i++) {
		rows[i].machine = 1;
		rows[i].gpus = 0.5;
		rows[i].asked_cpus = NAN;
		rows[i].wall = 0.3;
	}
	make_fleet(true, NULL);
	assert_true(isnan(fleet.group[0].asked.cpus));
	assert_near(fleet.group[0].asked.gpus, 3);
	assert_near(fleet.usage.gpus.asked, 0.9 / 3600);
	assert_near(fleet.usage.gpus.used, 0.15 / 3600);
	assert_near(fleet.usage.gpus.unused, 0.75 / 3600);
	assert_near(fleet.usage.money, 0.3 * (0.75 + 4 / 256.0) / 3600);
}

/* Half a second is known, too. A type of machine on which no run counts does not matter. */
TEST_WITH(test_short_seconds, begin_test, end_test)
{
	struct row *r = add_runs("a", 3);

	r[0].wall = r[1].wall = 0.5;
	r[1].asked_memory = 8 * ROWS_GIB;
	r[2].class = CATALOG_SHORT;
	r[2].machine = 1;
	make_fleet(true, NULL);
	assert_near(fleet.usage.cores.asked, 1.0 / 3600);
	assert_near(fleet.group[0].asked.cpus, 1);
	assert_near(fleet.group[0].asked.memory_b, 6 * ROWS_GIB);
	assert_near(fleet.usage.money, (0.125 + 0.25) * 0.5 / 3600);
	fleet_free(&fleet);
	r[0].nodes = r[1].nodes = 3;
	r[0].wall = r[1].wall = 0.3;
	make_fleet(true, NULL);
	assert_near(fleet.group[0].asked.memory_b, 6 * ROWS_GIB);
}

TEST_WITH(test_confidence, begin_test, end_test)
{
	const struct {
		int runs;
		enum fleet_confidence says;
	} cases[] = {
	    {1, FLEET_WEAK}, {4, FLEET_WEAK}, {5, FLEET_FAIR}, {58, FLEET_FAIR}, {59, FLEET_GOOD}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		n_rows = 0;
		add_runs("a", cases[i].runs);
		/* Runs that do not count do not count here. */
		add_runs("a", 1)->class = CATALOG_SHORT;
		make_fleet(true, NULL);
		assert_int_equal(fleet.group[0].confidence, cases[i].says);
		assert_near(fleet.group[0].fail_at_most, 1 - pow(0.05, 1.0 / cases[i].runs));
		fleet_free(&fleet);
	}
}

/* Of one run all percentiles are its value, though it is in a bucket. */
TEST_WITH(test_one_run_is_exact, begin_test, end_test)
{
	struct row *r = add_runs("a", 1);

	r->need = 3.21 * ROWS_GIB;
	r->wall = 1234.5;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].memory.p50 == r->need && fleet.group[0].memory.max == r->need);
	assert_true(fleet.group[0].wall.p99 == r->wall && fleet.group[0].wall.max == r->wall);
	fleet_free(&fleet);
	r->wall = 0.5;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].wall.p50 == 0.5);
	fleet_free(&fleet);
	/* Of two in one bucket it is the middle, but never more than the larger. */
	add_runs("a", 1)->need = 3.21 * ROWS_GIB;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].memory.p50 <= 3.21 * ROWS_GIB);
	assert_true(fleet.group[0].memory.p50 > 3.21 * ROWS_GIB / 1.01);
	assert_true(fleet.group[0].memory.max == 3.21 * ROWS_GIB);
	fleet_free(&fleet);
	rows[1].need = 1.23 * ROWS_GIB;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].memory.p99 == 3.21 * ROWS_GIB);
	assert_true(fleet.group[0].memory.p50 != 1.23 * ROWS_GIB);
}

/* A run that takes just the proposed time has enough of it. */
TEST_WITH(test_just_in_time, begin_test, end_test)
{
	struct row *r = add_runs("a", 200);

	for (int i = 0; i < 200; i++)
		r[i].wall = 99;
	r[3].wall = 120;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].proposed.time_s == 120);
	assert_true(fleet.group[0].would_fail == 0);
	fleet_free(&fleet);
	r[3].wall = 120.5;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].would_fail == 1);
}

/* A run that needs just the proposed ask has enough of it, unless it was killed there. */
TEST_WITH(test_killed_at_the_ask, begin_test, end_test)
{
	struct row *r = add_runs("a", 400);

	for (int i = 0; i < 400; i++) {
		r[i].need = 7.7 * ROWS_GIB;
		r[i].asked_memory = 8 * ROWS_GIB;
	}
	r[7].need = 8 * ROWS_GIB;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].proposed.memory_b == 8 * ROWS_GIB);
	assert_true(fleet.group[0].would_fail == 0);
	fleet_free(&fleet);
	r[7].oom = true;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].proposed.memory_b == 8 * ROWS_GIB);
	assert_true(fleet.group[0].would_fail == 1);
	fleet_free(&fleet);
	/* Killed, but of those that do not count. */
	r[7].oom = false;
	add_runs("a", 1)->class = CATALOG_FAILED;
	rows[n_rows - 1].oom = true;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].would_fail == 0);
}

/* Nobody knows how much a run that was killed needs: it counts as one that fails. */
TEST_WITH(test_killed_below_the_ask, begin_test, end_test)
{
	struct row *r = add_runs("a", 60);

	for (int i = 0; i < 60; i++) {
		r[i].need = 7 * ROWS_GIB;
		r[i].asked_memory = 8 * ROWS_GIB;
		r[i].start = 1000 + i;
	}
	r[3].oom = r[5].oom = true;
	r[3].need = r[5].need = 8 * ROWS_GIB;
	/* Runs have finished since. */
	make_fleet(true, NULL);
	assert_true(fleet.group[0].proposed.memory_b == 9 * ROWS_GIB);
	assert_true(fleet.group[0].would_fail == 2 && fleet.group[0].unknown == 2);
	assert_near(fleet.group[0].fail_at_most, 0.101235895);
	assert_int_equal(fleet.group[0].confidence, FLEET_FAIR);
	fleet_free(&fleet);
	/* The latest was killed: twice the largest limit. */
	r[3].oom = false;
	r[59].oom = true;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].proposed.memory_b == 16 * ROWS_GIB);
	assert_true(fleet.group[0].would_fail == 2);
	fleet_free(&fleet);
	r[58].start = 1059; /* as late, and it finished */
	make_fleet(true, NULL);
	assert_true(fleet.group[0].proposed.memory_b < 16 * ROWS_GIB);
	fleet_free(&fleet);
	/* One that does not count shows nothing. */
	r[58].start = 2000;
	r[58].class = CATALOG_FAILED;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].proposed.memory_b == 16 * ROWS_GIB);
	fleet_free(&fleet);
	/* One of 20 was killed: twice the largest limit, whoever finished since. */
	r[3].oom = r[4].oom = true;
	r[59].oom = false;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].proposed.memory_b == 16 * ROWS_GIB);
	assert_true(fleet.group[0].would_fail == 3 && fleet.group[0].unknown == 3);
	fleet_free(&fleet);
	for (int i = 0; i < 60; i++) {
		r[i].class = CATALOG_COUNTED;
		r[i].oom = true;
		r[i].need = 8 * ROWS_GIB;
	}
	make_fleet(true, NULL);
	assert_true(fleet.group[0].would_fail == 60 && fleet.group[0].fail_at_most == 1);
	assert_int_equal(fleet.group[0].confidence, FLEET_FAIR);
}

/* The histograms cannot tell whether the same run fails twice: both are counted, but never more than all. */
TEST_WITH(test_fails_for_both, begin_test, end_test)
{
	struct row *r = add_runs("a", 200);

	for (int i = 0; i < 200; i++)
		r[i].asked_memory = 64 * ROWS_GIB;
	r[7].need = 60 * ROWS_GIB;
	r[8].wall = 360000;
	r[8].need = 1 * ROWS_GIB;
	make_fleet(true, NULL);
	assert_true(fleet.group[0].would_fail == 2);
	/* 64 of 32 GiB is the whole machine. Proposed: 4 of 32 GiB; one hour again with all; 72 minutes again. */
	assert_true(fleet.group[0].proposed.time_s == 72 * 60 ||
	            fleet.group[0].proposed.time_s == 73 * 60);
	assert_near(fleet.group[0].usage.machine_h, 199 + 100);
	assert_near(fleet.group[0].usage.machine_recoverable_h,
	            299 - (299 + fleet.group[0].proposed.time_s / 3600) / 8 - 1);
	assert_near(fleet.group[0].usage.recoverable, fleet.group[0].usage.machine_recoverable_h);
}

TEST_WITH(test_whole_gpus, begin_test, end_test)
{
	for (int n = 1; n <= 16; n++) {
		struct row *r;
		n_rows = 0;
		r = add_runs("a", 20);
		for (int i = 0; i < 20; i++)
			r[i].gpus = n;
		make_fleet(true, NULL);
		assert_true(fleet.group[0].proposed.gpus == n);
		fleet_free(&fleet);
		for (int i = 0; i < 20; i++)
			r[i].gpus = n + 0.1 * n;
		make_fleet(true, NULL);
		assert_true(fleet.group[0].proposed.gpus == ceil(1.1 * n));
		fleet_free(&fleet);
	}
}

/* The asks are per node, and money of all nodes. */
TEST_WITH(test_nodes, begin_test, end_test)
{
	struct row *r = add_runs("a", 10);

	for (int i = 0; i < 10; i++) {
		r[i].nodes = 4;
		r[i].asked_memory = 32 * ROWS_GIB;
	}
	make_fleet(true, NULL);
	assert_near(fleet.group[0].asked.memory_b, 32 * ROWS_GIB);
	assert_near(fleet.group[0].asked.cpus, 1);
	assert_near(fleet.group[0].usage.money, 40);
	assert_near(fleet.group[0].proposed.memory_b, 4 * ROWS_GIB);
	assert_near(fleet.group[0].usage.recoverable, 40 - 5);
	fleet_free(&fleet);
	/* CPUs or memory alone are enough where the machine is unknown. */
	for (int i = 0; i < 10; i++)
		r[i].machine = 3;
	make_fleet(true, &(struct fleet_rates){0, 1, 0});
	assert_near(fleet.group[0].usage.money, 40 * 32);
	assert_near(fleet.group[0].usage.recoverable, 40 * 28);
	assert_true(isnan(fleet.group[0].usage.machine_h));
	fleet_free(&fleet);
	for (int i = 0; i < 10; i++) {
		r[i].asked_memory = NAN;
		r[i].asked_cpus = 8;
	}
	make_fleet(true, &(struct fleet_rates){1, 0, 0});
	assert_near(fleet.group[0].usage.money, 40 * 8);
	assert_near(fleet.group[0].usage.recoverable, 40 * 7);
}

/* Where no use is known; where nodes asked for different amounts; and runs that fail fail on all nodes. */
TEST_WITH(test_nodes_that_hardly_show, begin_test, end_test)
{
	struct row *r = add_runs("a", 10);

	for (int i = 0; i < 10; i++) {
		r[i].nodes = 4;
		r[i].asked_memory = 16 * ROWS_GIB;
		r[i].cores = r[i].used_memory = NAN;
		r[i].asked_cpus = NAN;
	}
	make_fleet(true, NULL);
	assert_near(fleet.usage.money, 20);
	assert_near(fleet.usage.recoverable, 20 - 5);
	assert_true(isnan(fleet.group[0].asked.memory_b) && isnan(fleet.group[0].asked.cpus));
	fleet_free(&fleet);
	for (int i = 0; i < 10; i++) {
		r[i].used_memory = ROWS_GIB;
		r[i].asked_memory = (i < 5 ? 32 : 16) * ROWS_GIB;
	}
	make_fleet(true, NULL);
	assert_near(fleet.group[0].asked.memory_b, 24 * ROWS_GIB);
	fleet_free(&fleet);
	n_rows = 0;
	r = add_runs("a", 200);
	for (int i = 0; i < 200; i++) {
		r[i].nodes = 4;
		r[i].asked_memory = 64 * ROWS_GIB;
	}
	r[7].need = 60 * ROWS_GIB;
	r[8].wall = 360000;
	r[8].need = 1 * ROWS_GIB;
	make_fleet(true, NULL);
	assert_near(fleet.usage.money, 4 * 299);
	assert_near(fleet.usage.recoverable,
	            4 * (299 - (299 + fleet.group[0].proposed.time_s / 3600) / 8 - 1));
}

TEST_WITH(test_prices, begin_test, end_test)
{
	struct row *r = add_runs("a", 4);

	r[2].machine = r[3].machine = 2;
	for (int i = 0; i < 4; i++)
		r[i].asked_memory = 16 * ROWS_GIB;
	make_fleet(true, NULL);
	/* Half of the priced machine, a quarter of the other. 3.2 GiB × 1.2 are 4 GiB. */
	assert_true(fleet.group[0].usage.unpriced == 2 && fleet.usage.unpriced == 2);
	assert_near(fleet.usage.money, 1);
	assert_near(fleet.usage.recoverable, 1 - 0.25);
	assert_near(fleet.usage.machine_h, 1.5);
	assert_near(fleet.usage.machine_recoverable_h, 1.5 - 0.25 - 0.125);
	assert_false(fleet.rates);
	fleet_free(&fleet);
	make_fleet(false, NULL);
	assert_true(fleet.usage.unpriced == 4);
	assert_true(isnan(fleet.usage.money) && isnan(fleet.usage.recoverable));
	fleet_free(&fleet);
	/* The site's rates are for all machines. 4 runs: 1 CPU, 16 GiB; proposed 4 GiB. */
	make_fleet(true, &(struct fleet_rates){0.5, 0.25, 0});
	assert_true(fleet.rates && fleet.usage.unpriced == 0);
	assert_near(fleet.usage.money, 4 * 16 * 0.25);
	assert_near(fleet.usage.recoverable, 4 * 12 * 0.25);
	fleet_free(&fleet);
	make_fleet(true, &(struct fleet_rates){0, 0, 0.5});
	assert_true(fleet.rates && fleet.usage.money == 0);
	fleet_free(&fleet);
	/* A machine whose size is unknown has no share. */
	for (int i = 0; i < 4; i++)
		r[i].machine = 3;
	make_fleet(true, NULL);
	assert_true(fleet.usage.unpriced == 4 && isnan(fleet.usage.money) &&
	            isnan(fleet.usage.machine_h));
}

TEST_WITH(test_trend_and_newest, begin_test, end_test)
{
	struct row *r = add_runs("a", 6);

	for (int i = 0; i < 6; i++) {
		r[i].start = 86400.0 * (100 + (i + 3) % 6);
		r[i].machine = i % 2;
		r[i].need = (i + 3) % 6 < 3 ? ROWS_GIB : 2 * ROWS_GIB;
		r[i].user = i == 2 ? "/newest" : "/older";
	}
	/* Of two that start at once, the same one always. */
	add_runs("b", 6)[5].user = "/z";
	rows[n_rows - 1].machine = 1;
	rows[n_rows - 1].start = rows[n_rows - 2].start;
	make_fleet(true, NULL);
	for (size_t i = 0; i < 2; i++) {
		const struct fleet_group *g = &fleet.group[i];
		if (*g->key[0] == 'b') {
			assert_true(isnan(g->trend) && !g->days);
			assert_string_equal(g->newest, "/z");
			continue;
		}
		assert_near(g->trend, 1);
		assert_true(g->days[0] == ROWS_GIB && g->days[10] == 2 * ROWS_GIB &&
		            isnan(g->days[11]));
		assert_string_equal(g->newest, "/newest");
		assert_true(g->first == 86400.0 * 100 && g->last == 86400.0 * 105);
	}
}

TEST_WITH(test_largest_asks, begin_test, end_test)
{
	struct row *r = add_runs("a", 2);

	/* On the first machine, then on the second; of equal starts the larger source. */
	for (int i = 0; i < 2; i++) {
		n_rows = 0;
		r = add_runs("a", 2);
		r[0].start = r[1].start;
		r[1].machine = 1;
		r[i].user = "/z";
		r[i].asked_cpus = 7;
		r[i].asked_memory = 20 * ROWS_GIB;
		r[0].asked_gpus = r[1].asked_gpus = 1;
		r[i].asked_gpus = 3;
		r[i].asked_time = 9000;
		make_fleet(true, NULL);
		assert_true(fleet.group[0].most.cpus == 7 &&
		            fleet.group[0].most.memory_b == 20 * ROWS_GIB);
		assert_true(fleet.group[0].most.gpus == 3 && fleet.group[0].most.time_s == 9000);
		assert_true(fleet.group[0].asked.time_s == 9000);
		assert_string_equal(fleet.group[0].newest, "/z");
		fleet_free(&fleet);
	}
}

/* Two machine types: histograms are merged, in order. */
TEST_WITH(test_detail, begin_test, end_test)
{
	struct row *r = add_runs("a", 9);
	const struct fleet_detail *d;
	double runs = 0;

	for (int i = 0; i < 9; i++) {
		r[i].machine = i % 2;
		r[i].need = (1 + i / 3) * ROWS_GIB;
	}
	make_fleet(true, NULL);
	d = fleet.group[0].detail;
	assert_int_equal(d->n_memory, 3);
	assert_int_equal(d->n_wall, 1);
	assert_true(d->wall[0].runs == 9 && d->wall[0].low <= 3600 && d->wall[0].high >= 3600);
	for (size_t i = 0; i < 3; i++) {
		double need = (double)(i + 1) * ROWS_GIB;
		assert_true(d->memory[i].runs == 3);
		assert_true(d->memory[i].low <= need && need <= d->memory[i].high);
		assert_true(d->memory[i].high <= d->memory[i].low * 1.0101);
		runs += d->memory[i].runs;
	}
	assert_true(runs == fleet.group[0].counted);
	assert_true(fleet.group[0].memory.p50 > 1.98 * ROWS_GIB &&
	            fleet.group[0].memory.p50 < 2.02 * ROWS_GIB);
	assert_true(d->runs.n_spots == 1 && d->runs.spot[0].runs == 3 && d->runs.n_worst == 1 &&
	            d->runs.worst[0].wall_s == 7);
	assert_string_equal(d->runs.worst[0].source, "/runs/worst");
	assert_string_equal(d->runs.worst[0].host, "h");
	assert_int_equal(d->advice.memory_mib, (long)(fleet.group[0].proposed.memory_b / 1048576));
	assert_true(advice_known(d->advice.memory_formula));
}

TEST_WITH(test_two_keys, begin_test, end_test)
{
	struct opts_list by = {.v = {"name", "user"}, .n = 2};
	struct catalog_query q = {.group_by = &by};
	struct fleet_input in = {.query = &q};
	struct err e = {0};

	add_runs("a", 2);
	add_runs("b", 2);
	assert_int_equal(fleet_make(&fleet, &in, &e), 0);
	assert_true(fleet.keys == 2 && fleet.n == 2);
	assert_string_equal(fleet.group[0].key[0], "a");
	assert_string_equal(fleet.group[1].key[0], "b");
	assert_string_equal(fleet.group[0].key[1], "second");
	assert_null(fleet.group[0].key[2]);
	assert_true(fleet.group[1].detail->runs.n_spots == 1);
}

TEST_WITH(test_nothing, begin_test, end_test)
{
	make_fleet(true, NULL);
	assert_true(fleet.n == 0 && fleet.runs == 0 && isnan(fleet.first) &&
	            isnan(fleet.usage.money));
	assert_true(fleet.keys == 1 && isnan(fleet.usage.cores.asked));
	fleet_free(&fleet);
	/* Only runs that do not count. */
	add_runs("a", 1)->class = CATALOG_SHORT;
	make_fleet(true, NULL);
	assert_true(fleet.n == 1 && fleet.counted == 0 && isnan(fleet.usage.money));
	assert_true(isnan(fleet.group[0].proposed.memory_b) && isnan(fleet.group[0].asked.cpus));
	assert_true(isnan(fleet.group[0].would_fail) && fleet.group[0].usage.unpriced == 0);
	assert_true(isnan(fleet.group[0].memory.max));
}

/* Of a century of days and one, the last is dropped. */
TEST_WITH(test_many_days, begin_test, end_test)
{
	rows_days = 36526;
	make_fleet(true, NULL);
	rows_days = 5;
	assert_true(fleet.n_days == 36525 && fleet.day[36524].day == 100 + 36524);
}

TEST_WITH(test_many_groups, begin_test, end_test)
{
	double runs = 0, money = 0;

	rows_many.groups = 10400;
	rows_many.buckets = 3;
	make_fleet(true, NULL);
	assert_true(fleet.n == FLEET_GROUPS_MAX && fleet.all_groups == 10400 &&
	            fleet.rest_groups == 400);
	for (size_t i = 0; i < fleet.n; i++) {
		const struct fleet_group *g = &fleet.group[i];
		char name[32];
		snprintf(name, sizeof name, "job-%06d", 10399 - (int)i);
		assert_string_equal(g->key[0], name);
		assert_int_equal(g->detail != NULL, i < FLEET_DETAILS_MAX);
		runs += g->runs;
		money += g->usage.recoverable;
	}
	assert_true(fleet.group[0].detail->runs.n_spots == 1 &&
	            fleet.group[99].detail->runs.n_spots == 1);
	assert_true(runs + fleet.rest_runs == fleet.runs && fleet.rest_runs == 1200);
	assert_near(money + fleet.rest.recoverable, fleet.usage.recoverable);
	assert_true(fleet.rest.recoverable > 0);
}

/* Without prices machine-hours decide; the same order, here. */
TEST_WITH(test_rank_without_prices, begin_test, end_test)
{
	rows_many.groups = 300;
	rows_many.buckets = 1;
	make_fleet(false, NULL);
	assert_string_equal(fleet.group[0].key[0], "job-000299");
	assert_string_equal(fleet.group[299].key[0], "job-000000");
	assert_true(isnan(fleet.usage.money) && fleet.usage.machine_recoverable_h > 0);
}

TEST_WITH(test_catalog_fails, begin_test, end_test)
{
	struct catalog_query q = {0};
	struct fleet_input in = {.query = &q};

	for (rows_fail = 1; rows_fail <= 2 * ROWS_MACHINES; rows_fail++) {
		struct err e = {0};
		n_rows = 0;
		add_runs("a", 3);
		add_runs("b", 3);
		assert_int_equal(fleet_make(&fleet, &in, &e), -1);
		assert_string_equal(e.msg, "the catalog is gone");
		fleet_free(&fleet);
	}
}
