/* summary: exact statistics of a column that need not fit in memory. */
#include "summary.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK    512
#define SORT_MAX 32768 /* values: 256 KiB */
#define BINS     4096

typedef void (*visit)(void *ctx, double v);

static int each(const struct snapshot_source *rows, enum metric_id id, visit f, void *ctx,
                struct err *e)
{
	double cells[CHUNK];

	for (size_t from = 0; from < rows->rows; from += CHUNK) {
		size_t n = rows->rows - from < CHUNK ? rows->rows - from : CHUNK;
		if (rows->fetch(rows->ctx, id, from, n, cells, e))
			return -1;
		for (size_t i = 0; i < n; i++)
			if (!isnan(cells[i]))
				f(ctx, cells[i]);
	}
	return 0;
}

struct pass {
	struct stats s;
	double squares;
};

/* Welford's way: sums of squares lose their digits. */
static void accumulate(void *ctx, double v)
{
	struct pass *p = ctx;
	double before = v - p->s.mean;

	p->s.min = p->s.n == 0 || v < p->s.min ? v : p->s.min;
	p->s.max = p->s.n == 0 || v > p->s.max ? v : p->s.max;
	p->s.n++;
	p->s.sum += v;
	p->s.mean += before / (double)p->s.n;
	p->squares += before * (v - p->s.mean);
}

/* A key whose order as an unsigned number is the order of the doubles. */
static uint64_t key_of(double v)
{
	uint64_t u;

	v = v == 0 ? 0 : v;
	memcpy(&u, &v, sizeof u);
	return u >> 63 ? ~u : u | 1ull << 63;
}

/* The values whose key begins with prefix (its upper 64 - shift bits), counted by the next 12 bits,
 * or collected once they are few enough. */
struct narrow {
	uint64_t prefix;
	int shift; /* 64: no prefix yet */
	size_t *count;
	double *few;
	size_t n;
};

static bool belongs(const struct narrow *w, uint64_t key)
{
	return w->shift == 64 || key >> w->shift == w->prefix;
}

static void tally(void *ctx, double v)
{
	struct narrow *w = ctx;
	uint64_t key = key_of(v);
	int next = w->shift > 12 ? w->shift - 12 : 0;

	if (belongs(w, key))
		w->count[key >> next & (BINS - 1)]++;
}

static void collect(void *ctx, double v)
{
	struct narrow *w = ctx;

	if (belongs(w, key_of(v)) && w->n < SORT_MAX)
		w->few[w->n++] = v;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The value of this rank (0 is the smallest) among n, and the next one (NAN: another pass must
 * tell): the range is narrowed by 12 bits of the key a pass, until its values can be sorted, or are
 * all equal. */
static int ranked(const struct snapshot_source *rows, enum metric_id id, struct narrow *w, size_t n,
                  size_t rank, double out[2], struct err *e)
{
	w->shift = 64;
	w->prefix = 0;
	while (n > SORT_MAX && w->shift > 0) {
		size_t bin = 0, next = (size_t)(w->shift > 12 ? w->shift - 12 : 0);
		memset(w->count, 0, BINS * sizeof *w->count);
		if (each(rows, id, tally, w, e))
			return -1;
		while (bin < BINS - 1 && rank >= w->count[bin])
			rank -= w->count[bin++];
		n = w->count[bin];
		w->prefix = w->prefix << (w->shift - (int)next) | bin;
		w->shift = (int)next;
	}
	w->n = 0;
	if (each(rows, id, collect, w, e))
		return -1;
	qsort(w->few, w->n, sizeof *w->few, ascending);
	out[0] = w->n ? w->few[rank < w->n ? rank : w->n - 1] : NAN;
	out[1] = rank + 1 < w->n ? w->few[rank + 1] : rank + 1 < n ? out[0] : NAN;
	return 0;
}

static int percentile(const struct snapshot_source *rows, enum metric_id id, struct narrow *w,
                      size_t n, double p, double *out, struct err *e)
{
	double at = p * (double)(n - 1), low[2], high[2];
	size_t rank = (size_t)at;

	if (ranked(rows, id, w, n, rank, low, e))
		return -1;
	high[0] = low[1];
	if (rank + 1 == n)
		high[0] = low[0];
	else if (isnan(low[1]) && ranked(rows, id, w, n, rank + 1, high, e))
		return -1;
	*out = low[0] + (at - (double)rank) * (high[0] - low[0]);
	return 0;
}

int summary_of(const struct snapshot_source *rows, enum metric_id id, struct stats *out,
               struct err *e)
{
	struct pass p = {0};
	struct narrow w = {.count = malloc(BINS * sizeof *w.count),
	                   .few = malloc(SORT_MAX * sizeof *w.few)};
	int r = -1;

	if (!w.count || !w.few)
		err_set(e, "no memory for the statistics of a column");
	else
		r = each(rows, id, accumulate, &p, e);
	p.s.left = rows->rows - p.s.n;
	p.s.sd = p.s.n > 1 ? sqrt(p.squares / (double)(p.s.n - 1)) : NAN;
	p.s.p50 = p.s.p95 = NAN;
	if (!r && p.s.n)
		r = percentile(rows, id, &w, p.s.n, 0.50, &p.s.p50, e) ||
		    percentile(rows, id, &w, p.s.n, 0.95, &p.s.p95, e);
	if (!p.s.n)
		p.s.min = p.s.max = p.s.mean = p.s.sum = NAN;
	free(w.count);
	free(w.few);
	*out = p.s;
	return r ? -1 : 0;
}
