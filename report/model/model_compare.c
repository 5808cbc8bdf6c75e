/* model_compare: runs beside each other: their charts, their statistics and their phases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/chart/chart_comparison.h"
#include "report/chart/comparison.h"
#include "report/model/model.h"
#include "report/runs/job_key.h"
#include "report/stats/default_stats.h"
#include "report/stats/trend.h"
#include "report/units/difference_text.h"
#include "report/units/units.h"

#define PHASES_SHOWN ((size_t)40)

static const cJSON *get(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static void add_run(cJSON *array, const struct comparison *c, size_t i, const struct runs *r)
{
	const struct run *run = &r->v[c->v[i].run];
	const char *slash = strrchr(run->file, '/');
	cJSON *one = cJSON_CreateObject();

	cJSON_AddItemToArray(array, one);
	model_json_cut(one, "label", buf_cstr(&c->v[i].label), MODEL_JSON_NAME_MAX);
	model_json_cut(one, "file", slash ? slash + 1 : run->file, MODEL_JSON_NAME_MAX);
	model_json_cut(one, "name", job_key_name(run), MODEL_JSON_NAME_MAX);
	model_json_time(one, "start", run->start);
	cJSON_AddStringToObject(one, "status", load_status_word(run->status));
	cJSON_AddBoolToObject(one, "this", i == 0);
	cJSON_AddStringToObject(one, "colour", chart_comparison_looks[i].colour);
	cJSON_AddStringToObject(one, "dash", chart_comparison_looks[i].dash);
	model_json_cut(one, "why", c->v[i].why.msg, MODEL_JSON_TEXT_MAX);
}

/* -- a row of values, one of each run ---------------------------------------------------------- */

/* Against the first run. Both are "" of the first run, and where either is not measured. */
static void add_difference(cJSON *one, enum unit u, double v, double first, bool is_first)
{
	char difference[96], percent[UNITS_SIZE + 8];
	double by = is_first ? (double)NAN : v - first;
	double share = is_first ? (double)NAN : difference_percent(v, first);

	model_json_number(one, "difference", by);
	cJSON_AddStringToObject(one, "difference_text", difference_text(u, by, difference));
	model_json_number(one, "percent", share);
	cJSON_AddStringToObject(one, "percent_text", difference_percent_text(share, percent));
}

/* Of the runs that ended well: that a run which failed was soon over is no merit. */
static void range_of(const double *v, const bool *well, size_t n, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		*low = well[i] && v[i] < *low ? v[i] : *low;
		*high = well[i] && v[i] > *high ? v[i] : *high;
	}
}

/* Of what less is good of, the lowest is the best. Of CPU and GPU usage neither is. */
static void add_values(cJSON *row, enum unit u, const double *v, const struct comparison *c,
                       const bool *well)
{
	bool less_is_good = u != UNIT_CORES && u != UNIT_GPUS;
	cJSON *all = cJSON_AddArrayToObject(row, "values");
	double low, high;

	range_of(v, well, c->n, &low, &high);
	for (size_t i = 0; i < c->n; i++) {
		cJSON *one = model_json_quantity(all, NULL, u, v[i]);
		bool judged = well[i] && high > low;
		bool lowest = judged && v[i] == low, highest = judged && v[i] == high;
		model_json_cut(one, "run", buf_cstr(&c->v[i].label), MODEL_JSON_NAME_MAX);
		add_difference(one, u, v[i], v[0], i == 0);
		cJSON_AddStringToObject(one, "mark", lowest ? "lowest" : highest ? "highest" : "");
		cJSON_AddStringToObject(one, "level",
		                        !lowest && !highest ? ""
		                        : !less_is_good     ? "info"
		                        : lowest            ? "good"
		                                            : "warn");
	}
}

static bool is_shown(const struct default_stat *f, const struct comparison *c, const struct runs *r)
{
	bool shown = !default_stat_is_gpu(f);

	for (size_t i = 0; i < c->n && !shown; i++) {
		const struct run *run = &r->v[c->v[i].run];
		shown = run->snapshot.server.gpu_count > 0 || default_stat_shown(f, run) > 0;
	}
	return shown;
}

static void add_rows(cJSON *compare, const struct comparison *c, const struct runs *r,
                     const bool *well)
{
	cJSON *rows = cJSON_AddArrayToObject(compare, "rows");

	for (size_t i = 0; i < DEFAULT_STATS; i++) {
		const struct default_stat *f = &default_stats[i];
		double v[COMPARISON_MAX];
		char id[96];
		cJSON *row;
		if (!is_shown(f, c, r))
			continue;
		for (size_t k = 0; k < c->n; k++)
			v[k] = default_stat_shown(f, &r->v[c->v[k].run]);
		row = cJSON_CreateObject();
		cJSON_AddItemToArray(rows, row);
		default_stat_id(f, id);
		cJSON_AddStringToObject(row, "id", id);
		cJSON_AddStringToObject(row, "label", f->label);
		add_values(row, default_stat_unit(f), v, c, well);
	}
}

/* -- phases ------------------------------------------------------------------------------------ */

