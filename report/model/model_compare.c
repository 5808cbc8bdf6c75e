/* model_compare: runs side by side: their charts, statistics and phases. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/chart/chart_comparison.h"
#include "report/chart/chart_lines.h"
#include "report/chart/comparison.h"
#include "report/model/model.h"
#include "report/runs/job_key.h"
#include "report/stats/default_stats.h"
#include "report/stats/state_use.h"
#include "report/stats/trend.h"
#include "report/stats/usage_column.h"
#include "report/units/difference_text.h"
#include "report/units/units.h"

#define PHASES_SHOWN ((size_t)40)

static void add_compared_run(cJSON *array, const struct comparison *c, size_t i,
                             const struct runs *r)
{
	const struct run *run = &r->v[c->v[i].run];
	cJSON *one = model_json_row(array);

	model_json_cut(one, "label", buf_cstr(&c->v[i].label), MODEL_JSON_NAME_MAX);
	model_json_cut(one, "file", input_file_name(run->file), MODEL_JSON_NAME_MAX);
	model_json_cut(one, "name", job_key_name(run), MODEL_JSON_NAME_MAX);
	model_json_time(one, "start", run->start);
	cJSON_AddStringToObject(one, "status", load_status_word(run->status));
	cJSON_AddBoolToObject(one, "this", i == 0);
	cJSON_AddStringToObject(one, "colour", chart_lines_looks[i].colour);
	cJSON_AddStringToObject(one, "dash", chart_lines_looks[i].dash);
	model_json_cut(one, "why", c->v[i].why.msg, MODEL_JSON_TEXT_MAX);
	cJSON_AddBoolToObject(one, "from_page", run->page != NULL);
}

/* -- a row of values, one per run -------------------------------------------------------------- */

/* Against the first run. Both texts are "" for the first run, and if either is not measured. */
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

/* Only of runs that ended well: a failed run that ended soon is not better. */
static void range_of(const double *v, const bool *well, size_t n, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		*low = well[i] && v[i] < *low ? v[i] : *low;
		*high = well[i] && v[i] > *high ? v[i] : *high;
	}
}

/* The lowest is the best, except for CPU and GPU usage, of which no value is better. */
static void add_run_values(cJSON *row, enum unit u, const double *v, const struct comparison *c,
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

static bool is_stat_shown(const struct default_stat *f, const struct comparison *c,
                          const struct runs *r)
{
	bool shown = !default_stat_is_gpu(f);

	for (size_t i = 0; i < c->n && !shown; i++) {
		const struct run *run = &r->v[c->v[i].run];
		shown = run->snapshot.server.gpu_count > 0 || default_stat_shown(f, run) > 0;
	}
	return shown;
}

/* A row of seconds for each state that is worth one in some run. */
static void add_compared_states(cJSON *rows, const struct comparison *c, const struct runs *r,
                                const bool *well)
{
	for (int k = 0; k < STATES_N; k++) {
		double v[COMPARISON_MAX], most = 0;
		char id[64], label[96];
		cJSON *row;
		for (size_t i = 0; i < c->n; i++) {
			struct state_use u = state_use_of(&r->v[c->v[i].run]);
			v[i] = u.known ? stats_round(u.of[k].s, 3) : (double)NAN;
			most = fmax(most, u.of[k].share);
		}
		if (!(most >= STATE_USE_RANGE))
			continue;
		row = model_json_row(rows);
		snprintf(id, sizeof id, "states.%s", states_word((enum states_id)k));
		snprintf(label, sizeof label, "Time %s", state_words[k].is);
		cJSON_AddStringToObject(row, "id", id);
		cJSON_AddStringToObject(row, "label", label);
		add_run_values(row, UNIT_SECONDS, v, c, well);
	}
}

/* Totals that the default statistics do not have. */
static void add_compared_disk(cJSON *rows, const struct comparison *c, const struct runs *r,
                              const bool *well)
{
	static const struct {
		enum metric_id id;
		const char *label;
	} totals[] = {{METRIC_PROCESS_READ_BYTES, "Read from disk, total"},
	              {METRIC_PROCESS_WRITE_BYTES, "Written to disk, total"}};

	for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
		double v[COMPARISON_MAX];
		bool known = false;
		char id[64];
		cJSON *row;

		for (size_t k = 0; k < c->n; k++) {
			v[k] = usage_total(&r->v[c->v[k].run], totals[i].id);
			known = known || !isnan(v[k]);
		}
		if (!known)
			continue;
		row = model_json_row(rows);
		snprintf(id, sizeof id, "process_%s.sum", metrics[totals[i].id].name[SCHEMA_1]);
		cJSON_AddStringToObject(row, "id", id);
		cJSON_AddStringToObject(row, "label", totals[i].label);
		add_run_values(row, UNIT_BYTES, v, c, well);
	}
}

