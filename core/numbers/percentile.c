/* percentile: weighted percentiles, without sorting all values. */
#include "core/numbers/percentile.h"

#include <stdlib.h>

#define PIVOTS    64 /* after so many, sort: a crafted order could make every pivot bad */
#define STEPS_MAX 8  /* values in a stretch, after which sorting the rest is faster */

static int ascending(const void *a, const void *b)
{
	double x = ((const struct percentile_value *)a)->v,
	       y = ((const struct percentile_value *)b)->v;

	return (x > y) - (x < y);
}

static void swap_values(struct percentile_value *a, struct percentile_value *b)
{
	struct percentile_value t = *a;

	*a = *b;
	*b = t;
}

static double median_of_3(double a, double b, double c)
{
	double low = a < b ? a : b, high = a < b ? b : a;

	if (c < low)
		return low;
	return c > high ? high : c;
}

static double sum_weights(const struct percentile_value *v, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += v[i].weight;
	return sum;
}

/* Moves values below the pivot to the front of v[*from…*to) and values above it to the end. The
 * values equal to it are then v[*from…*to). */
static void partition(struct percentile_value *v, size_t *from, size_t *to, double pivot)
{
	size_t low = *from, high = *to;

	for (size_t i = low; i < high;) {
		if (v[i].v < pivot)
			swap_values(&v[low++], &v[i++]);
		else if (v[i].v > pivot)
			swap_values(&v[i], &v[--high]);
		else
			i++;
	}
	*from = low;
	*to = high;
}

/* Narrows sorted v[*from…*to) to the equal values that contain weight *at. */
static void walk_sorted(const struct percentile_value *v, size_t *from, size_t *to, double *at)
{
	size_t low = *from, high;

	for (;; low = high) {
		double equal = 0;
		for (high = low; high < *to && v[high].v == v[low].v; high++)
			equal += v[high].weight;
		if (*at < equal || high == *to)
			break;
		*at -= equal;
	}
	*from = low;
	*to = high;
}

/* Quickselect: finds the value at weight `at` of v[*from…*to), and narrows v[*from…*to) to the
 * values equal to it, with all smaller values before them and all larger ones after. Returns the
 * part of their weight that lies after `at`. */
static double find_rank(struct percentile_value *v, size_t *from, size_t *to, double at)
{
	for (int left = PIVOTS; *to - *from > 1; left--) {
		size_t low = *from, high = *to;
		double less, equal;
		if (!left) {
			qsort(v + low, high - low, sizeof *v, ascending);
			walk_sorted(v, from, to, &at);
			break;
		}
		partition(v, &low, &high,
		          median_of_3(v[low].v, v[low + (high - low) / 2].v, v[high - 1].v));
		less = sum_weights(v, *from, low);
		equal = sum_weights(v, low, high);
		if (at < less) {
			*to = low;
		} else if (at - less < equal || high == *to) {
			at -= less;
			*from = low;
			*to = high;
			break;
		} else {
			at -= less + equal;
			*from = high;
		}
	}
	return sum_weights(v, *from, *to) - at;
}

bool percentile_full(const struct percentile_stretch *s)
{
	return !(s->taken < s->width);
}

void percentile_take_one(struct percentile_stretch *s, double v, double weight)
{
	double left = s->width - s->taken;

	if (s->taken <= 0)
		s->first = v;
	if (!(weight > 0))
		return;
	if (s->taken > 0)
		s->rest += (weight < left ? weight : left) * (v - s->first);
	s->taken = weight < left ? s->taken + weight : s->width;
}

void percentile_take(struct percentile_stretch *s, struct percentile_value *v, size_t n,
                     double from)
{
	size_t low = 0, high = n;

	for (int steps = 0; low < n && !percentile_full(s); steps++) {
		double weight;
		if (steps == STEPS_MAX)
			qsort(v + low, n - low, sizeof *v, ascending);
		if (steps < STEPS_MAX)
			weight = find_rank(v, &low, &high, from);
		else
			weight = v[low].weight;
		high = steps < STEPS_MAX ? high : low + 1;
		percentile_take_one(s, v[low].v, weight);
		low = high;
		high = n;
		from = 0;
	}
}

double percentile_mean(const struct percentile_stretch *s)
{
	return s->taken > 0 ? s->first + s->rest / s->taken : s->first;
}
