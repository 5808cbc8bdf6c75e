/* fleet_model_groups: the groups of a fleet's model, one row each. */
#include "fleet/groups/fleet_model_groups.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/numbers/stats.h"
#include "fleet/groups/fleet_model_words.h"
#include "fleet/groups/fleet_round.h"
#include "fleet/groups/report_link.h"
#include "fleet/options/fleet_options.h"
#include "fleet/options/fleet_source.h"
#include "fleet/page/fleet_table.h"
#include "report/advice/memory_rule.h"
#include "report/advice/snippets.h"
#include "report/chart/chart_histogram.h"
#include "report/chart/chart_scatter.h"
#include "report/chart/chart_spark.h"
#include "report/model/model_advice.h"
#include "report/units/difference_text.h"
#include "report/units/model_json.h"

/* -- the table: all groups as rows of numbers, also packed for the page ------------------------ */

enum fleet_column {
#define COLUMN(id, ...) FLEET_COLUMN_##id,
#include "fleet/groups/fleet_model_columns.def"
#undef COLUMN
	FLEET_COLUMNS
};

static const struct fleet_table_column columns[] = {
#define COLUMN(id, key, label, head, unit, kind, value)                                            \
	[FLEET_COLUMN_##id] = {key, label, UNIT_##unit, FLEET_TABLE_##kind, head},
#include "fleet/groups/fleet_model_columns.def"
#undef COLUMN
};
#define COLUMNS ((size_t)FLEET_COLUMNS)

/* 0 where a column has a text. */
static void group_numbers(const struct fleet_group *g, double out[COLUMNS])
{
#define ASK(v)                                          fleet_model_ask(v)
#define USED(ask, hours)                                fleet_model_used(ask, hours)
#define COLUMN(id, key, label, head, unit, kind, value) out[FLEET_COLUMN_##id] = value;
#include "fleet/groups/fleet_model_columns.def"
#undef COLUMN
}

static void fleet_model_add_columns(cJSON *row, const struct fleet_group *g,
                                    enum fleet_column first, enum fleet_column last,
                                    const struct fleet_model_input *in)
{
	double number[COLUMNS];

	group_numbers(g, number);
	for (size_t c = first; c <= last; c++) {
		const char *dot = strchr(columns[c].id, '.');
		fleet_page_quantity(row, dot ? dot + 1 : columns[c].id, columns[c].unit, number[c],
		                    &in->page);
	}
}

/* The parts of a group's row that are needed more than once: finding a report costs a call of the
 * kernel. */
struct table_row {
	double number[COLUMNS];
	char *report; /* NULL: none */
};

struct table {
	const struct fleet *f;
	const struct fleet_model_input *in;
	struct table_row *row;
};

/* The value of a column; out: holds a text that is made. Only names are cut. */
static struct fleet_table_cell group_cell(const struct table *t, size_t column, size_t i,
                                          size_t name_max, struct buf *out)
{
	const struct fleet_group *g = &t->f->group[i];
	struct fleet_table_cell cell = {.number = t->row[i].number[column]};
	struct buf whole = {0};

	buf_clear(out);
	if (column == FLEET_COLUMN_NAME) {
		fleet_model_name(t->f, g, &whole);
		model_json_cut_text(out, buf_cstr(&whole), name_max);
		buf_free(&whole);
	} else if (column == FLEET_COLUMN_ENDS) {
		fleet_model_say_ends(g, out);
	}
	cell.text = buf_cstr(out);
	if (column == FLEET_COLUMN_CONFIDENCE)
		cell.text = g->counted > 0 ? fleet_model_confidence(g->confidence) : "";
	else if (column == FLEET_COLUMN_REPORT)
		cell.text = t->row[i].report;
	else if (column == FLEET_COLUMN_MOSTLY)
		cell.text = fleet_model_mostly(g);
	return cell;
}

/* -- the table: packed ------------------------------------------------------------------------- */

/* The detail that is given up, in this order, until the table is small enough. */
static const struct packing {
	int digits;
	size_t name_max;
	bool reports;
} packings[] = {{4, 96, true}, {3, 64, true}, {3, 64, false}, {3, 32, false}};
#define PACKINGS (sizeof packings / sizeof *packings)

/* As the page: machine-hours are shown where no price is known, GPUs where any were asked for. */
static bool is_packed_column(const struct table *t, size_t column)
{
	switch (columns[column].unit) {
	case UNIT_MACHINE_HOURS:
		return fleet_model_has_machine_hours(t->f);
	case UNIT_MONEY:
		return fleet_model_has_money(t->f);
	case UNIT_GPUS:
	case UNIT_GPU_HOURS:
		return fleet_model_has_gpus(t->f);
	default:
		return true;
	}
}

/* The first n groups as base64. -1: without memory. */
static int pack(struct buf *out, const struct table *t, size_t n, const struct packing *p,
                int level)
{
	const struct fleet_table_form form = {
	    .digits = p->digits, .share_digits = 2, .exact = 1e6, .text_max = REPORT_LINK_MAX};
	struct buf values[COLUMNS] = {{0}}, text = {0};
	int failed;

	for (size_t c = 0; c < COLUMNS; c++)
		for (size_t i = 0; i < n && is_packed_column(t, c); i++) {
			struct fleet_table_cell cell = group_cell(t, c, i, p->name_max, &text);
			if (c == FLEET_COLUMN_REPORT && !p->reports)
				cell.text = NULL;
			fleet_table_add(&values[c], &columns[c], cell, &form);
		}
	failed = fleet_table_pack(out, columns, values, COLUMNS, t->in->page.currency, level);
	for (size_t c = 0; c < COLUMNS; c++)
		buf_free(&values[c]);
	buf_free(&text);
	return failed;
}

/* Level 1 takes a seventh of the time, and a fifth more bytes: it shows which packing is good
 * enough. */
#define LEVEL 6
#define GAIN  0.84

/* Returns how many groups were packed. */
static size_t pack_within(struct buf *out, const struct table *t, size_t max)
{
	size_t n = t->f->n, step = 0;

	for (; step + 1 < PACKINGS; step++)
		if (pack(out, t, n, &packings[step], 1))
			return 0;
		else if ((double)out->len * GAIN <= (double)max)
			break;
	while (pack(out, t, n, &packings[step], LEVEL) == 0) {
		if (out->len <= max)
			return n;
		n = (size_t)((double)n * 0.98 * (double)max / (double)out->len);
	}
	return 0;
}

/* -- the table: what fits into the page, which has 1 MB in all --------------------------------- */

/* Bytes of base64. What names and paths of more than so many bytes each take in the rows and in the
 * groups with pictures is not left for this. */
#define PACKED_MAX   ((size_t)424 * 1024)
#define PACKED_LEAST ((size_t)64 * 1024)
#define SHORT        32

/* Bytes of markup, with room to spare: of a group that is opened, and of each text in it. */
#define GROUP_MARKUP 1024
#define TEXT_MARKUP  80

/* The markup of a run in the list of the newest; and the bytes that this list may take in any
 * case. */
#define RUN_MARKUP   110
#define NEWEST_LEAST ((size_t)8 * 1024)

/* Bytes of the sentence of a change; 0: there is none. */
static size_t worse_length(const cJSON *row)
{
	const cJSON *worse = cJSON_GetObjectItemCaseSensitive(row, "worse");

	return cJSON_IsObject(worse) ? TEXT_MARKUP + fleet_page_html_length(worse, "text") : 0;
}

/* Bytes beyond a short text. */
static size_t long_text(const cJSON *row, const char *key)
{
	size_t n = fleet_page_html_length(row, key);

	return n > SHORT ? n - SHORT : 0;
}

static size_t packed_max(const cJSON *groups)
{
	const cJSON *row, *worst;
	size_t taken = 0, i = 0;

	cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(groups, "rows")) {
		const cJSON *detail = cJSON_GetObjectItemCaseSensitive(row, "detail");
		bool opened = i++ < FLEET_MODEL_PICTURES;
		taken += long_text(row, "name") * (opened ? 3 : 1);
		taken += opened ? long_text(row, "report") : 0;
		if (!opened)
			continue;
		taken += long_text(detail, "runs_command") + worse_length(row);
		cJSON_ArrayForEach (worst, cJSON_GetObjectItemCaseSensitive(detail, "worst"))
			taken += long_text(worst, "source") + long_text(worst, "host") +
			         long_text(worst, "user") + long_text(worst, "report");
	}
	return taken < PACKED_MAX - PACKED_LEAST ? PACKED_MAX - taken : PACKED_LEAST;
}

