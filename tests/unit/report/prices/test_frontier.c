/* frontier: times and costs on servers, by hand, and which of them are worth it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/prices/frontier.h"
#include "tests/unit/unit.h"

/* An hour of 4 threads on 4 CPUs, then half an hour in which none could run. */
static struct time_at wide(void)
{
	struct time_at t = {0};

	for (size_t i = 0; i < 90; i++)
		time_at_add(&t, &(struct time_at_sample){.h = 60,
		                                         .c = i < 60 ? 4 : 0,
		                                         .w = 0,
		                                         .w_most = 0,
		                                         .b = i < 60,
		                                         .b_least = i < 60,
		                                         .b_most = i < 60});
	return t;
}

static struct keeper_server server(const char *id, double vcpus, double price, double asked,
                                   double stress_ng)
{
	struct keeper_server s = keeper_result_no_server();

	snprintf(s.vendor_id, sizeof s.vendor_id, "%s", "aws");
	snprintf(s.server_id, sizeof s.server_id, "%s", id);
	s.vcpus = vcpus;
	s.price_hour = price;
	s.score_asked = asked;
	s.score = stress_ng * vcpus;
	return s;
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6 * fmax(1, fabs(b));
}

TEST(times_and_costs)
{
	static const struct {
		double vcpus, price, asked, stress_ng, here_asked, here_stress_ng; /* of a core */
		double time, cost, range; /* of the speed */
		enum speed_by by;
	} cases[] = {
	    /* As here: 3600 s on CPUs, 1800 s not. */
	    {4, 1, 1000, 600, 1000, 600, 5400, 1.5, 1.7, SPEED_MEASURE},
	    /* Half of the CPUs: twice the time on them. */
	    {2, 1, 1000, 600, 1000, 600, 9000, 2.5, 1.7, SPEED_MEASURE},
	    /* More CPUs than threads help no more. */
	    {8, 2, 1000, 600, 1000, 600, 5400, 3, 1.7, SPEED_MEASURE},
	    /* Half as fast. */
	    {8, 1, 500, 900, 1000, 600, 9000, 2.5, 1.7, SPEED_MEASURE},
	    /* Unknown here or there: by stress-ng, half more; or as fast. */
	    {4, 1, NAN, 900, 1000, 600, 4200, 4200 / 3600.0, 2.2, SPEED_STRESS_NG},
	    {4, 1, 500, 900, NAN, 600, 4200, 4200 / 3600.0, 2.2, SPEED_STRESS_NG},
	    {8, 1, NAN, NAN, 1000, 600, 5400, 1.5, 2.2, SPEED_UNKNOWN},
	    {4, 1, NAN, 0, 1000, 600, 5400, 1.5, 2.2, SPEED_UNKNOWN},
	    {NAN, 1, 500, 300, 1000, 600, NAN, NAN, 0, SPEED_MEASURE},
	    {0, 1, 500, 300, 1000, 600, NAN, NAN, 0, SPEED_MEASURE},
	    {4, NAN, 1000, 600, 1000, 600, 5400, NAN, 1.7, SPEED_MEASURE},
	};
	struct time_at time = wide();

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct keeper_server here =
		    server("here", 4, 1, cases[i].here_asked, cases[i].here_stress_ng);
		struct keeper_server there = server("there", cases[i].vcpus, cases[i].price,
		                                    cases[i].asked, cases[i].stress_ng);
		struct frontier_job job = {
		    .time = &time, .nodes = 1, .here = &here, .measure = {"geekbench:score", true}};
		struct frontier_point p;
		frontier_point(&job, &there, &p);
		if (p.speed.by != cases[i].by ||
		    !(isnan(cases[i].time) ? isnan(p.time.s) : near(p.time.s, cases[i].time)) ||
		    !(isnan(cases[i].cost) ? isnan(p.cost.s) : near(p.cost.s, cases[i].cost)))
			fail_msg("case %zu: %g s, %g, by %d", i, p.time.s, p.cost.s, p.speed.by);
		if (isnan(p.time.s))
			continue;
		/* The range holds that of the speed, of what is not idle, and what the number of
		 * CPUs leaves open. */
		double most = 1800 + (p.time.s - 1800) * cases[i].range;
		double least = 1800 + (p.time.s - 1800) / cases[i].range;
		assert_true(p.time.most >= most && p.time.most <= most * 1.1);
		assert_true(p.time.least <= least && p.time.least >= least / 1.1);
		if (isfinite(p.cost.s))
			assert_true(near(p.cost.most / p.cost.s, p.time.most / p.time.s));
	}
}

