/* model_history: the model's "history" and "trend" (earlier runs), and "compare" (others). */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/chart/chart_comparison.h"
#include "report/chart/chart_lines.h"
#include "report/chart/chart_trend.h"
#include "report/chart/comparison.h"
#include "report/history/history_changes.h"
#include "report/model/model_sections.h"
#include "report/prices/offer.h"
#include "report/runs/job_key.h"
#include "report/runs/parts.h"
#include "report/stats/contention_run.h"
#include "report/stats/default_stats.h"
#include "report/stats/history.h"
#include "report/stats/memory_peak.h"
#include "report/stats/state_use.h"
#include "report/stats/trend.h"
#include "report/stats/usage_column.h"
#include "report/units/difference_text.h"
#include "report/units/units.h"

/* -- the runs that it is compared with --------------------------------------------------------- */

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

/* -- compare: a row of values, one per run ----------------------------------------------------- */

/* Against the first run. Both texts are "" for the first run, and if either is not measured. */
static void add_difference(cJSON *one, enum unit u, double v, double first, bool is_first)
{
	char difference[96], percent[UNITS_SIZE + 8];
	double by = is_first ? (double)NAN : v - first;
	double share = is_first ? (double)NAN : difference_percent(u, v, first);

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
		const char *mark = "", *level = "";
		model_json_cut(one, "run", buf_cstr(&c->v[i].label), MODEL_JSON_NAME_MAX);
		add_difference(one, u, v[i], v[0], i == 0);
		if (lowest) {
			mark = "lowest";
			level = less_is_good ? "good" : "info";
		} else if (highest) {
			mark = "highest";
			level = less_is_good ? "warn" : "info";
		}
		cJSON_AddStringToObject(one, "mark", mark);
		cJSON_AddStringToObject(one, "level", level);
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
	for (size_t i = 0; i < DEFAULT_TOTALS; i++) {
		const struct default_total *t = &default_totals[i];
		double v[COMPARISON_MAX];
		bool known = false;
		char id[96];
		cJSON *row;

		for (size_t k = 0; k < c->n; k++) {
			v[k] = usage_total(&r->v[c->v[k].run], t->id);
			known = known || !isnan(v[k]);
		}
		if (!known)
			continue;
		row = model_json_row(rows);
		default_total_id(t, id);
		cJSON_AddStringToObject(row, "id", id);
		cJSON_AddStringToObject(row, "label", t->label);
		add_run_values(row, UNIT_BYTES, v, c, well);
	}
}

/* The peaks of the runs, with their bounds. */
static void say_peaks(cJSON *row, const struct comparison *c, const struct runs *r)
{
	cJSON *values = cJSON_GetObjectItemCaseSensitive(row, "values");
	cJSON *one = values ? values->child : NULL; /* NULL: no memory */

	for (size_t k = 0; k < c->n && one; k++, one = one->next) {
		const struct run *run = &r->v[c->v[k].run];
		char text[UNITS_RANGE_SIZE];
		memory_peak_text(run, load_stats(run, METRIC_PROCESS_MEMORY)->max, text);
		cJSON_ReplaceItemInObjectCaseSensitive(one, "text", cJSON_CreateString(text));
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
		if (f->id == METRIC_PROCESS_MEMORY && f->how == DEFAULT_STAT_MAX)
			say_peaks(row, c, r);
	}
	add_compared_states(rows, c, r, well);
}

/* -- compare: phases --------------------------------------------------------------------------- */

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
	double v = NAN;

	if (p && figure == PHASE_DURATION)
		v = stats_round(p->total_s, 3);
	else if (p && figure == PHASE_MEAN_CPU)
		v = p->of[PHASE_USAGE_CPU].mean;
	else if (p)
		v = p->of[PHASE_USAGE_MEMORY].max;
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

void model_history_compare(cJSON *model, const struct model_input *in)
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

/* -- earlier runs ------------------------------------------------------------------------------ */

#define LISTED_MAX  ((size_t)200) /* rows of the table */
#define REASONS_MAX 16

