/* chart: turns the columns of a run into the report's charts. */
#include "report/chart/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/head/overview_packed.h"
#include "report/chart/chart_series.h"
#include "report/chart/chart_spark.h"
#include "report/chart/chart_svg.h"
#include "report/stats/memory_peak.h"

/* -- a chart's points for programs ------------------------------------------------------------- */

static double cell_value(const struct bucket *c, enum overview_packed stat)
{
	if (!c->n)
		return NAN;
	switch (stat) {
	case OVERVIEW_PACKED_MIN:
		return c->min;
	case OVERVIEW_PACKED_MAX:
		return c->max;
	default:
		return buckets_mean(c);
	}
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

/* Adds both (docs/model.md) to the chart. */
static void chart_data_add(cJSON *chart, const struct chart_view *v)
{
	bool band = view_has_band(v);

	add_plain(chart, v, band);
	add_packed(chart, v, band);
}

/* -- a chart's facts and sentences ------------------------------------------------------------- */

/* The peak of a series: of the job's memory with its bounds, of its cores unknown where samples
 * missed too much. */
static const char *peak_text(const struct chart_view *v, const struct chart_series *s,
                             char out[UNITS_RANGE_SIZE])
{
	bool unknown = s->m->id == METRIC_PROCESS_CPU_USAGE && isnan(v->run->stats[s->m->id].max);

	if (v->chart->chart == METRIC_CHART_MEMORY)
		return memory_peak_text(v->run, s->max, out);
	return units_text(v->chart->unit, unknown ? (double)NAN : s->max, NULL, out);
}

static void add_series_facts(cJSON *array, const struct chart_view *v, const struct chart_series *s)
{
	cJSON *one = model_json_row(array), *d;
	char peak[UNITS_RANGE_SIZE];

	cJSON_AddStringToObject(one, "id", s->id);
	cJSON_AddStringToObject(one, "label", s->label);
	cJSON_AddStringToObject(one, "scope", s->tree ? "tree" : "system");
	cJSON_AddBoolToObject(one, "apart", s->apart);
	cJSON_AddStringToObject(one, "mark", s->mark);
	cJSON_AddStringToObject(one, "look", s->look->name);
	cJSON_AddStringToObject(one, "colour", s->look->colour);
	cJSON_AddStringToObject(one, "dash", s->look->dash);
	d = cJSON_AddObjectToObject(one, "digest");
	model_json_quantity(d, "mean", v->chart->unit, s->mean);
	model_json_as_text(d, "max", v->chart->unit, s->max, peak_text(v, s, peak));
	chart_spark_add(one, v, s);
	chart_spark_add_picture(one, v, s);
}

static void say_mean_and_peak(struct buf *b, const struct chart_view *v,
                              const struct chart_series *s)
{
	char peak[UNITS_RANGE_SIZE];

	buf_printf(b, "%s%s: mean %s, peak %s.", b->len ? " " : "", s->label,
	           UNITS_TEXT(v->chart->unit, s->mean), peak_text(v, s, peak));
}

/* A sentence for each series, and one for the limit. */
static void add_chart_summary(cJSON *chart, const struct chart_view *v)
{
	struct buf b = {0};

	for (size_t i = 0; i < v->n; i++)
		say_mean_and_peak(&b, v, &v->series[i]);
	if (v->n && v->limit.drawn)
		buf_printf(&b, " %s.", v->limit.text);
	cJSON_AddStringToObject(chart, "summary", v->n ? buf_cstr(&b) : "Not measured.");
	buf_free(&b);
}

/* A peak of which no row knows: of a process that lived between two samples. */
static void add_peak_remark(struct buf *b, const struct chart_view *v)
{
	const struct run *run = v->run;

	if (v->chart->chart != METRIC_CHART_MEMORY || !memory_peak_between(run) ||
	    run->stats[METRIC_PROCESS_MEMORY_PEAK].max * MEMORY_PEAK_MISSED > run->memory.peak_b)
		return;
	buf_printf(b,
	           "%sNot drawn: the job's peak of %s, which a process reached between two "
	           "samples; when it was is not known.",
	           b->len ? " " : "", UNITS_TEXT(UNIT_BYTES, run->memory.peak_b));
}

/* Explains what was measured but is not drawn, as it would flatten the other lines. */
static void add_chart_remark(cJSON *chart, const struct chart_view *v)
{
	struct buf b = {0};

	for (size_t i = 0; i < v->n; i++)
		if (v->series[i].apart)
			buf_printf(&b, "%s%s", b.len ? ", " : "Not drawn, far above the job: ",
			           v->series[i].mark);
	if (b.len)
		buf_str(&b, ".");
	if (v->n && v->limit.known && !v->limit.drawn)
		buf_printf(&b, "%sNot drawn, far above the data: %s.", b.len ? " " : "",
		           v->limit.text);
	add_peak_remark(&b, v);
	model_json_take(chart, "remark", &b);
}

static void add_limit_objects(cJSON *chart, const struct chart_limit *l)
{
	cJSON *all = cJSON_AddArrayToObject(chart, "limits"), *one;

	if (!l->drawn)
		return;
	one = model_json_row(all);
	model_json_number(one, "value", l->value);
	cJSON_AddStringToObject(one, "text", l->text);
}

/* -- a chart as a short table of its means ----------------------------------------------------- */

/* The unit that all values of the table have, for its caption: cells without it fit a small
 * screen. "": each has its own. */
static const char *unit_of_table(const struct chart_view *v)
{
	bool same = v->chart->unit == UNIT_CORES || v->chart->unit == UNIT_GPUS;

	return same ? units_name(v->chart->unit) : "";
}

static const char *mean_text(const struct chart_view *v, double mean, char out[64])
{
	return *unit_of_table(v) ? units_cores(mean, out)
	                         : units_text(v->chart->unit, mean, NULL, out);
}

static void add_means_row(cJSON *table, const struct chart_view *v, size_t from, size_t to)
{
	const struct chart_grid *g = v->grid;
	cJSON *row = model_json_row(table), *values;
	double at = g->buckets ? (double)from * g->step : g->x[from];
	char text[UNITS_SIZE], mean[64];

	chart_grid_time_text(g, (double)(to - from) * g->step, g->from + at, text);
	cJSON_AddStringToObject(row, "time", text);
	values = cJSON_AddArrayToObject(row, "values");
	for (size_t s = 0; s < v->n; s++) {
		struct bucket c = {0};
		cJSON *one = model_json_row(values);
		for (size_t i = from; i < to; i++)
			buckets_join(&c, &v->series[s].cells[i]);
		cJSON_AddStringToObject(
		    one, "text", c.n ? mean_text(v, chart_edge_up(buckets_mean(&c)), mean) : "–");
	}
}

static void add_means_table(cJSON *chart, const struct chart_view *v)
{
	cJSON *table = cJSON_AddArrayToObject(chart, "table");
	size_t n = v->n ? v->grid->n : 0;
	size_t each = (n + CHART_TABLE_ROWS - 1) / CHART_TABLE_ROWS;

	cJSON_AddStringToObject(chart, "table_unit", unit_of_table(v));
	for (size_t i = 0; i < n; i += each)
		add_means_row(table, v, i, i + each < n ? i + each : n);
}

/* -- the whole --------------------------------------------------------------------------------- */

static void fill_chart(cJSON *chart, const struct chart_view *v, bool first)
{
	cJSON *series;

	cJSON_AddStringToObject(chart, "id", v->chart->id);
	cJSON_AddStringToObject(chart, "title", v->chart->title);
	cJSON_AddStringToObject(chart, "unit", units_name(v->chart->unit));
	cJSON_AddBoolToObject(chart, "known", v->n > 0);
	series = cJSON_AddArrayToObject(chart, "series");
	for (size_t i = 0; i < v->n; i++)
		add_series_facts(series, v, &v->series[i]);
	add_chart_summary(chart, v);
	add_chart_remark(chart, v);
	add_limit_objects(chart, &v->limit);
	if (v->n)
		chart_svg_add(chart, v, first);
	else
		cJSON_AddNullToObject(chart, "svg");
	add_means_table(chart, v);
	chart_data_add(chart, v);
}

/* drawn: whether the page already has a picture. Only the first one has the shared parts. */
static int add_run_chart(cJSON *all, const struct chart *c, const struct run *run,
                         const struct chart_grid *g, bool *drawn)
{
	struct chart_view v = {.chart = c, .run = run, .grid = g};
	cJSON *chart = cJSON_CreateObject();
	struct bucket *cells;

	chart_series_choose(&v);
	cells = calloc(v.n * g->n + 1, sizeof *cells);
	if (!cells || !chart || !cJSON_AddItemToArray(all, chart)) {
		cJSON_Delete(chart);
		free(cells);
		return -1;
	}
	for (size_t i = 0; i < v.n; i++) {
		v.series[i].cells = cells + i * g->n;
		chart_grid_fill(cells + i * g->n, g, run, v.series[i].m);
	}
	fill_chart(chart, &v, v.n && !*drawn);
	*drawn |= v.n > 0;
	free(cells);
	return 0;
}

cJSON *chart_all(const struct run *run)
{
	size_t n;
	const struct chart *list = chart_list(&n);
	cJSON *all = cJSON_CreateArray();
	struct chart_grid g = {0};
	bool drawn = false;
	int failed = !all || chart_grid_make(&g, run);

	for (size_t i = 0; !failed && i < n; i++)
		if (chart_shown(&list[i], run))
			failed = add_run_chart(all, &list[i], run, &g, &drawn);
	chart_grid_free(&g);
	if (failed) {
		cJSON_Delete(all);
		return NULL;
	}
	return all;
}
