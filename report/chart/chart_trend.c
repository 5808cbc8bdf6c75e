/* chart_trend: a measure over many runs, as a small picture. */
#include "report/chart/chart_trend.h"

#include <math.h>

#include "core/numbers/stats.h"

#define EDGE 5 /* pixels: space for the mark of this run */

/* The range of visible values. */
struct scale {
	double low, high;
	size_t n;
};

static double run_x(const struct scale *s, size_t i)
{
	double width = CHART_TREND_WIDTH - 2 * EDGE;

	return stats_round(EDGE + (s->n > 1 ? width * (double)i / (double)(s->n - 1) : width / 2),
	                   1);
}

static double value_y(const struct scale *s, double v)
{
	double height = CHART_TREND_HEIGHT - 2 * EDGE, span = s->high - s->low;
	double share = span > 0 && isfinite(span) ? (v - s->low) / span : 0.5;

	if (share < 0)
		share = 0;
	else if (share > 1)
		share = 1;
	return stats_round(EDGE + height * (1 - share), 1);
}

static bool has_noise_band(const struct trend_line *t)
{
	return isfinite(t->median - t->margin) && isfinite(t->median + t->margin);
}

static struct scale scale_of(const struct trend_line *t)
{
	struct scale s = {t->v[0], t->v[0], t->n};

	for (size_t i = 1; i < t->n; i++) {
		s.low = t->v[i] < s.low ? t->v[i] : s.low;
		s.high = t->v[i] > s.high ? t->v[i] : s.high;
	}
	/* Show the whole band of noise: changes within it must not look large. */
	if (has_noise_band(t)) {
		s.low = fmin(s.low, t->median - t->margin);
		s.high = fmax(s.high, t->median + t->margin);
	}
	return s;
}

static void add_run_point(struct buf *points, const struct scale *s, const struct trend_line *t,
                          size_t i)
{
	buf_printf(points, "%s%g,%g", points->len ? " " : "", run_x(s, i), value_y(s, t->v[i]));
}

/* Adds the two extremes of the runs [from, to), in order. */
static void add_extremes(struct buf *points, const struct scale *s, const struct trend_line *t,
                         size_t from, size_t to)
{
	size_t low = from, high = from;

	for (size_t i = from; i < to; i++) {
		low = t->v[i] < t->v[low] ? i : low;
		high = t->v[i] > t->v[high] ? i : high;
	}
	add_run_point(points, s, t, low < high ? low : high);
	if (low != high)
		add_run_point(points, s, t, low < high ? high : low);
}

static void add_points(cJSON *svg, const struct scale *s, const struct trend_line *t)
{
	size_t parts = t->n <= CHART_TREND_POINTS ? t->n : CHART_TREND_POINTS / 2;
	struct buf points = {0};

	for (size_t i = 0; i < parts; i++)
		add_extremes(&points, s, t, i * t->n / parts, (i + 1) * t->n / parts);
	model_json_take(svg, "points", &points);
}

static void add_band(cJSON *svg, const struct scale *s, const struct trend_line *t)
{
	double top = value_y(s, t->median + t->margin), bottom = value_y(s, t->median - t->margin);
	cJSON *band = model_json_object_if(has_noise_band(t), svg, "band");

	if (!band)
		return;
	model_json_number(band, "y", top);
	model_json_number(band, "height", fmax(1, stats_round(bottom - top, 1)));
}

void chart_trend_add(cJSON *parent, const struct trend_line *t)
{
	cJSON *svg = cJSON_AddObjectToObject(parent, "svg"), *mark;
	struct scale s = scale_of(t);

	model_json_number(svg, "width", CHART_TREND_WIDTH);
	model_json_number(svg, "height", CHART_TREND_HEIGHT);
	add_points(svg, &s, t);
	add_band(svg, &s, t);
	model_json_number(svg, "median",
	                  isfinite(t->median) ? value_y(&s, t->median) : (double)NAN);
	mark = model_json_object_if(t->now < t->n, svg, "now");
	if (!mark)
		return;
	model_json_number(mark, "x", run_x(&s, t->now));
	model_json_number(mark, "y", value_y(&s, t->v[t->now]));
}
