/* render: writes the model, or the samples of a run, to files. */
#include "report/render/render.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/buf.h"
#include "core/base/gz.h"
#include "core/base/larger.h"
#include "core/json/json_write.h"
#include "core/numbers/metric.h"
#include "core/numbers/stats.h"
#include "core/processes/process_tree.h"
#include "report/input/page_text.h"
#include "report/input/store_address.h"
#include "report/output/output_file.h"
#include "report/output/terminal.h"
#include "report/render/assets.h"
#include "report/render/mustache.h"
#include "report/render/partials.h"
#include "report/render/text_layout.h"
#include "report/units/model_json.h"

/* -- the time line of a run -------------------------------------------------------------------- */

/* The processes and phases of a run, with counters, in the Trace Event format ("Trace Event
 * Format", Google), which Perfetto and speedscope open.
 *
 * Times are microseconds since the start of the run. Processes are complete events of process 1,
 * in lanes (its threads): what overlaps in a lane is nested, and a child lies in its parent's lane
 * where it can. Phases are process 2, sums of short processes process 3, counters process 4. */

enum { JOB = 1, PHASES, GROUPS, COUNTERS };

struct trace {
	struct json_write j;
	csv_table_sink sink;
	void *ctx;
	struct err *e;
	int failed; /* of the sink */
};

static int pass_text_on(void *ctx, const char *p, size_t n)
{
	struct trace *t = ctx;

	t->failed = t->sink(t->ctx, p, n, t->e);
	return t->failed;
}

static double micro(double s)
{
	return stats_round(s * 1e6, 0);
}

static void begin_event(struct trace *t, const char *phase, const char *name, int pid, double tid)
{
	json_write_object(&t->j, NULL);
	json_write_str(&t->j, "ph", phase);
	json_write_str(&t->j, "name", name);
	json_write_num(&t->j, "pid", pid);
	json_write_num(&t->j, "tid", tid);
}

static void put_process_name(struct trace *t, int pid, const char *name)
{
	begin_event(t, "M", "process_name", pid, 0);
	json_write_object(&t->j, "args");
	json_write_str(&t->j, "name", name);
	json_write_object_end(&t->j);
	json_write_object_end(&t->j);
}

/* Leaves the event open. */
static void begin_complete(struct trace *t, const char *name, int pid, double tid, double start_s,
                           double end_s)
{
	begin_event(t, "X", name, pid, tid);
	json_write_num(&t->j, "ts", micro(start_s));
	json_write_num(&t->j, "dur", micro(end_s) - micro(start_s));
}

/* -- time line: processes in lanes ------------------------------------------------------------- */

struct lane_node {
	const struct process_tree_node *row;
	double end_s;
	long parent, below; /* below: what it is nested in; -1: nothing */
	size_t lane;
};

static int by_lane_order(const void *a, const void *b)
{
	const struct lane_node *const *x = a, *const *y = b;

	if ((*x)->row->start_s != (*y)->row->start_s)
		return (*x)->row->start_s < (*y)->row->start_s ? -1 : 1;
	if ((*x)->end_s != (*y)->end_s)
		return (*x)->end_s > (*y)->end_s ? -1 : 1;
	/* Parents end, and so are listed, after their children. */
	return *x > *y ? -1 : *x < *y;
}

/* Takes from a lane what has ended. */
static long top_of_lane(const struct lane_node *v, long top, double now_s)
{
	while (top >= 0 && v[top].end_s <= now_s)
		top = v[top].below;
	return top;
}

static void place_in_lane(struct lane_node *v, long *lanes, size_t *n, struct lane_node *one)
{
	double start_s = one->row->start_s;
	size_t lane = 0;

	one->below = -1;
	if (one->parent >= 0 && v[one->parent].lane < *n) {
		lane = v[one->parent].lane;
		lanes[lane] = top_of_lane(v, lanes[lane], start_s);
		if (lanes[lane] == one->parent && one->end_s <= v[one->parent].end_s)
			one->below = one->parent;
	}
	if (one->below < 0) {
		for (lane = 0; lane < *n; lane++) {
			lanes[lane] = top_of_lane(v, lanes[lane], start_s);
			if (lanes[lane] < 0)
				break;
		}
		*n += lane == *n;
	}
	one->lane = lane;
	lanes[lane] = one - v;
}

static void put_process(struct trace *t, const struct lane_node *one)
{
	const struct process_tree_node *row = one->row;

	begin_complete(t, *row->name ? row->name : "unknown", JOB, (double)one->lane + 1,
	               row->start_s, one->end_s);
	json_write_object(&t->j, "args");
	json_write_num(&t->j, "pid", row->pid);
	if (*row->command)
		json_write_str(&t->j, "command", row->command);
	json_write_num(&t->j, "cpu_s", row->cpu_s);
	json_write_bool(&t->j, "cpu_exact", row->cpu_exact > 0);
	json_write_num(&t->j, "memory_bytes", process_tree_memory(row));
	json_write_num(&t->j, "status",
	               row->status == PROCESS_TREE_NO_STATUS ? (double)NAN : row->status);
	json_write_object_end(&t->j);
	json_write_object_end(&t->j);
}

