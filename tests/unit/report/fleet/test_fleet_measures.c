/* fleet_measures: each statistic is from the right member, and what is unknown is not 0. */
#include <math.h>

#include "report/fleet/fleet_measures.h"
#include "tests/unit/unit.h"

TEST(test_known)
{
	static const double expected[MEASURE_FLEET_NAMES] = {2000, 45, 30,  25,  0.25, 0.5,
	                                                     0.75, 76, 101, 103, 105,  107};
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
	};
	double v[MEASURE_FLEET_NAMES];

	fleet_measures(&f, v);
	for (size_t i = 0; i < MEASURE_FLEET_NAMES; i++)
		assert_true(v[i] == expected[i]);
}

TEST(test_unknown)
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
