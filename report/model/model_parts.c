/* model_parts: the model's "parts": the nodes and tasks of a run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/chart/chart_nodes.h"
#include "report/model/model.h"
#include "report/runs/parts.h"
#include "report/stats/allowance.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"
#include "report/units/units.h"
#include "report/verdict/verdict.h"

#define SHOWN_MAX ((size_t)50) /* rows of a table; of the others a summary */

/* -- by what rows are sorted ------------------------------------------------------------------- */

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

/* -- one row ----------------------------------------------------------------------------------- */

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
	cJSON_AddStringToObject(one, "level",
	                        bad                                    ? "bad"
	                        : row->worst->status == RUN_UNFINISHED ? "warn"
	                                                               : "");
	add_row_marks(one, run->parts, row, of);
}

/* -- a table ----------------------------------------------------------------------------------- */

/* What the rows that are not shown hold: the least, the median and the most. */
static void add_rest(cJSON *table, const struct sorted_row *row, size_t n, double *v)
{
	static const char *const words[] = {"least", "median", "most"};
	static const double parts[] = {0, 0.5, 1};
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
			                    s.left            ? (double)NAN
			                    : parts[k] == 0.5 ? s.p50
			                    : parts[k] > 0    ? s.max
			                                      : s.min);
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

/* -- the section ------------------------------------------------------------------------------- */

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

void model_parts_add(cJSON *model, const struct model_input *in)
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