/* The bytes of the rows of one part of a group that is opened. */
static size_t part_length(const cJSON *detail, const char *part)
{
	const cJSON *row, *value;
	size_t n = 0;

	cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(detail, part))
		cJSON_ArrayForEach (value, row)
			n += TEXT_MARKUP + (cJSON_IsObject(value)
			                        ? fleet_page_html_length(value, "text")
			                        : fleet_page_html_length(row, value->string));
	return n;
}

static size_t opened_length(const cJSON *row, const cJSON *detail)
{
	return GROUP_MARKUP + 2 * fleet_page_html_length(row, "name") +
	       fleet_page_html_length(row, "report") + worse_length(row) +
	       part_length(detail, "formulas") + part_length(detail, "worst") +
	       part_length(detail, "snippets");
}

/* Shows the newest run of each group that has pictures, then the next of each, while there is room.
 * The rest of the room. */
static size_t show_newest(cJSON *groups, size_t left)
{
	cJSON *row, *run;

	for (int k = 0; k < CATALOG_NEWEST; k++) {
		size_t i = 0;
		cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(groups, "rows")) {
			const cJSON *detail = cJSON_GetObjectItemCaseSensitive(row, "detail");
			size_t n = RUN_MARKUP;
			if (i++ == FLEET_MODEL_PICTURES)
				break;
			run = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(detail, "newest"),
			                         k);
			if (!run)
				continue;
			n += fleet_page_html_length(run, "source") +
			     fleet_page_html_length(run, "report") +
			     fleet_page_html_length(run, "end");
			cJSON_AddBoolToObject(run, "shown", n <= left);
			left -= n <= left ? n : left;
		}
	}
	return left;
}

static void open_groups(cJSON *groups, size_t left)
{
	size_t i = 0;
	cJSON *row;

	cJSON_ArrayForEach (row, cJSON_GetObjectItemCaseSensitive(groups, "rows")) {
		const cJSON *detail = cJSON_GetObjectItemCaseSensitive(row, "detail");
		bool known = cJSON_IsObject(detail), pictures = i++ < FLEET_MODEL_PICTURES;
		size_t n = known && !pictures ? opened_length(row, detail) : 0;
		cJSON_AddBoolToObject(row, "opens", known && n <= left);
		left -= n <= left ? n : 0;
	}
}

/* -- the table: rows and packed ---------------------------------------------------------------- */

static int fill_rows(struct table *t)
{
	struct buf link = {0};

	t->row = alloc_failed_note(calloc(t->f->n + 1, sizeof *t->row));
	for (size_t i = 0; t->row && i < t->f->n; i++) {
		group_numbers(&t->f->group[i], t->row[i].number);
		report_link(t->f->group[i].newest, t->in->page.file, &link);
		if (link.len)
			t->row[i].report = alloc_failed_note(buf_take(&link));
	}
	buf_free(&link);
	return t->row ? 0 : -1;
}