static int put_processes(struct trace *t, const struct process_tree *tree, double duration_s)
{
	struct lane_node *v = calloc(tree->kept + 1, sizeof *v), **order;
	long *lanes = calloc(tree->kept + 1, sizeof *lanes);
	size_t n = 0, timed = 0;

	order = calloc(tree->kept + 1, sizeof *order);
	for (size_t i = 0; v && lanes && order && i < tree->kept; i++) {
		const struct process_tree_node *row = &tree->of[i];
		double end_s = isnan(row->end_s) ? duration_s : row->end_s;
		v[i] = (struct lane_node){.row = row,
		                          .end_s = larger(end_s, row->start_s),
		                          .parent = row->parent,
		                          .lane = tree->kept};
		if (!isnan(row->start_s))
			order[timed++] = &v[i];
	}
	if (v && lanes && order) {
		qsort(order, timed, sizeof *order, by_lane_order);
		for (size_t i = 0; i < timed; i++) {
			place_in_lane(v, lanes, &n, order[i]);
			put_process(t, order[i]);
		}
	}
	free(v);
	free(lanes);
	free(order);
	return order && lanes && v ? 0 : err_set(t->e, "no memory for the time line");
}

static void put_group_events(struct trace *t, const struct process_tree *tree, double duration_s)
{
	for (size_t i = 0; i < tree->n_groups; i++) {
		const struct process_tree_group *g = &tree->groups[i];
		double end_s = isnan(g->end_s) ? duration_s : g->end_s;
		if (isnan(g->start_s))
			continue;
		begin_complete(t, *g->name ? g->name : "others", GROUPS, (double)i + 1, g->start_s,
		               larger(end_s, g->start_s));
		json_write_object(&t->j, "args");
		json_write_num(&t->j, "processes", g->n);
		json_write_num(&t->j, "cpu_s", g->cpu_s);
		json_write_object_end(&t->j);
		json_write_object_end(&t->j);
	}
}

/* -- time line: phases and counters ------------------------------------------------------------ */

static void put_phases(struct trace *t, const struct run *run)
{
	const struct phases *p = run->snapshot.phases;

	for (size_t i = 0; p && i < p->n; i++) {
		double end = isnan(p->v[i].end) ? run->stop : p->v[i].end;
		begin_complete(t, p->v[i].name, PHASES, 1, p->v[i].start - run->start,
		               larger(end, p->v[i].start) - run->start);
		json_write_object_end(&t->j);
	}
}

/* The job's columns, and where no job was recorded the machine's. */
static const struct {
	const char *name, *unit;
	enum metric_id of[METRIC_SCOPES];
} counters[] = {
    {"CPU", "cores", {METRIC_PROCESS_CPU_USAGE, METRIC_SYSTEM_CPU_USAGE}},
    {"memory", "bytes", {METRIC_PROCESS_MEMORY, METRIC_SYSTEM_MEMORY_USED}},
    {"disk read", "bytes", {METRIC_PROCESS_READ_BYTES, METRIC_SYSTEM_DISK_READ_BYTES}},
    {"disk write", "bytes", {METRIC_PROCESS_WRITE_BYTES, METRIC_SYSTEM_DISK_WRITE_BYTES}},
};

static void put_counters(struct trace *t, const struct run *run)
{
	const struct frame *f = &run->snapshot.rows[METRIC_SCOPE_PROCESS];
	enum metric_scope scope = f->rows ? METRIC_SCOPE_PROCESS : METRIC_SCOPE_SYSTEM;
	const double *time;

	f = &run->snapshot.rows[scope];
	time = frame_col(f, metric_time_of(scope));
	for (size_t c = 0; time && c < sizeof counters / sizeof *counters; c++) {
		const double *v =
		    frame_col(f, counters[c].of[scope == METRIC_SCOPE_PROCESS ? 0 : 1]);
		for (size_t i = 0; v && i < f->rows; i++) {
			if (isnan(v[i]) || isnan(time[i]))
				continue;
			begin_event(t, "C", counters[c].name, COUNTERS, 0);
			json_write_num(&t->j, "ts", micro(time[i] - run->start));
			json_write_object(&t->j, "args");
			json_write_num(&t->j, counters[c].unit, v[i]);
			json_write_object_end(&t->j);
			json_write_object_end(&t->j);
		}
	}
}

/* The seconds of each state in a sample, which add up to it. */
static void put_states(struct trace *t, const struct run *run)
{
	const struct frame *f = &run->snapshot.rows[METRIC_SCOPE_PROCESS];
	const double *time = frame_col(f, METRIC_PROCESS_TIMESTAMP);

	for (size_t i = 0; time && frame_col(f, METRIC_PROCESS_STATE_CPU) && i < f->rows; i++) {
		if (isnan(time[i]))
			continue;
		begin_event(t, "C", "states", COUNTERS, 0);
		json_write_num(&t->j, "ts", micro(time[i] - run->start));
		json_write_object(&t->j, "args");
		for (int id = METRIC_PROCESS_STATE_CPU; id <= METRIC_PROCESS_STATE_UNKNOWN; id++) {
			const double *v = frame_col(f, (enum metric_id)id);
			if (v && !isnan(v[i]))
				json_write_num(&t->j, metrics[id].name[SCHEMA_1], v[i]);
		}
		json_write_object_end(&t->j);
		json_write_object_end(&t->j);
	}
}

