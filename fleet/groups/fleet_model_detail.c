/* fleet_model_detail: what is shown of a group of a fleet when it is opened. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "fleet/groups/fleet_model_parts.h"
#include "fleet/groups/fleet_model_words.h"
#include "fleet/groups/fleet_round.h"
#include "fleet/groups/fleet_source.h"
#include "fleet/list/report_link.h"
#include "report/chart/chart_histogram.h"
#include "report/chart/chart_scatter.h"
#include "report/model/model_advice.h"
#include "report/units/model_json.h"

#define SPOTS_MAX ((size_t)60) /* of a scatter plot; those with the fewest runs are left out */
#define BARS_MAX  24           /* of a histogram, about */

/* -- formulas ---------------------------------------------------------------------------------- */

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

/* What to do, in one sentence: "Ask for 3.00 GiB of memory instead of 8.00 GiB. …" */
static void add_detail_sentence(cJSON *detail, const struct fleet_group *g)
{
	struct buf text = {0}, trial = {0};
	char ask[64], today[64], learnt[UNITS_SIZE], grown[UNITS_SIZE];

	if (g->proposed.cpus > 0 && g->asked.cpus > 0 && isfinite(g->longer)) {
		buf_printf(&text, "With %s instead of %s, ", units_cpus(g->proposed.cpus, ask),
		           units_count(g->asked.cpus, today));
		fleet_model_words_longer(g, &trial);
		buf_printf(&text, "%s. ", trial.len ? buf_cstr(&trial) : "runs take as long");
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
	if (g->growth > 1)
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
	buf_str(&text, fleet_model_confidence(g->confidence));
	if (g->counted < FLEET_RUNS_FEW)
		buf_printf(&text, ": fewer than %d runs", FLEET_RUNS_FEW);
	add_formula(all, "Confidence", buf_cstr(&text));
	buf_free(&text);
}

/* -- histograms -------------------------------------------------------------------------------- */

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

	buf_printf(&text, "%s of %s run%s: median %s, p95 %s", title, units_count(runs, count),
	           runs == 1 ? "" : "s", units_text(h->unit, s->p50, NULL, p50),
	           units_text(h->unit, s->p95, NULL, p95));
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

/* -- memory over wall time --------------------------------------------------------------------- */

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

/* -- runs -------------------------------------------------------------------------------------- */

static const char *or_unknown(const char *text)
{
	return text && *text ? text : "unknown";
}

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

	for (size_t i = 0; i < runs->n_worst; i++) {
		const struct catalog_worst *w = &runs->worst[i];
		struct buf link = {0};
		cJSON *one = model_json_row(rows);
		model_json_cut(one, "source", or_unknown(w->source ? w->source + folder : NULL),
		               2 * FLEET_MODEL_NAME);
		model_json_cut(one, "host", or_unknown(w->host), FLEET_MODEL_NAME / 2);
		model_json_cut(one, "user", or_unknown(w->user), FLEET_MODEL_NAME / 2);
		model_json_time(one, "start", w->start);
		fleet_model_quantity(one, "wall", UNIT_SECONDS, w->wall_s, in);
		fleet_model_quantity(one, "cpus", UNIT_CORES, w->used_core_s / w->wall_s, in);
		fleet_model_quantity(one, "cpus_asked", UNIT_CORES, fleet_model_ask(w->asked_cpus),
		                     in);
		fleet_model_quantity(one, "memory", UNIT_BYTES, w->memory_need_b, in);
		fleet_model_quantity(one, "memory_asked", UNIT_BYTES,
		                     fleet_model_ask(w->asked_memory_b), in);
		cJSON_AddBoolToObject(one, "oom", w->oom == 1);
		report_link(w->source, in->page, &link);
		model_json_cut_or_null(one, "report", buf_cstr(&link), REPORT_LINK_MAX);
		buf_free(&link);
	}
}

static void add_newest_runs(cJSON *detail, const struct fleet_group *g,
                            const struct fleet_model_input *in)
{
	cJSON *rows = cJSON_AddArrayToObject(detail, "newest");
	const struct catalog_detail *runs = &g->detail->runs;
	size_t folder = common_folder(runs->newest, runs->n_newest);

	for (size_t i = 0; i < runs->n_newest; i++) {
		const struct catalog_worst *w = &runs->newest[i];
		bool bad = w->class == CATALOG_FAILED || w->oom == 1;
		struct buf link = {0};
		char start[UNITS_SIZE];
		cJSON *one = model_json_row(rows);
		model_json_cut(one, "source", or_unknown(w->source ? w->source + folder : NULL),
		               FLEET_MODEL_NAME / 2);
		model_json_printf(one, "start", "%.16s",
		                  isnan(w->start) ? "unknown" : units_time_text(w->start, start));
		fleet_model_quantity(one, "wall", UNIT_SECONDS, w->wall_s, in);
		fleet_model_quantity(one, "memory", UNIT_BYTES, w->memory_need_b, in);
		cJSON_AddStringToObject(one, "end", fleet_model_words_end(w));
		cJSON_AddStringToObject(one, "level",
		                        bad                              ? "bad"
		                        : w->class == CATALOG_UNFINISHED ? "warn"
		                                                         : "");
		report_link(w->source, in->page, &link);
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
	for (size_t i = 0; in->where && i < in->where->n && can; i++)
		can = add_condition(&out, " --where ", "", in->where->v[i]);
	if (can && in->since)
		can = add_condition(&out, " --since ", "", in->since);
	if (can && in->until)
		can = add_condition(&out, " --until ", "", in->until);
	buf_printf(&out, " -o runs.html %s", in->words ? in->words : "");
	if (can)
		cJSON_AddStringToObject(detail, "runs_command", buf_cstr(&out));
	else
		cJSON_AddNullToObject(detail, "runs_command");
	buf_free(&out);
	buf_free(&key);
}

void fleet_model_add_detail(cJSON *row, const struct fleet_group *g, size_t rank,
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