static void fleet_model_add_table(cJSON *groups, const struct fleet *f,
                                  const struct fleet_model_input *in)
{
	/* Percentiles are known to half a percent. */
	static const struct fleet_table_form of_group = {
	    .digits = 7, .share_digits = 7, .exact = 1e15, .text_max = REPORT_LINK_MAX};
	struct table t = {.f = f, .in = in};
	struct buf packed = {0}, name = {0}, text = {0};
	cJSON *table = cJSON_AddObjectToObject(groups, "table"), *rows;
	size_t n, max = packed_max(groups);

	if (fill_rows(&t))
		return;
	fleet_table_heads(table, columns, COLUMNS, in->page.currency);
	rows = cJSON_AddArrayToObject(table, "rows");
	for (size_t i = 0; i < f->n; i++) {
		for (size_t c = 0; c < COLUMNS; c++)
			fleet_table_add(&text, &columns[c],
			                group_cell(&t, c, i, MODEL_JSON_NAME_MAX, &name),
			                &of_group);
		fleet_table_take_row(rows, &text);
	}
	fleet_model_add_rest(table, "rest", f, f->n, in);
	n = pack_within(&packed, &t, max);
	open_groups(groups, show_newest(groups, max + NEWEST_LEAST - packed.len));
	model_json_take(groups, "packed", &packed);
	model_json_number(groups, "packed_groups", (double)n);
	fleet_model_add_rest(groups, "rest", f, n, in);
	for (size_t i = 0; i < f->n; i++)
		free(t.row[i].report);
	free(t.row);
	buf_free(&name);
	buf_free(&text);
}

/* -- a group that is opened -------------------------------------------------------------------- */

#define SPOTS_MAX ((size_t)60) /* of a scatter plot; those with the fewest runs are left out */
#define BARS_MAX  24           /* of a histogram, about */

/* -- a group that is opened: formulas ---------------------------------------------------------- */

static void add_formula(cJSON *all, const char *label, const char *text)
{
	cJSON *one = model_json_row(all);

	cJSON_AddStringToObject(one, "label", label);
	cJSON_AddStringToObject(one, "text", text);
}

/* " It needs 5.9 × its input + 14.0 MiB …" */
static void say_input_line(const struct fleet_line *l, struct buf *out)
{
	double n = (double)l->trial.runs;
	char constant[64], runs[UNITS_SIZE], failed[UNITS_SIZE], wasted[64], fixed[64];

	if (!(l->known > 0))
		return;
	buf_printf(
	    out,
	    " Better by the input, as the lines to paste do: a run needs %.3g × its input %s %s "
	    "(from %s runs, r² %.2f). Each predicted from the others, %s of %zu would have failed, "
	    "and a run would have wasted %s on average instead of %s.",
	    l->fit.b, l->fit.a < 0 ? "−" : "+",
	    units_text(UNIT_BYTES, fabs(l->fit.a), NULL, constant), units_count(l->known, runs),
	    l->fit.r2, units_count((double)l->trial.failed, failed), l->trial.runs,
	    units_text(UNIT_BYTES, l->trial.wasted / n, NULL, wasted),
	    units_text(UNIT_BYTES, l->fixed_wasted_b / n, NULL, fixed));
}

static void add_input_line(cJSON *detail, const struct fleet_line *l)
{
	cJSON *one = model_json_object_if(l->known > 0, detail, "line");

	if (!one)
		return;
	model_json_number(one, "runs", l->known);
	model_json_number(one, "constant_bytes", fleet_round(l->fit.a, 6));
	model_json_number(one, "bytes_per_byte", fleet_round(l->fit.b, 6));
	model_json_number(one, "bound_bytes", fleet_round(l->fit.bound, 6));
	model_json_number(one, "r2", fleet_round(l->fit.r2, 4));
	model_json_number(one, "tried", (double)l->trial.runs);
	model_json_number(one, "failed", (double)l->trial.failed);
	model_json_number(one, "wasted_bytes", fleet_round(l->trial.wasted, 6));
	model_json_number(one, "wasted_with_one_ask_bytes", fleet_round(l->fixed_wasted_b, 6));
}

static void add_line_formula(cJSON *all, const struct fleet_line *l)
{
	struct buf text = {0};
	char constant[64], bound[64];

	if (!(l->known > 0))
		return;
	buf_printf(
	    &text,
	    "1.1 × (%s%s + %.4g × input + %s); the last is what other runs' line missed one by at "
	    "most",
	    l->fit.a < 0 ? "−" : "", units_text(UNIT_BYTES, fabs(l->fit.a), NULL, constant),
	    l->fit.b, units_text(UNIT_BYTES, l->fit.bound, NULL, bound));
	add_formula(all, "Memory by input", buf_cstr(&text));
	buf_free(&text);
}

/* Adds the change as one sentence: "Ask for 3.00 GiB of memory instead of 8.00 GiB. …" */
static void add_detail_sentence(cJSON *detail, const struct fleet_group *g)
{
	struct buf text = {0}, trial = {0};
	char ask[64], today[64], learnt[UNITS_SIZE], grown[UNITS_SIZE];

	if (g->proposed.cpus > 0 && g->asked.cpus > 0 && isfinite(g->longer)) {
		buf_printf(&text, "With %s instead of %s, runs take ",
		           units_cpus(g->proposed.cpus, ask), units_count(g->asked.cpus, today));
		fleet_model_words_longer(g, &trial);
		buf_printf(&text, "%s. ", trial.len ? buf_cstr(&trial) : "as long");
		buf_clear(&trial);
	}
	if (g->proposed.memory_b > 0) {
		buf_printf(&text, "Ask for %s of memory",
		           units_text(UNIT_BYTES, g->proposed.memory_b, NULL, ask));
		if (g->asked.memory_b > 0)
			buf_printf(&text, " instead of %s",
			           units_text(UNIT_BYTES, g->asked.memory_b, NULL, today));
		buf_str(&text, ".");
	}
	say_input_line(&g->detail->line, &text);
	if (g->growth >= MEMORY_RULE_GROWTH)
		buf_str(&text, " The later runs need at least twice as much as the earlier ones, "
		               "so this is for twice as much again.");
	else if (g->growth > 1)
		buf_printf(
		    &text,
		    " The later runs need %s more than the earlier ones, so this is for the same "
		    "growth once more.",
		    units_share(g->growth - 1, grown));
	fleet_model_say_backtest(&g->backtest, &trial);
	if (trial.len)
		buf_printf(
		    &text, " %s, learnt on the first %s runs and tried on the later ones: %s.%s",
		    g->backtest.lost ? "The largest need × 1.2" : "The rule for one amount",
		    units_count(g->backtest.learnt, learnt), buf_cstr(&trial),
		    g->backtest.lost ? " Weighing waste against failures would have wasted more "
				       "there and failed no less often, so that is used."
				     : "");
	buf_free(&trial);
	model_json_take(detail, "text", &text);
}