/* Writes a piece at a time. 0, or -1 with a sentence. */
static int trace_events_write(const struct run *run, csv_table_sink sink, void *ctx, struct err *e)
{
	struct trace t = {.sink = sink, .ctx = ctx, .e = e};
	const struct process_tree *tree = run->snapshot.tree;
	int failed = 0;

	t.j.sink = pass_text_on;
	t.j.ctx = &t;
	json_write_object(&t.j, NULL);
	json_write_str(&t.j, "displayTimeUnit", "ms");
	json_write_array(&t.j, "traceEvents");
	put_process_name(&t, JOB, "processes");
	put_process_name(&t, PHASES, "phases");
	put_process_name(&t, GROUPS, "short processes, summed up");
	put_process_name(&t, COUNTERS, "counters");
	if (tree) {
		failed = put_processes(&t, tree, run->duration);
		put_group_events(&t, tree, run->duration);
	}
	put_phases(&t, run);
	put_counters(&t, run);
	put_states(&t, run);
	json_write_array_end(&t.j);
	json_write_object_end(&t.j);
	if (!json_write_finish(&t.j) && !failed)
		failed = t.failed ? -1 : err_set(e, "no memory for the time line");
	json_write_free(&t.j);
	return failed;
}

/* -- the model as the templates of a page get it ----------------------------------------------- */

#define PAGE_VIEW_PACKED "packed" /* member of "recording": what the page carries */

/* How much of the run the page carries. */
enum page_view_carries {
	PAGE_VIEW_NOTHING,  /* not even its row */
	PAGE_VIEW_ROW,      /* a history, and a catalog, can count it */
	PAGE_VIEW_RECORDING /* it is an input like the recording */
};

#define LEVEL 6

