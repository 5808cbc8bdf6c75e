/* ci_choose: today's runner, predictions, costs and the choice, by worked examples of docs/ci.md. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/ci/ci.h"
#include "fleet/ci/ci_choose.h"
#include "tests/unit/unit.h"

#define GIB 1073741824.0
#define N   20

/* Runners whose prices double with their CPUs, as those of a made-up provider. */
static struct ci_runner table[] = {
    {.provider = "p",
     .label = "two",
     .labels = ",two,",
     .vcpus = 2,
     .memory_b = 8 * GIB,
     .arch = "x64",
     .usd_minute = 0.01,
     .billed_s = 60},
    {.provider = "p",
     .label = "four",
     .labels = ",four,vier,",
     .vcpus = 4,
     .memory_b = 16 * GIB,
     .arch = "x64",
     .usd_minute = 0.02,
     .billed_s = 60},
    {.provider = "p",
     .label = "eight",
     .labels = ",eight,",
     .vcpus = 8,
     .memory_b = 32 * GIB,
     .arch = "x64",
     .usd_minute = 0.04,
     .billed_s = 60},
    {.provider = "p",
     .label = "arm",
     .labels = ",arm,",
     .vcpus = 4,
     .memory_b = 16 * GIB,
     .arch = "arm64",
     .usd_minute = 0.001,
     .billed_s = 60},
    {.provider = "q",
     .label = "cheap",
     .labels = ",cheap,",
     .vcpus = 8,
     .memory_b = 32 * GIB,
     .arch = "x64",
     .usd_minute = 0.001,
     .billed_s = 60},
};
static const struct ci_prices prices = {table, sizeof table / sizeof *table};
static struct ci_run runs[N];
static double scratch[N];

/* N runs of `wall` to wall + 19 s that need 1 GiB, with so many threads all the time, on a machine. */
static struct ci_job job(double vcpus, double wall, double threads)
{
	struct ci_job j = {.provider = (char *)"p",
	                   .run = runs,
	                   .n = N,
	                   .vcpus = vcpus,
	                   .memory_b = vcpus * 3.9 * GIB,
	                   .arch = "x64"};

	for (int i = 0; i < N; i++) {
		runs[i] = (struct ci_run){.start = i,
		                          .wall_s = wall + i,
		                          .need_b = GIB,
		                          .limit_b = j.memory_b - CI_BESIDE_B,
		                          .vcpus = vcpus,
		                          .memory_b = j.memory_b,
		                          .finished = true};
		for (int k = 0; k < CATALOG_TIMES; k++)
			runs[i].at_s[k] =
			    runs[i].wall_s * fmax(1, threads / (1 << k)) / fmax(1, threads / vcpus);
	}
	return j;
}

static void choose(struct ci_job *j)
{
	ci_choose(j, &prices, MEMORY_RULE_BALANCED, 0.1, scratch);
}

TEST(today)
{
	struct ci_job j = job(4, 100, 4);
	bool several;

	assert_string_equal(ci_choose_today(&j, &prices, &several)->label, "four");
	strcpy(j.named, "[\"other\", \"vier\"]");
	assert_string_equal(ci_choose_today(&j, &prices, &several)->label, "four");
	strcpy(j.named, "basement");
	assert_null(ci_choose_today(&j, &prices, &several));
	*j.named = '\0';
	strcpy(j.arch, "arm64");
	assert_string_equal(ci_choose_today(&j, &prices, &several)->label, "arm");
	*j.arch = '\0'; /* as x64 */
	assert_string_equal(ci_choose_today(&j, &prices, &several)->label, "four");
	j.self_hosted = true;
	assert_null(ci_choose_today(&j, &prices, &several));
	j.self_hosted = false;
	j.memory_b = 13 * GIB;
	assert_null(ci_choose_today(&j, &prices, &several));
	j.vcpus = NAN;
	assert_null(ci_choose_today(&j, &prices, &several));
}

/* Of a public repository or a larger one: only the runner's name tells. */
TEST(several_fit)
{
	struct ci_runner hub[] = {{.provider = "github-actions",
	                           .label = "ubuntu-latest",
	                           .labels = ",ubuntu-latest,",
	                           .kind = CI_PUBLIC,
	                           .vcpus = 4,
	                           .memory_b = 16 * GIB,
	                           .arch = "x64",
	                           .billed_s = 60},
	                          {.provider = "github-actions",
	                           .label = "big",
	                           .labels = ",big,",
	                           .kind = CI_LARGER,
	                           .vcpus = 4,
	                           .memory_b = 16 * GIB,
	                           .arch = "x64",
	                           .usd_minute = 0.012,
	                           .billed_s = 60}};
	struct ci_prices p = {hub, 2};
	struct ci_job j = job(4, 100, 4);
	bool several;

	j.provider = (char *)"github-actions";
	assert_null(ci_choose_today(&j, &p, &several));
	assert_true(several);
	strcpy(j.machine, "GitHub Actions 12");
	assert_string_equal(ci_choose_today(&j, &p, &several)->label, "ubuntu-latest");
	assert_false(several);
	strcpy(j.machine, "ours_abc");
	assert_string_equal(ci_choose_today(&j, &p, &several)->label, "big");
	*j.machine = '\0';
	strcpy(j.named, "big");
	assert_string_equal(ci_choose_today(&j, &p, &several)->label, "big");
}