static void add_formulas(cJSON *detail, const struct fleet_group *g)
{
	cJSON *all = cJSON_AddArrayToObject(detail, "formulas");
	const struct advice *a = &g->detail->advice;
	const struct {
		const char *label, *formula;
	} rows[] = {{"CPUs", a->cpu_formula},
	            {"Memory", a->memory_formula},
	            {"GPUs", a->gpu_formula},
	            {"Time", a->time_formula}};
	struct buf text = {0};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (*rows[i].formula && advice_known(rows[i].formula))
			add_formula(all, rows[i].label, rows[i].formula);
	add_line_formula(all, &g->detail->line);
	fleet_model_say_trial(g, &text);
	if (text.len)
		add_formula(all, "Would fail", buf_cstr(&text));
	fleet_model_say_mostly(g, &text);
	if (text.len)
		add_formula(all, "Mostly", buf_cstr(&text));
	fleet_model_say_ends(g, &text);
	if (text.len)
		add_formula(all, "Ends", buf_cstr(&text));
	buf_clear(&text);
	if (g->counted > 0)
		buf_str(&text, fleet_model_confidence(g->confidence));
	if (g->counted > 0 && g->counted < FLEET_RUNS_FEW)
		buf_printf(&text, ": fewer than %d runs", FLEET_RUNS_FEW);
	if (text.len)
		add_formula(all, "Confidence", buf_cstr(&text));
	buf_free(&text);
}

/* -- a group that is opened: histograms -------------------------------------------------------- */

static double bar_middle(const struct fleet_bar *b)
{
	return b->low > 0 ? sqrt(b->low * b->high) : b->high / 2;
}

/* The value below which so many of the runs are. */
static double bars_quantile(const struct fleet_bar *bar, size_t n, double runs)
{
	size_t i = 0;

	for (; i + 1 < n && runs >= bar[i].runs; i++)
		runs -= bar[i].runs;
	return n ? bar_middle(&bar[i]) : 0;
}

/* By Freedman and Diaconis, as chart_histogram_width, which needs single values; not so narrow that
 * the pictures of twenty groups make the page too large. */
static double bars_width(const struct fleet_bar *bar, size_t n, double runs)
{
	double quartiles = bars_quantile(bar, n, 0.75 * runs) - bars_quantile(bar, n, runs / 4);

	return fmax(2 * quartiles / cbrt(runs), n ? bar_middle(&bar[n - 1]) / BARS_MAX : 0);
}

static void add_histogram_line(struct chart_histogram *h, const char *label, double at)
{
	if (at > 0)
		h->line[h->n_lines++] = (struct chart_histogram_line){label, "", at};
}

static void add_histogram_words(cJSON *one, const struct chart_histogram *h, const char *title,
                                double runs, const struct fleet_spread *s)
{
	struct buf text = {0};
	char p50[64], p95[64], count[UNITS_SIZE], at[64];

	units_text(h->unit, s->p50, NULL, p50);
	if (runs == 1)
		buf_printf(&text, "%s of 1 run: %s", title, p50);
	else
		buf_printf(&text, "%s of %s runs: median %s, p95 %s", title,
		           units_count(runs, count), p50, units_text(h->unit, s->p95, NULL, p95));
	for (size_t i = 0; i < h->n_lines; i++)
		buf_printf(&text, ". %s: %s", h->line[i].label,
		           units_text(h->unit, h->line[i].at, NULL, at));
	buf_char(&text, '.');
	model_json_take(one, "summary", &text);
}

static void add_bars_histogram(cJSON *all, const struct chart_histogram *lines, const char *id,
                               const char *title, const struct fleet_bar *bar, size_t n,
                               const struct fleet_spread *spread, bool picture)
{
	struct chart_histogram h = *lines;
	double runs = 0;
	cJSON *one;

	for (size_t i = 0; i < n; i++)
		runs += bar[i].runs;
	if (!(runs > 0))
		return;
	chart_histogram_begin(&h, bar_middle(&bar[n - 1]), bars_width(bar, n, runs));
	for (size_t i = 0; i < n; i++)
		chart_histogram_count(&h, bar_middle(&bar[i]), (size_t)bar[i].runs, false);
	one = model_json_row(all);
	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "title", title);
	cJSON_AddStringToObject(one, "of", "Runs");
	cJSON_AddBoolToObject(one, "has_apart", false);
	cJSON_AddStringToObject(one, "apart_label", "");
	add_histogram_words(one, &h, title, runs, spread);
	cJSON_AddStringToObject(one, "remark", h.n_lines ? "" : "What was asked for is unknown.");
	chart_histogram_add(one, &h);
	if (!picture) {
		cJSON_DeleteItemFromObjectCaseSensitive(one, "svg");
		cJSON_AddNullToObject(one, "svg");
	}
}

static void add_histograms(cJSON *detail, const struct fleet_group *g, bool picture)
{
	cJSON *all = cJSON_AddArrayToObject(detail, "histograms");
	const struct fleet_detail *d = g->detail;
	struct chart_histogram memory = {.unit = UNIT_BYTES}, wall = {.unit = UNIT_SECONDS};

	add_histogram_line(&memory, "Asked", g->asked.memory_b);
	add_histogram_line(&memory, "Proposed", g->proposed.memory_b);
	add_histogram_line(&wall, "Asked", g->asked.time_s);
	add_histogram_line(&wall, "Proposed", g->proposed.time_s);
	add_bars_histogram(all, &memory, "memory", "Peak memory", d->memory, d->n_memory,
	                   &g->memory, picture);
	add_bars_histogram(all, &wall, "wall", "Wall time", d->wall, d->n_wall, &g->wall, picture);
}

