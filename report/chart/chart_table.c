/* chart_table: a chart as a table. */
#include "report/chart/chart_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/buf.h"
#include "report/units/units.h"

#define DAY 86400

/* The time of day; with the date in runs of over a day, with hundredths for rows of under 1 s. */
static void add_row_time(cJSON *row, const struct chart_grid *g, double each, double at)
{
	char text[UNITS_SIZE], out[UNITS_SIZE];
	bool days = g->n && g->x[g->n - 1] > DAY;
	size_t length = strlen(units_time_text(at, text)); /* 2026-11-21 06:51:51 UTC */

	if (length < 19)
		snprintf(out, sizeof out, "unknown");
	else if (days)
		snprintf(out, sizeof out, "%.11s", text + 5);
	else if (each < 1)
		snprintf(out, sizeof out, "%.8s.%02d", text + 11, (int)(fmod(at, 1) * 100) % 100);
	else
		snprintf(out, sizeof out, "%.8s", text + 11);
	cJSON_AddStringToObject(row, "time", out);
}

static void add_table_row(cJSON *table, const struct chart_view *v, size_t from, size_t to)
{
	const struct chart_grid *g = v->grid;
	cJSON *row = cJSON_CreateObject(), *values;
	double at = g->buckets ? (double)from * g->step : g->x[from];

	add_row_time(row, g, (double)(to - from) * g->step, g->from + at);
	values = cJSON_AddArrayToObject(row, "values");
	for (size_t s = 0; s < v->n; s++) {
		struct bucket c = {0};
		cJSON *one = cJSON_CreateObject();
		char text[64];
		for (size_t i = from; i < to; i++)
			bucket_join(&c, &v->series[s].cells[i]);
		cJSON_AddStringToObject(
		    one, "text",
		    c.n ? units_text(v->chart->unit, chart_edge_up(bucket_mean(&c)), NULL, text)
			: "–");
		cJSON_AddItemToArray(values, one);
	}
	cJSON_AddItemToArray(table, row);
}

void chart_table_add(cJSON *chart, const struct chart_view *v)
{
	cJSON *table = cJSON_AddArrayToObject(chart, "table");
	size_t n = v->n ? v->grid->n : 0;
	size_t each = (n + CHART_TABLE_ROWS - 1) / CHART_TABLE_ROWS;

	for (size_t i = 0; i < n; i += each)
		add_table_row(table, v, i, i + each < n ? i + each : n);
}
