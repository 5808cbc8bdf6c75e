/* fail_bound: against the binomial distribution, summed term by term. */
#include <math.h>
#include <string.h>

#include "report/stats/fail_bound.h"
#include "tests/unit/unit.h"

/* P(at most k of n fail with chance p), by its terms, from the last one down: with products of
 * factors alone, without the functions of the program. */
static double chance(long k, long n, double p)
{
	long double log_term = (long double)(n - k) * log1pl(-p), sum = 0, term;

	for (long i = 1; i <= k; i++)
		log_term += logl((long double)(n - k + i) / (long double)i * p);
	term = expl(log_term);
	for (long i = k; i >= 0; i--) {
		sum += term;
		term *= (long double)i / (long double)(n - i + 1) * (1 - (long double)p) / p;
	}
	return (double)sum;
}

/* The bound is where the chance of so few failures is 5 %. */
TEST(at_the_bound_it_is_5_percent)
{
	static const long n[] = {1, 2, 5, 12, 20, 59, 200, 3000, 100000, 5000000};
	static const double of_all[] = {0, 1e-5, 0.001, 0.02, 0.1, 0.5, 0.9, 0.999};

	for (size_t i = 0; i < sizeof n / sizeof *n; i++)
		for (size_t j = 0; j < sizeof of_all / sizeof *of_all; j++) {
			long k = (long)ceil(of_all[j] * (double)n[i]);
			double p, c;
			if (k >= n[i])
				continue;
			p = fail_bound((double)k, (double)n[i]);
			c = chance(k, n[i], p);
			assert_true(p > (double)k / (double)n[i] && p < 1);
			if (!(fabs(c - 0.05) < 1e-7))
				fail_msg("%ld of %ld: %.12g has %.12g", k, n[i], p, c);
		}
}

TEST(without_failures)
{
	assert_true(fabs(fail_bound(0, 12) - 0.220922) < 1e-6);
	assert_true(fabs(fail_bound(0, 1) - 0.95) < 1e-12);
	assert_true(fail_bound(0, 58) > 0.05 && fail_bound(0, 59) < 0.05);
	assert_true(fabs(fail_bound(0, 1e9) * 1e9 - 2.995732274) < 1e-6);
}

TEST(without_runs_or_successes)
{
	assert_true(fail_bound(0, 0) == 1);
	assert_true(fail_bound(3, 3) == 1);
	assert_true(fail_bound(0, NAN) == 1);
}

TEST(sentences)
{
	static const struct {
		double failed, runs;
		const char *text;
	} cases[] = {
	    {0, 12, "0 of 12 runs would have failed; the next fails with at most 22%"},
	    {0, 1, "the one run would not have failed: a first guess"},
	    {1, 1, "the one run would have failed: a first guess"},
	    {2, 40, "2 of 40 runs would have failed; the next fails with at most 15%"},
	    {0, 1234, "0 of 1,234 runs would have failed; the next fails with at most 0.2%"},
	    {0, 1e6, "0 of 1,000,000 runs would have failed; the next fails with under 0.1%"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf text = {0};
		fail_bound_say(&text, cases[i].failed, cases[i].runs,
		               fail_bound(cases[i].failed, cases[i].runs));
		assert_string_equal(buf_cstr(&text), cases[i].text);
		buf_free(&text);
	}
}