/* -- a group that is opened: memory over wall time --------------------------------------------- */

static int most_runs_first(const void *a, const void *b)
{
	const struct catalog_spot *p = a, *q = b;

	if (p->runs != q->runs)
		return p->runs > q->runs ? -1 : 1;
	if (p->wall_s != q->wall_s)
		return p->wall_s < q->wall_s ? -1 : 1;
	return (p->memory_b > q->memory_b) - (p->memory_b < q->memory_b);
}

static void add_scatter_points(cJSON *scatter, const struct catalog_spot *spot, size_t n)
{
	cJSON *points = cJSON_AddArrayToObject(scatter, "points");

	for (size_t i = 0; i < n; i++) {
		cJSON *one = cJSON_CreateArray();
		cJSON_AddItemToArray(points, one);
		model_json_number(one, NULL, fleet_round(spot[i].wall_s, 4));
		model_json_number(one, NULL, fleet_round(spot[i].memory_b, 4));
		model_json_number(one, NULL, spot[i].runs);
		model_json_number(one, NULL, spot[i].oom);
	}
}

static void add_scatter_picture(cJSON *scatter, const struct fleet_group *g,
                                const struct catalog_spot *spot, size_t n)
{
	struct chart_scatter_dot dot[SPOTS_MAX];
	struct chart_scatter s = {.unit_x = UNIT_SECONDS, .unit_y = UNIT_BYTES, .dot = dot, .n = n};

	for (size_t i = 0; i < n; i++)
		dot[i] = (struct chart_scatter_dot){spot[i].wall_s, spot[i].memory_b, spot[i].runs,
		                                    spot[i].oom > 0};
	if (g->asked.memory_b > 0)
		s.line[s.n_lines++] = (struct chart_scatter_line){"Asked", g->asked.memory_b};
	if (g->proposed.memory_b > 0)
		s.line[s.n_lines++] = (struct chart_scatter_line){"Proposed", g->proposed.memory_b};
	chart_scatter_add(scatter, &s);
}

static void add_scatter_summary(cJSON *scatter, const struct catalog_spot *spot, size_t n,
                                size_t all)
{
	double runs = 0, oom = 0;
	char count[UNITS_SIZE], killed[UNITS_SIZE];
	struct buf text = {0};

	for (size_t i = 0; i < n; i++) {
		runs += spot[i].runs;
		oom += spot[i].oom;
	}
	buf_printf(&text, "Peak memory over wall time of %s run%s", units_count(runs, count),
	           runs == 1 ? "" : "s");
	if (oom > 0)
		buf_printf(&text, ", %s of them killed for memory", units_count(oom, killed));
	buf_str(&text, n < all ? "; the rarest places are left out." : ".");
	model_json_take(scatter, "summary", &text);
}

static void add_scatter(cJSON *detail, const struct fleet_group *g, bool picture)
{
	const struct catalog_detail *d = &g->detail->runs;
	size_t n = d->n_spots < SPOTS_MAX ? d->n_spots : SPOTS_MAX;
	struct catalog_spot *spot = alloc_failed_note(malloc((d->n_spots + 1) * sizeof *spot));
	cJSON *scatter = cJSON_AddObjectToObject(detail, "scatter");

	if (spot && d->n_spots) {
		memcpy(spot, d->spot, d->n_spots * sizeof *spot);
		qsort(spot, d->n_spots, sizeof *spot, most_runs_first);
	}
	if (spot) {
		add_scatter_summary(scatter, spot, n, d->n_spots);
		add_scatter_points(scatter, spot, n);
		if (picture)
			add_scatter_picture(scatter, g, spot, n);
		else
			cJSON_AddNullToObject(scatter, "svg");
	}
	free(spot);
}

/* -- a group that is opened: runs -------------------------------------------------------------- */

/* The folder that all of them are in: only what differs is shown. */
static size_t common_folder(const struct catalog_worst *v, size_t n_runs)
{
	const char *first = n_runs ? v[0].source : NULL;
	const char *slash = first ? strrchr(first, '/') : NULL;
	size_t n = slash ? (size_t)(slash + 1 - first) : 0;

	for (size_t i = 1; i < n_runs; i++)
		while (n && strncmp(first, v[i].source, n) != 0)
			for (n--; n && first[n - 1] != '/';)
				n--;
	return n;
}

static void add_worst(cJSON *detail, const struct fleet_group *g,
                      const struct fleet_model_input *in)
{
	cJSON *rows = cJSON_AddArrayToObject(detail, "worst");
	const struct catalog_detail *runs = &g->detail->runs;
	size_t folder = common_folder(runs->worst, runs->n_worst);
	const char *title = runs->n_worst > 1 ? "Its runs" : "Its run";

	cJSON_AddStringToObject(detail, "worst_title",
	                        g->runs > (double)runs->n_worst ? "Runs that waste most" : title);

	for (size_t i = 0; i < runs->n_worst; i++) {
		const struct catalog_worst *w = &runs->worst[i];
		struct buf link = {0};
		cJSON *one = model_json_row(rows);
		model_json_cut(one, "source",
		               fleet_page_or_unknown(w->source ? w->source + folder : NULL),
		               2 * FLEET_MODEL_NAME);
		model_json_cut(one, "host", fleet_page_or_unknown(w->host), FLEET_MODEL_NAME / 2);
		model_json_cut(one, "user", fleet_page_or_unknown(w->user), FLEET_MODEL_NAME / 2);
		model_json_time(one, "start", w->start);
		fleet_page_quantity(one, "wall", UNIT_SECONDS, w->wall_s, &in->page);
		fleet_page_quantity(one, "cpus", UNIT_CORES, w->used_core_s / w->wall_s, &in->page);
		fleet_page_quantity(one, "cpus_asked", UNIT_CORES, fleet_model_ask(w->asked_cpus),
		                    &in->page);
		fleet_page_quantity(one, "memory", UNIT_BYTES, w->memory_need_b, &in->page);
		fleet_page_quantity(one, "memory_asked", UNIT_BYTES,
		                    fleet_model_ask(w->asked_memory_b), &in->page);
		cJSON_AddBoolToObject(one, "oom", w->oom == 1);
		report_link(w->source, in->page.file, &link);
		model_json_cut_or_null(one, "report", buf_cstr(&link), REPORT_LINK_MAX);
		buf_free(&link);
	}
}

