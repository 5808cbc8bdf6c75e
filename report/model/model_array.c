/* model_array: the model's "array": the elements of a job array, and how they differ. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "report/chart/chart_histogram.h"
#include "report/model/model.h"
#include "report/runs/parts.h"
#include "report/stats/array_spread.h"
#include "report/stats/asked.h"
#include "report/verdict/verdict_end.h"

#define FAILED_MAX   ((size_t)50) /* rows */
#define OUTLIERS_MAX ((size_t)20)
#define MIB          1048576.0

/* -- sentences --------------------------------------------------------------------------------- */

/* "8 elements of this array were recorded (0-7): 6 finished, 1 failed (3), 1 was killed because
 * memory ran out (6). This run is element 7." */
static void add_array_summary(cJSON *array, const struct array_spread *a, double index)
{
	static const char *const words[] = {" finished",
	                                    " failed",
	                                    " ended by a signal",
	                                    " killed because memory ran out",
	                                    " with a recording that is not finished",
	                                    " with an unknown end"};
	struct buf text = {0};
	const char *between = ": ";

	buf_printf(&text, "%s elements of this array were recorded (", UNITS_COUNT((double)a->n));
	array_spread_ranges(a, ARRAY_OUTCOMES, &text);
	buf_char(&text, ')');
	for (int k = 0; k < ARRAY_OUTCOMES; k++) {
		if (!a->count[k])
			continue;
		buf_printf(&text, "%s%s%s", between, UNITS_COUNT((double)a->count[k]), words[k]);
		between = ", ";
		if (k == ARRAY_FINISHED)
			continue;
		buf_str(&text, " (");
		array_spread_ranges(a, (enum array_outcome)k, &text);
		buf_char(&text, ')');
	}
	buf_printf(&text, ". This run is element %.0f.", index);
	model_json_take(array, "summary", &text);
}

static void add_array_basis(cJSON *array, const struct array_spread *a)
{
	size_t counted = a->count[ARRAY_FINISHED] + a->count[ARRAY_UNKNOWN];
	size_t oom = a->count[ARRAY_OOM];
	struct buf text = {0};

	if (counted)
		buf_printf(&text, "The spread and the histograms are of the %s element%s that %s.",
		           UNITS_COUNT((double)counted), counted == 1 ? "" : "s",
		           a->count[ARRAY_UNKNOWN] ? "finished, or whose end is unknown"
		                                   : "finished");
	else
		buf_str(&text, "No element finished, so there is no spread.");
	if (oom)
		buf_printf(&text,
		           " Peak memory also shows, apart, the %s killed because memory ran out: "
		           "%s at least the memory shown.",
		           UNITS_COUNT((double)oom), oom == 1 ? "it needed" : "they needed");
	if (a->earlier)
		buf_printf(&text,
		           " Of each element the last attempt counts: %s earlier recording%s, of "
		           "other attempts or steps, %s left out.",
		           UNITS_COUNT((double)a->earlier), a->earlier == 1 ? "" : "s",
		           a->earlier == 1 ? "is" : "are");
	if (a->parts)
		buf_printf(&text,
		           " Of each element one recording counts: %s of other nodes or tasks %s "
		           "left out.",
		           UNITS_COUNT((double)a->parts), a->parts == 1 ? "is" : "are");
	model_json_take(array, "basis", &text);
}

/* -- the spread -------------------------------------------------------------------------------- */

static void add_array_spread(cJSON *array, const struct array_spread *a, const struct runs *r)
{
	cJSON *rows = cJSON_AddArrayToObject(array, "spread");

	for (int m = 0; m < ARRAY_SPREAD_MEASURES; m++) {
		const struct trend_measure *measure = &trend_measures[m];
		const struct stats *s = &a->of[m];
		cJSON *row;
		if (!s->n)
			continue;
		row = cJSON_CreateObject();
		cJSON_AddItemToArray(rows, row);
		cJSON_AddStringToObject(row, "id", measure->id);
		cJSON_AddStringToObject(row, "label", measure->label);
		model_json_number(row, "n", (double)s->n);
		model_json_quantity(row, "min", measure->unit, s->min);
		model_json_quantity(row, "median", measure->unit, s->p50);
		model_json_quantity(row, "p95", measure->unit, s->p95);
		model_json_quantity(row, "max", measure->unit, s->max);
		model_json_quantity(row, "now", measure->unit,
		                    trend_value((enum trend_id)m, r, 0, NAN));
	}
	cJSON_AddBoolToObject(array, "has_spread", cJSON_GetArraySize(rows) > 0);
}

/* -- histograms -------------------------------------------------------------------------------- */

/* What a histogram is of, and its lines. */
static const struct {
	enum trend_id id;
	enum asked_resource asked;
	const char *what; /* in a sentence */
	bool apart;       /* shows the elements that were killed because memory ran out */
} pictures[] = {
    {TREND_MEMORY, ASKED_MEMORY, "memory", true},
    {TREND_DURATION, ASKED_TIME, "time", false},
};