#define ANCHOR_SIZE 48

/* The id of a run's row in the page: "run-1795240800". If several runs started in the same second
 * or have no start, those further down get a number: "run-1795240800-2". */
static void anchor_of(const struct runs *r, size_t i, char out[ANCHOR_SIZE])
{
	char start[32] = "unknown";
	size_t same = 1;

	if (!isnan(r->v[i].start))
		snprintf(start, sizeof start, "%.0f", floor(r->v[i].start));
	for (size_t k = i; --k > 0 && floor(r->v[k].start) == floor(r->v[i].start);)
		same++;
	if (isnan(r->v[i].start))
		same = i;
	snprintf(out, ANCHOR_SIZE, same > 1 ? "run-%s-%zu" : "run-%s", start, same);
}

static void add_history_run(cJSON *array, const struct runs *r, size_t i)
{
	const struct run *run = &r->v[i];
	char anchor[ANCHOR_SIZE], memory[UNITS_RANGE_SIZE];
	cJSON *h = model_json_row(array);

	anchor_of(r, i, anchor);
	cJSON_AddStringToObject(h, "anchor", anchor);
	model_json_cut(h, "file", input_file_name(run->file), MODEL_JSON_NAME_MAX);
	model_json_cut(h, "name", job_key_name(run), MODEL_JSON_NAME_MAX);
	model_json_time(h, "start", run->start);
	model_json_quantity(h, "duration", UNIT_SECONDS, run->duration);
	model_json_quantity(h, "cpu_mean", UNIT_CORES,
	                    load_stats(run, METRIC_PROCESS_CPU_USAGE)->mean);
	model_json_as_text(
	    h, "memory_max", UNIT_BYTES, load_stats(run, METRIC_PROCESS_MEMORY)->max,
	    memory_peak_text(run, load_stats(run, METRIC_PROCESS_MEMORY)->max, memory));
	cJSON_AddStringToObject(h, "status", load_status_word(run->status));
	cJSON_AddBoolToObject(h, "used", run->used);
	cJSON_AddStringToObject(h, "why", run->why);
}

/* -- earlier runs: how many runs are used, and why not all ------------------------------------- */

struct reason {
	const char *why;
	size_t n;
};

/* Counts the runs from v[from] on by the reason why they are not used; out[0] counts the used. */
static size_t count_reasons(const struct runs *r, size_t from, struct reason out[REASONS_MAX])
{
	size_t n = 1;

	out[0] = (struct reason){"", 0};
	for (size_t i = from; i < r->n; i++) {
		size_t k = 0;
		while (k < n && strcmp(out[k].why, r->v[i].why) != 0)
			k++;
		if (k == n && n < REASONS_MAX)
			out[n++] = (struct reason){r->v[i].why, 0};
		if (k < n)
			out[k].n++;
	}
	return n;
}

static void add_reasons(struct buf *text, const struct runs *r, size_t from)
{
	struct reason reasons[REASONS_MAX];
	size_t n = count_reasons(r, from, reasons);

	buf_printf(text, "%s compared with", UNITS_COUNT((double)reasons[0].n));
	for (size_t k = 1; k < n; k++)
		buf_printf(text, "%s %s (%s)", k == 1 ? "; left out:" : ",", reasons[k].why,
		           UNITS_COUNT((double)reasons[k].n));
	buf_char(text, '.');
}

/* "4 earlier runs: 2 compared with; left out: it was killed (1), it failed (1)." Runs that began
 * later than this one are not called earlier. */
static void add_listing(cJSON *trend, const struct runs *r)
{
	struct buf text = {0};
	bool later = false;

	for (size_t i = 1; i < r->n; i++)
		later = later || r->v[i].start > r->v[0].start;
	if (r->n > 1) {
		buf_printf(&text, "%s %s run%s: ", UNITS_COUNT((double)(r->n - 1)),
		           later ? "other" : "earlier", r->n == 2 ? "" : "s");
		add_reasons(&text, r, 1);
	}
	cJSON_AddStringToObject(trend, "listing", buf_cstr(&text));
	buf_clear(&text);
	if (r->n - 1 > LISTED_MAX) {
		buf_printf(&text, "The %s oldest are not in the table: ",
		           UNITS_COUNT((double)(r->n - 1 - LISTED_MAX)));
		add_reasons(&text, r, 1 + LISTED_MAX);
	}
	model_json_take(trend, "rest", &text);
}