static const char *level_of_group(const struct catalog_worst *w)
{
	if (w->class == CATALOG_FAILED || w->oom == 1)
		return "bad";
	return w->class == CATALOG_UNFINISHED ? "warn" : "";
}

static void add_newest_runs(cJSON *detail, const struct fleet_group *g,
                            const struct fleet_model_input *in)
{
	cJSON *rows = cJSON_AddArrayToObject(detail, "newest");
	const struct catalog_detail *runs = &g->detail->runs;
	size_t folder = common_folder(runs->newest, runs->n_newest);

	for (size_t i = 0; i < runs->n_newest; i++) {
		const struct catalog_worst *w = &runs->newest[i];
		struct buf link = {0};
		char start[UNITS_SIZE];
		cJSON *one = model_json_row(rows);
		model_json_cut(one, "source",
		               fleet_page_or_unknown(w->source ? w->source + folder : NULL),
		               FLEET_MODEL_NAME / 2);
		model_json_printf(one, "start", "%.16s",
		                  isnan(w->start) ? "unknown" : units_time_text(w->start, start));
		fleet_page_quantity(one, "wall", UNIT_SECONDS, w->wall_s, &in->page);
		fleet_page_quantity(one, "memory", UNIT_BYTES, w->memory_need_b, &in->page);
		cJSON_AddStringToObject(one, "end", fleet_model_words_end(w));
		cJSON_AddStringToObject(one, "level", level_of_group(w));
		report_link(w->source, in->page.file, &link);
		model_json_cut_or_null(one, "report", buf_cstr(&link), REPORT_LINK_MAX);
		buf_free(&link);
	}
}

static bool add_condition(struct buf *out, const char *option, const char *before, const char *text)
{
	struct buf word = {0};
	bool can;

	buf_printf(&word, "%s%s", before, text);
	buf_str(out, option);
	can = fleet_source_quote(buf_cstr(&word), out);
	buf_free(&word);
	return can;
}

/* The command that lists all runs of the group; null where it cannot be pasted. */
static void add_runs_command(cJSON *detail, const struct fleet_group *g,
                             const struct fleet_model_input *in)
{
	size_t keys = in->group_by ? in->group_by->n : 0, n = keys ? keys : 1;
	struct buf out = {0}, key = {0};
	bool can = in->words;

	buf_str(&out, "rtrack-fleet runs");
	for (size_t i = 0; i < n && can; i++) {
		buf_clear(&key);
		buf_printf(&key, "%s=", keys ? in->group_by->v[i] : "name");
		can = add_condition(&out, " --where ", buf_cstr(&key), g->key[i] ? g->key[i] : "");
	}
	for (size_t i = 0; in->page.where && i < in->page.where->n && can; i++)
		can = add_condition(&out, " --where ", "", in->page.where->v[i]);
	if (can && in->page.since)
		can = add_condition(&out, " --since ", "", in->page.since);
	if (can && in->page.until)
		can = add_condition(&out, " --until ", "", in->page.until);
	buf_printf(&out, " -o runs.html %s", in->words ? in->words : "");
	if (can)
		cJSON_AddStringToObject(detail, "runs_command", buf_cstr(&out));
	else
		cJSON_AddNullToObject(detail, "runs_command");
	buf_free(&out);
	buf_free(&key);
}

static void fleet_model_add_detail(cJSON *row, const struct fleet_group *g, size_t rank,
                                   const struct fleet_model_input *in)
{
	bool picture = rank < FLEET_MODEL_PICTURES;
	struct advice a;
	cJSON *detail;

	detail = model_json_object_if(g->detail, row, "detail");
	if (!detail)
		return;
	cJSON_AddBoolToObject(detail, "pictures", picture);
	add_detail_sentence(detail, g);
	add_input_line(detail, &g->detail->line);
	add_formulas(detail, g);
	add_histograms(detail, g, picture);
	add_scatter(detail, g, picture);
	add_worst(detail, g, in);
	if (picture) {
		add_newest_runs(detail, g, in);
		add_runs_command(detail, g, in);
	}
	a = g->detail->advice;
	a.process = fleet_model_process(g, in);
	model_advice_snippets(detail, &a);
}

/* -- the list of groups ------------------------------------------------------------------------ */

#define NEXTFLOW_MAX ((size_t)12 << 10) /* bytes of the configuration */
#define STEADY       0.05               /* a change of the mean below this is none */

/* -- the list of groups: a row ----------------------------------------------------------------- */

/* Used / asked in percent, for a bar; null if unknown. A string, because 0 is false in a template.
 */
static void add_used_share(cJSON *row, const char *key, double used, double asked)
{
	char text[32];

	snprintf(text, sizeof text, "%g", stats_round(fmin(100, 100 * used / asked), 0));
	model_json_cut_or_null(row, key, used >= 0 && asked > 0 ? text : "", sizeof text);
}

/* null: no run counts. */
static void add_group_confidence(cJSON *row, const struct fleet_group *g)
{
	static const char *const levels[] = {
	    [FLEET_WEAK] = "warn", [FLEET_FAIR] = "info", [FLEET_GOOD] = "good"};
	cJSON *one = model_json_object_if(g->counted > 0, row, "confidence");

	if (!one)
		return;
	cJSON_AddStringToObject(one, "word", fleet_model_confidence(g->confidence));
	cJSON_AddStringToObject(one, "level", levels[g->confidence]);
}

