/* model_parts: the model's "parts" (nodes and tasks) and "array" (elements of a job array). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/quantity.h"
#include "report/chart/chart_histogram.h"
#include "report/chart/chart_nodes.h"
#include "report/model/model_sections.h"
#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/array_spread.h"
#include "report/stats/asked.h"
#include "report/stats/memory_peak.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"
#include "report/units/units.h"
#include "report/verdict/verdict.h"
#include "report/verdict/verdict_end.h"

/* -- the elements of a job array --------------------------------------------------------------- */

#define FAILED_MAX   ((size_t)50) /* rows */
#define OUTLIERS_MAX ((size_t)20)

/* -- array: sentences -------------------------------------------------------------------------- */

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

/* -- array: the spread ------------------------------------------------------------------------- */

/* A run's measure; peak memory with its bounds. */
static cJSON *add_element_value(cJSON *parent, const char *key, enum trend_id m, double v,
                                const struct run *run)
{
	cJSON *q = model_json_quantity(parent, key, trend_measures[m].unit, v);
	char text[UNITS_RANGE_SIZE];

	if (m == TREND_MEMORY)
		cJSON_ReplaceItemInObjectCaseSensitive(
		    q, "text", cJSON_CreateString(memory_peak_text(run, v, text)));
	return q;
}

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
		add_element_value(row, "now", (enum trend_id)m,
		                  trend_value((enum trend_id)m, r, 0, NAN), &r->v[0]);
	}
	cJSON_AddBoolToObject(array, "has_spread", cJSON_GetArraySize(rows) > 0);
}

/* -- array: histograms ------------------------------------------------------------------------- */

/* The histograms, and their lines. */
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
		return (double)a->memory_mib * QUANTITY_MIB * (double)parts_nodes(&in->runs->v[0]);
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

/* Says which value has no line, and why. */
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

/* -- array: rows of elements ------------------------------------------------------------------- */

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
			if (e->outcome == ARRAY_OOM)
				model_json_quantity(row, trend_measures[m].id,
				                    trend_measures[m].unit, e->value[m]);
			else
				add_element_value(row, trend_measures[m].id, (enum trend_id)m,
				                  e->value[m], &r->v[e->run]);
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

	if (e->beyond[m] && median > 0 && factor < 0.1)
		snprintf(text, sizeof text, "%.2g × the median", factor);
	else if (e->beyond[m] && median > 0 && factor < 10)
		snprintf(text, sizeof text, "%.1f × the median", factor);
	else if (e->beyond[m] && median > 0)
		snprintf(text, sizeof text, "%.4g × the median", factor);
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
		one =
		    add_element_value(measures, NULL, (enum trend_id)m, e->value[m], &r->v[e->run]);
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

static void add_array_section(cJSON *model, const struct model_input *in)
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

/* -- the parts of a run ------------------------------------------------------------------------ */

#define SHOWN_MAX ((size_t)50) /* rows of a table; of the others a summary */

/* -- parts: by what rows are sorted ------------------------------------------------------------ */

/* The resource of which the run used the largest share of what it had. */
static enum parts_line limiting_line(const struct run *run)
{
	const double shares[] = {
	    [PARTS_CPU] = usage_stats(USAGE_CPU, run)->mean / allowance_cpus(run).amount,
	    [PARTS_MEMORY] = usage_stats(USAGE_MEMORY, run)->max / allowance_memory(run).amount,
	    [PARTS_GPU] = usage_stats(USAGE_GPU, run)->mean / snapshot_gpus(&run->snapshot),
	    [PARTS_VRAM] = usage_stats(USAGE_VRAM, run)->max / snapshot_gpus_memory(&run->snapshot),
	};
	int most = PARTS_MEMORY;

	for (int i = 0; i < PARTS_LINES; i++)
		if (isfinite(shares[i]) && !(shares[i] <= shares[most]))
			most = i;
	return (enum parts_line)most;
}

static const char *const line_names[PARTS_LINES] = {
    [PARTS_CPU] = "mean CPU",
    [PARTS_MEMORY] = "peak memory",
    [PARTS_GPU] = "mean GPU usage",
    [PARTS_VRAM] = "peak GPU memory",
};

struct sorted_row {
	struct parts_row row;
	double by;
	size_t order;
};

static int largest_first(const void *a, const void *b)
{
	const struct sorted_row *p = a, *q = b;
	double x = isnan(p->by) ? -1 : p->by, y = isnan(q->by) ? -1 : q->by;

	if (x != y)
		return x < y ? 1 : -1;
	return (p->order > q->order) - (p->order < q->order);
}

/* -- parts: one row ---------------------------------------------------------------------------- */

