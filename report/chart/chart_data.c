/* chart_data: a chart's points for programs. */
#include "report/chart/chart_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/head/overview_packed.h"

static double cell_value(const struct bucket *c, enum overview_packed stat)
{
	return !c->n                         ? (double)NAN
	       : stat == OVERVIEW_PACKED_MIN ? c->min
	       : stat == OVERVIEW_PACKED_MAX ? c->max
	                                     : buckets_mean(c);
}

#define DIGITS      4
#define DIGITS_EDGE 1e-6 /* nearer to the middle of two numbers, only printf rounds right */

/* Rounds to four significant digits, which is more than a screen shows, to the double that
 * strtod makes of "%.4g": a whole number times or by a power of ten, both exact. printf would
 * take most of the time of a page. */
static double short_number(double v)
{
	double up = chart_edge_up(v), size = fabs(up), scaled, part;
	int power = size >= 1e-9 && size < 1e15 ? DIGITS - 1 - (int)floor(log10(size)) : 0;
	double ten = pow(10, abs(power));
	char text[32];

	scaled = power < 0 ? up / ten : up * ten;
	part = fabs(scaled - trunc(scaled));
	if (isnan(v))
		return v;
	if (!(size >= 1e-9 && size < 1e15) || fabs(part - 0.5) < DIGITS_EDGE) {
		snprintf(text, sizeof text, "%.*g", DIGITS, up);
		return strtod(text, NULL);
	}
	return power < 0 ? round(scaled) * ten : round(scaled) / ten;
}

/* Whether any point may have more than one sample; otherwise extremes equal means. */
static bool view_has_band(const struct chart_view *v)
{
	if (v->grid->buckets && v->n)
		return true;
	for (size_t s = 0; s < v->n; s++)
		for (size_t i = 0; i < v->grid->n; i++)
			if (v->series[s].cells[i].n > 1)
				return true;
	return false;
}

static void add_head(cJSON *data, const struct chart_view *v)
{
	const struct chart_grid *g = v->grid;

	model_json_number(data, "from", g->from);
	model_json_number(data, "step", g->step);
}

static void add_x(cJSON *data, const struct chart_grid *g)
{
	cJSON *x = cJSON_AddArrayToObject(data, "x");

	for (size_t i = 0; i < g->n; i++)
		model_json_number(x, NULL, g->x[i]);
}

static void add_limit_pairs(cJSON *data, const struct chart_limit *l)
{
	cJSON *all = cJSON_AddArrayToObject(data, "limits"), *one;

	if (!l->drawn)
		return;
	one = cJSON_CreateArray();
	model_json_number(one, NULL, l->value);
	cJSON_AddItemToArray(one, cJSON_CreateString(l->text));
	cJSON_AddItemToArray(all, one);
}

static void add_plain(cJSON *chart, const struct chart_view *v, bool band)
{
	static const char *const names[] = {"mean", "min", "max"};
	cJSON *data = cJSON_AddObjectToObject(chart, "data");

	add_head(data, v);
	add_x(data, v->grid);
	for (int stat = OVERVIEW_PACKED_MEAN; stat <= OVERVIEW_PACKED_MAX; stat++) {
		cJSON *all;
		if (stat != OVERVIEW_PACKED_MEAN && !band) {
			cJSON_AddNullToObject(data, names[stat]);
			continue;
		}
		all = cJSON_AddArrayToObject(data, names[stat]);
		for (size_t s = 0; s < v->n; s++) {
			cJSON *one = cJSON_CreateArray();
			cJSON_AddItemToArray(all, one);
			for (size_t i = 0; i < v->grid->n; i++)
				model_json_number(
				    one, NULL,
				    short_number(cell_value(&v->series[s].cells[i],
				                            (enum overview_packed)stat)));
		}
	}
	add_limit_pairs(data, &v->limit);
}

static void add_packed(cJSON *chart, const struct chart_view *v, bool band)
{
	cJSON *data = cJSON_AddObjectToObject(chart, "packed"), *all;

	add_head(data, v);
	if (v->grid->buckets)
		model_json_number(data, "n", (double)v->grid->n);
	else
		add_x(data, v->grid);
	all = cJSON_AddArrayToObject(data, "series");
	for (size_t s = 0; s < v->n; s++) {
		cJSON *one = cJSON_CreateArray();
		model_json_number(one, NULL,
		                  short_number(v->series[s].max / OVERVIEW_PACKED_LEVELS));
		for (int stat = OVERVIEW_PACKED_MEAN;
		     stat <= (band ? OVERVIEW_PACKED_MAX : OVERVIEW_PACKED_MEAN); stat++) {
			struct buf list = {0};
			overview_packed_add(&list, (enum overview_packed)stat, v->series[s].cells,
			                    v->grid->n, v->series[s].max / OVERVIEW_PACKED_LEVELS,
			                    1);
			cJSON_AddItemToArray(one, cJSON_CreateString(buf_cstr(&list)));
			alloc_failed_note(list.failed ? NULL : data);
			buf_free(&list);
		}
		cJSON_AddItemToArray(all, one);
	}
	add_limit_pairs(data, &v->limit);
}

void chart_data_add(cJSON *chart, const struct chart_view *v)
{
	bool band = view_has_band(v);

	add_plain(chart, v, band);
	add_packed(chart, v, band);
}