static const cJSON *member(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

/* -- the page's points ------------------------------------------------------------------------- */

/* Where the page's recording has the points of a chart: the columns of its overview, and in how
 * many of the chart's units each of theirs is. */
static void write_chart_columns(struct json_write *j, const cJSON *chart)
{
	const cJSON *series;

	json_write_object(j, NULL);
	json_write_array(j, "columns");
	cJSON_ArrayForEach (series, member(chart, "series")) {
		const char *id = cJSON_GetStringValue(member(series, "id"));
		enum metric_id m = id ? metric_of_column(id) : METRIC_COUNT;
		json_write_array(j, NULL);
		json_write_str(j, NULL, id ? id : "");
		if (m != METRIC_COUNT)
			json_write_num(j, NULL,
			               metric_scale(metrics[m].unit, SCHEMA_1) *
			                   (metrics[m].unit == METRIC_UNIT_SHARE ? 100 : 1));
		json_write_array_end(j);
	}
	json_write_array_end(j);
	model_json_write(j, "limits", member(member(chart, "packed"), "limits"));
	json_write_object_end(j);
}

/* An item for each chart, as they stand in the page; null for a chart without points. */
static void write_page_points(struct json_write *j, const cJSON *charts, bool overview)
{
	const cJSON *chart;

	json_write_array(j, NULL);
	cJSON_ArrayForEach (chart, charts) {
		const cJSON *points = member(chart, "packed");
		if (points && overview)
			write_chart_columns(j, chart);
		else
			model_json_write(j, NULL, points ? points : member(chart, "data"));
	}
	json_write_array_end(j);
}

static int add_page_points(cJSON *view, const cJSON *charts, bool overview, struct err *e)
{
	struct json_write j = {.exponents = true};
	struct buf zipped = {0}, text = {0};
	int failed;

	write_page_points(&j, charts, overview);
	failed = !json_write_finish(&j) || gz_pack(&zipped, buf_cstr(&j.b), j.b.len, LEVEL, e);
	base64_add(&text, zipped.s, failed ? 0 : zipped.len);
	alloc_failed_note(cJSON_AddStringToObject(view, PAGE_TEXT_POINTS, buf_cstr(&text)));
	failed = failed || text.failed;
	json_write_free(&j);
	buf_free(&zipped);
	buf_free(&text);
	return failed ? -1 : 0;
}

/* -- the page's view --------------------------------------------------------------------------- */

/* An object with the same values, but for those of one key. */
static cJSON *view_without(const cJSON *object, const char *key)
{
	cJSON *view = alloc_failed_note(cJSON_CreateObject());
	const cJSON *item;

	/* cJSON takes a reference as a pointer to what may change, but does not change it. */
	cJSON_ArrayForEach (item, object)
		if (view && item->string && strcmp(item->string, key) != 0 &&
		    !cJSON_AddItemReferenceToObject(view, item->string, (cJSON *)(uintptr_t)item))
			alloc_failed_note(NULL);
	return view;
}

/* Whether the page has a section that the second style sheet is for (assets/more.css). */
static bool has_more_sections(const cJSON *model)
{
	static const char *const sections[] = {"gpus",    "prices", "trend", "array",
	                                       "compare", "parts",  "detail"};
	bool more = cJSON_GetArraySize(member(model, "history")) > 0 ||
	            cJSON_IsObject(member(member(model, "prices"), "present"));

	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		more |= cJSON_IsTrue(member(member(model, sections[i]), "known"));
	return more;
}

/* -- the page's cards -------------------------------------------------------------------------- */

static const char *member_text(const cJSON *o, const char *key)
{
	const char *text = cJSON_GetStringValue(member(o, key));

	return text ? text : "";
}

static void add_reference(cJSON *array, const cJSON *item)
{
	if (!cJSON_AddItemReferenceToArray(array, (cJSON *)(uintptr_t)item))
		alloc_failed_note(NULL);
}

static bool is_section_known(const cJSON *model, const char *section)
{
	return cJSON_IsTrue(member(member(model, section), "known"));
}

/* The parts of the advice: what warns of it, the rest, and the lines for what ran this job. */
static void add_advice_card(cJSON *cards, const cJSON *advice)
{
	cJSON *warnings = cJSON_AddArrayToObject(cards, "warnings"),
	      *notes = cJSON_AddArrayToObject(cards, "notes"),
	      *own = cJSON_AddArrayToObject(cards, "snippets"),
	      *others = cJSON_AddArrayToObject(cards, "other_snippets");
	const cJSON *one;

	cJSON_ArrayForEach (one, member(advice, "notes"))
		add_reference(strcmp(member_text(one, "level"), "info") == 0 ? notes : warnings,
		              one);
	cJSON_ArrayForEach (one, member(advice, "snippets"))
		add_reference(cJSON_IsTrue(member(one, "own")) ? own : others, one);
	cJSON_AddBoolToObject(cards, "has_snippets", cJSON_GetArraySize(own) > 0);
	cJSON_AddBoolToObject(cards, "has_other_snippets", cJSON_GetArraySize(others) > 0);
}

/* The numbers of the head, and that of the card on costs. Where this server's price is unknown, the
 * cheapest run says what it would cost, so the cheapest price per hour is left out. */
static void add_tile_cards(cJSON *cards, const cJSON *tiles, const cJSON *prices)
{
	cJSON *head = cJSON_AddArrayToObject(cards, "tiles"),
	      *cost = cJSON_AddArrayToObject(cards, "cost");
	bool own = cJSON_IsObject(member(prices, "present")) ||
	           !cJSON_IsObject(member(member(prices, "time_cost"), "cheapest"));
	const cJSON *one;

	cJSON_ArrayForEach (one, tiles)
		if (strcmp(member_text(one, "id"), "cost") != 0)
			add_reference(head, one);
		else if (own)
			add_reference(cost, one);
}

static int list_size(const cJSON *object, const char *key)
{
	return cJSON_GetArraySize(member(object, key));
}

/* The address of the CI system's run, if it is one of the web: a saved model may have any. */
static void add_run_link(cJSON *cards, const cJSON *run)
{
	const char *url = member_text(run, "url");
	bool web = strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0;

	cJSON_AddStringToObject(cards, "url", web ? url : "");
}

/* Whether the time on one of these servers was measured, rather than predicted. */
static bool is_any_measured(const cJSON *servers, const char *under)
{
	const cJSON *one;

	cJSON_ArrayForEach (one, servers)
		if (cJSON_GetNumberValue(member(under ? member(one, under) : one, "measured")) > 0)
			return true;
	return false;
}

static void add_card_flags(cJSON *cards, const cJSON *model)
{
	const cJSON *prices = member(model, "prices"),
		    *memory = member(member(model, "advice"), "memory");
	bool has_prices =
	    is_section_known(model, "prices") || cJSON_IsObject(member(prices, "present"));
	bool history = list_size(model, "history") > 0 || is_section_known(model, "trend");
	const struct {
		const char *key;
		bool is;
	} flags[] = {
	    {"has_head", list_size(cards, "head") > 0},
	    {"has_ask", list_size(cards, "ask") + list_size(cards, "warnings") > 0},
	    {"has_why", is_section_known(model, "states") || list_size(cards, "why") > 0},
	    {"has_cost", list_size(cards, "cost") > 0 || has_prices || *member_text(prices, "why")},
	    {"has_before", list_size(cards, "before") > 0 || history},
	    {"has_history", history},
	    {"has_prices", has_prices},
	    {"has_measured", is_any_measured(member(prices, "servers"), "estimate")},
	    {"has_measured_cost",
	     is_any_measured(member(member(prices, "time_cost"), "frontier"), NULL)},
	    {"has_sizes", has_prices || cJSON_IsTrue(member(member(model, "time_at"), "shown")) ||
	                      cJSON_IsObject(member(memory, "price")) ||
	                      cJSON_IsObject(member(memory, "input"))},
	};

	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		cJSON_AddBoolToObject(cards, flags[i].key, flags[i].is);
}

/* "cards": the sentences of the verdict by their place in the page, and what other parts of its
 * first screen need. A verdict without places, of an older model, is all in the head. */
static void add_page_cards(cJSON *view, const cJSON *model)
{
	static const char *const places[] = {"head", "ask", "why", "before"};
	cJSON *cards = cJSON_AddObjectToObject(view, "cards");
	const cJSON *one;

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		cJSON *array = cJSON_AddArrayToObject(cards, places[i]);
		cJSON_ArrayForEach (one, member(model, "verdict"))
			if (member(one, "card") ? strcmp(member_text(one, "card"), places[i]) == 0
			                        : i == 0)
				add_reference(array, one);
	}
	add_advice_card(cards, member(model, "advice"));
	add_tile_cards(cards, member(model, "tiles"), member(model, "prices"));
	add_run_link(cards, member(model, "run"));
	add_card_flags(cards, model);
}