static const char *exit_words(const struct part *p, char out[64])
{
	const char *signal = snapshot_signal_name(p->signal);
	double odd = p->tasks.failed > 0 ? p->tasks.failed : p->tasks.unknown;
	size_t n;

	if (p->oom)
		snprintf(out, 64, "out of memory");
	else if (p->status == RUN_RUNNING)
		snprintf(out, 64, "running");
	else if (p->status == RUN_UNFINISHED)
		snprintf(out, 64, "recording incomplete");
	else if (p->status == RUN_KILLED && *signal)
		snprintf(out, 64, "signal %s", signal);
	else if (p->status == RUN_KILLED)
		snprintf(out, 64, "signal %d", p->signal);
	else if (p->ended)
		snprintf(out, 64, "%d", p->code);
	else
		snprintf(out, 64, "unknown");
	n = strlen(out);
	if (p->tasks.known && odd > 0)
		snprintf(out + n, 64 - n, " (%.0f of %.0f tasks%s)", odd, p->tasks.n,
		         p->tasks.failed > 0 || !p->ended ? "" : ", others unknown");
	return out;
}

static const struct {
	const char *key;
	enum unit unit;
} cells[] = {
    {"cpu", UNIT_CORES},  {"cpu_s", UNIT_SECONDS}, {"memory", UNIT_BYTES}, {"gpu", UNIT_GPUS},
    {"vram", UNIT_BYTES}, {"read", UNIT_BYTES},    {"write", UNIT_BYTES},  {"wall", UNIT_SECONDS},
};
#define CELLS (sizeof cells / sizeof *cells)

static double cell_of(const struct parts_row *row, size_t cell)
{
	const struct parts_used *u = row->used;
	const double v[CELLS] = {u->cores,  u->cpu_s,  u->memory_b, u->gpu,
	                         u->vram_b, u->read_b, u->write_b,  row->stop - row->start};

	return v[cell];
}

/* In percent of the largest, for a bar; null if unknown. A string, because 0 is false in a
 * template. */
static void add_bar_of_most(cJSON *row, const char *key, double v, double most)
{
	char text[32];

	snprintf(text, sizeof text, "%g", stats_round(100 * v / most, 1));
	model_json_cut_or_null(row, key, v >= 0 && most > 0 ? text : "", sizeof text);
}

static void add_row_marks(cJSON *one, const struct parts *p, const struct parts_row *row,
                          enum parts_rows of)
{
	static const char *const words[PARTS_MEASURES] = {"most CPU time", "most memory",
	                                                  "slowest"};
	cJSON *marks = cJSON_AddArrayToObject(one, "marks");

	for (int m = 0; m < PARTS_MEASURES; m++) {
		struct parts_imbalance b = parts_imbalance(p, (enum parts_measure)m);
		struct parts_row most = parts_row(p, b.of, b.at);
		if (b.of == of && b.ratio > PARTS_UNEVEN && most.used == row->used)
			cJSON_AddItemToArray(marks, cJSON_CreateString(words[m]));
	}
}

static void add_part_row(cJSON *rows, const struct run *run, const struct parts_row *row,
                         enum parts_rows of, const double *most)
{
	cJSON *one = model_json_row(rows);
	bool bad =
	    row->worst->oom || row->worst->status == RUN_FAILED || row->worst->status == RUN_KILLED;
	const char *level = row->worst->status == RUN_UNFINISHED ? "warn" : "";
	char text[64];

	model_json_cut(one, "node", *row->name ? row->name : "unknown", MODEL_JSON_NAME_MAX);
	model_json_cut_or_null(one, "host", strcmp(row->host, row->name) ? row->host : "",
	                       MODEL_JSON_NAME_MAX);
	snprintf(text, sizeof text, "%.0f", row->task);
	model_json_cut_or_null(one, "rank", isnan(row->task) ? "" : text, sizeof text);
	for (size_t i = 0; i < CELLS; i++)
		model_json_quantity(one, cells[i].key, cells[i].unit, cell_of(row, i));
	add_bar_of_most(one, "cpu_bar", cell_of(row, 0), most[0]);
	add_bar_of_most(one, "memory_bar", cell_of(row, 2), most[2]);
	model_json_quantity(one, "start", UNIT_SECONDS, stats_round(row->start - run->start, 3));
	cJSON_AddStringToObject(one, "exit", exit_words(row->worst, text));
	cJSON_AddStringToObject(one, "level", bad ? "bad" : level);
	add_row_marks(one, run->parts, row, of);
}

/* -- parts: a table ---------------------------------------------------------------------------- */

/* The least, the median and the most of the rows that are not shown. */
static void add_rest(cJSON *table, const struct sorted_row *row, size_t n, double *v)
{
	static const char *const words[] = {"least", "median", "most"};
	cJSON *rest = cJSON_AddArrayToObject(table, "rest");

	for (size_t k = 0; n && k < 3; k++) {
		cJSON *one = model_json_row(rest);
		model_json_printf(one, "label", "The other %zu, %s", n, words[k]);
		for (size_t c = 0; c < CELLS; c++) {
			struct stats s;
			for (size_t i = 0; i < n; i++)
				v[i] = cell_of(&row[i].row, c);
			if (stats_of(v, NULL, n, &s, NULL))
				s = stats_none();
			model_json_quantity(one, cells[c].key, cells[c].unit,
			                    s.left ? (double)NAN
			                           : (double[]){s.min, s.p50, s.max}[k]);
		}
	}
}

