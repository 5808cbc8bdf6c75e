/* fleet_model_days: the days of a fleet as charts. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "fleet/groups/fleet_model_parts.h"
#include "fleet/groups/fleet_model_words.h"
#include "fleet/groups/fleet_round.h"
#include "report/chart/chart_axis.h"
#include "report/chart/chart_lines.h"
#include "report/units/model_json.h"

#define DAY_S      86400.0
#define SERIES_MAX 2
#define TICKS      7
#define ROWS       10 /* of a chart's table */
#define W          (CHART_SVG_PLOT_W / CHART_SVG_UNIT)
#define H          (CHART_SVG_PLOT_H / CHART_SVG_UNIT)

/* A series is a member of struct catalog_day, in parts of `per` seconds. */
static const struct days_chart {
	const char *id, *title;
	enum unit unit;
	struct days_series {
		const char *label; /* NULL: none */
		size_t member;
		double per;
	} series[SERIES_MAX];
} charts[] = {
#define SERIES(label, member, per)                                                                 \
	{                                                                                          \
		label, offsetof(struct catalog_day, member), per                                   \
	}
    {"runs", "Runs at the same time", UNIT_COUNT, {SERIES("runs", run_s, DAY_S)}},
    {"cores",
     "Cores",
     UNIT_CORES,
     {SERIES("asked", asked_core_s, DAY_S), SERIES("used", used_core_s, DAY_S)}},
    {"memory",
     "Memory",
     UNIT_BYTES,
     {SERIES("asked", asked_byte_s, DAY_S), SERIES("used", used_byte_s, DAY_S)}},
    {"gpus",
     "GPUs",
     UNIT_GPUS,
     {SERIES("asked", asked_gpu_s, DAY_S), SERIES("used", used_gpu_s, DAY_S)}},
    {"failures",
     "Runs that failed",
     UNIT_COUNT,
     {SERIES("failed", failed, 1), SERIES("out of memory", oom, 1)}},
};

/* The days from the first to the last, `each` of them in a point. */
struct days {
	const struct fleet *f;
	int64_t first;
	size_t n, each, points;
	double *v[SERIES_MAX]; /* of one chart: means of each point */
};

/* -- words ------------------------------------------------------------------------------------- */

static const char *day_date(const struct days *d, size_t day, enum fleet_date how, char out[64])
{
	return fleet_model_date(((double)d->first + (double)day) * DAY_S, how, out);
}

static void add_days_ticks(cJSON *svg, const struct days *d)
{
	cJSON *ticks = cJSON_AddArrayToObject(svg, "ticks_x");
	size_t step = (d->n + TICKS - 1) / TICKS;
	char text[64];

	for (size_t day = 0; day < d->n; day += step) {
		double middle = fmin((double)day + 0.5, (double)d->n);
		double x = CHART_SVG_LEFT + CHART_SVG_PLOT_W * middle / (double)d->n;
		cJSON *one = model_json_row(ticks);
		model_json_number(one, "x", x);
		cJSON_AddStringToObject(
		    one, "text",
		    day_date(d, day, d->n > 366 ? FLEET_DATE_MONTH : FLEET_DATE_SHORT, text));
		chart_lines_tick_share(one, x);
	}
}

/* -- a chart ----------------------------------------------------------------------------------- */

/* Days without runs are 0: nothing ran. */
static double fill_days_series(struct days *d, size_t k, const struct days_series *s)
{
	double most = 0;

	memset(d->v[k], 0, d->points * sizeof *d->v[k]);
	for (size_t i = 0; i < d->f->n_days; i++) {
		const struct catalog_day *day = &d->f->day[i];
		size_t at = (size_t)(day->day - d->first) / d->each;
		size_t days = at + 1 < d->points ? d->each : d->n - at * d->each;
		double v = *(const double *)((const char *)day + s->member) / s->per;
		if (isfinite(v))
			d->v[k][at] += v / (double)days;
	}
	for (size_t i = 0; i < d->points; i++)
		most = fmax(most, d->v[k][i]);
	return most;
}

static void add_days_line(struct chart_lines *l, const struct days *d, size_t k, const char *label,
                          double top)
{
	struct chart_point p[CHART_SVG_POINTS] = {0};

	for (size_t i = 0; i < d->points; i++) {
		double from = (double)(i * d->each),
		       to = fmin(from + (double)d->each, (double)d->n);
		p[i].x = W * (from + to) / 2 / (double)d->n;
		p[i].y = p[i].top = p[i].bottom = H * (1 - chart_lines_share(d->v[k][i], top));
		p[i].known = true;
	}
	chart_lines_add(l, label, k, p, d->points, 0);
}

static void add_days_data(cJSON *chart, const struct days *d, size_t series)
{
	cJSON *data = cJSON_AddObjectToObject(chart, "data"), *all;

	model_json_number(data, "from", (double)d->first * DAY_S);
	model_json_number(data, "step", (double)d->each * DAY_S);
	all = cJSON_AddArrayToObject(data, "series");
	for (size_t k = 0; k < series; k++) {
		cJSON *one = cJSON_CreateArray();
		cJSON_AddItemToArray(all, one);
		for (size_t i = 0; i < d->points; i++)
			model_json_number(one, NULL, fleet_round(d->v[k][i], 4));
	}
}