/* -- earlier runs: the trend ------------------------------------------------------------------- */

/* The values of one measure in all runs of the job, oldest first, failed ones too. */
struct series {
	const struct runs *r;
	double price; /* per hour */
	const char *currency;
	double *v;
	size_t *run; /* index of each value's run */
	size_t n;
	size_t now; /* index of this run's value; n: none */
};

static bool ended_badly(const struct runs *r, size_t i)
{
	return r->v[i].status == RUN_FAILED || r->v[i].status == RUN_KILLED;
}

/* Whether run i is in the trend and did not fail, which this run may have. */
static bool is_counted(const struct runs *r, size_t i)
{
	return history_is_trend(r, i) && !ended_badly(r, i);
}

/* Whether run i is in the picture: it counts in the trend, or only its end keeps it from that. */
static bool in_picture(const struct runs *r, size_t i)
{
	const struct run *run = &r->v[i];

	return history_is_trend(r, i) ||
	       (ended_badly(r, i) && run->start <= r->v[0].start && !run->future &&
	        !run->impossible && !*job_key_differs(r->group_by, &r->v[0], run));
}

static void add_series_value(struct series *s, enum trend_id id, size_t i)
{
	double v = trend_value(id, s->r, i, s->price);

	if (!isfinite(v) || !in_picture(s->r, i))
		return;
	s->run[s->n] = i;
	s->v[s->n++] = v;
}

/* Only the newest runs may have another order than that of their start. */
static void order_drawn(struct series *s)
{
	const struct run *of = s->r->v;

	for (size_t i = 1; i < s->n; i++)
		for (size_t k = i; k > 0 && history_precedes(&of[s->run[k]], &of[s->run[k - 1]]);
		     k--) {
			size_t run = s->run[k];
			double v = s->v[k];
			s->run[k] = s->run[k - 1];
			s->v[k] = s->v[k - 1];
			s->run[k - 1] = run;
			s->v[k - 1] = v;
		}
}

static void fill_series(struct series *s, enum trend_id id)
{
	bool placed = false;

	s->n = 0;
	for (size_t i = s->r->n; i-- > 1;) {
		if (!placed && load_newer(&s->r->v[i], &s->r->v[0])) {
			add_series_value(s, id, 0);
			placed = true;
		}
		add_series_value(s, id, i);
	}
	if (!placed)
		add_series_value(s, id, 0);
	order_drawn(s);
	for (s->now = 0; s->now < s->n && s->run[s->now];)
		s->now++;
}

/* The lowest or highest value, with a link to its run's row. */
static void add_range_end(cJSON *one, const char *key, const struct series *s,
                          const struct trend_measure *m, bool highest)
{
	cJSON *end;
	size_t best = s->n;
	char anchor[ANCHOR_SIZE];

	for (size_t i = 0; i < s->n; i++)
		if (!ended_badly(s->r, s->run[i]) &&
		    (best == s->n || (highest ? s->v[i] > s->v[best] : s->v[i] < s->v[best])))
			best = i;
	best = best < s->n ? best : s->n - 1;
	end = model_json_money(one, key, m->unit, s->v[best], s->currency);
	cJSON_AddBoolToObject(end, "this", s->run[best] == 0);
	if (s->run[best] == 0 || s->run[best] > LISTED_MAX) {
		cJSON_AddNullToObject(end, "anchor");
		return;
	}
	anchor_of(s->r, s->run[best], anchor);
	cJSON_AddStringToObject(end, "anchor", anchor);
}

/* "12% above the median, 4.50 s"; without the value where this run has it. "Against before" says of
 * how many runs it is. */
