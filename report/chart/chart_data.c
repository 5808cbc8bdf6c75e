/* chart_data: a chart's points for programs. */
#include "report/chart/chart_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"

#define LEVELS 1000 /* steps of a packed series, from 0 to its peak */

enum statistic { MEAN, MIN, MAX };

static double cell_value(const struct bucket *c, enum statistic stat)
{
	return !c->n ? (double)NAN : stat == MIN ? c->min : stat == MAX ? c->max : bucket_mean(c);
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
	for (int stat = MEAN; stat <= MAX; stat++) {
		cJSON *all;
		if (stat != MEAN && !band) {
			cJSON_AddNullToObject(data, names[stat]);
			continue;
		}
		all = cJSON_AddArrayToObject(data, names[stat]);
		for (size_t s = 0; s < v->n; s++) {
			cJSON *one = cJSON_CreateArray();
			cJSON_AddItemToArray(all, one);
			for (size_t i = 0; i < v->grid->n; i++)
				model_json_number(one, NULL,
				                  short_number(cell_value(&v->series[s].cells[i],
				                                          (enum statistic)stat)));
		}
	}
	add_limit_pairs(data, &v->limit);
}

/* -- packed ------------------------------------------------------------------------------------ */

/* Writes a non-negative integer as base-32 digits, lowest first; 32 is added to every digit but the
 * last. assets/points.js reads them. */
static void put_base32(struct buf *out, unsigned v)
{
	static const char letters[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";

	for (; v >= 32; v /= 32)
		buf_char(out, letters[32 + v % 32]);
	buf_char(out, letters[v]);
}

/* Values above zero are at least one step, so that they stay visible. */
static int quantize(double v, double scale)
{
	double steps = scale > 0 ? chart_edge_up(v / scale) : 0;

	return steps <= 0 ? 0 : steps < 1 ? 1 : steps > LEVELS ? LEVELS : (int)lround(steps);
}

/* Writes the code of one value n times, as "CODE*COUNT" if that is shorter. */
static void put_repeated(struct buf *out, const char *code, size_t n)
{
	size_t length = strlen(code);

	if (n * length <= length + 3) {
		for (; n; n--)
			buf_str(out, code);
	} else {
		buf_str(out, code);
		buf_char(out, '*');
		put_base32(out, (unsigned)n - 1);
	}
}

struct packer {
	const struct bucket *cells;
	double scale;
	enum statistic stat;
	int before; /* level of the previous mean */
};

/* Encodes a mean as its difference from the previous mean (zigzag, as it has a sign), and an
 * extreme as its distance from its own mean. */
static void pack_cell(struct packer *p, size_t i, struct buf *one)
{
	const struct bucket *c = &p->cells[i];
	int mean, other;

	buf_clear(one);
	if (!c->n) {
		buf_char(one, '.');
		return;
	}
	mean = quantize(bucket_mean(c), p->scale);
	other =
	    p->stat == MEAN ? mean - p->before : quantize(cell_value(c, p->stat), p->scale) - mean;
	put_base32(one, (unsigned)(p->stat != MEAN ? abs(other)
	                           : other < 0     ? -2 * other - 1
	                                           : 2 * other));
	p->before = mean;
}

static void pack_series(cJSON *array, const struct chart_series *s, size_t n, enum statistic stat)
{
	struct packer p = {s->cells, s->max / LEVELS, stat, 0};
	struct buf out = {0}, one = {0}, last = {0};
	size_t same = 0;

	for (size_t i = 0; i < n; i++, same++) {
		pack_cell(&p, i, &one);
		if (i && strcmp(buf_cstr(&one), buf_cstr(&last)) == 0)
			continue;
		put_repeated(&out, buf_cstr(&last), same);
		buf_clear(&last);
		buf_str(&last, buf_cstr(&one));
		same = 0;
	}
	put_repeated(&out, buf_cstr(&last), same);
	cJSON_AddItemToArray(array, cJSON_CreateString(buf_cstr(&out)));
	buf_free(&out);
	buf_free(&one);
	buf_free(&last);
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
		model_json_number(one, NULL, short_number(v->series[s].max / LEVELS));
		for (int stat = MEAN; stat <= (band ? MAX : MEAN); stat++)
			pack_series(one, &v->series[s], v->grid->n, (enum statistic)stat);
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
