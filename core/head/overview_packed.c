/* overview_packed: the points of a chart, or of a column of an overview, as text. */
#include "core/head/overview_packed.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define GAP      (-1)                /* the code of a bucket without samples */
#define READ_MAX ((unsigned)1 << 24) /* a level is at most a thousand; more is nonsense */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";

/* -- writing ----------------------------------------------------------------------------------- */

/* Writes a non-negative integer as base-32 digits, lowest first; 32 is added to every digit but the
 * last. */
static void put_base32(struct buf *out, unsigned v)
{
	for (; v >= 32; v /= 32)
		buf_char(out, letters[32 + v % 32]);
	buf_char(out, letters[v]);
}

/* Values above zero are at least one step, so that they stay visible. Sums have an error in their
 * last digits, by which values on the edge between two levels would go either way: all go up. */
static int packed_level(double v, double scale)
{
	double levels = scale > 0 ? v * (1 + 1e-11) / scale : 0;

	if (!(levels > 0))
		return 0;
	if (levels < 1)
		return 1;
	return levels > OVERVIEW_PACKED_LEVELS ? OVERVIEW_PACKED_LEVELS : (int)(levels + 0.5);
}

/* Writes the code of one value n times, as "CODE*COUNT" if that is shorter. */
static void put_repeated(struct buf *out, int code, size_t n)
{
	size_t length = 1;

	for (int v = code; v >= 32; v /= 32)
		length++;
	for (size_t i = 0; i < (n * length <= length + 3 ? n : 1); i++) {
		if (code == GAP)
			buf_char(out, '.');
		else
			put_base32(out, (unsigned)code);
	}
	if (n * length > length + 3) {
		buf_char(out, '*');
		put_base32(out, (unsigned)n - 1);
	}
}

/* A mean as its difference from the one before (zigzag, as it has a sign), and an extreme as its
 * distance from its own mean. *before: the level of the last mean. */
static int code_of(enum overview_packed of, const struct bucket *c, double scale, int edge,
                   int *before)
{
	int mean, other;

	if (!c->n)
		return GAP;
	mean = packed_level(buckets_mean(c), scale);
	if (of == OVERVIEW_PACKED_MEAN) {
		other = mean - *before;
		*before = mean;
		return other < 0 ? -2 * other - 1 : 2 * other;
	}
	other = abs(packed_level(of == OVERVIEW_PACKED_MIN ? c->min : c->max, scale) - mean);
	return (other + edge / 2) / edge;
}

void overview_packed_add(struct buf *out, enum overview_packed of, const struct bucket *cells,
                         size_t n, double scale, unsigned edge)
{
	size_t same = 0;
	int before = 0, last = GAP;

	for (size_t i = 0; i < n; i++, same++) {
		int code = code_of(of, &cells[i], scale, (int)edge, &before);
		if (i && code != last) {
			put_repeated(out, last, same);
			same = 0;
		}
		last = code;
	}
	if (n)
		put_repeated(out, last, same);
}

/* -- reading ----------------------------------------------------------------------------------- */

/* -1: there is no number, or it is too large. */
static int take_base32(const char **at, unsigned *out)
{
	*out = 0;
	for (unsigned shift = 0; shift <= 20; shift += 5) {
		const char *letter = **at ? strchr(letters, **at) : NULL;
		unsigned digit = letter ? (unsigned)(letter - letters) : 0;
		if (!letter)
			return -1;
		++*at;
		*out |= (digit & 31) << shift;
		if (digit < 32)
			return *out < READ_MAX ? 0 : -1;
	}
	return -1;
}

static double level_at(enum overview_packed of, unsigned v, double edge, double mean,
                       double *before)
{
	if (of == OVERVIEW_PACKED_MEAN)
		return *before += v % 2 ? -(double)(v / 2) - 1 : (double)(v / 2);
	return of == OVERVIEW_PACKED_MIN ? mean - edge * v : mean + edge * v;
}

int overview_packed_read(const char *text, enum overview_packed of, double *out, size_t n,
                         double edge)
{
	double before = 0;
	size_t i = 0;

	while (*text && i < n) {
		bool gap = *text == '.';
		unsigned v = 0, more = 0;
		if (gap)
			text++;
		else if (take_base32(&text, &v))
			return -1;
		if (*text == '*') {
			text++;
			if (take_base32(&text, &more))
				return -1;
		}
		if (more >= n - i)
			return -1;
		for (unsigned k = 0; k <= more; k++, i++)
			out[(size_t)of * n + i] =
			    gap ? (double)NAN : level_at(of, v, edge, out[i], &before);
	}
	if (*text || i < n)
		return -1;
	return 0;
}
