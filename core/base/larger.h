/*
 * larger: the larger and the lesser of two numbers. A NAN, which is "not measured", is ignored, as
 * by fmax(3) and fmin(3). Those are in libm, which rtrack-collect does without: it would take a
 * tenth of its memory.
 */
#ifndef CORE_BASE_LARGER_H
#define CORE_BASE_LARGER_H

#include <math.h>

static inline double larger(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

static inline double lesser(double a, double b)
{
	return isnan(a) || b < a ? b : a;
}

#endif
