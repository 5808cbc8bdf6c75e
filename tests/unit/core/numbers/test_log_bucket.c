/* log_bucket: borders, middles, and values beside the borders. */
#include <math.h>

#include "core/numbers/log_bucket.h"
#include "tests/unit/unit.h"

TEST(borders_belong_to_the_bucket_above)
{
	assert_int_equal(log_bucket(0), 0);
	assert_int_equal(log_bucket(0.000999), 0);
	assert_int_equal(log_bucket(1e-3), 1);
	for (int k = 1; k < 5000; k++) {
		double low = log_bucket_low(k);
		assert_int_equal(log_bucket(low), k);
		assert_int_equal(log_bucket(nextafter(low, 0)), k - 1);
	}
}

TEST(values_are_near_the_middle)
{
	for (double v = 1e-3; v < 1e18; v *= 1.37) {
		double middle = log_bucket_middle(log_bucket(v));
		assert_true(fabs(v / middle - 1) < 0.00501);
	}
	assert_true(log_bucket_middle(0) == 0);
	assert_true(log_bucket_low(0) == 0);
	assert_true(fabs(log_bucket_low(2) - 1.01e-3) < 1e-15);
	assert_true(log_bucket(1e18) < 4900); /* and so no number of a run has more */
}