static void add_distance_text(struct buf *b, const struct series *s, const struct trend_measure *m,
                              const struct history_measure *h)
{
	double percent = stats_round((h->now / h->median - 1) * 100, 0);
	char text[64], now[64];

	units_text(m->unit, h->median, s->currency, text);
	units_text(m->unit, h->now, s->currency, now);
	if (h->now == h->median || percent == 0)
		buf_str(b, "at");
	else if (isfinite(percent))
		buf_printf(b, "%s %s", UNITS_PERCENT(fabs(percent)),
		           percent > 0 ? "above" : "below");
	else
		buf_str(b, h->now > h->median ? "above" : "below");
	if (h->n == 1)
		buf_printf(b, " the %s comparable run", history_older(s->r) ? "last" : "only");
	else
		buf_str(b, " the median");
	if (strcmp(text, now) != 0)
		buf_printf(b, ", %s", text);
}

static const char *const history_words[HISTORY_WORDS] = {
    [HISTORY_CANNOT_TELL] = "cannot tell",
    [HISTORY_AS_USUAL] = "as usual",
    [HISTORY_UNUSUAL] = "unusual",
    [HISTORY_CHANGED] = "changed",
};

/* NULL: nothing is known to be wrong or right. */
static const char *word_level(const struct trend_measure *m, const struct history_measure *h)
{
	if (h->word == HISTORY_UNUSUAL)
		return "info";
	if (h->word != HISTORY_CHANGED)
		return NULL;
	if (!m->less_is_good)
		return "info";
	return h->change->step > 0 ? "warn" : "good";
}

/* Why the word is HISTORY_CANNOT_TELL, without a full stop; nothing where this run has no value to
 * compare. */
static void say_why(struct buf *b, const struct history_measure *h)
{
	if (h->word != HISTORY_CANNOT_TELL || !(h->now > 0))
		return;
	if (*h->why)
		buf_str(b, h->why);
	else if (h->missing)
		buf_printf(b, "%zu more comparable run%s needed", h->missing,
		           h->missing == 1 ? " is" : "s are");
}

static void add_word_text(struct buf *b, const struct series *s, enum trend_id id,
                          const struct history_measure *h)
{
	const struct trend_measure *m = &trend_measures[id];
	char low[64], high[64];
	struct buf why = {0};

	say_why(&why, h);
	if (h->word == HISTORY_CHANGED) {
		history_change_text(s->r, id, &h->series, h->change, b);
	} else if (h->word == HISTORY_UNUSUAL) {
		buf_printf(
		    b,
		    "Outside of %s to %s, the range of %zu comparable runs%s; 1 of %.0f runs looks "
		    "like this without a cause.",
		    units_text(m->unit, h->usual.low, s->currency, low),
		    units_text(m->unit, h->usual.high, s->currency, high), h->usual.n,
		    h->series.same_input ? " for this input" : "", floor(h->usual.one_in));
	} else if (why.len) {
		buf_printf(b, "%c%s.", toupper((unsigned char)*why.s), why.s + 1);
	}
	buf_free(&why);
}

/* The names of the measures, which are as many as measured: "they" if that is all of them. */
static void say_measures(struct buf *b, const enum trend_id *id, size_t n, size_t measured)
{
	if (n > 1 && n == measured) {
		buf_str(b, "they");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_str(b, i + 1 < n ? ", " : " and ");
		buf_str(b, trend_measures[id[i]].name);
	}
}

/* "Whether duration and mean CPU changed cannot be told: other programs kept this run waiting.", a
 * sentence for each reason; nothing without other runs. */