/* A job whose usage is not known is taken to be on a CPU all the time. */
TEST(without_usage)
{
	struct keeper_server here = server("here", 4, 1, 1000, 1), there = here;
	struct frontier_job job = {
	    .duration_s = 100, .nodes = 1, .here = &here, .measure = {"geekbench:score", true}};
	struct frontier_point p;

	there.score_asked = 2000;
	frontier_point(&job, &there, &p);
	assert_true(near(p.time.s, 50) && near(p.time.most, 50 * 1.7));
	job.duration_s = NAN;
	frontier_point(&job, &there, &p);
	assert_true(isnan(p.time.s));
}

TEST(one_core)
{
	struct time_at time = wide();
	struct frontier_job job = {.time = &time};
	static const struct {
		double cpus; /* of the machine: 4 are busy */
		bool one;
	} cases[] = {{4, false}, {7, false}, {8, true}, {64, true}, {NAN, false}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		job.cpus = cases[i].cpus;
		assert_int_equal(frontier_one_core(&job), cases[i].one);
	}
}

TEST(measured)
{
	struct time_at time = wide();
	struct keeper_server here = server("here", 4, 1, 1000, 1);
	struct keeper_server there = server("id", 4, 2, 9000, 1);
	const struct frontier_measured runs[] = {{"AWS", "m7.large", 1800, 1700, 2000, 3}};
	struct frontier_job job = {
	    .time = &time, .nodes = 2, .here = &here, .measured = runs, .n_measured = 1};
	struct frontier_point p;

	frontier_point(&job, &there, &p);
	assert_int_equal(p.measured, 0);
	snprintf(there.api_reference, sizeof there.api_reference, "%s", "M7.large");
	frontier_point(&job, &there, &p);
	assert_int_equal(p.measured, 3);
	assert_true(p.time.s == 1800 && p.time.least == 1700 && p.time.most == 2000);
	assert_true(near(p.cost.s, 2) && near(p.cost.most, 2 * 2 * 2000 / 3600.0));
}

TEST(nodes_and_billing)
{
	struct time_at time = wide();
	struct keeper_server s = server("s", 4, 3.6, 1, 1);
	struct frontier_job job = {.time = &time, .nodes = 3, .here = &s, .cpus = 4};
	struct frontier_point p;

	snprintf(s.vendor_id, sizeof s.vendor_id, "%s", "hcloud");
	frontier_point(&job, &s, &p);
	assert_true(near(p.cost.s, 3 * 5.4));
	assert_true(near(p.alone, 3 * 7.2)); /* whole hours: two of each node */
	s.start_s = 1801;                    /* then the run ends in the third hour */
	frontier_point(&job, &s, &p);
	assert_true(near(p.cost.s, 3 * 5.4) && near(p.alone, 3 * 10.8));
	s.start_s = NAN;
	frontier_point_now(&job, &s, 1000, &p);
	assert_true(p.now && near(p.cost.s, 3.0) && near(p.time.s, 1000));
}

TEST(sizes)
{
	double size[KEEPER_SIZES_MAX];
	struct time_at time = wide(), none = {0};
	struct frontier_job job = {.time = &time}, unknown = {.time = &none};

	assert_int_equal(frontier_sizes(&unknown, size), 0);
	assert_int_equal(frontier_sizes(&job, size), 3);
	assert_true(size[0] == 1 && size[1] == 2 && size[2] == 4);
	time_at_add(&time, &(struct time_at_sample){3600, 5, 0, 0, 1, 1, 1, 0, 0});
	assert_int_equal(frontier_sizes(&job, size), 4);
	time_at_add(&time, &(struct time_at_sample){3600, 900, 0, 0, 1, 1, 1, 0, 0});
	assert_int_equal(frontier_sizes(&job, size), KEEPER_SIZES_MAX);
	assert_true(size[KEEPER_SIZES_MAX - 1] == 256);
}

