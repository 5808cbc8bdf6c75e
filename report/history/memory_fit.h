/*
 * memory_fit: what a run needs as a line over its input, and what to ask for with an input. Pure.
 *
 *   y = a + b·x by least squares, x the input in bytes, y the need
 *   v_x = 1/n + (x − x̄)²/Sxx, and of each run e = (y − ŷ)/(1 − v): what the line through all other
 *   runs misses it by
 *   ask = 1.1 × (a + b·x + bound × √(1 + v_x)),   bound = max(0, the largest e)
 *
 * The ask is at least the smallest y, and for x within the range that was seen at most 1.2 times
 * the largest. A run that was killed needed more than its limit: the bound is so large that the
 * line with it reaches the limit at that x. docs/advice.md has worked examples.
 *
 *   struct memory_fit fit;
 *   memory_fit_make(points, n, &fit);
 *   if (fit.usable)
 *           ask = memory_fit_ask(&fit, input_b);
 *
 * y may be bytes, or seconds.
 */
#ifndef REPORT_HISTORY_MEMORY_FIT_H
#define REPORT_HISTORY_MEMORY_FIT_H

#include <stdbool.h>
#include <stddef.h>

#define MEMORY_FIT_RUNS     5   /* fewer give no usable fit */
#define MEMORY_FIT_R2       0.3 /* nor does less */
#define MEMORY_FIT_HEADROOM 1.1
#define MEMORY_FIT_SEEN     1.2 /* × the largest y: the most, within the range that was seen */
#define MEMORY_FIT_FAR      2.0 /* × the largest x: beyond it the ask is a guess */
/* So many runs with the largest x all lie above the line, by this share of y: it bends upwards, and
 * beyond the range that was seen the ask is a guess. At least a quarter of all. */
#define MEMORY_FIT_BENDS       3
#define MEMORY_FIT_BENDS_SHARE 0.001

struct memory_point {
	double x, y; /* others than finite ones from 0 on are left out */
	bool more;   /* it needed more than y: it was killed with that limit */
};

/* Sums over the points that are not `more`. */
struct memory_fit_sums {
	double n, x, y, xx, xy, yy;
};

struct memory_fit {
	double n, a, b, r2; /* n: points that are not `more` */
	double mean_x, sxx;
	double least_x, most_x, least_y;
	double most_y; /* of points that are `more`, too */
	double bound;  /* of the unit of y; at least 0 */
	bool bends;    /* see above; not known of sums: false */
	bool usable; /* n ≥ 5, b > 0, r² ≥ 0.3, and each run can be predicted from the others */
};

void memory_fit_make(const struct memory_point *v, size_t n, struct memory_fit *out);

/* The same from sums, and the ranges of x and y. The bound stays 0: the caller takes the largest of
 * memory_fit_missed_by over all points, by a second pass. usable does not yet say whether each run
 * can be predicted from the others: NAN there says that one cannot. */
void memory_fit_of_sums(const struct memory_fit_sums *s, double least_x, double most_x,
                        double least_y, double most_y, struct memory_fit *out);

/* How far a point of the fit is above the line through all other points. NAN: without this point
 * all others have the same x. For a point that is `more`: how far it is above the line, per √(1 +
 * v_x). */
double memory_fit_missed_by(const struct memory_fit *fit, const struct memory_point *p);

/* The value of the line with its bound at x. */
double memory_fit_most(const struct memory_fit *fit, double x);

/* Not rounded. */
double memory_fit_ask(const struct memory_fit *fit, double x);

/* The same without the limit within the range that was seen: it is convex in x. */
double memory_fit_ask_convex(const struct memory_fit *fit, double x);

/* Whether the ask for x is one: x is far beyond what was seen, or beyond it where the line bends
 * upwards. */
bool memory_fit_is_guess(const struct memory_fit *fit, double x);

/* How well the asks would have done, with each run predicted from the others. */
struct memory_trial {
	size_t runs, failed; /* a point that is `more` fails, whatever was asked for */
	double unused;       /* the sum over the runs that fit; unit of y */
	/* That, and for each run that failed its ask and the largest need; of a point that is
	 * `more` the ask alone. */
	double wasted;
};

/* Fits n times. Runs that cannot be predicted are left out. */
void memory_fit_try(const struct memory_point *v, size_t n, struct memory_trial *out);

#endif