static void add_cannot_tell(cJSON *trend, const struct history_changes *h, bool others)
{
	struct buf text = {0}, why[TREND_JUDGED] = {0};
	size_t measured = 0;

	for (int i = 0; i < TREND_JUDGED; i++) {
		if (others)
			say_why(&why[i], &h->of[i]);
		measured += h->of[i].now > 0;
	}
	for (int i = 0; i < TREND_JUDGED; i++) {
		enum trend_id id[TREND_JUDGED];
		size_t n = 0;
		bool first = why[i].len > 0;
		for (int k = 0; k < TREND_JUDGED; k++) {
			if (strcmp(buf_cstr(&why[k]), buf_cstr(&why[i])) != 0)
				continue;
			first = first && k >= i;
			id[n++] = (enum trend_id)k;
		}
		if (!first)
			continue;
		buf_printf(&text, "%sWhether ", text.len ? " " : "");
		say_measures(&text, id, n, measured);
		buf_printf(&text, " changed cannot be told: %s.", buf_cstr(&why[i]));
	}
	for (int i = 0; i < TREND_JUDGED; i++)
		buf_free(&why[i]);
	model_json_take(trend, "cannot_tell", &text);
}

static void add_change_verdict(cJSON *one, const struct series *s, enum trend_id id,
                               const struct history_measure *h)
{
	const struct trend_measure *m = &trend_measures[id];
	const char *level = word_level(m, h);
	struct buf text = {0}, distance = {0};

	if (h->n && isfinite(h->now))
		add_distance_text(&distance, s, m, h);
	add_word_text(&text, s, id, h);
	cJSON_AddBoolToObject(one, "changed", h->word == HISTORY_CHANGED);
	cJSON_AddBoolToObject(
	    one, "judged", id == TREND_COST || h->word != HISTORY_CANNOT_TELL || !isfinite(h->now));
	cJSON_AddBoolToObject(one, "follows", id == TREND_COST);
	if (id == TREND_COST)
		cJSON_AddStringToObject(one, "word", "follows the duration");
	else if (!isfinite(h->now) && h->word != HISTORY_CHANGED)
		cJSON_AddStringToObject(one, "word", "not measured");
	else
		cJSON_AddStringToObject(one, "word", history_words[h->word]);
	if (level)
		cJSON_AddStringToObject(one, "level", level);
	else
		cJSON_AddNullToObject(one, "level");
	model_json_take(one, "text", &text);
	model_json_take(one, "distance", &distance);
}

/* -- earlier runs: the picture ----------------------------------------------------------------- */

#define PARTS_MAX (CHANGE_POINTS_MAX + 1)

struct picture {
	struct trend_point point[CHART_TREND_POINTS];
	char text[CHART_TREND_POINTS][128], place[CHART_TREND_POINTS][ANCHOR_SIZE];
	struct trend_part part[PARTS_MAX];
	char label[PARTS_MAX][16];
};

/* "2026-11-21 06:25:00 UTC: 1 min 40 s, commit a1b2c3d, kept waiting by other programs". */
static void point_text(const struct series *s, size_t i, const struct trend_measure *m,
                       const struct trend_point *p, char out[128])
{
	const struct run *run = &s->r->v[s->run[i]];
	const char *commit = history_commit(run);
	char time[UNITS_SIZE], value[64];

	snprintf(out, 128, "%s: %s%s%.*s%s%s%s", units_time_text(run->start, time),
	         units_text(m->unit, s->v[i], s->currency, value), *commit ? ", commit " : "",
	         HISTORY_COMMIT, commit, p->crossed ? ", failed" : "",
	         p->hollow ? ", kept waiting by other programs" : "",
	         p->other ? ", another machine" : "");
}

static void picture_points(struct picture *p, const struct series *s, const struct trend_measure *m,
                           size_t from)
{
	for (size_t i = from; i < s->n; i++) {
		const struct run *run = &s->r->v[s->run[i]];
		struct trend_point *one = &p->point[i - from];
		char *place = p->place[i - from], *text = p->text[i - from];
		*one = (struct trend_point){
		    .v = s->v[i],
		    .hollow = contention_run_is(run),
		    .crossed = ended_badly(s->r, s->run[i]),
		    .other = !history_same_machine(&s->r->v[0], run),
		    .text = text,
		    .place = place,
		};
		*place = '\0';
		if (s->run[i] > 0 && s->run[i] <= LISTED_MAX)
			anchor_of(s->r, s->run[i], place);
		point_text(s, i, m, one, text);
	}
}

