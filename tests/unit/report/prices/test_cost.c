/* cost: the cost of a part of an hour, billing terms, and savings, which may be extra costs. */
#include <math.h>

#include "report/prices/cost.h"
#include "tests/unit/unit.h"

TEST(runs)
{
	static const struct {
		double price, duration, cost;
	} cases[] = {
	    {0.36, 10, 0.001},  {3.6, 3600, 3.6},   {1, 0, 0},    {0, 100, 0},
	    {NAN, 1, NAN},      {1, NAN, NAN},      {-1, 1, NAN}, {1, -1, NAN},
	    {1, INFINITY, NAN}, {INFINITY, 0, NAN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double cost = cost_run(cases[i].price, cases[i].duration);
		if (isnan(cases[i].cost))
			assert_true(isnan(cost));
		else
			assert_true(fabs(cost - cases[i].cost) < 1e-12);
	}
}

/* By hand: $3.6 per hour is $0.001 per second. */
TEST(alone)
{
	static const struct {
		const char *vendor;
		double min, increment, price, duration, cost;
	} cases[] = {
	    {"aws", NAN, NAN, 3.6, 10, 0.06},      /* at least a minute */
	    {"aws", NAN, NAN, 3.6, 60.2, 0.061},   /* whole seconds */
	    {"gcp", -1, -1, 3.6, 10, 0.06},        /* negative: unknown */
	    {"gcp", 0, 1, 3.6, 10, 0.01},          /* 0: no minimum */
	    {"azure", NAN, NAN, 3.6, 10, 0.3},     /* five minutes */
	    {"alicloud", NAN, NAN, 3.6, 599, 0.6}, /* ten */
	    {"hcloud", NAN, NAN, 3.6, 10, 3.6},    /* an hour: 360 times the marginal cost */
	    {"hcloud", NAN, NAN, 3.6, 3601, 7.2},  /* two */
	    {"hcloud", 60, 60, 3.6, 61, 0.12},     /* from the service */
	    {"", NAN, 1, 3.6, 10, 3.6},            /* at least an hour, then seconds */
	    {"aws", NAN, NAN, 3.6, 0, 0.06},
	    {"aws", NAN, NAN, NAN, 10, NAN},
	    {"aws", NAN, NAN, 3.6, NAN, NAN},
	    {"aws", NAN, NAN, -1, 10, NAN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double cost =
		    cost_alone(cases[i].price, cases[i].duration,
		               cost_billing_of(cases[i].vendor, cases[i].min, cases[i].increment));
		if (isnan(cases[i].cost) ? !isnan(cost) : !(fabs(cost - cases[i].cost) < 1e-9))
			fail_msg("case %zu: %g", i, cost);
	}
}

TEST(savings)
{
	static const struct {
		double present, recommended;
		bool known, extra;
		double percent, amount;
	} cases[] = {
	    {0.3, 0.1, true, false, 66.67, 0.2},
	    {0.1, 0.3, true, true, -200, -0.2},
	    {0.5, 0.5, true, false, 0, 0},
	    {1, 0, true, false, 100, 1},
	    {0.00123456, 0.0000001, true, false, 99.99, 0.001234},
	    {0, 1, false, false, NAN, NAN},
	    {NAN, 1, false, false, NAN, NAN},
	    {1, NAN, false, false, NAN, NAN},
	    {1, -1, false, false, NAN, NAN},
	    {INFINITY, 1, false, false, NAN, NAN},
	    {1e-300, 1e300, false, false, NAN, NAN},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cost_savings s = cost_saved(cases[i].present, cases[i].recommended);
		assert_int_equal(s.known, cases[i].known);
		assert_int_equal(s.extra, cases[i].extra);
		if (s.known) {
			assert_true(fabs(s.percent - cases[i].percent) < 1e-9);
			assert_true(fabs(s.amount - cases[i].amount) < 1e-9);
		} else {
			assert_true(isnan(s.percent) && isnan(s.amount));
		}
	}
}