static void add_stat_rows(cJSON *compare, const struct comparison *c, const struct runs *r,
                          const bool *well)
{
	cJSON *rows = cJSON_AddArrayToObject(compare, "rows");

	for (size_t i = 0; i < DEFAULT_STATS; i++) {
		const struct default_stat *f = &default_stats[i];
		double v[COMPARISON_MAX];
		char id[96];
		cJSON *row;
		if (f->id == METRIC_SYSTEM_DISK_SPACE_USED)
			add_compared_disk(rows, c, r, well);
		if (!is_stat_shown(f, c, r))
			continue;
		for (size_t k = 0; k < c->n; k++)
			v[k] = default_stat_shown(f, &r->v[c->v[k].run]);
		row = model_json_row(rows);
		default_stat_id(f, id);
		cJSON_AddStringToObject(row, "id", id);
		cJSON_AddStringToObject(row, "label", f->label);
		add_run_values(row, default_stat_unit(f), v, c, well);
	}
	add_compared_states(rows, c, r, well);
}

/* -- phases ------------------------------------------------------------------------------------ */

enum phase_figure { PHASE_DURATION, PHASE_MEAN_CPU, PHASE_PEAK_MEMORY, PHASE_FIGURES };

static const struct {
	const char *id, *label;
	enum unit unit;
} phase_figures[PHASE_FIGURES] = {
    [PHASE_DURATION] = {"duration", "Duration", UNIT_SECONDS},
    [PHASE_MEAN_CPU] = {"cpu", "Mean CPU", UNIT_CORES},
    [PHASE_PEAK_MEMORY] = {"memory", "Peak memory", UNIT_BYTES},
};

static const struct phase_usage_name *phase_named(const struct phase_usage *u, const char *name)
{
	for (size_t i = 0; i < u->n; i++)
		if (strcmp(u->name[i].name, name) == 0)
			return &u->name[i];
	return NULL;
}

/* NAN where the run does not have the phase (p is NULL), or it was not measured. */
static double phase_value(const struct phase_usage_name *p, enum phase_figure figure)
{
	double v = !p                         ? (double)NAN
	           : figure == PHASE_DURATION ? stats_round(p->total_s, 3)
	           : figure == PHASE_MEAN_CPU ? p->of[PHASE_USAGE_CPU].mean
	                                      : p->of[PHASE_USAGE_MEMORY].max;

	return isfinite(v) ? v : (double)NAN;
}

/* Statistics of a figure over the runs that have the phase and ended well. */
static void add_phase_figure(cJSON *array, enum phase_figure figure, const double *v,
                             const struct comparison *c, const bool *well)
{
	struct stats s = stats_none();
	enum unit u = phase_figures[figure].unit;
	cJSON *one = model_json_row(array);
	double known[COMPARISON_MAX];
	size_t measured = 0;

	for (size_t i = 0; i < c->n; i++)
		if (well[i] && !isnan(v[i]))
			known[measured++] = v[i];
	stats_of(known, NULL, measured, &s, NULL);
	cJSON_AddStringToObject(one, "id", phase_figures[figure].id);
	cJSON_AddStringToObject(one, "label", phase_figures[figure].label);
	model_json_quantity(one, "min", u, s.min);
	model_json_quantity(one, "max", u, s.max);
	model_json_quantity(one, "mean", u, s.mean);
	model_json_quantity(one, "sd", u, s.sd);
	add_run_values(one, u, v, c, well);
}

static void add_compared_phase(cJSON *rows, const struct comparison *c, const bool *well,
                               const char *name)
{
	cJSON *row = model_json_row(rows), *measures;
	double v[COMPARISON_MAX];
	size_t having = 0;

	model_json_cut(row, "name", name, MODEL_JSON_NAME_MAX);
	for (size_t i = 0; i < c->n; i++)
		having += well[i] && phase_named(&c->v[i].phases, name) != NULL;
	model_json_number(row, "runs", (double)having);
	measures = cJSON_AddArrayToObject(row, "measures");
	for (int f = 0; f < PHASE_FIGURES; f++) {
		for (size_t i = 0; i < c->n; i++)
			v[i] =
			    phase_value(phase_named(&c->v[i].phases, name), (enum phase_figure)f);
		add_phase_figure(measures, (enum phase_figure)f, v, c, well);
	}
}

/* One row per name, in the order of the first run that has the phase. */
static void add_phase_rows(cJSON *compare, const struct comparison *c, const bool *well)
{
	cJSON *phases = cJSON_AddObjectToObject(compare, "phases"), *rows = cJSON_CreateArray();
	const char *shown[PHASES_SHOWN];
	size_t n = 0, left_out = 0;

	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < c->v[i].phases.n; k++) {
			const char *name = c->v[i].phases.name[k].name;
			bool known = false;
			for (size_t j = 0; j < n; j++)
				known |= strcmp(shown[j], name) == 0;
			left_out += !known && n == PHASES_SHOWN;
			if (known || n == PHASES_SHOWN)
				continue;
			shown[n++] = name;
			add_compared_phase(rows, c, well, name);
		}
	cJSON_AddBoolToObject(phases, "known", n > 0);
	model_json_number(phases, "left_out", (double)left_out);
	cJSON_AddItemToObject(phases, "rows", rows);
}

void model_compare_add(cJSON *model, const struct model_input *in)
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
		add_compared_run(runs, c, i, in->runs);
	}
	chart_comparison_add(compare, c, in->runs);
	add_stat_rows(compare, c, in->runs, well);
	add_phase_rows(compare, c, well);
}