static double proposed_value(const struct model_input *in, enum trend_id id)
{
	const struct advice *a = in->advice;

	if (id == TREND_MEMORY && advice_known(a->memory_formula))
		return (double)a->memory_mib * MIB * (double)parts_nodes(&in->runs->v[0]);
	if (id == TREND_DURATION && advice_known(a->time_formula))
		return 60 * (double)a->time_min;
	return NAN;
}

static void add_line(struct chart_histogram *h, const char *label, double at, const char *after)
{
	if (at > 0)
		h->line[h->n_lines++] = (struct chart_histogram_line){label, after, at};
}

static int by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Counts the elements in the histogram's bars. -1: there is no value. */
static int fill_histogram(struct chart_histogram *h, const struct array_spread *a, enum trend_id id,
                          bool with_apart)
{
	double *v = alloc_failed_note(calloc(a->n, sizeof *v)), largest = -1;
	size_t n = 0;

	if (!v)
		return -1;
	for (size_t i = 0; i < a->n; i++) {
		const struct array_element *e = &a->v[i];
		bool apart = with_apart && e->outcome == ARRAY_OOM;
		if (!isfinite(e->value[id]) || !(apart || array_spread_counts(e)))
			continue;
		largest = fmax(largest, e->value[id]);
		if (!apart)
			v[n++] = e->value[id];
	}
	if (largest >= 0) {
		qsort(v, n, sizeof *v, by_number);
		chart_histogram_begin(h, largest, chart_histogram_width(v, n));
		for (size_t i = 0; i < n; i++)
			chart_histogram_count(h, v[i], 1, false);
		for (size_t i = 0; with_apart && i < a->n; i++)
			if (a->v[i].outcome == ARRAY_OOM)
				chart_histogram_count(h, a->v[i].value[id], 1, true);
	}
	free(v);
	return largest >= 0 ? 0 : -1;
}

/* What no line shows, and why. */
static void add_remark(cJSON *one, const struct run *run, int k, double asked, double proposed)
{
	const struct snapshot_asked *all = &run->snapshot.asked;
	struct buf text = {0};

	if (isnan(asked) && (!all->known || isnan(all->of[pictures[k].asked].value)))
		buf_printf(&text, "The %s asked for is unknown.", pictures[k].what);
	else if (isnan(asked))
		buf_printf(&text, "No %s was asked for.", pictures[k].what);
	if (isnan(proposed))
		buf_printf(&text, "%sNo %s is proposed: %s.", text.len ? " " : "", pictures[k].what,
		           pictures[k].id == TREND_DURATION ? "too few runs finished"
		                                            : "it was not measured");
	model_json_take(one, "remark", &text);
}

/* For readers without the picture. */
static void add_histogram_summary(cJSON *one, const struct array_spread *a, enum trend_id id,
                                  const struct chart_histogram *h)
{
	const struct trend_measure *m = &trend_measures[id];
	const struct stats *s = &a->of[id];
	struct buf text = {0};

	buf_printf(&text, "%s of %zu element%s", m->label, s->n, s->n == 1 ? "" : "s");
	if (s->n)
		buf_printf(&text, ", from %s to %s, median %s", UNITS_TEXT(m->unit, s->min),
		           UNITS_TEXT(m->unit, s->max), UNITS_TEXT(m->unit, s->p50));
	for (size_t i = 0; i < h->n_lines; i++)
		buf_printf(&text, ". %s: %s%s", h->line[i].label,
		           UNITS_TEXT(m->unit, h->line[i].at), h->line[i].after);
	buf_char(&text, '.');
	model_json_take(one, "summary", &text);
}

static void add_histogram(cJSON *all, const struct model_input *in, const struct array_spread *a,
                          int k)
{
	const struct run *run = &in->runs->v[0];
	enum trend_id id = pictures[k].id;
	double asked = asked_requested(run, pictures[k].asked);
	double proposed = proposed_value(in, id);
	size_t nodes = parts_nodes(run), apart = 0;
	char after[64] = "";
	struct chart_histogram h = {.unit = trend_measures[id].unit};
	cJSON *one;

	if (id == TREND_MEMORY && nodes > 1)
		snprintf(after, sizeof after, " on %zu nodes", nodes);
	add_line(&h, "Asked", asked, after);
	add_line(&h, "Proposed", proposed, after);
	if (fill_histogram(&h, a, id, pictures[k].apart))
		return;
	for (size_t i = 0; i < h.n; i++)
		apart += h.apart[i];
	one = model_json_row(all);
	cJSON_AddStringToObject(one, "id", trend_measures[id].id);
	cJSON_AddStringToObject(one, "title", trend_measures[id].label);
	cJSON_AddStringToObject(one, "of", "Elements");
	cJSON_AddBoolToObject(one, "has_apart", apart > 0);
	cJSON_AddStringToObject(one, "apart_label", "killed because memory ran out");
	add_histogram_summary(one, a, id, &h);
	add_remark(one, run, k, asked, proposed);
	chart_histogram_add(one, &h);
}

/* -- rows of elements -------------------------------------------------------------------------- */

