/* noise: when a value is beyond the noise of earlier ones; the numbers were worked out by hand. */
#include <math.h>
#include <string.h>

#include "report/stats/change_detect.h"
#include "tests/unit/unit.h"

static const struct {
	double v[6];
	size_t n;
	double mean, median, margin;
	double inside, outside;
} cases[] = {
    /* distances 2, 0, 2: 3 × 1.4826 × 2 = 8.8956, less than a tenth of the median */
    {{104, 100, 102}, 3, 102, 102, 10.2, 112, 91.7},
    /* distances 10, 0, 10: 3 × 1.4826 × 10 */
    {{110, 120, 100}, 3, 110, 110, 44.478, 154, 155},
    /* an even number: the median is between the two; distances 15, 5, 5, 15: 3 × 1.4826 × 10 */
    {{130, 100, 120, 110}, 4, 115, 115, 44.478, 71, 70},
    /* one that is far off does not widen the noise: distances 1, 0, 0, 0, 899 */
    {{99, 100, 100, 100, 999}, 5, 279.6, 100, 10, 109.9, 110.1},
    /* where all were 0, anything is news */
    {{0, 0, 0}, 3, 0, 0, 0, 0, 1},
};

TEST(numbers)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double v[6];
		struct change_detect noise;
		memcpy(v, cases[i].v, sizeof v);
		noise = change_detect_of(v, cases[i].n);
		assert_int_equal(noise.n, cases[i].n);
		assert_true(fabs(noise.mean - cases[i].mean) < 1e-9);
		assert_true(fabs(noise.median - cases[i].median) < 1e-9);
		assert_true(fabs(noise.margin - cases[i].margin) < 1e-9);
		assert_false(change_detect_beyond(&noise, cases[i].inside));
		assert_true(change_detect_beyond(&noise, cases[i].outside));
		assert_false(change_detect_beyond(&noise, NAN));
	}
}

/* Of two runs nobody knows how much they differ. */
TEST(too_few)
{
	double two[] = {1, 3};
	struct change_detect noise = change_detect_of(two, 2);

	assert_true(fabs(noise.median - 2) < 1e-9);
	assert_true(isnan(noise.margin));
	assert_false(change_detect_beyond(&noise, 1e9));
	noise = change_detect_of(NULL, 0);
	assert_int_equal(noise.n, 0);
	assert_true(isnan(noise.mean) && isnan(noise.median));
	assert_false(change_detect_beyond(&noise, 1));
}
