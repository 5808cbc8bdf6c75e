/* slurm_attempts: many jobs, attempts of some, files that were put together. */
#include "fleet/import/slurm_attempts.h"

#include <math.h>
#include <stdio.h>

#include "tests/unit/unit.h"

static uint64_t line;

static unsigned next(struct slurm_attempts *a, int job, double start)
{
	char id[16];

	snprintf(id, sizeof id, "%d", job);
	return slurm_attempts_next(a, "c", id, start, line);
}

TEST(many_jobs)
{
	struct slurm_attempts a = {0};

	for (int job = 0; job < 5000; job++)
		assert_int_equal(next(&a, job, 100), 0);
	for (int job = 0; job < 5000; job++)
		assert_int_equal(next(&a, job, job % 2 ? 200 : 100), job % 2);
	assert_int_equal(a.n, 5000);
	assert_int_equal(slurm_attempts_next(&a, "d", "1", 100, 0), 0);
	slurm_attempts_free(&a);
}

TEST(attempts)
{
	struct slurm_attempts a = {0};
	static const double starts[] = {100, 100, 200, NAN, 300, 100, 200, 300};
	static const unsigned numbers[] = {0, 0, 1, 1, 2, 0, 1, 2};

	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		assert_int_equal(next(&a, 1, starts[i]), numbers[i]);
	for (unsigned i = 0; i < 400; i++)
		assert_true(next(&a, 2, i) == (i < 254 ? i : 254));
	slurm_attempts_free(&a);
}

/* Without starts: each line that differs is one, also where files were put together. */
TEST(without_starts)
{
	struct slurm_attempts a = {0};
	static const uint64_t lines[] = {7, 8, 9, 7, 8, 9, 8, 10};
	static const unsigned numbers[] = {0, 1, 2, 0, 1, 2, 1, 3};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		line = lines[i];
		assert_int_equal(next(&a, 1, NAN), numbers[i]);
	}
	slurm_attempts_free(&a);
}