static cJSON *add_element(cJSON *rows, const struct array_element *e, const struct runs *r)
{
	const struct run *run = &r->v[e->run];
	cJSON *row = model_json_row(rows);
	char ended[64];

	model_json_number(row, "index", e->index);
	cJSON_AddBoolToObject(row, "this", e->run == 0);
	cJSON_AddStringToObject(row, "ended", verdict_end_words(run, ended));
	model_json_cut(row, "file", input_file_name(run->file), MODEL_JSON_NAME_MAX);
	return row;
}

static void add_failed(cJSON *array, const struct array_spread *a, const struct runs *r)
{
	cJSON *rows = cJSON_AddArrayToObject(array, "failed");
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct array_element *e = &a->v[i];
		cJSON *row;
		if (array_spread_counts(e) || n++ >= FAILED_MAX)
			continue;
		row = add_element(rows, e, r);
		for (int m = 0; m < ARRAY_SPREAD_MEASURES; m++)
			model_json_quantity(row, trend_measures[m].id, trend_measures[m].unit,
			                    e->value[m]);
		cJSON_AddBoolToObject(row, "at_least", e->outcome == ARRAY_OOM);
	}
	cJSON_AddBoolToObject(array, "has_failed", n > 0);
	model_json_number(array, "failed_left_out", n > FAILED_MAX ? (double)(n - FAILED_MAX) : 0);
}

static int furthest_first(const void *a, const void *b)
{
	const struct array_element *e = a, *f = b;

	if (e->distance != f->distance)
		return e->distance > f->distance ? -1 : 1;
	return (e->index > f->index) - (e->index < f->index);
}

/* "3.2 × the median"; "" where the value is not beyond the usual, or the median is 0. */
static void add_factor(cJSON *one, const struct array_element *e, int m, double median)
{
	double factor = e->value[m] / median;
	char text[64] = "";

	if (e->beyond[m] && median > 0)
		snprintf(text, sizeof text,
		         factor < 0.1  ? "%.2g × the median"
		         : factor < 10 ? "%.1f × the median"
		                       : "%.4g × the median",
		         factor);
	cJSON_AddStringToObject(one, "factor", text);
}

static void add_outlier(cJSON *rows, const struct array_element *e, const struct array_spread *a,
                        const struct runs *r)
{
	cJSON *measures = cJSON_AddArrayToObject(add_element(rows, e, r), "measures");

	for (int m = 0; m < ARRAY_SPREAD_MEASURES; m++) {
		cJSON *one;
		if (!a->of[m].n)
			continue;
		one = model_json_quantity(measures, NULL, trend_measures[m].unit, e->value[m]);
		cJSON_AddStringToObject(one, "label", trend_measures[m].label);
		cJSON_AddBoolToObject(one, "beyond", e->beyond[m]);
		add_factor(one, e, m, a->of[m].p50);
	}
}

/* Sorts a->v, so comes last. */
static void add_outliers(cJSON *array, struct array_spread *a, const struct runs *r)
{
	cJSON *rows = cJSON_AddArrayToObject(array, "outliers");
	size_t n = 0, counted = a->count[ARRAY_FINISHED] + a->count[ARRAY_UNKNOWN];
	struct buf why = {0};

	qsort(a->v, a->n, sizeof *a->v, furthest_first);
	for (; n < a->n && a->v[n].distance > 0; n++)
		if (n < OUTLIERS_MAX)
			add_outlier(rows, &a->v[n], a, r);
	cJSON_AddBoolToObject(array, "has_outliers", n > 0);
	model_json_number(array, "outliers_left_out",
	                  n > OUTLIERS_MAX ? (double)(n - OUTLIERS_MAX) : 0);
	if (counted < ARRAY_SPREAD_OUTLIERS)
		buf_printf(&why, "Outliers are looked for only if at least %d elements finished.",
		           ARRAY_SPREAD_OUTLIERS);
	else if (!n)
		buf_str(&why, "No finished element differs from the others beyond the usual.");
	model_json_take(array, "outliers_why", &why);
}

void model_array_add(cJSON *model, const struct model_input *in)
{
	const struct runs *r = in->runs;
	cJSON *array = cJSON_AddObjectToObject(model, "array"), *histograms;
	struct array_spread a;

	/* Without memory alloc_failed() is true, and there will be no model. */
	if (array_spread_make(&a, r))
		return;
	cJSON_AddBoolToObject(array, "known", a.n > 0);
	if (!a.n)
		return;
	model_json_cut(array, "job", r->v[0].snapshot.part.array_job, MODEL_JSON_NAME_MAX);
	model_json_number(array, "index", r->v[0].snapshot.part.array_index);
	model_json_number(array, "recorded", (double)a.n);
	model_json_number(array, "finished", (double)a.count[ARRAY_FINISHED]);
	add_array_summary(array, &a, r->v[0].snapshot.part.array_index);
	add_array_basis(array, &a);
	add_array_spread(array, &a, r);
	histograms = cJSON_AddArrayToObject(array, "histograms");
	for (size_t k = 0; k < sizeof pictures / sizeof *pictures; k++)
		add_histogram(histograms, in, &a, (int)k);
	add_failed(array, &a, r);
	add_outliers(array, &a, r);
	array_spread_free(&a);
}