static bool has_worse(const struct fleet_group *g)
{
	return g->detail && g->detail->worse.measure;
}

/* null: none is known. */
static void add_worse(cJSON *row, const struct fleet_group *g)
{
	const struct fleet_worse *w = has_worse(g) ? &g->detail->worse : NULL;
	cJSON *one = model_json_object_if(w, row, "worse");

	if (!one)
		return;
	cJSON_AddStringToObject(one, "measure", w->measure->id);
	cJSON_AddStringToObject(one, "label", w->measure->label);
	model_json_number(one, "runs", (double)w->runs);
	model_json_time(one, "since", w->since);
	model_json_cut(one, "commit", w->commit, MODEL_JSON_NAME_MAX);
	model_json_number(one, "percent", stats_round(100 * w->step, 1));
	model_json_number(one, "least_percent", stats_round(100 * w->least, 1));
	model_json_number(one, "most_percent", stats_round(100 * w->most, 1));
	model_json_cut(one, "text", w->text, MODEL_JSON_TEXT_MAX);
}

static void add_group_trend(cJSON *row, const struct fleet_group *g)
{
	cJSON *one = cJSON_AddObjectToObject(row, "trend");
	bool known = isfinite(g->trend);
	char text[UNITS_SIZE + 8];
	struct buf path = {0};
	const char *words = "unknown", *level = "";

	if (known && fabs(g->trend) < STEADY) {
		words = "steady";
	} else if (known) {
		words = difference_percent_text(stats_round(100 * g->trend, 0), text);
		level = g->trend > 0 ? "warn" : "good";
	}
	cJSON_AddStringToObject(one, "text", words);
	cJSON_AddStringToObject(one, "level", level);
	if (g->days)
		chart_spark_trend(&path, g->days, FLEET_TREND_POINTS);
	model_json_cut_or_null(one, "path", buf_cstr(&path), MODEL_JSON_TEXT_MAX);
	buf_free(&path);
}

static void add_proposed(cJSON *row, const struct fleet_group *g,
                         const struct fleet_model_input *in)
{
	cJSON *one = cJSON_AddObjectToObject(row, "proposed");
	struct buf text = {0};

	fleet_model_add_columns(one, g, FLEET_COLUMN_PROPOSED_CPUS, FLEET_COLUMN_PROPOSED_TIME, in);
	fleet_model_ask_text(&g->proposed, &text);
	model_json_take(one, "text", &text);
	fleet_model_add_columns(row, g, FLEET_COLUMN_LONGER, FLEET_COLUMN_LONGER, in);
	fleet_model_words_longer(g, &text);
	model_json_cut_or_null(row, "longer_text", buf_cstr(&text), FLEET_MODEL_NAME);
	buf_free(&text);
}

static void add_backtest(cJSON *row, const struct fleet_group *g,
                         const struct fleet_model_input *in)
{
	cJSON *one = model_json_object_if(g->backtest.runs > 0, row, "backtest");
	struct buf text = {0};

	if (!one)
		return;
	fleet_model_add_columns(one, g, FLEET_COLUMN_BACKTEST_RUNS,
	                        FLEET_COLUMN_BACKTEST_ASKED_WASTED, in);
	fleet_page_quantity(one, "learnt", UNIT_COUNT, g->backtest.learnt, &in->page);
	fleet_page_quantity(one, "ask", UNIT_BYTES, g->backtest.ask_b, &in->page);
	cJSON_AddBoolToObject(one, "lost", g->backtest.lost);
	fleet_model_say_backtest(&g->backtest, &text);
	model_json_take(one, "text", &text);
}

/* "32 → 9.06", "8.00 GiB → 4.58 GiB"; "–" where nothing is known of what was asked for. */
static void add_arrow(cJSON *row, const char *key, enum unit u, double asked, double used)
{
	struct buf text = {0};
	char number[64];
	bool bytes = u == UNIT_BYTES;

	if (asked > 0)
		buf_printf(&text, "%s → ",
		           bytes ? units_bytes(asked, number) : units_count(asked, number));
	if (asked > 0 && used >= 0)
		buf_str(&text, bytes ? units_bytes(used, number) : units_cores(used, number));
	else
		buf_str(&text, asked > 0 ? "unknown" : "–");
	model_json_take(row, key, &text);
}

static void add_arrows(cJSON *row, const struct fleet_group *g)
{
	const struct fleet_usage *u = &g->usage;

	add_arrow(row, "cpus_text", UNIT_CORES, g->asked.cpus,
	          fleet_model_used(g->asked.cpus, &u->cores));
	add_arrow(row, "memory_text", UNIT_BYTES, g->asked.memory_b, g->memory.p95);
	add_arrow(row, "gpus_text", UNIT_GPUS, g->asked.gpus,
	          fleet_model_used(g->asked.gpus, &u->gpus));
}

static void add_group_amounts(cJSON *row, const struct fleet_group *g,
                              const struct fleet_model_input *in)
{
	const struct fleet_usage *u = &g->usage;

	fleet_model_add_columns(row, g, FLEET_COLUMN_RUNS, FLEET_COLUMN_WALL_P95, in);
	fleet_model_add_columns(row, g, FLEET_COLUMN_CPUS_ASKED, FLEET_COLUMN_GPUS_USED, in);
	add_used_share(row, "cpu_share", u->cores.used, u->cores.asked);
	/* Memory is asked for by its peak, not by its mean. */
	add_used_share(row, "memory_share", g->memory.p95, g->asked.memory_b);
	add_used_share(row, "gpu_share", u->gpus.used, u->gpus.asked);
	fleet_model_add_columns(row, g, FLEET_COLUMN_CORES_UNUSED, FLEET_COLUMN_RECOVERABLE, in);
	fleet_model_machine_hours(row, u);
}

