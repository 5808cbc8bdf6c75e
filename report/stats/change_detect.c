/* change_detect: median, spread, and values beyond them. */
#include "report/stats/change_detect.h"

#include <math.h>
#include <stdlib.h>

#define MAD_TO_SD 1.4826 /* for a normal distribution */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_of(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

struct change_detect change_detect_of(double *v, size_t n)
{
	struct change_detect out = {.n = n, .mean = NAN, .median = NAN, .margin = NAN};
	double sum = 0, deviation;

	if (!n)
		return out;
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	out.mean = sum / (double)n;
	out.median = median_of(v, n);
	if (n < CHANGE_DETECT_RUNS)
		return out;
	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - out.median);
	deviation = median_of(v, n) * MAD_TO_SD;
	out.margin = fmax(CHANGE_DETECT_CHANGE * out.median, CHANGE_DETECT_DEVIATIONS * deviation);
	return out;
}

bool change_detect_beyond(const struct change_detect *noise, double now)
{
	return fabs(now - noise->median) > noise->margin;
}
