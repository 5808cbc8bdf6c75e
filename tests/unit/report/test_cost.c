/* cost: the share of an hour, and savings that may be extra cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "../../../report/cost.h"

static void runs(void **state)
{
	static const struct {
		double price, duration, cost;
	} cases[] = {
	    {0.36, 10, 0.001},  {3.6, 3600, 3.6},   {1, 0, 0},    {0, 100, 0},
	    {NAN, 1, NAN},      {1, NAN, NAN},      {-1, 1, NAN}, {1, -1, NAN},
	    {1, INFINITY, NAN}, {INFINITY, 0, NAN},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double cost = cost_run(cases[i].price, cases[i].duration);
		if (isnan(cases[i].cost))
			assert_true(isnan(cost));
		else
			assert_true(fabs(cost - cases[i].cost) < 1e-12);
	}
}

static void savings(void **state)
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

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(runs),
	    cmocka_unit_test(savings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
