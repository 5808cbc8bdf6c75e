/* noise: median, spread, and what is beyond them. */
#include "noise.h"

#include <math.h>
#include <stdlib.h>

#define MAD_TO_SD 1.4826 /* of a normal distribution */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_size);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

struct noise noise_of(double *v, size_t n)
{
	struct noise out = {.n = n, .mean = NAN, .median = NAN, .margin = NAN};
	double sum = 0, deviation;

	if (!n)
		return out;
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	out.mean = sum / (double)n;
	out.median = median(v, n);
	if (n < NOISE_RUNS)
		return out;
	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - out.median);
	deviation = median(v, n) * MAD_TO_SD;
	out.margin = fmax(NOISE_CHANGE * out.median, NOISE_DEVIATIONS * deviation);
	return out;
}

bool noise_beyond(const struct noise *noise, double now)
{
	return fabs(now - noise->median) > noise->margin;
}