/* Two threads on four CPUs, 100 to 119 s: two CPUs do, for half the price. */
TEST(cheaper)
{
	struct ci_job j = job(4, 100, 2);

	choose(&j);
	assert_int_equal(j.group, CI_SAVES_MONEY);
	assert_string_equal(j.offer.runner->label, "two");
	assert_int_equal(j.confidence, FLEET_FAIR);
	assert_true(j.before.p50_s == 109 && j.before.p95_s == 118 && j.before.most_s == 119);
	assert_true(j.offer.after.p95_s == 118);
	/* Each run is billed as two minutes. */
	assert_true(j.before.minutes == 40 && j.offer.after.minutes == 40);
	assert_true(fabs(j.before.usd - 0.8) < 1e-9 && fabs(j.offer.after.usd - 0.4) < 1e-9);
	assert_true(fabs(ci_choose_saves(&j) - 0.4) < 1e-9);
	assert_string_equal(j.other.runner->label, "arm");
	assert_true(j.offer.tried == N && j.offer.fails == 0);
}

/* Eight threads on four CPUs: eight take half as long and cost the same, as long as minutes are whole. */
TEST(faster_for_no_more)
{
	struct ci_job j = job(4, 240, 8);

	for (int i = 0; i < N; i++)
		runs[i].wall_s = 240;
	for (int i = 0; i < N; i++)
		for (int k = 0; k < CATALOG_TIMES; k++)
			runs[i].at_s[k] = 240 * fmax(1, 8. / (1 << k)) / 2;
	choose(&j);
	assert_int_equal(j.group, CI_SAVES_TIME);
	assert_string_equal(j.offer.runner->label, "eight");
	assert_true(j.offer.after.p95_s == 120 && fabs(j.offer.after.usd - j.before.usd) < 1e-9);
}

/* What fits stays, although a slower one is cheaper. */
TEST(not_slower_than_allowed)
{
	struct ci_job j = job(4, 100, 4);

	choose(&j);
	assert_int_equal(j.group, CI_TEST_FIRST); /* arm */
	assert_ptr_equal(j.offer.runner, j.today);
	table[0].usd_minute = 0.009;
	ci_choose(&j, &prices, MEMORY_RULE_BALANCED, 1.1, scratch);
	table[0].usd_minute = 0.01;
	assert_string_equal(j.offer.runner->label, "two");
	assert_true(j.offer.after.p95_s == 236);
}

TEST(killed_for_memory)
{
	struct ci_job j = job(2, 100, 1);

	runs[N - 1].killed = true;
	runs[N - 1].finished = false;
	choose(&j);
	assert_int_equal(j.group, CI_FAILS_LESS);
	/* Twice what was too little, 6.8 GiB, and 1 GiB: 16 do. */
	assert_string_equal(j.offer.runner->label, "four");
	assert_true(j.killed == 1 && j.finished == N - 1);
	/* Nobody knows what the run that was killed needs: it counts as failed. */
	assert_true(j.offer.tried == N && j.offer.fails == 1);
}

TEST(too_large_for_all)
{
	struct ci_job j = job(8, 100, 8);

	for (int i = 0; i < N; i++)
		runs[i].need_b = 40 * GIB;
	choose(&j);
	assert_null(j.offer.runner);
	assert_int_equal(j.group, CI_KEEP);
	assert_true(ci_choose_saves(&j) == 0);
}

/* It nearly fills its runner: it stays, and the page says which would hold it. */
TEST(nearly_full)
{
	struct ci_job j = job(2, 100, 2);

	for (int i = 0; i < N; i++)
		runs[i].need_b = 6.9 * GIB;
	strcpy(table[3].arch, "none");
	choose(&j);
	strcpy(table[3].arch, "arm64");
	assert_int_equal(j.group, CI_TEST_FIRST);
	assert_ptr_equal(j.offer.runner, j.today);
	assert_string_equal(j.safer->label, "four");
}

