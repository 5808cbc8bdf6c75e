/* pipeline_model_load: the model's "load", how many attempts ran at once, and "waits". */
#include <math.h>
#include <stdlib.h>

#include "fleet/pipeline/pipeline_load.h"
#include "fleet/pipeline/pipeline_model_parts.h"
#include "fleet/pipeline/pipeline_model_words.h"
#include "report/chart/chart_axis.h"
#include "report/chart/chart_lines.h"
#include "report/units/model_json.h"

#define ROWS 10 /* of a chart's table */

struct load_series {
	const char *label;
	const double *v; /* NULL: unknown */
};

static double mean_of(const double *v, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += v[i];
	return sum / (double)(to - from);
}

static void add_load_line(struct chart_lines *l, const struct load_series *s, size_t look)
{
	struct chart_point p[PIPELINE_LOAD_POINTS];

	for (size_t i = 0; i < PIPELINE_LOAD_POINTS; i++)
		p[i] = chart_lines_point(l, ((double)i + 0.5) / (double)PIPELINE_LOAD_POINTS, 0,
		                         s->v[i], s->v[i]);
	/* The area below the line, from 0 on. */
	chart_lines_add(l, s->label, look, p, PIPELINE_LOAD_POINTS, look ? 0 : 0.5);
	chart_lines_key(l->key, s->label, PIPELINE_MODEL_NAME, look);
}

static void add_load_table(cJSON *chart, enum unit unit, const struct load_series *s, size_t n,
                           double span)
{
	cJSON *head = cJSON_AddArrayToObject(chart, "head");
	cJSON *rows = cJSON_AddArrayToObject(chart, "table");

	for (size_t k = 0; k < n; k++)
		cJSON_AddItemToArray(head, cJSON_CreateString(s[k].label));
	for (size_t i = 0; i < ROWS; i++) {
		size_t from = i * PIPELINE_LOAD_POINTS / ROWS,
		       to = (i + 1) * PIPELINE_LOAD_POINTS / ROWS;
		cJSON *row = model_json_row(rows), *values;
		model_json_printf(row, "time", "%s", UNITS_SECONDS(span * (double)i / ROWS));
		values = cJSON_AddArrayToObject(row, "values");
		for (size_t k = 0; k < n; k++)
			pipeline_model_words_quantity(values, NULL, unit,
			                              mean_of(s[k].v, from, to));
	}
}

static void add_load_chart(cJSON *charts, const struct chart_lines_kind *kind,
                           const struct load_series *s, size_t n, double span)
{
	struct chart_lines l;
	double most = 0;
	cJSON *chart;

	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < PIPELINE_LOAD_POINTS; i++)
			most = fmax(most, s[k].v[i]);
	chart = chart_lines_chart(&l, charts, kind, chart_axis_top(kind->unit, most), span);
	for (size_t k = 0; k < n; k++) {
		add_load_line(&l, &s[k], k);
		chart_lines_say(&l, s[k].label, mean_of(s[k].v, 0, PIPELINE_LOAD_POINTS));
	}
	chart_lines_end(&l);
	model_json_printf(chart, "summary", "%s, on average: %s", kind->title,
	                  buf_cstr(&l.summary));
	buf_free(&l.summary);
	add_load_table(chart, kind->unit, s, n, span);
}

/* Of two series, those that are known. */
static void add_pair_chart(cJSON *charts, const struct chart_lines_kind *kind, const double *asked,
                           const double *used, double span)
{
	struct load_series s[2];
	size_t n = 0;

	if (asked)
		s[n++] = (struct load_series){"asked", asked};
	if (used)
		s[n++] = (struct load_series){"used", used};
	if (n)
		add_load_chart(charts, kind, s, n, span);
}

/* -- waiting ----------------------------------------------------------------------------------- */

static int add_waits(cJSON *model, const struct pipeline_parts *x, struct err *e)
{
	cJSON *waits = cJSON_AddObjectToObject(model, "waits");
	struct pipeline_waits w;
	struct buf text = {0};

	if (pipeline_chain_waits(x->p, &w, e))
		return -1;
	cJSON_AddBoolToObject(waits, "known", w.known > 0);
	if (!w.known) {
		model_json_printf(waits, "text",
		                  "When the tasks were submitted is unknown, so that waiting for "
		                  "other tasks cannot be told from waiting for a slot.");
		return 0;
	}
	pipeline_model_words_quantity(waits, "slot", UNIT_SECONDS, w.slot_s);
	pipeline_model_words_quantity(waits, "slot_p50", UNIT_SECONDS, w.slot_p50_s);
	pipeline_model_words_quantity(waits, "slot_max", UNIT_SECONDS, w.slot_max_s);
	pipeline_model_words_quantity(waits, "others", UNIT_SECONDS, w.others_s);
	buf_printf(
	    &text,
	    "Of %s attempts it is known when they were submitted. Together they waited %s for "
	    "a slot, from then to their start (half of them at most %s, the longest %s). ",
	    UNITS_COUNT((double)w.known), UNITS_SECONDS(w.slot_s), UNITS_SECONDS(w.slot_p50_s),
	    UNITS_SECONDS(w.slot_max_s));
	buf_printf(&text,
	           "%s of them were submitted within %d s after another one ended, and so waited "
	           "for it: together %s since the run began.",
	           UNITS_COUNT((double)w.others), PIPELINE_AT_ONCE_S, UNITS_SECONDS(w.others_s));
	model_json_take(waits, "text", &text);
	return 0;
}

/* -- the whole --------------------------------------------------------------------------------- */

int pipeline_model_load_add(cJSON *model, const struct pipeline_parts *x, struct err *e)
{
	const struct pipeline *p = x->p;
	struct pipeline_load *l = calloc(1, sizeof *l);
	cJSON *load = cJSON_AddObjectToObject(model, "load"), *charts;
	double span = p->end - p->begin;
	bool known = span > 0;
	int failed = l ? pipeline_load_make(p, -1, l, e) : err_set(e, "no memory for the report");

	cJSON_AddBoolToObject(load, "known", known);
	if (!failed && known) {
		const struct load_series running = {"running", l->running};
		pipeline_model_words_quantity(load, "most", UNIT_COUNT, l->most);
		pipeline_model_words_quantity(load, "mean", UNIT_COUNT, l->mean);
		model_json_printf(load, "text",
		                  "At most %s at once, first after %s; %s on average. Each point "
		                  "is the mean of a part of the time.",
		                  UNITS_COUNT(l->most), UNITS_SECONDS(l->most_at - p->begin),
		                  UNITS_COUNT(l->mean));
		charts = cJSON_AddArrayToObject(load, "charts");
		add_load_chart(charts,
		               &(struct chart_lines_kind){"running", "Tasks at once", UNIT_COUNT},
		               &running, 1, span);
		add_pair_chart(charts, &(struct chart_lines_kind){"cores", "Cores", UNIT_CORES},
		               l->asked_cpus ? l->asked_cores : NULL,
		               l->used_cpus ? l->used_cores : NULL, span);
		add_pair_chart(charts, &(struct chart_lines_kind){"memory", "Memory", UNIT_BYTES},
		               l->asked_memory ? l->asked_b : NULL,
		               l->used_memory ? l->used_b : NULL, span);
	}
	free(l);
	return failed ? -1 : add_waits(model, x, e);
}
