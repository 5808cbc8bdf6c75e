/* near: a check for doubles (assert_float_equal of cmocka compares floats). */
#ifndef NEAR_H
#define NEAR_H

#include <math.h>

#include "tests/unit/unit.h"

/* Fails unless a and b differ by at most `within`; a NaN always fails. The message has both numbers. */
#define assert_near(a, b, within)                                                                  \
	do {                                                                                       \
		double near_a = (double)(a), near_b = (double)(b);                                 \
		if (!(fabs(near_a - near_b) <= (within)))                                          \
			fail_msg("%s is %.17g, not %.17g", #a, near_a, near_b);                    \
	} while (0)

#endif