/* -- the page's summary ------------------------------------------------------------------------ */

#define SUMMARY_MAX  ((size_t)4096) /* bytes */
#define SUMMARY_ROWS 3              /* of a list */
#define SUMMARY_TEXT ((size_t)240)  /* bytes of a text */

static void copy_summary_text(cJSON *to, const char *key, const cJSON *from, const char *name)
{
	model_json_cut_or_null(to, key, member_text(from, name), SUMMARY_TEXT);
}

static void copy_summary_number(cJSON *to, const char *key, const cJSON *from, const char *name)
{
	const cJSON *v = member(from, name);

	model_json_number(to, key, cJSON_IsNumber(v) ? v->valuedouble : (double)NAN);
}

static void add_summary_asks(cJSON *summary, const cJSON *advice)
{
	static const char *const keys[][2] = {{"cpu", "cpus"},
	                                      {"memory", "memory_mib"},
	                                      {"gpu", "gpus"},
	                                      {"vram", "gpu_memory_mib"},
	                                      {"time", "time_min"}};
	cJSON *asks = cJSON_AddObjectToObject(summary, "asks");
	const cJSON *item;

	cJSON_ArrayForEach (item, member(advice, "items"))
		for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
			if (strcmp(member_text(item, "id"), keys[i][0]) == 0)
				copy_summary_number(asks, keys[i][1], item, "value");
	copy_summary_number(asks, "nodes", advice, "nodes");
	copy_summary_text(asks, "confidence", member(advice, "confidence"), "word");
}

static void add_summary_cost(cJSON *summary, const cJSON *prices)
{
	const cJSON *present = member(prices, "present"),
		    *cheapest = member(member(prices, "time_cost"), "cheapest");
	cJSON *cost = model_json_object_if(cJSON_IsObject(present) || cJSON_IsObject(cheapest),
	                                   summary, "cost"),
	      *one;

	if (!cost)
		return;
	copy_summary_text(cost, "currency", prices, "currency");
	copy_summary_number(cost, "run", member(present, "run_cost"), "value");
	copy_summary_text(cost, "server", present, "label");
	one = model_json_object_if(cJSON_IsObject(cheapest), cost, "cheapest_run");
	if (!one)
		return;
	copy_summary_text(one, "server", cheapest, "place");
	copy_summary_number(one, "least", cheapest, "cost_least");
	copy_summary_number(one, "most", cheapest, "cost_most");
}

static void add_summary_gates(cJSON *summary, const cJSON *gates)
{
	cJSON *o = model_json_object_if(cJSON_IsTrue(member(gates, "known")), summary, "gates");
	const cJSON *row;
	cJSON *failed;
	int n = 0;

	if (!o)
		return;
	copy_summary_number(o, "failed", gates, "failed");
	copy_summary_number(o, "not_judged", gates, "not_judged");
	failed = cJSON_AddArrayToObject(o, "sentences");
	cJSON_ArrayForEach (row, member(gates, "rows"))
		if (cJSON_IsTrue(member(row, "failed")) && n++ < SUMMARY_ROWS)
			model_json_cut(failed, NULL, member_text(row, "text"), SUMMARY_TEXT);
}

static void add_summary_changes(cJSON *summary, const cJSON *trend)
{
	cJSON *changes = cJSON_AddArrayToObject(summary, "changes");
	const cJSON *one;

	cJSON_ArrayForEach (one, member(trend, "changes")) {
		cJSON *row;
		if (!cJSON_IsTrue(member(one, "news")) ||
		    cJSON_GetArraySize(changes) == SUMMARY_ROWS)
			continue;
		row = model_json_row(changes);
		copy_summary_text(row, "measure", one, "id");
		copy_summary_text(row, "level", one, "level");
		copy_summary_number(row, "percent", one, "percent");
		copy_summary_number(row, "runs", one, "runs");
		copy_summary_text(row, "commit", one, "commit");
		copy_summary_text(row, "text", one, "text");
	}
}