static int add_parts_table(cJSON *tables, const struct run *run, enum parts_rows of)
{
	const struct parts *p = run->parts;
	size_t n = parts_rows(p, of), shown = n < SHOWN_MAX ? n : SHOWN_MAX;
	enum parts_line by = limiting_line(run);
	struct sorted_row *all = alloc_failed_note(calloc(n, sizeof *all));
	double *v = alloc_failed_note(calloc(n, sizeof *v)), most[CELLS] = {0};
	cJSON *table = cJSON_CreateObject(), *rows;
	struct buf caption = {0};

	if (all && v && cJSON_AddItemToArray(tables, table)) {
		for (size_t i = 0; i < n; i++) {
			all[i] = (struct sorted_row){.row = parts_row(p, of, i), .order = i};
			all[i].by = parts_line_value(all[i].row.used, by);
			for (size_t c = 0; c < CELLS; c++)
				most[c] = fmax(most[c], cell_of(&all[i].row, c));
		}
		qsort(all, n, sizeof *all, largest_first);
		buf_printf(&caption, "%s by %s%s", of == PARTS_OF_NODES ? "Nodes" : "Tasks",
		           line_names[by],
		           shown < n ? "; the highest are shown, the others in the last lines"
		                     : "");
		cJSON_AddStringToObject(table, "of", of == PARTS_OF_NODES ? "nodes" : "tasks");
		cJSON_AddStringToObject(table, "head", of == PARTS_OF_NODES ? "Node" : "Task");
		cJSON_AddStringToObject(table, "caption", buf_cstr(&caption));
		cJSON_AddBoolToObject(table, "has_gpus", most[3] > 0 || most[4] > 0);
		rows = cJSON_AddArrayToObject(table, "rows");
		for (size_t i = 0; i < shown; i++)
			add_part_row(rows, run, &all[i].row, of, most);
		add_rest(table, all + shown, n - shown, v);
	}
	buf_free(&caption);
	free(all);
	free(v);
	return alloc_failed() ? -1 : 0;
}

/* -- parts: the section ------------------------------------------------------------------------ */

static void add_imbalances(cJSON *parts, const struct parts *p)
{
	static const struct {
		const char *id, *label;
		enum unit unit;
	} names[PARTS_MEASURES] = {
	    [PARTS_MEASURE_CPU] = {"cpu", "CPU time", UNIT_SECONDS},
	    [PARTS_MEASURE_MEMORY] = {"memory", "Peak memory", UNIT_BYTES},
	    [PARTS_MEASURE_WALL] = {"wall", "Wall time", UNIT_SECONDS},
	};
	cJSON *all = cJSON_AddArrayToObject(parts, "imbalance");

	for (int m = 0; m < PARTS_MEASURES; m++) {
		struct parts_imbalance b = parts_imbalance(p, (enum parts_measure)m);
		struct buf place = {0};
		struct parts_row row;
		cJSON *one;
		if (isnan(b.ratio))
			continue;
		row = parts_row(p, b.of, b.at);
		parts_place_text(row.name, row.task, &place);
		one = model_json_row(all);
		cJSON_AddStringToObject(one, "id", names[m].id);
		cJSON_AddStringToObject(one, "label", names[m].label);
		model_json_number(one, "ratio", stats_round(b.ratio, 4));
		model_json_printf(one, "text", "%.2f", b.ratio);
		cJSON_AddStringToObject(one, "level", b.ratio > PARTS_UNEVEN ? "warn" : "good");
		model_json_quantity(one, "mean", names[m].unit, b.mean);
		model_json_quantity(one, "most", names[m].unit, b.most);
		model_json_take_cut(one, "place", &place, MODEL_JSON_NAME_MAX);
	}
}

static void add_parts_section(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	const struct parts *p = run->parts;
	cJSON *parts = cJSON_AddObjectToObject(model, "parts"), *tables;
	struct buf text = {0};

	cJSON_AddBoolToObject(parts, "known", p != NULL);
	if (!p)
		return;
	parts_recorded_text(p, &text);
	model_json_take(parts, "recorded", &text);
	model_json_number(parts, "nodes", (double)p->n_nodes);
	model_json_number(parts, "recordings", (double)p->n);
	model_json_number(parts, "missing", (double)parts_missing(run->parts));
	cJSON_AddBoolToObject(parts, "complete", parts_missing(run->parts) == 0);
	verdict_parts_missing(in, &text);
	model_json_take_cut(parts, "missing_text", &text, MODEL_JSON_TEXT_MAX);
	verdict_parts_clocks(in, &text);
	model_json_take_cut(parts, "clocks", &text, MODEL_JSON_TEXT_MAX);
	add_imbalances(parts, p);
	tables = cJSON_AddArrayToObject(parts, "tables");
	if (p->n_nodes > 1 || !parts_rows(p, PARTS_OF_TASKS))
		add_parts_table(tables, run, PARTS_OF_NODES);
	if (parts_rows(p, PARTS_OF_TASKS))
		add_parts_table(tables, run, PARTS_OF_TASKS);
	if (chart_nodes_add(parts, run))
		alloc_failed_note(NULL);
}

void model_parts_add(cJSON *model, const struct model_input *in)
{
	add_array_section(model, in);
	add_parts_section(model, in);
}
