/* change_points: where a measure changed and stayed changed. */
#include "report/history/change_points.h"

#include <math.h>
#include <stdint.h>

#include "core/numbers/stats.h"

#define CONFIDENCE 1.959964
#define OUTLIER    3 /* × the noise: what is further off counts as that */
#define PLACES     3 /* runs */
/* / n: what n runs show too little of how much they are like their neighbours. */
#define ALIKE_UNSEEN 7
#define ALIKE_MOST   0.54 /* 6 × the noise */
#define SPLIT_AGAIN  ((size_t)2 * CHANGE_LEAST)

/* -- chance ------------------------------------------------------------------------------------ */

/* PCG32 by M. E. O'Neill (pcg-random.org), with the seed of its demonstration. */
struct pcg32 {
	uint64_t state, increment;
};

static uint32_t pcg32_next(struct pcg32 *r)
{
	uint64_t old = r->state;
	uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27), rotate = (uint32_t)(old >> 59);

	r->state = old * UINT64_C(6364136223846793005) + r->increment;
	return (shifted >> rotate) | (shifted << ((32 - rotate) & 31));
}

static struct pcg32 pcg32_new(void)
{
	struct pcg32 r = {0, (UINT64_C(54) << 1) | 1};

	pcg32_next(&r);
	r.state += 42;
	pcg32_next(&r);
	return r;
}

/* 0 … n − 1. For n ≤ 60 the bias is below 2⁻²⁶. */
static size_t pcg32_below(struct pcg32 *r, size_t n)
{
	return (size_t)(((uint64_t)pcg32_next(r) * n) >> 32);
}

/* Fisher and Yates. */
static void shuffle(double *v, size_t n, struct pcg32 *r)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = pcg32_below(r, i);
		double t = v[i - 1];
		v[i - 1] = v[k];
		v[k] = t;
	}
}

/* -- a split ----------------------------------------------------------------------------------- */

/* Runs as they are compared: x, logarithms less the median of their stratum. */
struct part {
	const double *x;
	size_t n;
};

static void ranks_of(const struct part *part, double rank[CHANGE_RUNS])
{
	for (size_t i = 0; i < part->n; i++) {
		size_t less = 0, same = 0;
		for (size_t k = 0; k < part->n; k++) {
			less += part->x[k] < part->x[i];
			same += part->x[k] == part->x[i];
		}
		rank[i] = (double)less + ((double)same + 1) / 2;
	}
}

/* s²; 0: all are equal. */
static double variance_of(const double *rank, size_t n)
{
	double mean = ((double)n + 1) / 2, sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (rank[i] - mean) * (rank[i] - mean);
	return sum / (double)(n - 1);
}

/* The largest z², and where. z² grows with z, and needs no root. */
static double widest_split(const double *rank, size_t n, double variance, size_t *at)
{
	double mean = ((double)n + 1) / 2, left = 0, most = 0;

	for (size_t t = 1; t + CHANGE_LEAST <= n; t++) {
		double z2;
		left += rank[t - 1] - mean;
		if (t < CHANGE_LEAST)
			continue;
		z2 = left * left * (double)n / (variance * (double)t * (double)(n - t));
		if (!(z2 > most))
			continue;
		most = z2;
		*at = t;
	}
	return most;
}

static double median_of(const double *x, size_t n)
{
	double v[CHANGE_RUNS];

	for (size_t i = 0; i < n; i++)
		v[i] = x[i];
	return stats_median(v, n);
}