static size_t size_of_tree(const cJSON *tree)
{
	struct json_write j = {.sink = NULL};
	size_t n;

	model_json_write(&j, NULL, tree);
	n = json_write_finish(&j) ? j.b.len : SIZE_MAX;
	json_write_free(&j);
	return n;
}

/* "summary": what programs ask the page first (docs/model.md), of at most SUMMARY_MAX bytes: names
 * and sentences of strange characters take six bytes each, so some may have to go. */
static void add_page_summary(cJSON *view, const cJSON *model, bool whole)
{
	static const char *const spare[] = {"changes", "gates", "end", "cost", "job", "asks"};
	const cJSON *status = member(model, "status");
	cJSON *summary = cJSON_AddObjectToObject(view, "summary"), *where;

	cJSON_AddStringToObject(summary, "format", "rtrack-summary");
	cJSON_AddNumberToObject(summary, "version", 1);
	copy_summary_text(summary, "job", model, "title");
	copy_summary_text(summary, "status", status, "word");
	copy_summary_text(summary, "headline", status, "headline");
	copy_summary_text(summary, "level", status, "worst");
	copy_summary_text(summary, "cause", status, "cause");
	copy_summary_text(summary, "end", status, "text");
	copy_summary_text(summary, "start", member(member(model, "run"), "start"), "iso");
	copy_summary_number(summary, "duration_s", member(member(model, "run"), "duration"),
	                    "value");
	add_summary_asks(summary, member(model, "advice"));
	add_summary_cost(summary, member(model, "prices"));
	add_summary_gates(summary, member(model, "gates"));
	add_summary_changes(summary, member(model, "trend"));
	where = model_json_object_if(whole, summary, "model");
	if (where) {
		cJSON_AddStringToObject(where, "element", "rtrack-recording");
		cJSON_AddStringToObject(where, "command", "rtrack-report --json - PAGE");
	}
	for (size_t i = 0; i < sizeof spare / sizeof *spare && size_of_tree(summary) > SUMMARY_MAX;
	     i++)
		cJSON_DeleteItemFromObjectCaseSensitive(summary, spare[i]);
}

/* The model, without copying its values, and with the points of its charts as the member
 * PAGE_TEXT_POINTS. NULL with a sentence; free it with cJSON_Delete. */
static cJSON *page_view(const cJSON *model, enum page_view_carries carries, struct err *e)
{
	const cJSON *charts = member(model, "charts"), *recording = member(model, "recording");
	cJSON *view = view_without(model, PAGE_TEXT_POINTS), *row;
	bool whole = carries == PAGE_VIEW_RECORDING && member(recording, PAGE_VIEW_PACKED);
	int failed = 0;

	cJSON_AddBoolToObject(view, "more", has_more_sections(model));
	add_page_cards(view, model);
	add_page_summary(view, model, whole);
	if (carries == PAGE_VIEW_NOTHING)
		cJSON_DeleteItemFromObjectCaseSensitive(view, "recording");
	if (carries == PAGE_VIEW_ROW && cJSON_IsObject(recording)) {
		row = view_without(recording, PAGE_VIEW_PACKED);
		if (!cJSON_ReplaceItemInObjectCaseSensitive(view, "recording", row))
			cJSON_Delete(row);
	}
	if (cJSON_GetArraySize(charts))
		failed = add_page_points(view, charts,
		                         whole && cJSON_IsTrue(member(recording, "overview")), e);
	if (!failed && !alloc_failed())
		return view;
	cJSON_Delete(view);
	err_set(e, "no memory for the page");
	return NULL;
}

/* -- which model it is ------------------------------------------------------------------------- */

#define TEMPLATE_MAX ((size_t)16 << 20)

static const struct {
	const char *format, *words;
} many_models[OUTPUT_MANY] = {
    [OUTPUT_FLEET] = {OUTPUT_FLEET_FORMAT, "a fleet"},
    [OUTPUT_RUNS] = {OUTPUT_RUNS_FORMAT, "a list of runs"},
    [OUTPUT_PIPELINE] = {OUTPUT_PIPELINE_FORMAT, "a pipeline"},
    [OUTPUT_CI] = {OUTPUT_CI_FORMAT, "CI jobs"},
};

enum output_many render_many(const cJSON *model)
{
	const char *is = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(model, "format"));
	int i = 0;

	while (is && i < OUTPUT_MANY && strcmp(is, many_models[i].format) != 0)
		i++;
	return is ? (enum output_many)i : OUTPUT_MANY;
}

/* -- built-in formats -------------------------------------------------------------------------- */

#define LEFT_OUT "\n*The rest is left out: a comment cannot be longer.*\n"

/* Cuts at the end of a line, so that no character and no escape sequence is split. */
static void cut_at_line(struct buf *b, size_t max)
{
	size_t n = max - (sizeof LEFT_OUT - 1);

	if (b->len <= max)
		return;
	while (n && b->s[n - 1] != '\n')
		n--;
	b->len = n;
	b->s[n] = '\0';
	buf_str(b, LEFT_OUT);
}