/* A row that there was no memory for has no name. */
static bool is_called(const cJSON *row, const char *name)
{
	const char *its = cJSON_GetStringValue(get(row, "name"));

	return its && strcmp(its, name) == 0;
}

static const struct phase_measure {
	const char *id, *label;
	const char *of;   /* the measure of the phase; NULL: the phase itself */
	const char *what; /* the member of that */
	enum unit unit;
} phase_measures[] = {
    {"duration", "Duration", NULL, "total", UNIT_SECONDS},
    {"cpu", "Mean CPU", "cpu", "mean", UNIT_CORES},
    {"memory", "Peak memory", "memory", "max", UNIT_BYTES},
};
#define PHASE_MEASURES (sizeof phase_measures / sizeof *phase_measures)

static const cJSON *phase_named(const cJSON *phases, const char *name)
{
	const cJSON *row;

	cJSON_ArrayForEach (row, get(phases, "rows"))
		if (is_called(row, name))
			return row;
	return NULL;
}

static double phase_value(const cJSON *row, const struct phase_measure *m)
{
	const cJSON *measures = get(row, "measures"), *from = m->of ? NULL : row, *one;

	cJSON_ArrayForEach (one, measures)
		if (m->of && strcmp(cJSON_GetStringValue(get(one, "id")), m->of) == 0)
			from = one;
	one = get(get(from, m->what), "value");
	return cJSON_IsNumber(one) ? one->valuedouble : (double)NAN;
}

/* What the runs that have a phase, and ended well, make of a measure. */
static void add_phase_measure(cJSON *array, const struct phase_measure *m, const double *v,
                              const struct comparison *c, const bool *well)
{
	struct stats s = stats_none();
	cJSON *one = cJSON_CreateObject();
	double known[COMPARISON_MAX];
	size_t measured = 0;

	cJSON_AddItemToArray(array, one);
	for (size_t i = 0; i < c->n; i++)
		if (well[i] && !isnan(v[i]))
			known[measured++] = v[i];
	stats_of(known, NULL, measured, &s, NULL);
	cJSON_AddStringToObject(one, "id", m->id);
	cJSON_AddStringToObject(one, "label", m->label);
	model_json_quantity(one, "min", m->unit, s.min);
	model_json_quantity(one, "max", m->unit, s.max);
	model_json_quantity(one, "mean", m->unit, s.mean);
	model_json_quantity(one, "sd", m->unit, s.sd);
	add_values(one, m->unit, v, c, well);
}

static void add_phase(cJSON *rows, const struct comparison *c, const bool *well, const char *name)
{
	cJSON *row = cJSON_CreateObject(), *measures;
	double v[COMPARISON_MAX];
	size_t having = 0;

	cJSON_AddItemToArray(rows, row);
	model_json_cut(row, "name", name, MODEL_JSON_NAME_MAX);
	for (size_t i = 0; i < c->n; i++)
		having += well[i] && phase_named(c->v[i].phases, name) != NULL;
	model_json_number(row, "runs", (double)having);
	measures = cJSON_AddArrayToObject(row, "measures");
	for (size_t m = 0; m < PHASE_MEASURES; m++) {
		for (size_t i = 0; i < c->n; i++)
			v[i] = phase_value(phase_named(c->v[i].phases, name), &phase_measures[m]);
		add_phase_measure(measures, &phase_measures[m], v, c, well);
	}
}

/* Phases of one name are of one row, in the order in which the first run to have them began them.
 */
static void add_phases(cJSON *compare, const struct comparison *c, const bool *well)
{
	cJSON *phases = cJSON_AddObjectToObject(compare, "phases"), *rows;
	const cJSON *row;
	size_t left_out = 0;

	rows = cJSON_CreateArray();
	for (size_t i = 0; i < c->n; i++)
		cJSON_ArrayForEach (row, get(c->v[i].phases, "rows")) {
			const char *name = cJSON_GetStringValue(get(row, "name"));
			bool full = (size_t)cJSON_GetArraySize(rows) >= PHASES_SHOWN, known = false;
			const cJSON *told;
			cJSON_ArrayForEach (told, rows)
				known |= is_called(told, name);
			left_out += !known && full;
			if (!known && !full)
				add_phase(rows, c, well, name);
		}
	cJSON_AddBoolToObject(phases, "known", cJSON_GetArraySize(rows) > 0);
	model_json_number(phases, "left_out", (double)left_out);
	cJSON_AddItemToObject(phases, "rows", rows);
}

void model_add_compare(cJSON *model, const struct model_input *in)
{
	const struct comparison *c = in->compare;
	cJSON *compare = cJSON_AddObjectToObject(model, "compare"), *runs;
	bool well[COMPARISON_MAX];

	cJSON_AddBoolToObject(compare, "known", c != NULL);
	if (!c)
		return;
	model_json_number(compare, "left_out", (double)c->left_out);
	runs = cJSON_AddArrayToObject(compare, "runs");
	for (size_t i = 0; i < c->n; i++) {
		well[i] = trend_ended(&in->runs->v[c->v[i].run]);
		add_run(runs, c, i, in->runs);
	}
	chart_comparison_add(compare, c, in->runs);
	add_rows(compare, c, in->runs, well);
	add_phases(compare, c, well);
}
