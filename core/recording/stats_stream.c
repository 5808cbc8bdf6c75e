/* stats_stream: exact statistics of a column that need not fit in memory. */
#include "core/recording/stats_stream.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/percentile.h"

#define CHUNK   2048
#define FEW_MAX 16384 /* values that are ordered in memory: 256 KiB */
#define BINS    4096

/* One column, and the rule that gives its rows their weight. */
struct column {
	const struct snapshot_source *rows;
	const struct elapsed *rule;
	enum metric_id id;
};

typedef void (*row_visitor)(void *ctx, double v, double weight);

static int fetch_cell(const struct column *c, enum metric_id id, size_t row, double *out,
                      struct err *e)
{
	return c->rows->fetch(c->rows->ctx, id, row, 1, out, e);
}

/* The time that the machine was awake in a row that may contain a suspension. */
static int awake_seconds(const struct column *c, size_t row, double *seconds, struct err *e)
{
	double utime, stime, cores;

	if (fetch_cell(c, METRIC_SYSTEM_UTIME, row, &utime, e) ||
	    fetch_cell(c, METRIC_SYSTEM_STIME, row, &stime, e) ||
	    fetch_cell(c, METRIC_SYSTEM_CPU_USAGE, row, &cores, e))
		return -1;
	*seconds = elapsed_awake(*seconds, utime + stime, cores);
	return 0;
}

static int for_each_row(const struct column *c, row_visitor f, void *ctx, struct err *e)
{
	const struct snapshot_source *rows = c->rows;
	enum metric_id time = metric_time_of(metrics[c->id].scope);
	size_t step = rows->at_hand && rows->at_hand < CHUNK ? rows->at_hand : CHUNK;
	double cells[CHUNK], t[CHUNK], before = c->rule->start;

	for (size_t from = 0; from < rows->rows; from += step) {
		size_t n = rows->rows - from < step ? rows->rows - from : step;
		if (rows->fetch(rows->ctx, c->id, from, n, cells, e) ||
		    rows->fetch(rows->ctx, time, from, n, t, e))
			return -1;
		for (size_t i = 0; i < n; before = t[i++]) {
			double s = elapsed_row(c->rule, before, t[i], from + i == 0);
			if (isnan(cells[i]))
				continue;
			if (elapsed_is_gap(c->rule, s) && awake_seconds(c, from + i, &s, e))
				return -1;
			f(ctx, cells[i], s);
		}
	}
	return 0;
}

struct pass {
	struct stats s;
	double weight, squares;
};

/* Welford's method with weights (West 1979). A sum of squares would lose the digits of a small
 * deviation around a large mean, and a second pass for it would read the whole source again. */
static void add_to_pass(void *ctx, double v, double weight)
{
	struct pass *p = ctx;
	double before = v - p->s.mean;

	p->s.min = p->s.n == 0 || v < p->s.min ? v : p->s.min;
	p->s.max = p->s.n == 0 || v > p->s.max ? v : p->s.max;
	p->s.n++;
	p->s.sum += v;
	p->weight += weight;
	p->s.mean += before * (weight / p->weight);
	p->squares += weight * before * (v - p->s.mean);
}

/* The bits of a double as a key that orders as unsigned numbers as the doubles do: the bits of
 * positive doubles already do, so set their sign bit; those of negative ones order backwards, so
 * invert them. -0 counts as 0. */
static uint64_t key_of(double v)
{
	uint64_t u;

	v = v == 0 ? 0 : v;
	memcpy(&u, &v, sizeof u);
	return u >> 63 ? ~u : u | 1ull << 63;
}

static double value_of_key(uint64_t key)
{
	double v;

	key = key >> 63 ? key & ~(1ull << 63) : ~key;
	memcpy(&v, &key, sizeof v);
	return v;
}

/* The values whose keys are from low to high. While they are many, they are counted in bins by the
 * 12 bits of the key above shift; once they are few, they are collected. */
struct key_range {
	uint64_t low, high, mask;
	int shift;
	size_t *count;
	double *weight;
	struct percentile_value *few;
	size_t n;
};

static bool in_range(const struct key_range *w, uint64_t key)
{
	return key >= w->low && key <= w->high;
}

static void count_in_bin(void *ctx, double v, double weight)
{
	struct key_range *w = ctx;
	uint64_t key = key_of(v);
	size_t bin = key >> w->shift & w->mask;

	if (!in_range(w, key))
		return;
	w->count[bin]++;
	w->weight[bin] += weight;
}

static void collect_value(void *ctx, double v, double weight)
{
	struct key_range *w = ctx;

	if (in_range(w, key_of(v)) && w->n < FEW_MAX)
		w->few[w->n++] = (struct percentile_value){v, weight};
}

/* The bin that contains weight *from. *from becomes relative to that bin, and *passed grows by the
 * values before it. */
