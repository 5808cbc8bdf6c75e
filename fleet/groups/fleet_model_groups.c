/* fleet_model_groups: the groups of a fleet's model, one row each. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/numbers/stats.h"
#include "fleet/groups/fleet_model_parts.h"
#include "fleet/groups/fleet_model_words.h"
#include "fleet/list/report_link.h"
#include "report/advice/snippets.h"
#include "report/chart/chart_spark.h"
#include "report/units/difference_text.h"
#include "report/units/model_json.h"

#define NEXTFLOW_MAX ((size_t)12 << 10) /* bytes of the configuration */
#define STEADY       0.05               /* a change of the mean below this is none */

/* -- a row ------------------------------------------------------------------------------------- */

/* Used / asked in percent, for a bar; null if unknown. A string, because 0 is false in a template.
 */
static void add_used_share(cJSON *row, const char *key, double used, double asked)
{
	char text[32];

	snprintf(text, sizeof text, "%g", stats_round(fmin(100, 100 * used / asked), 0));
	model_json_cut_or_null(row, key, used >= 0 && asked > 0 ? text : "", sizeof text);
}

static void add_group_confidence(cJSON *row, enum fleet_confidence c)
{
	static const char *const levels[] = {
	    [FLEET_WEAK] = "warn", [FLEET_FAIR] = "info", [FLEET_GOOD] = "good"};
	cJSON *one = cJSON_AddObjectToObject(row, "confidence");

	cJSON_AddStringToObject(one, "word", fleet_model_confidence(c));
	cJSON_AddStringToObject(one, "level", levels[c]);
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
	fleet_model_quantity(one, "learnt", UNIT_COUNT, g->backtest.learnt, in);
	fleet_model_quantity(one, "ask", UNIT_BYTES, g->backtest.ask_b, in);
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
	fleet_model_quantity(row, "would_fail", UNIT_COUNT, g->would_fail, in);
	fleet_model_quantity(row, "tried", UNIT_COUNT, g->counted, in);
	fleet_model_tried_text(g, &text);
	model_json_take(row, "would_fail_text", &text);
	model_json_as_text(row, "fail_at_most", UNIT_PERCENT, 100 * g->fail_at_most,
	                   fleet_model_share(g->fail_at_most, 1, share));
	add_group_confidence(row, g->confidence);
	fleet_model_add_columns(row, g, FLEET_COLUMN_GROWTH, FLEET_COLUMN_GROWTH, in);
	add_backtest(row, g, in);
	add_group_trend(row, g);
	report_link(g->newest, in->page, &text);
	model_json_cut_or_null(row, "report", buf_cstr(&text), REPORT_LINK_MAX);
	buf_free(&text);
	fleet_model_add_detail(row, g, i, in);
}

/* -- the section ------------------------------------------------------------------------------- */

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

void fleet_model_add_groups(cJSON *model, const struct fleet *f, const struct fleet_model_input *in)
{
	cJSON *groups = cJSON_AddObjectToObject(model, "groups"), *rows;
	size_t most = in->top ? in->top : FLEET_MODEL_ROWS, shown = f->n < most ? f->n : most;
	size_t top = in->top || f->n < FLEET_MODEL_TOP ? shown : FLEET_MODEL_TOP;

	cJSON_AddBoolToObject(groups, "known", f->n > 0);
	model_json_number(groups, "total", f->all_groups);
	model_json_number(groups, "shown", (double)shown);
	add_groups_text(groups, "text", f, shown);
	add_groups_text(groups, "top_text", f, top);
	cJSON_AddBoolToObject(groups, "has_gpus", fleet_model_has_gpus(f));
	cJSON_AddBoolToObject(groups, "has_money", fleet_model_has_money(f));
	cJSON_AddBoolToObject(groups, "has_machine_hours", fleet_model_has_machine_hours(f));
	rows = cJSON_AddArrayToObject(groups, "rows");
	for (size_t i = 0; i < shown; i++)
		add_group(rows, f, i, top, in);
	fleet_model_add_rest(groups, "others", f, shown, in);
	fleet_model_add_rest(groups, "others_top", f, top, in);
	add_configuration(groups, f, shown, in);
	fleet_model_add_table(groups, f, in);
}