/* With a cap, rendering stops at twice the cap: the rest would be cut anyway. */
static int write_template(const cJSON *model, const struct output_format *format, struct buf *out,
                          struct err *e)
{
	size_t n = 0;
	enum output_many many = render_many(model);
	const char *name = many < OUTPUT_MANY ? format->many[many] : format->template;
	const char *text = name && !format->text ? assets_find(NULL, name, &n) : NULL;

	if (name && format->text) {
		format->text(model, out);
		return 0;
	}
	if (!text)
		return err_set(e, "there is no %s of %s", format->template,
		               many < OUTPUT_MANY ? many_models[many].words : "a run");
	out->max = format->max ? 2 * format->max : 0;
	if (mustache_render(text, n, name, model, format->kind, &partials_built_in, out, e)) {
		if (!format->max || !out->failed || out->len <= format->max)
			return -1;
		out->failed = false;
		*e = (struct err){0};
	}
	if (format->max)
		cut_at_line(out, format->max);
	return 0;
}

/* -- the page ---------------------------------------------------------------------------------- */

#define PAGE_MAX ((size_t)1000000) /* bytes of a page with its recording */

static int write_page_with(const cJSON *model, const struct output_format *format,
                           enum page_view_carries carries, struct buf *out, struct err *e)
{
	cJSON *view = page_view(model, carries, e);
	int failed = view ? write_template(view, format, out, e) : -1;

	cJSON_Delete(view);
	return failed;
}

static int write_page(const cJSON *model, const struct output_format *format,
                      struct render_page *page, struct buf *out, struct err *e)
{
	enum page_view_carries carries = page->no_model ? PAGE_VIEW_NOTHING : PAGE_VIEW_RECORDING;
	const cJSON *recording = cJSON_GetObjectItemCaseSensitive(model, "recording");

	if (write_page_with(model, format, carries, out, e))
		return -1;
	if (out->len <= PAGE_MAX || page->no_model ||
	    !cJSON_GetObjectItemCaseSensitive(recording, PAGE_VIEW_PACKED))
		return 0;
	err_set(&page->said, "the page has no room for its recording: it carries only what a "
	                     "history and a catalog need");
	buf_clear(out);
	return write_page_with(model, format, PAGE_VIEW_ROW, out, e);
}

static int write_json(const cJSON *model, struct buf *out, struct err *e)
{
	struct json_write j = {.exponents = true};

	model_json_write(&j, NULL, model);
	buf_char(&j.b, '\n');
	if (!json_write_finish(&j)) {
		json_write_free(&j);
		return err_set(e, "the model is nested too deeply");
	}
	*out = j.b;
	return 0;
}

static int write_laid_out(const char *path, const struct buf *text, struct err *e)
{
	struct output_file o = {0};
	struct buf page = {0};
	struct terminal t;
	int failed = -1;

	if (output_file_open(&o, path, e))
		return -1;
	t = terminal_of(o.fd);
	text_layout(&page, buf_cstr(text), text->len, t.width, t.colour);
	if (text->failed || page.failed || alloc_failed())
		output_file_fail(path, "no memory", e);
	else if (output_file_write(&o, buf_cstr(&page), page.len, e) == 0)
		failed = output_file_close(&o, e);
	output_file_drop(&o);
	buf_free(&page);
	return failed;
}

int render_format(const cJSON *model, const struct output_format *format, const char *path,
                  struct render_page *page, struct err *e)
{
	char shown[STORE_SHOWN_MAX];
	struct buf out = {0};
	int failed;

	if (format == &output_formats[FORMAT_HTML])
		failed = write_page(model, format, page, &out, e);
	else if (format->template)
		failed = write_template(model, format, &out, e);
	else
		failed = write_json(model, &out, e);
	if (failed && alloc_failed())
		output_file_fail(path, "no memory", e);
	else if (failed && !format->template)
		err_wrap(e, "%s", store_address_shown(path, shown));
	if (!failed)
		failed = format->laid_out ? write_laid_out(path, &out, e)
		                          : output_file_put(path, &out, e);
	buf_free(&out);
	return failed;
}

/* -- the user's templates ---------------------------------------------------------------------- */

static int read_template(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "rbe");
	struct stat st;
	char part[8192];
	size_t n;

	if (!f)
		return -1;
	out->max = TEMPLATE_MAX;
	if (fstat(fileno(f), &st) == 0 && !S_ISDIR(st.st_mode))
		while (!out->failed && (n = fread(part, 1, sizeof part, f)) > 0)
			buf_add(out, part, n);
	else
		errno = EISDIR, out->failed = true;
	if (ferror(f))
		out->failed = true;
	fclose(f);
	return out->failed ? -1 : 0;
}

static int render_user_template(const cJSON *model, const char *template, const char *path,
                                struct err *unknown, struct err *e)
{
	struct buf text = {0}, out = {0};
	enum escape_kind kind = mustache_kind_of(template);
	bool charts = kind == ESCAPE_HTML && cJSON_IsObject(model);
	cJSON *view = charts ? page_view(model, PAGE_VIEW_ROW, e) : NULL;
	struct partials partials;
	int failed = -1;