static void add_days_table(cJSON *chart, const struct days_chart *c, const struct days *d,
                           size_t series)
{
	cJSON *rows = cJSON_AddArrayToObject(chart, "table");
	size_t each = (d->points + ROWS - 1) / ROWS;
	char text[64];

	for (size_t from = 0; from < d->points; from += each) {
		size_t to = from + each < d->points ? from + each : d->points;
		size_t day = from * d->each, end = to * d->each < d->n ? to * d->each : d->n;
		cJSON *row = model_json_row(rows), *values;
		struct buf time = {0};
		buf_str(&time, day_date(d, day, FLEET_DATE_WHOLE, text));
		if (end - day > 1)
			buf_printf(&time, " to %s", day_date(d, end - 1, FLEET_DATE_WHOLE, text));
		model_json_take(row, "time", &time);
		values = cJSON_AddArrayToObject(row, "values");
		for (size_t k = 0; k < series; k++) {
			double sum = 0;
			cJSON *one = model_json_row(values);
			for (size_t i = from; i < to; i++) {
				size_t last = (i + 1) * d->each < d->n ? (i + 1) * d->each : d->n;
				sum += d->v[k][i] * (double)(last - i * d->each);
			}
			cJSON_AddStringToObject(
			    one, "text",
			    units_text(c->unit, sum / (double)(end - day), NULL, text));
		}
	}
}

static void add_days_words(cJSON *chart, const struct days_chart *c, const struct days *d,
                           const double *most, size_t series)
{
	cJSON *key = cJSON_AddArrayToObject(chart, "key"), *head;
	struct buf text = {0};
	char value[64];

	buf_printf(&text, "%s, mean of each %s; the most", c->title,
	           d->each > 1 ? "period" : "day");
	for (size_t k = 0; k < series; k++) {
		cJSON *one = model_json_row(key);
		cJSON_AddStringToObject(one, "label", c->series[k].label);
		cJSON_AddStringToObject(one, "colour", chart_lines_looks[k].colour);
		cJSON_AddStringToObject(one, "dash", chart_lines_looks[k].dash);
		buf_printf(&text, "%s%s %s", k ? ", " : ": ", c->series[k].label,
		           units_text(c->unit, most[k], NULL, value));
	}
	buf_char(&text, '.');
	model_json_take(chart, "summary", &text);
	head = cJSON_AddArrayToObject(chart, "head");
	for (size_t k = 0; k < series; k++)
		cJSON_AddItemToArray(head, cJSON_CreateString(c->series[k].label));
}

static void add_days_chart(cJSON *all, const struct days_chart *c, struct days *d)
{
	double most[SERIES_MAX] = {0}, top;
	struct chart_lines lines;
	size_t series = 0;
	cJSON *chart;

	for (; series < SERIES_MAX && c->series[series].label; series++)
		most[series] = fill_days_series(d, series, &c->series[series]);
	if (c->unit == UNIT_GPUS && !(most[0] > 0))
		return;
	top = chart_axis_top(c->unit, fmax(most[0], most[1]));
	chart = model_json_row(all);
	cJSON_AddStringToObject(chart, "id", c->id);
	cJSON_AddStringToObject(chart, "title", c->title);
	cJSON_AddStringToObject(chart, "unit", units_name(c->unit));
	add_days_words(chart, c, d, most, series);
	chart_lines_begin(&lines, chart, c->unit, top);
	add_days_ticks(lines.svg, d);
	for (size_t k = 0; k < series; k++)
		add_days_line(&lines, d, k, c->series[k].label, top);
	chart_lines_end(&lines);
	add_days_table(chart, c, d, series);
	add_days_data(chart, d, series);
}

/* -- the section ------------------------------------------------------------------------------- */

static void add_days_text(cJSON *days, const struct days *d)
{
	char count[UNITS_SIZE], from[64], to[64];
	struct buf text = {0};

	buf_printf(&text, "%s day%s, ", units_count((double)d->n, count), d->n == 1 ? "" : "s");
	if (d->n > 1)
		buf_printf(&text, "from %s to %s", day_date(d, 0, FLEET_DATE_WHOLE, from),
		           day_date(d, d->n - 1, FLEET_DATE_WHOLE, to));
	else
		buf_str(&text, day_date(d, 0, FLEET_DATE_WHOLE, from));
	buf_str(&text, ", UTC; ");
	if (d->each > 1)
		buf_printf(&text, "each point is the mean of %zu days.", d->each);
	else
		buf_str(&text, "each point is the mean of a day.");
	model_json_take(days, "text", &text);
}

void fleet_model_add_days(cJSON *model, const struct fleet *f)
{
	cJSON *days = cJSON_AddObjectToObject(model, "days"), *all;
	struct days d = {.f = f};
	double *v;

	cJSON_AddBoolToObject(days, "known", f->n_days > 0);
	if (!f->n_days)
		return;
	d.first = f->day[0].day;
	d.n = (size_t)(f->day[f->n_days - 1].day - d.first) + 1;
	d.each = (d.n + CHART_SVG_POINTS - 1) / CHART_SVG_POINTS;
	d.points = (d.n + d.each - 1) / d.each;
	v = alloc_failed_note(calloc(SERIES_MAX * d.points, sizeof *v));
	if (!v)
		return;
	for (size_t k = 0; k < SERIES_MAX; k++)
		d.v[k] = v + k * d.points;
	add_days_text(days, &d);
	all = cJSON_AddArrayToObject(days, "charts");
	for (size_t i = 0; i < sizeof charts / sizeof *charts; i++)
		add_days_chart(all, &charts[i], &d);
	free(v);
}
