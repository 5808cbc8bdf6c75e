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

static struct keeper_server server(const char *id, double vcpus, double price, double one,
                                   double all)
{
	struct keeper_server s = keeper_result_no_server();

	snprintf(s.vendor_id, sizeof s.vendor_id, "%s", "aws");
	snprintf(s.server_id, sizeof s.server_id, "%s", id);
	s.vcpus = vcpus;
	s.price_hour = price;
	s.score_core = one;
	s.score = all * vcpus;
	return s;
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6 * fmax(1, fabs(b));
}

TEST(times_and_costs)
{
	static const struct {
		double cpus;                                       /* here, of which 4 are busy */
		double vcpus, price, one, all, here_one, here_all; /* scores of a core */
		double time, cost;
		enum frontier_score score;
	} cases[] = {
	    /* As here: 3600 s on CPUs, 1800 s not. */
	    {4, 4, 1, 1000, 600, 1000, 600, 5400, 1.5, FRONTIER_SCORE_ALL},
	    /* Half of the CPUs: twice the time on them. */
	    {4, 2, 1, 1000, 600, 1000, 600, 9000, 2.5, FRONTIER_SCORE_ALL},
	    /* More CPUs than threads help no more. */
	    {4, 8, 2, 1000, 600, 1000, 600, 5400, 3, FRONTIER_SCORE_ALL},
	    /* Over half of the CPUs here are busy: the score of all counts, half more. */
	    {7, 4, 1, 1000, 900, 1000, 600, 4200, 4200 / 3600.0, FRONTIER_SCORE_ALL},
	    /* Half of them: that of one counts, half as fast. */
	    {8, 8, 1, 500, 900, 1000, 600, 9000, 2.5, FRONTIER_SCORE_ONE},
	    /* Unknown here or there: as fast. */
	    {8, 8, 1, NAN, 900, 1000, 600, 5400, 1.5, FRONTIER_SCORE_UNKNOWN},
	    {8, 8, 1, 500, 900, NAN, 600, 5400, 1.5, FRONTIER_SCORE_UNKNOWN},
	    {4, 4, 1, 500, NAN, 1000, 600, 5400, 1.5, FRONTIER_SCORE_UNKNOWN},
	    {4, 4, 1, 500, 300, 1000, NAN, 5400, 1.5, FRONTIER_SCORE_UNKNOWN},
	    {4, 4, 1, 500, 0, 1000, 600, 5400, 1.5, FRONTIER_SCORE_UNKNOWN},
	    {NAN, 4, 1, 1000, 900, 1000, 600, 4200, 4200 / 3600.0, FRONTIER_SCORE_ALL},
	    {4, NAN, 1, 500, 300, 1000, 600, NAN, NAN, FRONTIER_SCORE_UNKNOWN},
	    {4, 0, 1, 500, 300, 1000, 600, NAN, NAN, FRONTIER_SCORE_UNKNOWN},
	    {4, 4, NAN, 1000, 600, 1000, 600, 5400, NAN, FRONTIER_SCORE_ALL},
	};
	struct time_at time = wide();

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct keeper_server here =
		    server("here", 4, 1, cases[i].here_one, cases[i].here_all);
		struct keeper_server there =
		    server("there", cases[i].vcpus, cases[i].price, cases[i].one, cases[i].all);
		struct frontier_job job = {&time, 1, &here, cases[i].cpus};
		struct frontier_point p;
		frontier_point(&job, &there, &p);
		if (p.score != cases[i].score ||
		    !(isnan(cases[i].time) ? isnan(p.time.s) : near(p.time.s, cases[i].time)) ||
		    !(isnan(cases[i].cost) ? isnan(p.cost) : near(p.cost, cases[i].cost)))
			fail_msg("case %zu: %g s, %g, score %d", i, p.time.s, p.cost, p.score);
	}
}

TEST(nodes_and_billing)
{
	struct time_at time = wide();
	struct keeper_server s = server("s", 4, 3.6, 1, 1);
	struct frontier_job job = {&time, 3, &s, 4};
	struct frontier_point p;

	snprintf(s.vendor_id, sizeof s.vendor_id, "%s", "hcloud");
	frontier_point(&job, &s, &p);
	assert_true(near(p.cost, 3 * 5.4));
	assert_true(near(p.alone, 3 * 7.2)); /* whole hours: two of each node */
	frontier_point_now(&job, &s, 1000, &p);
	assert_true(p.now && near(p.cost, 3.0) && near(p.time.s, 1000));
}

TEST(sizes)
{
	double size[KEEPER_SIZES_MAX];
	struct time_at time = wide(), none = {0};
	struct frontier_job job = {&time, 1, NULL, 4}, unknown = {&none, 1, NULL, 4};

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
	return (struct frontier_point){
	    .server = s, .time = {time, time, time}, .cost = cost, .alone = cost, .speed = 1};
}

TEST(frontier_of_points)
{
	struct keeper_server s = server("s", 4, 1, 1, 1), t = server("t", 4, 1, 1, 1);
	struct frontier_point v[] = {
	    at(&s, 100, 5),   at(&s, 200, 3), at(&s, 150, 4), at(&s, 150, 6), at(&s, 300, 1),
	    at(&s, NAN, 0.1), at(&s, 1, NAN), at(&s, 0, 0.1), at(&t, 300, 1), at(&s, 300, 2),
	};
	size_t n = frontier_sort(v, sizeof v / sizeof *v);
	struct frontier_picks p = frontier_picks(v, n, 160, 3.5);

	assert_int_equal(n, 7);
	assert_true(v[0].on && v[0].server == &s && v[0].alike == 1);
	assert_true(!v[1].on && v[1].server == &t); /* as good, and named once */
	assert_true(!v[2].on);                      /* as slow, and dearer */
	assert_true(p.cheapest == &v[0] && p.fastest->cost == 5 && p.fastest->on);
	assert_true(p.as_fast->cost == 4);
	assert_true(p.within->cost == 3);
	p = frontier_picks(v, n, NAN, NAN);
	assert_true(!p.as_fast && !p.within && p.cheapest);
	p = frontier_picks(v, n, 99, 0.5);
	assert_null(p.as_fast);
	assert_null(p.within);
	p = frontier_picks(v, 0, 1, 1);
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
				beaten |= v[k].cost < v[i].cost && v[k].time.s < v[i].time.s;
				matched |= k != i && v[k].on && v[k].cost <= v[i].cost &&
				           v[k].time.s <= v[i].time.s;
			}
			assert_true(v[i].on ? !beaten : matched);
		}
		n = frontier_keep(v, N, 12);
		assert_true(n <= 12 && v[0].on && v[0].end);
		for (size_t i = 1; i < n; i++)
			assert_true(v[i - 1].cost <= v[i].cost);
	}
}

/* Hundreds with one price and unknown speeds are one point. */
TEST(equal_servers)
{
	enum { N = 300 };
	static struct frontier_point v[N];
	struct keeper_server s = server("s", 4, 1, NAN, NAN);

	for (size_t i = 0; i < N; i++)
		v[i] = at(&s, 100, 1);
	assert_int_equal(frontier_sort(v, N), N);
	assert_int_equal(v[0].alike, N - 1);
	assert_true(v[0].on && v[0].end && !v[1].on && !v[N - 1].on);
	assert_true(frontier_picks(v, N, 100, 1).within == &v[0]);
	assert_int_equal(frontier_sort(v, 0), 0);
	assert_int_equal(frontier_sort(v, 1), 1);
}
