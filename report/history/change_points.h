/*
 * change_points: where a measure changed and stayed changed, over many runs. Pure.
 *
 *	struct change_series s = {.rows = rows, .n = n};
 *	change_points_find(&s, 1);
 *	if (s.points)  the newest change is s.point[s.points - 1]
 *
 * Each value is taken as ln(value / median of its stratum), and by its rank (ties: the mean rank).
 * A split of n runs into the first t and the rest, at least CHANGE_LEAST on both sides, has
 *
 *	z(t) = |sum of the left ranks − t × mean rank| / √(s² t (n − t) / n)
 *
 * with s² the variance of the ranks. The split with the largest z counts if of many shuffles of the
 * ranks none has a split with a z as large; sides of 10 runs or more are then split again. A split
 * is a change point if the medians of the parts before and after it are at least CHANGE_STEP apart,
 * and further than what neighbours that are alike make of the noise within these parts; where
 * several are not, the one that lacks most is dropped first. This is judged when
 * all splits are found: a level that comes and goes would be noise in the sides of the first.
 *
 * The noise is 1.4826 × the median absolute deviation from the own median. Runs that follow each
 * other may be alike, as on a machine that is slow for a while, and then wander as far as a step:
 * the noise counts ((1 + ρ) / (1 − ρ))^1.5 times, with the autocorrelation of neighbours within
 * the parts and 7/n for ρ, which is 0 to 0.54: few runs show too little of it, and a step of six
 * times the noise is one whatever ρ is.
 *
 * CPU time grows where other programs use the same cores and caches: by 0.1 to 5 % for each 1 % of
 * the time that they keep a run waiting. A step that such a difference may be all of is marked.
 *
 * The shuffles come from a fixed seed: the answer is the same each time, on each machine.
 */
#ifndef REPORT_HISTORY_CHANGE_POINTS_H
#define REPORT_HISTORY_CHANGE_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#define CHANGE_RUNS       60   /* at most; of more, the caller gives the newest */
#define CHANGE_LEAST      5    /* runs on both sides */
#define CHANGE_STEP       0.05 /* of the old level */
#define CHANGE_SHUFFLES   2000 /* and the runs as they are count as one of them */
#define CHANGE_WAITED     5    /* what waiting adds to a logarithm, at most: × its share */
#define CHANGE_POINTS_MAX (CHANGE_RUNS / CHANGE_LEAST)

struct change_row {
	double value;   /* finite, above 0 */
	size_t stratum; /* equal numbers: machines on which the value is comparable */
	double input;   /* bytes; NAN: unknown. Only same_input uses it */
	double waited;  /* share of its time that others kept it waiting; 0 if the value does not
	                   depend on that; NAN: unknown */
};

struct change_point {
	size_t at; /* the first run of the new level */
	double p;  /* the chance of a split as clear without a change */
	/* Medians of the parts before and after it, on a machine as the last run had it. */
	double before, after;
	/* The step as a share of the old level, by Hodges and Lehmann: the median of all
	 * differences between a new and an old logarithm, and its range of 95 % confidence. */
	double step, least, most;
	bool machine; /* no machine is on both sides: it says nothing of the job */
	bool waited;  /* others kept the runs waiting longer or less since then: nor does this */
};

struct change_series {
	const struct change_row *rows; /* oldest first; borrowed */
	size_t n;                      /* ≤ CHANGE_RUNS */
	struct change_point point[CHANGE_POINTS_MAX];
	size_t points; /* found, in the order of the runs */
	double spread; /* the mean distance of the logarithms from the medians of their parts */
};

#define CHANGE_TOGETHER 16

/* Finds the change points of n ≤ CHANGE_TOGETHER measures that are shown together. With m of them
 * long enough, a p of the first split counts by Holm's correction: the smallest must be ≤ 1 / (2000
 * m), the next ≤ 1 / (2000 (m − 1)) and so on; so many times more shuffles are made. */
void change_points_find(struct change_series *s, size_t n);

/* Whether a change says something of the job. */
bool change_point_is_of_job(const struct change_point *c);

/* -- a single run ------------------------------------------------------------------------------ */

/* With n values and one more that is like them, the last is the largest or the smallest with the
 * chance 2 / (n + 1), whatever their distribution. With fewer values that says too little. */
#define CHANGE_USUAL_LEAST 19

struct change_usual {
	double low, high;
	double one_in; /* a run like the others is outside once in so many; NAN: too few values */
	size_t n;      /* values */
};

struct change_usual change_points_usual(const double *v, size_t n);

#endif
