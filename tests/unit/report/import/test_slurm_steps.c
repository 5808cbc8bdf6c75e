/* slurm_steps: sums of CPU time, peaks of steps at the same time. */
#include "report/import/slurm_steps.h"

#include <math.h>

#include "tests/unit/unit.h"

TEST(peaks)
{
	static struct slurm_steps s;

	slurm_steps_clear(&s);
	assert_true(isnan(slurm_steps_peak(&s)));
	slurm_steps_add(&s, 0, 100, 1, 10);
	slurm_steps_add(&s, 0, 50, 2, 20);
	slurm_steps_add(&s, 50, 100, 3, 30);
	slurm_steps_add(&s, 60, 70, 3, NAN);
	slurm_steps_add(&s, NAN, NAN, 0, 35);
	assert_true(slurm_steps_peak(&s) == 40 && s.cpu_s == 9);
	slurm_steps_add(&s, 0, 1, NAN, 1);
	assert_true(isnan(s.cpu_s));
}

/* More steps than it keeps: those that have ended are forgotten, those at the same time are summed up. */
TEST(many_steps)
{
	static struct slurm_steps s;

	slurm_steps_clear(&s);
	for (int i = 0; i < 5000; i++)
		slurm_steps_add(&s, i, i + 2, 1, i == 100 ? 7 : 1);
	assert_true(slurm_steps_peak(&s) == 8 && s.cpu_s == 5000);
	slurm_steps_clear(&s);
	for (int i = 0; i < 5000; i++)
		slurm_steps_add(&s, 0, 10, 1, 1);
	assert_true(slurm_steps_peak(&s) == 5000);
}