/* The index of a run in the series from `from` on; s->n: it is older. */
static size_t index_of_run(const struct series *s, size_t run, size_t from)
{
	size_t i = from;

	while (i < s->n && s->run[i] != run)
		i++;
	return i;
}

static double part_median(const struct history_series *h, size_t k)
{
	double v[CHANGE_RUNS];
	size_t n = 0;

	if (h->found.points)
		return k ? h->found.point[k - 1].after : h->found.point[0].before;
	for (size_t i = 0; i < h->n; i++)
		if (h->row[i].stratum == h->row[h->n - 1].stratum)
			v[n++] = h->found.rows[i].value;
	return stats_median(v, n);
}

/* Parts of which the last run is not drawn are left out. */
static size_t picture_parts(struct picture *p, const struct series *s,
                            const struct history_series *h, size_t from)
{
	size_t n = 0;

	for (size_t k = 0; h->n && k <= h->found.points; k++) {
		size_t begin = k ? h->found.point[k - 1].at : 0;
		size_t end = k < h->found.points ? h->found.point[k].at : h->n;
		size_t first = index_of_run(s, h->run[begin], from);
		size_t last = index_of_run(s, h->run[end - 1], from);
		if (last == s->n)
			continue;
		snprintf(p->label[n], sizeof p->label[n], "%.*s", HISTORY_COMMIT,
		         k ? history_commit(&s->r->v[h->run[begin]]) : "");
		p->part[n] = (struct trend_part){.first = first == s->n ? 0 : first - from,
		                                 .last = last - from,
		                                 .median = part_median(h, k),
		                                 .label = p->label[n]};
		n++;
	}
	return n;
}

static void add_runs_picture(cJSON *one, const struct series *s, const struct trend_measure *m,
                             const struct history_series *h)
{
	struct picture *p = alloc_failed_note(calloc(1, sizeof *p));
	size_t from = s->n > CHART_TREND_POINTS ? s->n - CHART_TREND_POINTS : 0;
	struct trend_line line = {.n = s->n - from, .now = s->now - from};

	if (!p)
		return;
	picture_points(p, s, m, from);
	line.v = p->point;
	line.part = p->part;
	line.parts = picture_parts(p, s, h, from);
	chart_trend_add(one, &line);
	model_json_number(one, "not_drawn", (double)from);
	free(p);
}

static void add_trend_measure(cJSON *array, struct series *s, enum trend_id id,
                              const struct history_measure *h)
{
	const struct trend_measure *m = &trend_measures[id];
	char now[UNITS_RANGE_SIZE];
	cJSON *one;

	fill_series(s, id);
	if (!s->n)
		return;
	one = model_json_row(array);
	cJSON_AddStringToObject(one, "id", m->id);
	cJSON_AddStringToObject(one, "label", m->label);
	model_json_number(one, "runs", (double)s->n);
	if (id == TREND_MEMORY)
		model_json_as_text(one, "now", m->unit, h->now,
		                   memory_peak_text(&s->r->v[0], h->now, now));
	else
		model_json_money(one, "now", m->unit, h->now, s->currency);
	model_json_money(one, "median", m->unit, h->median, s->currency);
	model_json_number(one, "compared", (double)h->n);
	add_range_end(one, "lowest", s, m, false);
	add_range_end(one, "highest", s, m, true);
	add_change_verdict(one, s, id, h);
	add_runs_picture(one, s, m, &h->series);
}