static size_t bin_at(const struct key_range *w, double *from, size_t *passed)
{
	size_t bin = 0, highest = BINS - 1;

	while (highest && !w->count[highest])
		highest--;
	for (; bin < highest && w->weight[bin] <= *from; bin++) {
		*from -= w->weight[bin];
		*passed += w->count[bin];
	}
	return bin;
}

/* A radix search: each pass over the column fixes 12 more bits of the key at weight *from, until at
 * most FEW_MAX values are left, or one value that occurs more often (then *n stays larger). Bits
 * and not equal steps of the value: with outliers, nearly all values fall in one step, and each
 * pass would gain next to nothing. So 6 passes are enough for any 64-bit key. *n values are in the
 * range. */
static int narrow_to(const struct column *c, struct key_range *w, double *from, size_t *passed,
                     size_t *n, struct err *e)
{
	uint64_t prefix = 0;

	for (int above = 64; *n > FEW_MAX && above > 0; above = w->shift) {
		size_t bin, end;
		w->shift = above > 12 ? above - 12 : 0;
		w->mask = ((uint64_t)1 << (above - w->shift)) - 1;
		memset(w->count, 0, BINS * sizeof *w->count);
		memset(w->weight, 0, BINS * sizeof *w->weight);
		if (for_each_row(c, count_in_bin, w, e))
			return -1;
		bin = end = bin_at(w, from, passed);
		*n = w->count[bin];
		/* Add neighbours while they fit, which spares the next stretch a search. */
		while (end < w->mask && *n + w->count[end + 1] <= FEW_MAX)
			*n += w->count[++end];
		prefix = prefix << (above - w->shift);
		if ((prefix | bin) << w->shift > w->low)
			w->low = (prefix | bin) << w->shift;
		w->high = ((prefix | end) << w->shift) + (((uint64_t)1 << w->shift) - 1);
		prefix |= bin;
		if (*n > FEW_MAX && w->shift == 0)
			w->weight[0] = w->weight[bin];
	}
	return 0;
}

/* Fills the stretch from weight `from` on, of a column of size values. */
static int take_stretch(const struct column *c, struct key_range *w, size_t size, double from,
                        struct percentile_stretch *out, struct err *e)
{
	size_t passed = 0;

	for (w->low = 0; passed < size && !percentile_full(out); from = 0) {
		size_t n = size - passed;
		w->high = UINT64_MAX;
		if (narrow_to(c, w, &from, &passed, &n, e))
			return -1;
		w->n = 0;
		if (n > FEW_MAX) {
			percentile_take_one(out, value_of_key(w->low), w->weight[0] - from);
		} else {
			if (for_each_row(c, collect_value, w, e))
				return -1;
			if (w->n)
				percentile_take(out, w->few, w->n, from);
		}
		passed += n;
		if (w->high == UINT64_MAX)
			break;
		w->low = w->high + 1;
	}
	return 0;
}

static int stream_percentile(const struct column *c, struct key_range *w, const struct pass *p,
                             double part, double *out, struct err *e)
{
	struct percentile_stretch s = {.width = p->weight / (double)p->s.n};

	if (take_stretch(c, w, p->s.n, part * (p->weight - s.width), &s, e))
		return -1;
	*out = percentile_mean(&s);
	return 0;
}

/* Allocates as much as the column needs: a short one needs no bins. */
static int stream_percentiles(const struct column *c, struct pass *p, struct err *e)
{
	const size_t few = p->s.n < FEW_MAX ? p->s.n : FEW_MAX, bins = p->s.n > few ? BINS : 0;
	struct key_range w = {.few = malloc(few * sizeof *w.few)};
	int r = -1;

	if (bins) {
		w.count = malloc(bins * sizeof *w.count);
		w.weight = malloc(bins * sizeof *w.weight);
	}
	if (!w.few || (bins && (!w.count || !w.weight)))
		err_set(e, "no memory for the statistics of a column");
	else
		r = stream_percentile(c, &w, p, 0.50, &p->s.p50, e) ||
		    stream_percentile(c, &w, p, 0.95, &p->s.p95, e);
	free(w.count);
	free(w.weight);
	free(w.few);
	return r ? -1 : 0;
}

int stats_stream_of(const struct snapshot_source *rows, const struct elapsed *rule,
                    enum metric_id id, struct stats *out, struct err *e)
{
	const struct column c = {rows, rule, id};
	struct pass p = {.weight = 0};
	int r = for_each_row(&c, add_to_pass, &p, e);
	double n = (double)p.s.n;

	p.s.left = rows->rows - p.s.n;
	p.s.sd = p.s.n > 1 ? sqrt(p.squares / p.weight * (n / (n - 1))) : NAN;
	p.s.p50 = p.s.p95 = p.s.n ? p.s.min : NAN;
	if (!r && p.s.n && p.s.min < p.s.max)
		r = stream_percentiles(&c, &p, e);
	if (!p.s.n)
		p.s.min = p.s.max = p.s.mean = p.s.sum = NAN;
	*out = p.s;
	return r;
}
