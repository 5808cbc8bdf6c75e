/* chart_path: turns points into the text of an SVG path. */
#include "report/chart/chart_path.h"

#include <math.h>

#define DASH 2 /* half the length of the dash for a single point */

struct corner {
	int x, y;
};

/* The error that a simplified line may have: too low (its y is larger) and too high. */
struct slack {
	double low, high;
};

static int to_int(double v)
{
	return isnan(v) ? 0 : (int)fmin(fmax(v, -1e6), 1e6);
}

/* Whether the points between a and b can be dropped. */
static bool is_straight(const struct corner *c, size_t a, size_t b, struct slack s)
{
	double slope = (double)(c[b].y - c[a].y) / (c[b].x > c[a].x ? c[b].x - c[a].x : 1);

	for (size_t i = a + 1; i < b; i++) {
		double over = c[a].y + slope * (c[i].x - c[a].x) - c[i].y;
		if (over > s.low || over < -s.high)
			return false;
	}
	return true;
}

/* Drops corners that lie on a line, but for the slack. Returns how many remain. */
static size_t drop_straight(struct corner *c, size_t n, struct slack s)
{
	size_t kept = 0, a = 0;

	while (a + 1 < n) {
		size_t b = a + 1;
		while (b + 1 < n && is_straight(c, a, b + 1, s))
			b++;
		c[kept++] = c[a];
		a = b;
	}
	if (n)
		c[kept++] = c[a];
	return kept;
}

/* Drops corners that would not be visible; returns how many remain. Many of those that the slack
 * leaves lie on one line. */
static size_t simplify(struct corner *c, size_t n, struct slack s)
{
	return drop_straight(c, drop_straight(c, n, s), (struct slack){0, 0});
}

static void put_delta(struct buf *out, int dx, int dy, bool first)
{
	buf_printf(out, first || dx < 0 ? "%d" : " %d", dx);
	buf_printf(out, dy < 0 ? "%d" : " %d", dy);
}

/* Moves to the first corner and draws to the others. backward: draws from the current position to
 * all corners, last one first. */
static void put_path(struct buf *out, const struct corner *c, size_t n, bool backward,
                     struct corner *pen)
{
	for (size_t k = 0; k < n; k++) {
		const struct corner *to = &c[backward ? n - 1 - k : k];
		if (k == 0 && !backward)
			buf_printf(out, "M%d %dl", to->x, to->y);
		else
			put_delta(out, to->x - pen->x, to->y - pen->y, k == 1 && !backward);
		*pen = *to;
	}
}

/* The end (exclusive) of the stretch without gaps that begins at i. */
static size_t stretch_end(const struct chart_point *p, size_t n, size_t i)
{
	while (i + 1 < n && !p[i].broken && p[i + 1].known)
		i++;
	return i + 1;
}

void chart_path_line(struct buf *out, const struct chart_point *p, size_t n, double slack)
{
	struct corner c[CHART_PATH_POINTS_MAX], pen;
	size_t m, end;

	for (size_t i = 0; i < n; i = end) {
		end = i + 1;
		if (!p[i].known)
			continue;
		end = stretch_end(p, n, i);
		m = 0;
		if (end == i + 1)
			c[m++] = (struct corner){to_int(p[i].x) - DASH, to_int(round(p[i].y))};
		for (size_t k = i; k < end && m < CHART_PATH_POINTS_MAX; k++)
			c[m++] = (struct corner){to_int(round(p[k].x)), to_int(round(p[k].y))};
		if (end == i + 1)
			c[m - 1].x += DASH;
		put_path(out, c, simplify(c, m, (struct slack){slack, slack}), false, &pen);
	}
}

/* One edge of a stretch, rounded outwards to cover every extreme. */
static size_t band_edge(struct corner *c, const struct chart_point *p, size_t n, bool top,
                        double half, double slack)
{
	size_t m = 0;

	for (size_t k = 0; k < n && m + 1 < CHART_PATH_POINTS_MAX; k++) {
		int y = top ? to_int(floor(p[k].top)) : to_int(ceil(p[k].bottom));
		if (n == 1)
			c[m++] = (struct corner){to_int(floor(p[k].x - half)), y};
		c[m++] = (struct corner){to_int(n == 1 ? ceil(p[k].x + half) : round(p[k].x)), y};
	}
	return simplify(c, m, top ? (struct slack){0, slack} : (struct slack){slack, 0});
}

/* Whether the band of a stretch is anywhere wider than the line. */
static bool is_band_visible(const struct chart_point *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i].bottom - p[i].top > 2)
			return true;
	return false;
}

void chart_path_band(struct buf *out, const struct chart_point *p, size_t n, double half,
                     double slack)
{
	struct corner c[CHART_PATH_POINTS_MAX], pen = {0};
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		end = i + 1;
		if (!p[i].known)
			continue;
		end = stretch_end(p, n, i);
		if (!is_band_visible(p + i, end - i))
			continue;
		put_path(out, c, band_edge(c, p + i, end - i, true, half, 2 * slack), false, &pen);
		put_path(out, c, band_edge(c, p + i, end - i, false, half, 2 * slack), true, &pen);
		buf_char(out, 'z');
	}
}