static void add_listed_change(cJSON *array, const struct runs *r, enum trend_id id,
                              const struct history_series *s, const struct change_point *c)
{
	size_t first = s->run[c->at], last = s->run[c->at - 1];
	cJSON *one = model_json_row(array);
	struct buf text = {0};
	bool worse = trend_measures[id].less_is_good && c->step > 0 && change_point_is_of_job(c);

	history_change_text(r, id, s, c, &text);
	cJSON_AddStringToObject(one, "id", trend_measures[id].id);
	cJSON_AddStringToObject(one, "label", trend_measures[id].label);
	cJSON_AddStringToObject(one, "direction", c->step > 0 ? "more" : "less");
	cJSON_AddStringToObject(one, "level", worse ? "warn" : "info");
	model_json_number(one, "runs", (double)history_change_age(s, c));
	model_json_time(one, "since", r->v[first].start);
	model_json_cut(one, "commit", history_commit(&r->v[first]), MODEL_JSON_NAME_MAX);
	model_json_cut(one, "commit_before", history_commit(&r->v[last]), MODEL_JSON_NAME_MAX);
	model_json_number(one, "percent", stats_round(c->step * 100, 1));
	model_json_number(one, "least_percent", stats_round(c->least * 100, 1));
	model_json_number(one, "most_percent", stats_round(c->most * 100, 1));
	cJSON_AddBoolToObject(one, "machine", c->machine);
	cJSON_AddBoolToObject(one, "waited", c->waited);
	cJSON_AddBoolToObject(
	    one, "news", change_point_is_of_job(c) && history_change_age(s, c) <= HISTORY_NEWS);
	model_json_take(one, "text", &text);
}

/* All change points, the newest first. */
static void add_change_list(cJSON *trend, const struct runs *r, const struct history_changes *h)
{
	cJSON *array = cJSON_AddArrayToObject(trend, "changes");

	for (size_t age = 1; age <= CHANGE_RUNS; age++)
		for (int id = 0; id < TREND_JUDGED; id++) {
			const struct history_series *s = &h->of[id].series;
			for (size_t k = 0; k < s->found.points; k++)
				if (history_change_age(s, &s->found.point[k]) == age)
					add_listed_change(array, r, (enum trend_id)id, s,
					                  &s->found.point[k]);
		}
}

static void add_trend(cJSON *model, const struct model_input *in)
{
	const struct runs *r = in->runs;
	struct series s = {.r = r,
	                   .price = offer_price_of_run(in->keeper).hour,
	                   .currency = in->keeper->currency,
	                   .v = alloc_failed_note(calloc(r->n, sizeof *s.v)),
	                   .run = alloc_failed_note(calloc(r->n, sizeof *s.run))};
	cJSON *trend = cJSON_AddObjectToObject(model, "trend"), *measures;
	struct buf group = {0};
	size_t n = 0, contended = 0, others = 0;

	for (size_t i = 0; i < r->n; i++) {
		n += is_counted(r, i);
		contended += is_counted(r, i) && contention_run_is(&r->v[i]);
		others += i && history_is_trend(r, i);
	}
	job_key_text(r->group_by, &r->v[0], &group);
	cJSON_AddBoolToObject(trend, "known", others > 0);
	model_json_cut(trend, "group", buf_cstr(&group), MODEL_JSON_TEXT_MAX);
	model_json_number(trend, "runs", (double)n);
	model_json_number(trend, "contended", (double)contended);
	add_listing(trend, r);
	model_json_money(trend, "price_hour", UNIT_MONEY_HOUR, s.price, s.currency);
	cJSON_AddBoolToObject(trend, "spot", offer_price_of_run(in->keeper).spot);
	measures = cJSON_AddArrayToObject(trend, "measures");
	for (int id = 0; others && s.v && s.run && in->history && id < TREND_MEASURES; id++)
		add_trend_measure(measures, &s, (enum trend_id)id, &in->history->of[id]);
	if (in->history) {
		add_cannot_tell(trend, in->history, others > 0);
		add_change_list(trend, r, in->history);
	}
	buf_free(&group);
	free(s.v);
	free(s.run);
}

void model_history_add(cJSON *model, const struct model_input *in)
{
	cJSON *history = cJSON_AddArrayToObject(model, "history");

	for (size_t i = 1; i < in->runs->n && i <= LISTED_MAX; i++)
		add_history_run(history, in->runs, i);
	add_trend(model, in);
}
