/* chart_trend: a measure over many runs, as a small picture. */
#include "report/chart/chart_trend.h"

#include <math.h>

#include "core/numbers/stats.h"

#define EDGE  6  /* pixels: space for the mark of this run */
#define ABOVE 14 /* and for the labels of changes */
#define LABEL 62 /* their width: 7 characters of a commit */

/* The range of the values. */
struct scale {
	double low, high;
	size_t n;
};

static double run_x(const struct scale *s, size_t i)
{
	double width = CHART_TREND_WIDTH - 2 * EDGE;
	double at = s->n > 1 ? (double)i / (double)(s->n - 1) : 0.5;

	return stats_round(EDGE + width * at, 1);
}

static double value_y(const struct scale *s, double v)
{
	double height = CHART_TREND_HEIGHT - EDGE - ABOVE, span = s->high - s->low;
	double share = span > 0 && isfinite(span) ? (v - s->low) / span : 0.5;

	share = fmin(fmax(share, 0), 1);
	return stats_round(ABOVE + height * (1 - share), 1);
}

/* Of failed runs alone all values count. */
static struct scale scale_of(const struct trend_line *t)
{
	struct scale s = {INFINITY, -INFINITY, t->n};

	for (int all = 0; all < 2 && s.low > s.high; all++)
		for (size_t i = 0; i < t->n; i++) {
			if (t->v[i].crossed && !all)
				continue;
			s.low = fmin(s.low, t->v[i].v);
			s.high = fmax(s.high, t->v[i].v);
		}
	return s;
}

static void add_run_mark(cJSON *points, const struct scale *s, const struct trend_line *t, size_t i)
{
	const struct trend_point *p = &t->v[i];
	cJSON *one = model_json_row(points);

	model_json_number(one, "x", run_x(s, i));
	model_json_number(one, "y", value_y(s, p->v));
	cJSON_AddBoolToObject(one, "hollow", p->hollow);
	cJSON_AddBoolToObject(one, "other", p->other);
	cJSON_AddBoolToObject(one, "crossed", p->crossed);
	cJSON_AddStringToObject(one, "text", p->text);
	cJSON_AddStringToObject(one, "anchor", p->place);
}

/* Labels at the right edge end at their change. */
static bool is_left_of(double x)
{
	return x > CHART_TREND_WIDTH * 0.75;
}

/* Whether the label of a later change is in the way: the newest are shown. */
static bool is_covered(const struct scale *s, const struct trend_line *t, size_t part)
{
	double at = run_x(s, t->part[part].first), from = is_left_of(at) ? at - LABEL : at;

	for (size_t i = part + 1; i < t->parts; i++) {
		double next = run_x(s, t->part[i].first);
		if (*t->part[i].label && from + LABEL > (is_left_of(next) ? next - LABEL : next) &&
		    !is_covered(s, t, i))
			return true;
	}
	return false;
}

static void add_levels(cJSON *svg, const struct scale *s, const struct trend_line *t)
{
	cJSON *parts = cJSON_AddArrayToObject(svg, "parts");

	for (size_t i = 0; i < t->parts; i++) {
		const struct trend_part *p = &t->part[i];
		double from = run_x(s, p->first);
		bool right = is_left_of(from);
		cJSON *one = model_json_row(parts);

		model_json_number(one, "from", from);
		model_json_number(one, "to", run_x(s, p->last));
		model_json_number(one, "y", value_y(s, p->median));
		cJSON_AddStringToObject(one, "label", p->label);
		cJSON_AddBoolToObject(one, "covered", is_covered(s, t, i));
		cJSON_AddStringToObject(one, "align", right ? "end" : "start");
	}
}

void chart_trend_add(cJSON *parent, const struct trend_line *t)
{
	cJSON *svg = cJSON_AddObjectToObject(parent, "svg"), *mark, *points;
	struct scale s = scale_of(t);

	model_json_number(svg, "width", CHART_TREND_WIDTH);
	model_json_number(svg, "height", CHART_TREND_HEIGHT);
	points = cJSON_AddArrayToObject(svg, "points");
	for (size_t i = 0; i < t->n; i++)
		add_run_mark(points, &s, t, i);
	add_levels(svg, &s, t);
	mark = model_json_object_if(t->now < t->n, svg, "now");
	if (!mark)
		return;
	model_json_number(mark, "x", run_x(&s, t->now));
	model_json_number(mark, "y", value_y(&s, t->v[t->now].v));
}