/* Without the time on other CPUs, only the same CPUs or more are known to do. */
TEST(times_unknown)
{
	struct ci_job j = job(4, 100, 2);

	for (int i = 0; i < N; i++)
		for (int k = 0; k < CATALOG_TIMES; k++)
			runs[i].at_s[k] = NAN;
	choose(&j);
	assert_false(j.times_known);
	assert_ptr_equal(j.offer.runner, j.today);
	assert_true(isnan(ci_choose_predict(&j, &runs[0], 2)) &&
	            ci_choose_predict(&j, &runs[0], 8) == 100);
	/* One of twenty is predicted as the others are. */
	j = job(4, 100, 2);
	runs[3].at_s[0] = NAN;
	choose(&j);
	assert_true(j.times_known && fabs(ci_choose_predict(&j, &runs[3], 1) - 206) < 1e-9);
}

TEST(disturbed_runs_stay_disturbed)
{
	struct ci_job j = job(4, 100, 2);

	j.times_known = true;
	for (int k = 0; k < CATALOG_TIMES; k++)
		runs[0].at_s[k] = 80;
	assert_true(ci_choose_predict(&j, &runs[0], 2) == 100 &&
	            ci_choose_predict(&j, &runs[0], 8) == 100);
	runs[0].at_s[1] = 160; /* with 2: twice as long, and not 160 s in place of 100 */
	runs[0].at_s[3] = 40;
	assert_true(ci_choose_predict(&j, &runs[0], 2) == 200 &&
	            ci_choose_predict(&j, &runs[0], 8) == 50);
	runs[0].at_s[1] = 60; /* never faster on fewer, nor slower on more */
	runs[0].at_s[3] = 90;
	assert_true(ci_choose_predict(&j, &runs[0], 2) == 100 &&
	            ci_choose_predict(&j, &runs[0], 8) == 100);
}

TEST(few_runs_and_unknown_runners_are_tested_first)
{
	struct ci_job j = job(4, 100, 2);

	j.n = 4;
	choose(&j);
	assert_int_equal(j.group, CI_TEST_FIRST);
	assert_int_equal(j.confidence, FLEET_WEAK);
	j = job(4, 100, 2);
	j.memory_b = 12 * GIB;
	choose(&j);
	assert_null(j.today);
	assert_int_equal(j.group, CI_TEST_FIRST);
	assert_true(isnan(j.before.usd) && ci_choose_saves(&j) == 0);
	j = job(4, 100, 2);
	for (int i = 0; i < N; i++)
		runs[i].finished = false;
	choose(&j);
	assert_null(j.offer.runner);
	assert_true(isnan(j.before.p95_s) && j.before.minutes == 40);
}

TEST(a_limit_of_time)
{
	struct ci_job j = job(4, 100, 2);

	table[0].most_s = 118;
	choose(&j);
	table[0].most_s = 0;
	assert_ptr_equal(j.offer.runner, j.today);
}

TEST(pairs)
{
	size_t n;
	const char *v = ci_gather_pair("a=1;bc=2=3;c=", "bc", &n);

	assert_true(v && n == 3 && memcmp(v, "2=3", 3) == 0);
	assert_true(ci_gather_pair("a=1;bc=2", "c", &n) == NULL && n == 0);
	assert_true(ci_gather_pair("a=1;c=", "c", &n) != NULL && n == 0);
	assert_null(ci_gather_pair("", "c", &n));
}

/* The speed of another runner is not known; that of today's was measured. */
TEST(another_runner_has_a_range)
{
	struct ci_job j = job(8, 300, 2);

	choose(&j);
	assert_string_equal(j.offer.runner->label, "two");
	assert_true(fabs(j.offer.after.p95_most_s - j.offer.after.p95_s * 2.2) < 1e-6);
	assert_true(fabs(j.offer.after.p95_least_s - j.offer.after.p95_s / 2.2) < 1e-6);
	/* 300 to 319 s are 5 and 6 minutes; × 2.2, 11 (of 300 s) and 12. */
	assert_true(fabs(j.offer.after.usd - 0.01 * (5 + 19 * 6)) < 1e-9);
	assert_true(fabs(j.offer.after.usd_most - 0.01 * (11 + 19 * 12)) < 1e-9);
	assert_true(fabs(j.offer.after.usd_least - 0.01 * 20 * 3) < 1e-9);
	assert_true(j.before.p95_least_s == j.before.p95_s && j.before.usd_most == j.before.usd);
	j = job(2, 300, 2);
	choose(&j);
	assert_ptr_equal(j.offer.runner, j.today);
	assert_true(j.offer.after.p95_most_s == j.offer.after.p95_s);
}
