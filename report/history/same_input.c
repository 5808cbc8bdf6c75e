/* same_input: change points of measures that may follow the size of a run's input. */
#include "report/history/same_input.h"

#include <math.h>

#include "core/numbers/stats.h"
#include "report/history/memory_fit.h"

#define ROUNDS  3
#define OUTLIER 2 /* × the noise: what is further off counts as that */

static double line_at(const struct memory_fit *fit, double input)
{
	return fmax(fit->a + fit->b * input, fit->least_y);
}

/* Subtracts from each logarithm the median of its stratum, and cuts what is far off. */
static void level_and_cut(const struct change_series *s, const double *x, bool cut, double *out)
{
	double v[CHANGE_RUNS], noise;

	for (size_t i = 0; i < s->n; i++) {
		size_t n = 0;
		for (size_t k = 0; k < s->n; k++)
			if (s->rows[k].stratum == s->rows[i].stratum)
				v[n++] = x[k];
		out[i] = x[i] - stats_median(v, n);
	}
	for (size_t i = 0; i < s->n; i++)
		v[i] = fabs(out[i]);
	noise = OUTLIER * STATS_MAD_TO_SD * stats_median(v, s->n);
	for (size_t i = 0; cut && i < s->n; i++)
		out[i] = fmax(fmin(out[i], noise), -noise);
}

/* The line over the input, of values as shares of their stratum's level. A better line shows levels
 * and outliers better, so it is made ROUNDS times. */
static bool make_line(const struct change_series *s, struct memory_fit *fit)
{
	struct memory_point point[CHANGE_RUNS];
	double line[CHANGE_RUNS], x[CHANGE_RUNS], off[CHANGE_RUNS];

	for (size_t i = 0; i < s->n; i++) {
		if (!(s->rows[i].input >= 0))
			return false;
		line[i] = 1;
	}
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < s->n; i++)
			x[i] = log(s->rows[i].value / line[i]);
		level_and_cut(s, x, round > 0, off);
		for (size_t i = 0; i < s->n; i++)
			point[i] = (struct memory_point){.x = s->rows[i].input,
			                                 .y = line[i] * exp(off[i])};
		memory_fit_make(point, s->n, fit);
		if (!(fit->b > 0))
			return false;
		for (size_t i = 0; i < s->n; i++)
			line[i] = line_at(fit, s->rows[i].input);
	}
	return fit->usable && fit->b * fit->mean_x <= SAME_INPUT_STEEP * line_at(fit, fit->mean_x);
}

/* Fills the rows with the last run's input; false: no line is usable. */
static bool make_same_rows(struct same_input *m)
{
	const struct change_series *s = m->s;
	struct memory_fit fit;

	if (s->n < (size_t)2 * CHANGE_LEAST || !make_line(s, &fit))
		return false;
	for (size_t i = 0; i < s->n; i++) {
		m->row[i] = s->rows[i];
		m->row[i].value *=
		    line_at(&fit, s->rows[s->n - 1].input) / line_at(&fit, s->rows[i].input);
	}
	return true;
}

/* Schwarz's criterion; less is better. */
static double unexplained(const struct change_series *s, double slopes)
{
	double n = (double)s->n;

	return 2 * n * log(s->spread + CHANGE_STEP) + (2 * (double)s->points + slopes) * log(n);
}

void same_input_find(struct same_input *v, size_t n)
{
	struct change_series as_is[CHANGE_TOGETHER], same[CHANGE_TOGETHER];
	size_t lines = 0;

	n = n > CHANGE_TOGETHER ? CHANGE_TOGETHER : n;
	for (size_t i = 0; i < n; i++) {
		v[i].kept = make_same_rows(&v[i]);
		as_is[i] = same[i] = *v[i].s;
		if (v[i].kept)
			same[i].rows = v[i].row;
		lines += v[i].kept;
	}
	change_points_find(as_is, n);
	if (lines)
		change_points_find(same, n);
	for (size_t i = 0; i < n; i++) {
		v[i].kept = v[i].kept && unexplained(&same[i], 1) < unexplained(&as_is[i], 0);
		*v[i].s = v[i].kept ? same[i] : as_is[i];
	}
}