static struct frontier_point at(const struct keeper_server *s, double time, double cost)
{
	return (struct frontier_point){.server = s,
	                               .time = {time, time / 1.4, time * 1.4},
	                               .cost = {cost, cost / 1.4, cost * 1.4},
	                               .alone = cost};
}

static struct frontier_point now(double time, double cost)
{
	return (struct frontier_point){
	    .time = {time, time, time}, .cost = {cost, cost, cost}, .measured = 1, .now = true};
}

TEST(frontier_of_points)
{
	struct keeper_server s = server("s", 4, 1, 1, 1), t = server("t", 4, 1, 1, 1);
	struct frontier_point v[] = {
	    at(&s, 100, 5),   at(&s, 200, 3), at(&s, 150, 4), at(&s, 150, 6), at(&s, 300, 1),
	    at(&s, NAN, 0.1), at(&s, 1, NAN), at(&s, 0, 0.1), at(&t, 300, 1), at(&s, 300, 2),
	};
	size_t n = frontier_sort(v, sizeof v / sizeof *v);
	struct frontier_point here = now(160, 3.5);
	struct frontier_picks p = frontier_picks(v, n, &here);

	assert_int_equal(n, 7);
	assert_true(v[0].on && v[0].server == &s && v[0].alike == 1);
	assert_true(!v[1].on && v[1].server == &t); /* as good, and named once */
	assert_true(!v[2].on);                      /* as slow, and dearer */
	assert_true(p.cheapest == &v[0] && p.fastest->cost.s == 5 && p.fastest->on);
	/* 200 s may be 143: about as fast. */
	assert_true(p.as_fast->cost.s == 3 && frontier_about_as_fast(p.as_fast, &here));
	assert_true(p.within->cost.s == 3);
	here = now(NAN, NAN);
	p = frontier_picks(v, n, &here);
	assert_true(!p.as_fast && !p.within && p.cheapest);
	here = now(70, 0.5);
	p = frontier_picks(v, n, &here);
	assert_null(p.as_fast);
	assert_null(p.within);
	p = frontier_picks(v, 0, &here);
	assert_true(!p.cheapest && !p.fastest && !p.as_fast && !p.within);
}

/* No point is faster and cheaper than one on the frontier, and each that is not on it has one that
 * is at least as good in both. */
TEST(frontier_of_many)
{
	enum { N = 500 };
	static struct frontier_point v[N];
	struct keeper_server s = server("s", 4, 1, 1, 1);
	size_t n;

	for (size_t seed = 1; seed < 20; seed++) {
		for (size_t i = 0; i < N; i++)
			v[i] = at(&s, (double)(i * seed * 7919 % 97 + 1),
			          (double)(i * seed * 104729 % 101 + 1));
		n = frontier_sort(v, N);
		assert_int_equal(n, N);
		for (size_t i = 0; i < n; i++) {
			bool beaten = false, matched = false;
			for (size_t k = 0; k < n; k++) {
				beaten |= v[k].cost.s < v[i].cost.s && v[k].time.s < v[i].time.s;
				matched |= k != i && v[k].on && v[k].cost.s <= v[i].cost.s &&
				           v[k].time.s <= v[i].time.s;
			}
			assert_true(v[i].on ? !beaten : matched);
		}
		n = frontier_keep(v, N, 12);
		assert_true(n <= 12 && v[0].on && v[0].end);
		for (size_t i = 1; i < n; i++)
			assert_true(v[i - 1].cost.s <= v[i].cost.s);
	}
}

/* Hundreds with one price and unknown speeds are one point. */
TEST(equal_servers)
{
	enum { N = 300 };
	static struct frontier_point v[N];
	struct keeper_server s = server("s", 4, 1, NAN, NAN);
	struct frontier_point here = now(100, 1);

	for (size_t i = 0; i < N; i++)
		v[i] = at(&s, 100, 1);
	assert_int_equal(frontier_sort(v, N), N);
	assert_int_equal(v[0].alike, N - 1);
	assert_true(v[0].on && v[0].end && !v[1].on && !v[N - 1].on);
	assert_true(frontier_picks(v, N, &here).within == &v[0]);
	assert_int_equal(frontier_sort(v, 0), 0);
	assert_int_equal(frontier_sort(v, 1), 1);
}