	partials_open(&partials, template);
	partials.find.unknown = unknown;
	errno = 0;
	if (read_template(template, &text)) {
		const char *why = errno ? strerror(errno) : "larger than 16 MiB";
		err_set(e, "%s: %s", template, alloc_failed() ? "no memory" : why);
	} else if ((view || !charts) &&
	           mustache_render(buf_cstr(&text), text.len, template, view ? view : model, kind,
	                           &partials.find, &out, e) == 0)
		failed = output_file_put(path, &out, e);
	cJSON_Delete(view);
	partials_free(&partials);
	buf_free(&text);
	buf_free(&out);
	return failed;
}

int render_template(const cJSON *model, const char *spec, struct err *unknown, struct err *e)
{
	const struct output_format *format = NULL;
	struct buf template = {0};
	const char *path;
	int failed;

	if (output_format_template(spec, &template, &path))
		failed = err_set(e, "--template: \"%s\" is not TEMPLATE=FILE", spec);
	else if (*buf_cstr(&template) != '@')
		failed = render_user_template(model, buf_cstr(&template), path, unknown, e);
	else if ((format = output_format_named(buf_cstr(&template) + 1)))
		failed = render_format(model, format, path, NULL, e);
	else
		failed = err_set(e, "%s: no such template", buf_cstr(&template));
	buf_free(&template);
	return failed;
}

/* -- the groups of a fleet, or the runs -------------------------------------------------------- */

static void add_csv_text(struct buf *out, const char *text)
{
	buf_char(out, '"');
	escape_add(out, ESCAPE_CSV, text, strlen(text));
	buf_char(out, '"');
}

/* An empty cell where the value is unknown. */
static void add_csv_cell(struct buf *out, const cJSON *v)
{
	char number[32];

	if (cJSON_IsString(v))
		add_csv_text(out, v->valuestring);
	else if (cJSON_IsNumber(v))
		buf_add(out, number, json_write_number_text(v->valuedouble, number));
}

static void add_csv_line(struct buf *out, const cJSON *row)
{
	cJSON *parsed = cJSON_IsRaw(row) ? model_json_parsed(row) : NULL;
	const cJSON *cells = parsed ? parsed : row, *cell;

	cJSON_ArrayForEach (cell, cells) {
		buf_str(out, cell == cells->child ? "" : ",");
		add_csv_cell(out, cell);
	}
	buf_char(out, '\n');
	cJSON_Delete(parsed);
}

int render_table_csv(const cJSON *model, const char *path, struct err *e)
{
	const cJSON *groups = cJSON_GetObjectItemCaseSensitive(model, "groups");
	const cJSON *runs = cJSON_GetObjectItemCaseSensitive(model, "runs");
	const cJSON *own = cJSON_GetObjectItemCaseSensitive(model, "table");
	const cJSON *table = cJSON_GetObjectItemCaseSensitive(runs ? runs : groups, "table");
	const cJSON *one;
	struct buf out = {0};
	int failed;

	if (own)
		table = own;
	if (!table)
		return err_set(e, "%s: there is no CSV of this", path);
	cJSON_ArrayForEach (one, cJSON_GetObjectItemCaseSensitive(table, "columns")) {
		const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "id"));
		buf_str(&out, out.len ? "," : "");
		add_csv_text(&out, id ? id : "");
	}
	buf_char(&out, '\n');
	cJSON_ArrayForEach (one, cJSON_GetObjectItemCaseSensitive(table, "rows"))
		add_csv_line(&out, one);
	failed = out.failed || alloc_failed() ? output_file_fail(path, "no memory", e)
	                                      : output_file_put(path, &out, e);
	buf_free(&out);
	return failed;
}

/* -- the patch of CI jobs ---------------------------------------------------------------------- */

int render_ci_patch(const cJSON *model, const char *path, struct err *e)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(model, "patch"), "text"));
	struct buf out = {0};
	int failed;

	buf_str(&out, text ? text : "");
	failed = output_file_put(path, &out, e);
	buf_free(&out);
	return failed;
}

/* -- samples ----------------------------------------------------------------------------------- */

static int write_csv_piece(void *ctx, const char *p, size_t n, struct err *e)
{
	return output_file_write(ctx, p, n, e);
}

int render_csv(const struct run *run, const struct csv_table_options *o, const char *path,
               struct err *e)
{
	struct output_file out = {0};

	if (output_file_open(&out, path, e))
		return -1;
	if (csv_table_write(run, o, write_csv_piece, &out, e) == 0)
		return output_file_close(&out, e);
	output_file_drop(&out);
	return -1;
}

int render_trace(const struct run *run, const char *path, struct err *e)
{
	struct output_file out = {0};

	if (output_file_open(&out, path, e))
		return -1;
	if (trace_events_write(run, write_csv_piece, &out, e) == 0)
		return output_file_close(&out, e);
	output_file_drop(&out);
	return -1;
}