static void add_group(cJSON *rows, const struct fleet *f, size_t i, size_t top,
                      const struct fleet_model_input *in)
{
	const struct fleet_group *g = &f->group[i];
	cJSON *row = model_json_row(rows);
	struct buf text = {0};
	char share[UNITS_SIZE];

	model_json_printf(row, "anchor", "group-%zu", i + 1);
	fleet_model_name(f, g, &text);
	model_json_take_cut(row, "name", &text, FLEET_MODEL_NAME);
	cJSON_AddBoolToObject(row, "top", i < top);
	add_group_amounts(row, g, in);
	add_arrows(row, g);
	model_json_cut_or_null(row, "mostly", fleet_model_mostly(g), FLEET_MODEL_NAME);
	fleet_model_say_mostly(g, &text);
	model_json_cut_or_null(row, "mostly_text", buf_cstr(&text), FLEET_MODEL_NAME);
	fleet_model_say_ends(g, &text);
	model_json_cut_or_null(row, "ends", buf_cstr(&text), MODEL_JSON_TEXT_MAX);
	add_proposed(row, g, in);
	buf_clear(&text);
	fleet_page_quantity(row, "would_fail", UNIT_COUNT, g->would_fail, &in->page);
	fleet_page_quantity(row, "tried", UNIT_COUNT, g->counted, &in->page);
	fleet_model_tried_text(g, &text);
	model_json_take(row, "would_fail_text", &text);
	model_json_as_text(
	    row, "fail_at_most", UNIT_PERCENT, 100 * g->fail_at_most,
	    g->counted < FLEET_RUNS_FEW ? "" : fleet_model_share(g->fail_at_most, 1, share));
	add_group_confidence(row, g);
	fleet_model_add_columns(row, g, FLEET_COLUMN_GROWTH, FLEET_COLUMN_GROWTH, in);
	add_backtest(row, g, in);
	add_group_trend(row, g);
	add_worse(row, g);
	report_link(g->newest, in->page.file, &text);
	model_json_cut_or_null(row, "report", buf_cstr(&text), REPORT_LINK_MAX);
	buf_free(&text);
	fleet_model_add_detail(row, g, i, in);
}

/* -- the list of groups: the section ----------------------------------------------------------- */

/* One configuration with a block for each group that can be opened. Of several groups with one name
 * (--group-by name,user) only the first, which has most to recover: Nextflow takes the last. */
static void add_configuration(cJSON *groups, const struct fleet *f, size_t shown,
                              const struct fleet_model_input *in)
{
	struct buf text = {.max = NEXTFLOW_MAX};
	size_t n = 0, left = 0;

	buf_str(&text, "process {\n");
	for (size_t i = 0; i < shown && f->group[i].detail; i++) {
		struct advice a = f->group[i].detail->advice;
		bool twice = false;
		a.process = fleet_model_process(&f->group[i], in);
		for (size_t k = 0; k < i; k++)
			twice =
			    twice || strcmp(fleet_model_process(&f->group[k], in), a.process) == 0;
		if (twice || !*a.process || (!a.cpu && !a.memory_mib))
			continue;
		if (text.len > NEXTFLOW_MAX - 2048) {
			left++;
			continue;
		}
		snippets_nextflow_process(&a, &text);
		n++;
	}
	if (left)
		buf_printf(&text, "  // and %zu more, whose lines stand with their groups\n", left);
	buf_str(&text, "}");
	if (n > 1)
		model_json_take(groups, "nextflow", &text);
	else
		cJSON_AddNullToObject(groups, "nextflow");
	buf_free(&text);
}

static void add_groups_text(cJSON *groups, const char *key, const struct fleet *f, size_t shown)
{
	static const struct {
		const char *some, *all;
	} orders[] = {
	    {"that come first by name", "by name"},
	    {"with most machine-hours to recover", "the most machine-hours to recover first"},
	    {"with most to recover", "the most to recover first"},
	};
	size_t order = fleet_model_has_money(f) ? 2 : fleet_model_has_machine_hours(f);
	const char *s = shown == 1 ? "" : "s";
	char some[UNITS_SIZE], all[UNITS_SIZE];

	units_count((double)shown, some);
	if ((double)shown < f->all_groups)
		model_json_printf(groups, key, "The %s group%s %s, of %s", some, s,
		                  orders[order].some, units_count(f->all_groups, all));
	else
		model_json_printf(groups, key, "%s group%s, %s", some, s, orders[order].all);
}

void fleet_model_groups_add(cJSON *model, const struct fleet *f, const struct fleet_model_input *in)
{
	cJSON *groups = cJSON_AddObjectToObject(model, "groups"), *rows;
	size_t most = in->page.top ? in->page.top : FLEET_OPTIONS_GROUPS,
	       shown = f->n < most ? f->n : most;
	size_t top = in->page.top || f->n < FLEET_MODEL_TOP ? shown : FLEET_MODEL_TOP;
	bool worse = false;

	cJSON_AddBoolToObject(groups, "known", f->n > 0);
	model_json_number(groups, "total", f->all_groups);
	model_json_number(groups, "shown", (double)shown);
	add_groups_text(groups, "text", f, shown);
	add_groups_text(groups, "top_text", f, top);
	cJSON_AddBoolToObject(groups, "has_gpus", fleet_model_has_gpus(f));
	cJSON_AddBoolToObject(groups, "has_money", fleet_model_has_money(f));
	cJSON_AddBoolToObject(groups, "has_machine_hours", fleet_model_has_machine_hours(f));
	rows = cJSON_AddArrayToObject(groups, "rows");
	for (size_t i = 0; i < shown; i++) {
		add_group(rows, f, i, top, in);
		worse = worse || has_worse(&f->group[i]);
	}
	cJSON_AddBoolToObject(groups, "has_worse", worse);
	fleet_model_add_rest(groups, "others", f, shown, in);
	fleet_model_add_rest(groups, "others_top", f, top, in);
	add_configuration(groups, f, shown, in);
	fleet_model_add_table(groups, f, in);
}