/* How far the values are from their median, added up. */
static double distance_of(const double *x, size_t n)
{
	double median = median_of(x, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += fabs(x[i] - median);
	return sum;
}

/* Ranks find a split, and place it up to a few runs too near to the middle: the place is where the
 * values are nearest to the medians of both sides. */
static size_t settle_split(const struct part *part, size_t at)
{
	size_t best = at, from = at > CHANGE_LEAST + PLACES ? at - PLACES : CHANGE_LEAST;
	double least = distance_of(part->x, at) + distance_of(part->x + at, part->n - at);

	for (size_t t = from; t <= at + PLACES && t + CHANGE_LEAST <= part->n; t++) {
		double d = distance_of(part->x, t) + distance_of(part->x + t, part->n - t);
		if (d >= least)
			continue;
		least = d;
		best = t;
	}
	return best;
}

/* The split of a part, and its p by `shuffles`. With more than `most` of them at least as wide, p
 * is only known to be larger: 1. */
static double split_part(const struct part *part, size_t shuffles, size_t most, size_t *at)
{
	double rank[CHANGE_RUNS], variance, z2;
	struct pcg32 random = pcg32_new();
	size_t wide = 1, ignored;

	if (part->n < SPLIT_AGAIN)
		return 1;
	ranks_of(part, rank);
	variance = variance_of(rank, part->n);
	if (!(variance > 0))
		return 1;
	z2 = widest_split(rank, part->n, variance, at);
	if (!(z2 > 0))
		return 1;
	for (size_t i = 1; i < shuffles && wide <= most; i++) {
		shuffle(rank, part->n, &random);
		wide += widest_split(rank, part->n, variance, &ignored) >= z2;
	}
	*at = settle_split(part, *at);
	return wide <= most ? (double)wide / (double)shuffles : 1;
}

/* -- all splits of a measure ------------------------------------------------------------------- */

struct search {
	struct change_series *s;
	double x[CHANGE_RUNS];
};

/* The median logarithm of the stratum of row i. */
static double stratum_level(const struct change_series *s, size_t i)
{
	double v[CHANGE_RUNS];
	size_t n = 0;

	for (size_t k = 0; k < s->n; k++)
		if (s->rows[k].stratum == s->rows[i].stratum)
			v[n++] = log(s->rows[k].value);
	return stats_median(v, n);
}

static void search_begin(struct search *w, struct change_series *s)
{
	w->s = s;
	s->points = 0;
	s->n = s->n > CHANGE_RUNS ? CHANGE_RUNS : s->n;
	for (size_t i = 0; i < s->n; i++)
		w->x[i] = log(s->rows[i].value) - stratum_level(s, i);
}

static void insert_point(struct change_series *s, size_t at, double p)
{
	size_t i = s->points++;

	for (; i > 0 && s->point[i - 1].at > at; i--)
		s->point[i] = s->point[i - 1];
	s->point[i] = (struct change_point){.at = at, .p = p};
}

/* Splits the rows from … to − 1, of which it is known that `at` is a change point with this p. */
static void split_at(struct search *w, size_t from, size_t to, size_t at, double p)
{
	const size_t sides[][2] = {{from, at}, {at, to}};

	insert_point(w->s, at, p);
	for (size_t i = 0; i < 2; i++) {
		const struct part part = {w->x + sides[i][0], sides[i][1] - sides[i][0]};
		size_t next = 0;
		double its = split_part(&part, CHANGE_SHUFFLES, 1, &next);
		if (its < 1)
			split_at(w, sides[i][0], sides[i][1], sides[i][0] + next, its);
	}
}

/* The step from the rows [from, at) to [at, to), with its range. */
static void measure_step(const struct search *w, size_t from, size_t to, struct change_point *c)
{
	static const size_t most = CHANGE_RUNS * CHANGE_RUNS / 4;
	double pair[CHANGE_RUNS * CHANGE_RUNS / 4], left, right, edge;
	size_t n = 0, cut;

	for (size_t i = from; i < c->at; i++)
		for (size_t k = c->at; k < to && n < most; k++)
			pair[n++] = w->x[k] - w->x[i];
	left = (double)(c->at - from);
	right = (double)(to - c->at);
	edge = left * right / 2 - CONFIDENCE * sqrt(left * right * (left + right + 1) / 12);
	cut = edge >= 1 ? (size_t)edge - 1 : 0;
	c->step = expm1(stats_median(pair, n));
	c->least = expm1(pair[cut]);
	c->most = expm1(pair[n - 1 - cut]);
}

static bool machines_differ(const struct change_series *s, size_t from, size_t at, size_t to)
{
	for (size_t i = from; i < at; i++)
		for (size_t k = at; k < to; k++)
			if (s->rows[i].stratum == s->rows[k].stratum)
				return false;
	return true;
}

/* The median share of the rows that is known; NAN: of none. */
static double median_waited(const struct change_series *s, size_t from, size_t to)
{
	double v[CHANGE_RUNS];
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		if (s->rows[i].waited >= 0)
			v[n++] = s->rows[i].waited;
	return n ? stats_median(v, n) : (double)NAN;
}

static bool may_be_waiting(const struct change_series *s, size_t from, size_t at, size_t to,
                           double step)
{
	double longer = median_waited(s, at, to) - median_waited(s, from, at);
	double log_step = log1p(step);

	return log_step * longer > 0 && fabs(log_step) <= CHANGE_WAITED * fabs(longer);
}

bool change_point_is_of_job(const struct change_point *c)
{
	return !c->machine && !c->waited;
}

/* How often the noise counts of n values that are `off` their medians on both sides of `at`: they
 * wander further, the more they are like their neighbours. */
static double wandering(const double *off, size_t n, size_t at, double noise)
{
	double products = 0, squares = 0, before = 0, rho;

	for (size_t i = 0; i < n; i++) {
		double d = fmax(fmin(off[i], OUTLIER * noise), -OUTLIER * noise);
		squares += d * d;
		if (i > 0 && i != at)
			products += d * before;
		before = d;
	}
	rho = squares > 0 ? products / squares + ALIKE_UNSEEN / (double)n : 0;
	rho = fmin(fmax(rho, 0), ALIKE_MOST);
	return pow((1 + rho) / (1 - rho), 1.5);
}

/* How large the step between the rows [from, at) and [at, to) is, by the smallest that counts. */
static double clearness(const struct search *w, size_t from, size_t at, size_t to)
{
	double left = median_of(w->x + from, at - from), right = median_of(w->x + at, to - at);
	double off[CHANGE_RUNS], distance[CHANGE_RUNS], noise, step = fabs(expm1(right - left));

	for (size_t i = from; i < to; i++) {
		off[i - from] = w->x[i] - (i < at ? left : right);
		distance[i - from] = fabs(off[i - from]);
	}
	noise = STATS_MAD_TO_SD * stats_median(distance, to - from);
	if (!(noise > 0))
		return step / CHANGE_STEP;
	return fmin(step / CHANGE_STEP,
	            fabs(right - left) / noise / wandering(off, to - from, at - from, noise));
}

static size_t part_begin(const struct change_series *s, size_t point)
{
	return point ? s->point[point - 1].at : 0;
}

static size_t part_end(const struct change_series *s, size_t point)
{
	return point + 1 < s->points ? s->point[point + 1].at : s->n;
}

static void drop_unclear(struct search *w)
{
	struct change_series *s = w->s;

	while (s->points) {
		double least = INFINITY;
		size_t at = 0;
		for (size_t i = 0; i < s->points; i++) {
			double clear =
			    clearness(w, part_begin(s, i), s->point[i].at, part_end(s, i));
			if (clear >= least)
				continue;
			least = clear;
			at = i;
		}
		if (least >= 1)
			return;
		s->points--;
		for (size_t i = at; i < s->points; i++)
			s->point[i] = s->point[i + 1];
	}
}

static void measure_points(struct search *w)
{
	struct change_series *s = w->s;
	double level = s->n ? stratum_level(s, s->n - 1) : NAN;

	for (size_t i = 0; i < s->points; i++) {
		struct change_point *c = &s->point[i];
		size_t from = part_begin(s, i), to = part_end(s, i);
		measure_step(w, from, to, c);
		c->before = exp(level + median_of(w->x + from, c->at - from));
		c->after = exp(level + median_of(w->x + c->at, to - c->at));
		c->machine = machines_differ(s, from, c->at, to);
		c->waited = may_be_waiting(s, from, c->at, to, c->step);
	}
}

static double mean_distance(const struct search *w)
{
	const struct change_series *s = w->s;
	double sum = 0;

	for (size_t k = 0; s->n && k <= s->points; k++) {
		size_t from = part_begin(s, k), to = k < s->points ? s->point[k].at : s->n;
		sum += distance_of(w->x + from, to - from);
	}
	return s->n ? sum / (double)s->n : 0;
}

/* The smallest p that is still to be decided; n: none. */
static size_t smallest(const double *p, const bool *done, size_t n)
{
	size_t at = n;

	for (size_t i = 0; i < n; i++)
		if (!done[i] && (at == n || p[i] < p[at]))
			at = i;
	return at;
}

void change_points_find(struct change_series *s, size_t n)
{
	struct search w[CHANGE_TOGETHER];
	double p[CHANGE_TOGETHER];
	size_t at[CHANGE_TOGETHER] = {0}, tests = 0, i;
	bool done[CHANGE_TOGETHER] = {false};

	n = n > CHANGE_TOGETHER ? CHANGE_TOGETHER : n;
	for (i = 0; i < n; i++) {
		search_begin(&w[i], &s[i]);
		tests += s[i].n >= SPLIT_AGAIN;
	}
	for (i = 0; i < n; i++) {
		const struct part all = {w[i].x, s[i].n};
		p[i] = split_part(&all, CHANGE_SHUFFLES * tests, tests, &at[i]);
	}
	for (size_t left = tests; (i = smallest(p, done, n)) < n; left--) {
		if (p[i] >= 1 || p[i] * CHANGE_SHUFFLES * (double)left > 1 + 1e-9)
			break;
		done[i] = true;
		split_at(&w[i], 0, s[i].n, at[i], p[i]);
		drop_unclear(&w[i]);
		measure_points(&w[i]);
	}
	for (i = 0; i < n; i++)
		s[i].spread = mean_distance(&w[i]);
}

struct change_usual change_points_usual(const double *v, size_t n)
{
	struct change_usual u = {NAN, NAN, NAN, n};

	for (size_t i = 0; i < n; i++) {
		u.low = i ? fmin(u.low, v[i]) : v[i];
		u.high = i ? fmax(u.high, v[i]) : v[i];
	}
	if (n >= CHANGE_USUAL_LEAST)
		u.one_in = ((double)n + 1) / 2;
	return u;
}
