/* model_processes: the model's "processes", of one table: single ones, sums by name, "timeline". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/chart/chart_lines.h"
#include "report/chart/chart_route.h"
#include "report/chart/chart_svg.h"
#include "report/model/model_sections.h"
#include "report/stats/allowance.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"
#include "report/units/units.h"
#include "report/verdict/verdict_path.h"

/* -- the time line ----------------------------------------------------------------------------- */

#define LANE_H        18  /* pixels of a lane, */
#define BAR_H         14  /* of a bar, */
#define ROUTE_Y       16  /* and of the critical path in it */
#define HEAD_H        16  /* above the lanes, where phases have their names */
#define FOOT_Y        14  /* below them, of the times, */
#define FOOT_H        20  /* and in all */
#define LABEL_PX      24  /* a narrower bar has no name */
#define BAR_LEAST     0.1 /* of 100: a narrower bar would be invisible */
#define NARROW        8   /* of 100: a narrower bar has no name on a narrow screen */
#define NAME_MAX      ((size_t)40)
#define COMMAND_BAR   ((size_t)100) /* of a bar */
#define WRAPPERS_SAID 4
#define SAID          5 /* programs in the sentence */
#define SAID_LEAST    0.01
#define KEY_LEAST     0.002 /* of the run: a program whose bars are shorter is not in the key */
#define BANDS_MAX     60
#define PHASE_LEAST   0.4 /* of 100, */
#define PHASE_NAMED   4   /* and to have a name */

struct timeline {
	const struct run *run;
	const struct process_tree *t;
	struct critical_path_job job;
	struct critical_path path;
	struct chart_lanes lanes;
	struct chart_time axis;
	double head; /* pixels above the lanes */
};

static const char *name_or(const char *name, const char *other)
{
	return *name ? name : other;
}

/* In percent of the picture's width. */
static double timeline_x(const struct timeline *l, double s)
{
	double x = (l->run->start + s - l->axis.from) / l->axis.span * 100;

	return x > 0 ? fmin(x, 100) : 0;
}

/* -- time line: one process -------------------------------------------------------------------- */

/* "exit 1", "signal KILL"; "" of one that succeeded, still ran, or is not known. */
static void add_ended_text(struct buf *b, const struct process_tree_node *p)
{
	if (!critical_path_failed(p))
		return;
	if (p->status < 0)
		buf_printf(b, "signal %s", snapshot_signal_name(-p->status));
	else
		buf_printf(b, "exit %d", p->status);
}

/* The wrappers around a process, "sh › gcc › ". */
static void add_wrapper_names(const struct timeline *l, struct buf *text, size_t i)
{
	const char *names[WRAPPERS_SAID];
	size_t n = 0;

	for (long at = l->t->of[i].parent; at >= 0 && l->lanes.wrapper[at] && n < WRAPPERS_SAID;
	     at = l->t->of[at].parent)
		names[n++] = l->t->of[at].name;
	while (n) {
		model_json_cut_text(text, name_or(names[--n], "unknown"), NAME_MAX);
		buf_str(text, " › ");
	}
}

static void add_bar_title(const struct timeline *l, cJSON *bar, const struct chart_lanes_bar *b)
{
	const struct process_tree_node *p = b->at >= 0 ? &l->t->of[b->at] : NULL;
	struct buf text = {0}, ended = {0};

	if (p)
		add_wrapper_names(l, &text, (size_t)b->at);
	if (p)
		buf_str(&text, name_or(p->name, "unknown"));
	else
		buf_printf(&text, "%s × %s", name_or(b->name, "others"), UNITS_COUNT(b->n));
	buf_printf(&text, ": %s to %s", UNITS_SECONDS(b->from_s), UNITS_SECONDS(b->to_s));
	if (b->cpu_s >= 0)
		buf_printf(&text, "; CPU time %s", UNITS_SECONDS(stats_round(b->cpu_s, 3)));
	if (p && p->memory_b >= 0)
		buf_printf(&text, "; peak memory %s", UNITS_TEXT(UNIT_BYTES, p->memory_b));
	if (!p && b->failed > 0)
		buf_printf(&text, "; %s failed", UNITS_COUNT(b->failed));
	if (p)
		add_ended_text(&ended, p);
	if (ended.len)
		buf_printf(&text, "; %s", buf_cstr(&ended));
	if (p && *p->command) {
		buf_str(&text, "; ");
		model_json_cut_text(&text, p->command, COMMAND_BAR);
	}
	model_json_take_cut(bar, "title", &text, MODEL_JSON_TEXT_MAX);
	buf_free(&ended);
}

static void add_lane_bar(const struct timeline *l, cJSON *bars, const struct chart_lanes_bar *b)
{
	double x = timeline_x(l, b->from_s), width = timeline_x(l, b->to_s) - x;
	bool alone = b->at >= 0;
	cJSON *bar = model_json_row(bars);
	struct buf label = {0};

	width = fmax(width, BAR_LEAST);
	model_json_number(bar, "x", stats_round(fmin(x, 100 - width), 2));
	model_json_number(bar, "width", stats_round(width, 2));
	model_json_number(bar, "y", l->head + (double)b->lane * LANE_H);
	cJSON_AddStringToObject(bar, "colour", chart_lanes_colours[b->colour]);
	cJSON_AddBoolToObject(bar, "failed", alone && b->failed > 0);
	add_bar_title(l, bar, b);
	if (width * CHART_LANES_PX / 100 >= LABEL_PX) {
		if (alone && b->failed > 0)
			buf_str(&label, "✗ ");
		model_json_cut_text(&label, name_or(b->name, alone ? "unknown" : "others"),
		                    NAME_MAX);
		if (!alone)
			buf_printf(&label, " × %s", UNITS_COUNT(b->n));
	}
	model_json_take_cut(bar, "text", &label, MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(bar, "narrow", width < NARROW);
}

/* -- time line: the picture -------------------------------------------------------------------- */

static void add_timeline_phases(const struct timeline *l, cJSON *picture)
{
	const struct phases *p = l->run->snapshot.phases;
	cJSON *all = cJSON_AddArrayToObject(picture, "phases");
	size_t shown = 0;

	for (size_t i = 0; p && i < p->n && shown < BANDS_MAX; i++) {
		double end = isnan(p->v[i].end) ? l->run->stop : p->v[i].end;
		double x = timeline_x(l, p->v[i].start - l->run->start);
		double width = timeline_x(l, end - l->run->start) - x;
		cJSON *one;
		if (!(width >= PHASE_LEAST))
			continue;
		one = model_json_row(all);
		model_json_number(one, "x", stats_round(x, 2));
		model_json_number(one, "width", stats_round(width, 2));
		cJSON_AddBoolToObject(one, "shade", shown++ % 2 == 0);
		model_json_cut(one, "text", width < PHASE_NAMED ? "" : p->v[i].name, NAME_MAX);
	}
}

static void add_timeline_picture(const struct timeline *l, cJSON *timeline)
{
	cJSON *picture = cJSON_AddObjectToObject(timeline, "picture"), *bars;
	struct buf route = {0};

	model_json_number(picture, "from", l->axis.from);
	model_json_number(picture, "span", l->axis.span);
	model_json_number(picture, "height", l->head + (double)l->lanes.lanes * LANE_H);
	model_json_number(picture, "foot", l->head + (double)l->lanes.lanes * LANE_H + FOOT_Y);
	model_json_number(picture, "room", l->head + (double)l->lanes.lanes * LANE_H + FOOT_H);
	model_json_number(picture, "bar", BAR_H);
	chart_lines_times(cJSON_AddArrayToObject(picture, "ticks"), l->axis.span);
	add_timeline_phases(l, picture);
	bars = cJSON_AddArrayToObject(picture, "bars");
	for (size_t i = 0; i < l->lanes.n; i++)
		add_lane_bar(l, bars, &l->lanes.bar[i]);
	chart_route_path(&l->lanes, &l->path, l->axis.from - l->run->start, l->axis.span, LANE_H,
	                 l->head + ROUTE_Y, &route);
	model_json_take(picture, "route", &route);
}

static bool is_drawn(const struct timeline *l, size_t colour)
{
	for (size_t i = 0; i < l->lanes.n; i++)
		if (l->lanes.bar[i].colour == colour &&
		    l->lanes.bar[i].to_s - l->lanes.bar[i].from_s >= KEY_LEAST * l->job.duration_s)
			return true;
	return false;
}

static void add_timeline_key(const struct timeline *l, cJSON *timeline)
{
	cJSON *key = cJSON_AddArrayToObject(timeline, "key");

	for (size_t i = 0; i < l->lanes.programs && i < CHART_LANES_COLOURS; i++) {
		const struct chart_lanes_program *p = &l->lanes.program[i];
		double share = p->on_s / l->job.duration_s;
		cJSON *one;
		if (!*p->name)
			break;
		if (!is_drawn(l, i))
			continue;
		one = model_json_row(key);
		cJSON_AddStringToObject(one, "colour", chart_lanes_colours[i]);
		model_json_cut(one, "name", p->name, NAME_MAX);
		model_json_quantity(one, "n", UNIT_COUNT, p->n);
		model_json_as_text(one, "path", UNIT_SECONDS, stats_round(p->on_s, 3),
		                   share >= SAID_LEAST ? UNITS_SHARE(share) : "");
	}
}

/* -- time line: sentences ---------------------------------------------------------------------- */

/* "cc1 63% of the time, ld 7%": shares of the run. */
static void add_path_text(const struct timeline *l, cJSON *timeline)
{
	struct buf text = {0};
	size_t said = 0;

	for (size_t i = 0; i < l->lanes.programs && said < SAID; i++) {
		const struct chart_lanes_program *p = &l->lanes.program[i];
		double share = p->on_s / l->job.duration_s;
		if (share < SAID_LEAST)
			continue;
		buf_str(&text, said ? ", " : "");
		model_json_cut_text(&text, name_or(p->name, "unknown"), NAME_MAX);
		buf_printf(&text, " %s%s", UNITS_SHARE(share), said++ ? "" : " of the time");
	}
	if (!said)
		buf_str(&text, "many short processes");
	model_json_take_cut(timeline, "path", &text, MODEL_JSON_TEXT_MAX);
	verdict_path_last(l->run, &l->path, &text);
	model_json_take_cut(timeline, "last", &text, MODEL_JSON_TEXT_MAX);
}

static void add_wrapper_text(const struct timeline *l, cJSON *timeline)
{
	bool any = false;

	for (size_t i = 0; i < l->t->kept; i++)
		any |= l->lanes.wrapper[i];
	cJSON_AddStringToObject(timeline, "left_out",
	                        any ? "Those that only waited for one child after another, as a "
	                              "shell may, are not drawn."
	                            : "");
}

/* -- time line: the whole ---------------------------------------------------------------------- */

/* Whether there is one. */
static bool make_timeline(struct timeline *l, struct chart_grid *grid)
{
	return verdict_path_job(l->run, &l->job) && chart_grid_make(grid, l->run) == 0 &&
	       critical_path_of(l->t, &l->job, &l->path) == 0 &&
	       chart_lanes_make(l->t, &l->job, &l->path, &l->lanes) == 0;
}

static void add_timeline(struct timeline *l, const struct chart_grid *grid, cJSON *timeline)
{
	l->axis = chart_svg_time(l->run, grid);
	l->head = l->run->snapshot.phases && l->run->snapshot.phases->n ? HEAD_H : 0;
	add_wrapper_text(l, timeline);
	add_path_text(l, timeline);
	add_timeline_key(l, timeline);
	add_timeline_picture(l, timeline);
}

/* -- the table --------------------------------------------------------------------------------- */

#define TOP          ((size_t)25)  /* rows for CPU time, and as many for memory */
#define TOP_PATH     ((size_t)6)   /* for time on the critical path, and of those that failed */
#define SHOWN        ((size_t)10)  /* rows that stand open; the others are on demand */
#define NAMES        ((size_t)30)  /* names; the others become one row */
#define COMMAND_MAX  ((size_t)256) /* bytes: more than the recorder keeps */
#define PATH_LEAST   0.01          /* of the run: a shorter time is no reason to be listed */
#define STATES_LEAST 0.5           /* of the CPU time of a name: of less, states say too little */
#define NOBODY_LEAST 0.001         /* of the job's CPU time: less is rounding */
#define HIDDEN_MOST  0.2           /* of that: less does not explain it */
#define UNKNOWN_TEXT "–"

/* How a process is among the rows. */
enum { BY_CPU = 1, BY_MEMORY = 2, BY_PATH = 4, BY_FAILURE = 8, IS_SHOWN = 16 };

struct table {
	const struct timeline *l;
	const struct run *run;
	const struct process_tree *t;
	bool drawn;        /* it has a time line */
	double job_cpu_s;  /* NAN: unknown. At least .cpu_s, so that no share is above 100 % */
	double excess_s;   /* CPU time of the processes beyond the job's; 0: none */
	double cpu_s;      /* of all processes of the table */
	double unknown;    /* processes whose CPU time is not known */
	double hidden_s;   /* the most CPU time that these, and those of which only a part is known,
	                    * can have used beside it */
	unsigned char *by; /* of each process */
	long most_cpu, most_memory;
};

static bool is_by_events(const struct process_tree *t)
{
	return strcmp(t->source, PROCESS_TREE_EVENTS) == 0;
}

static double zero_if_unknown(double v)
{
	return isnan(v) ? 0 : v;
}

/* "–" of what is not known. */
static void add_or_dash(cJSON *row, const char *key, enum unit u, double v)
{
	if (isnan(v))
		model_json_as_text(row, key, u, v, UNKNOWN_TEXT);
	else
		model_json_quantity(row, key, u, v);
}

static void add_cpu_share(cJSON *row, const struct table *t, double cpu_s)
{
	double share = cpu_s / t->job_cpu_s;

	add_or_dash(row, "cpu_share", UNIT_PERCENT, share > 1 ? 100 : stats_round(share * 100, 1));
}

/* -- the table: a row -------------------------------------------------------------------------- */

/* "≥" of a bound; "–" where nothing is known. */
static void add_cpu_time(cJSON *row, double cpu_s, bool is_bound)
{
	char text[UNITS_SIZE + 8];

	if (!is_bound || !(cpu_s > 0)) {
		add_or_dash(row, "cpu", UNIT_SECONDS,
		            is_bound ? (double)NAN : stats_round(cpu_s, 6));
		return;
	}
	snprintf(text, sizeof text, "≥ %s", UNITS_SECONDS(stats_round(cpu_s, 6)));
	model_json_as_text(row, "cpu", UNIT_SECONDS, stats_round(cpu_s, 6), text);
}

/* Where some times are exact, those that are not are said to be bounds. */
static bool cpu_is_bound(const struct table *t, const struct process_tree_node *p)
{
	return is_by_events(t->t) && !isnan(p->cpu_s) && !(p->cpu_exact > 0);
}

static void add_cpu(cJSON *row, const struct table *t, const struct process_tree_node *p)
{
	add_cpu_time(row, p->cpu_s, cpu_is_bound(t, p));
	if (isnan(p->cpu_s))
		cJSON_AddNullToObject(row, "cpu_from");
	else
		cJSON_AddStringToObject(row, "cpu_from", p->cpu_exact > 0 ? "events" : "samples");
	add_cpu_share(row, t, p->cpu_s);
}

/* "exit" is "0" or "KILL", and "ended" is "exit 0" or "signal KILL". */
static void add_exit_status(cJSON *row, const struct process_tree_node *p)
{
	bool known = p->status != PROCESS_TREE_NO_STATUS;
	char code[16] = "";
	const char *name = known && p->status < 0 ? snapshot_signal_name(-p->status) : code;

	if (known && p->status >= 0)
		snprintf(code, sizeof code, "%d", p->status);
	cJSON_AddStringToObject(row, "exit", name);
	model_json_printf(row, "ended", "%s%s",
	                  !*name          ? ""
	                  : p->status < 0 ? "signal "
	                                  : "exit ",
	                  name);
	cJSON_AddBoolToObject(row, "failed", critical_path_failed(p));
}

static void add_row_states(cJSON *row, const struct snapshot_process *p)
{
	double none[STATES_N];
	struct state_use states;

	for (int k = 0; k < STATES_N; k++)
		none[k] = NAN;
	states = state_use_of_seconds(p ? p->states_s : none);
	model_states_bar(row, &states, p && p->n_waits ? &p->waits[0] : NULL);
}

/* A process that was still alive at the end of the run has no end; its duration ends with the
 * run. */
static void add_process_row(cJSON *rows, const struct table *t, size_t i, size_t rank)
{
	const struct process_tree_node *p = &t->t->of[i];
	const struct snapshot_process *s = p->sampled;
	double start = t->run->start + p->start_s, end = t->run->start + p->end_s;
	double length = (isnan(end) ? t->run->stop : end) - start;
	cJSON *row = model_json_row(rows);

	cJSON_AddNumberToObject(row, "rank", (double)rank);
	model_json_number(row, "pid", p->pid >= 0 ? p->pid : (double)NAN);
	model_json_number(row, "ppid", p->parent >= 0 ? t->t->of[p->parent].pid : (double)NAN);
	model_json_cut(row, "name", name_or(p->name, "(no name)"), MODEL_JSON_NAME_MAX);
	model_json_cut(row, "command", p->command, COMMAND_MAX);
	model_json_cut(row, "node", s && s->node ? s->node : "", MODEL_JSON_NAME_MAX);
	model_json_time(row, "start", start);
	model_json_time(row, "end", end);
	add_or_dash(row, "from", UNIT_SECONDS, p->start_s < 0 ? 0 : stats_round(p->start_s, 3));
	add_or_dash(row, "duration", UNIT_SECONDS,
	            length >= 0 ? stats_round(length, 6) : (double)NAN);
	add_cpu(row, t, p);
	add_or_dash(row, "memory", UNIT_BYTES, process_tree_memory(p));
	add_or_dash(row, "read", UNIT_BYTES, s ? s->read_b : (double)NAN);
	add_or_dash(row, "write", UNIT_BYTES, s ? s->write_b : (double)NAN);
	if (t->drawn && !(t->l->path.on_s[i] > 0))
		model_json_as_text(row, "path", UNIT_SECONDS, 0, "");
	else
		add_or_dash(row, "path", UNIT_SECONDS,
		            t->drawn ? stats_round(t->l->path.on_s[i], 3) : (double)NAN);
	add_exit_status(row, p);
	cJSON_AddBoolToObject(row, "top_cpu", (long)i == t->most_cpu);
	cJSON_AddBoolToObject(row, "top_memory", (long)i == t->most_memory);
	add_row_states(row, s);
}

/* -- the table: which rows --------------------------------------------------------------------- */

struct ranked {
	size_t at;
	double by;
};

static int by_most(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->by != y->by)
		return x->by > y->by ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* How strong a reason is to list a process; below 0: it is none. */
static double reason_of(const struct table *t, size_t i, int reason)
{
	const struct process_tree_node *p = &t->t->of[i];
	double on_s = t->drawn && !t->l->lanes.wrapper[i] ? t->l->path.on_s[i] : 0;

	switch (reason) {
	case BY_CPU:
		return zero_if_unknown(p->cpu_s);
	case BY_MEMORY:
		return zero_if_unknown(process_tree_memory(p));
	case BY_PATH:
		return t->drawn && on_s >= PATH_LEAST * t->l->job.duration_s ? on_s : -1;
	default: /* signals first */
		return critical_path_failed(p)
		           ? zero_if_unknown(p->cpu_s) + (p->status < 0 ? 1e9 : 0)
		           : -1;
	}
}

/* Marks the first ones of each reason, and of CPU time and memory in turns those that stand open.
 * Leaves in v the order by CPU time. */
static void mark_rows(struct table *t, struct ranked *v)
{
	static const int reasons[] = {BY_FAILURE, BY_PATH, BY_MEMORY, BY_CPU};
	size_t n = t->t->kept, shown = 0, order[2][SHOWN];

	for (size_t r = 0; r < sizeof reasons / sizeof *reasons; r++) {
		size_t most = reasons[r] <= BY_MEMORY ? TOP : TOP_PATH;
		for (size_t i = 0; i < n; i++)
			v[i] = (struct ranked){i, reason_of(t, i, reasons[r])};
		qsort(v, n, sizeof *v, by_most);
		for (size_t i = 0; i < n && i < most && v[i].by >= 0; i++)
			t->by[v[i].at] |= (unsigned char)reasons[r];
		for (size_t i = 0; i < n && i < SHOWN && reasons[r] <= BY_MEMORY; i++)
			order[reasons[r] - 1][i] = v[i].at;
		if (n > 1 && v[0].by > 0 && reasons[r] <= BY_MEMORY)
			*(reasons[r] == BY_CPU ? &t->most_cpu : &t->most_memory) = (long)v[0].at;
	}
	for (size_t i = 0; i < 2 * SHOWN && i / 2 < n && shown < SHOWN; i++) {
		unsigned char *by = &t->by[order[i % 2][i / 2]];
		shown += !(*by & IS_SHOWN);
		*by |= IS_SHOWN;
	}
}

static void add_process_rows(cJSON *processes, struct table *t)
{
	struct ranked *v = alloc_failed_note(calloc(t->t->kept + 1, sizeof *v));
	cJSON *rows = cJSON_AddArrayToObject(processes, "rows");
	cJSON *more = cJSON_AddArrayToObject(processes, "more");
	bool states = false, bytes = false;
	size_t rank = 0;

	if (v)
		mark_rows(t, v);
	for (size_t i = 0; v && i < t->t->kept; i++) {
		const struct snapshot_process *s = t->t->of[v[i].at].sampled;
		unsigned char by = t->by[v[i].at];
		if (!by)
			continue;
		add_process_row(by & IS_SHOWN ? rows : more, t, v[i].at, ++rank);
		states |= s && state_use_of_seconds(s->states_s).known;
		bytes |= s && (!isnan(s->read_b) || !isnan(s->write_b));
	}
	free(v);
	cJSON_AddBoolToObject(processes, "has_more", cJSON_GetArraySize(more) > 0);
	cJSON_AddBoolToObject(processes, "has_states", states);
	cJSON_AddBoolToObject(processes, "has_bytes", bytes);
	cJSON_AddBoolToObject(processes, "has_path", t->drawn);
	model_json_printf(
	    processes, "shown",
	    "%d more of %s processes: most CPU time or memory, longest on the critical "
	    "path, failed",
	    cJSON_GetArraySize(more), UNITS_COUNT(t->t->n));
}

/* -- the table: sums by name ------------------------------------------------------------------- */

/* Memory is the largest single peak: the processes may not have lived at the same time. */
struct name_sum {
	const char *name;
	double n, cpu_s, memory_b;
	bool is_bound;                 /* some used more, or it is not known what they used */
	double states_s[STATES_N];     /* of those whose states are known, */
	double states_cpu_s, states_n; /* and their CPU time and number */
};

struct named {
	const char *name;
	long at; /* a process; a group is −1 minus its index */
};

static int by_program(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int names = strcmp(x->name, y->name);

	return names ? names : (x->at > y->at) - (x->at < y->at);
}

static int by_sum(const void *a, const void *b)
{
	const struct name_sum *x = a, *y = b;

	if (x->cpu_s != y->cpu_s)
		return x->cpu_s > y->cpu_s ? -1 : 1;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void add_to_sum(struct name_sum *sum, const struct name_sum *more)
{
	sum->n += more->n;
	sum->cpu_s += more->cpu_s;
	sum->is_bound |= more->is_bound;
	sum->states_cpu_s += more->states_cpu_s;
	sum->states_n += more->states_n;
	if (isnan(sum->memory_b) || more->memory_b > sum->memory_b)
		sum->memory_b = more->memory_b;
	for (int k = 0; k < STATES_N; k++)
		sum->states_s[k] += more->states_s[k];
}

static struct name_sum sum_of_group(const struct table *t, const struct process_tree_group *g)
{
	return (struct name_sum){.name = g->name,
	                         .n = g->n,
	                         .cpu_s = g->cpu_s,
	                         .is_bound = is_by_events(t->t) && !(g->cpu_exact > 0),
	                         .memory_b = g->memory_b};
}

static struct name_sum sum_of_process(const struct table *t, const struct process_tree_node *p)
{
	struct name_sum one = {.name = p->name,
	                       .n = 1,
	                       .cpu_s = zero_if_unknown(p->cpu_s),
	                       .memory_b = process_tree_memory(p)};

	one.is_bound = isnan(p->cpu_s) || cpu_is_bound(t, p);
	if (!p->sampled || !state_use_of_seconds(p->sampled->states_s).known)
		return one;
	memcpy(one.states_s, p->sampled->states_s, sizeof one.states_s);
	one.states_cpu_s = one.cpu_s;
	one.states_n = 1;
	return one;
}

static void add_name_states(cJSON *row, const struct name_sum *sum)
{
	bool enough = sum->states_n >= sum->n ||
	              (sum->cpu_s > 0 && sum->states_cpu_s >= STATES_LEAST * sum->cpu_s);
	struct state_use states = state_use_of_seconds(sum->states_s);

	states.known = states.known && sum->states_n > 0 && enough;
	model_states_bar(row, &states, NULL);
}

static void add_name_row(cJSON *rows, const struct table *t, const struct name_sum *sum, bool rest)
{
	cJSON *row = model_json_row(rows);

	model_json_cut(row, "name", rest ? "all others" : sum->name, MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(row, "rest", rest);
	add_or_dash(row, "count", UNIT_COUNT, sum->n);
	add_cpu_time(row, sum->cpu_s, sum->is_bound);
	add_cpu_share(row, t, sum->is_bound && !(sum->cpu_s > 0) ? (double)NAN : sum->cpu_s);
	add_or_dash(row, "memory", UNIT_BYTES, sum->memory_b);
	add_name_states(row, sum);
}

/* A difference between the job's CPU time and that of all processes of the table; 0: none that
 * counts, or not known. */
static double beyond_rounding(const struct table *t, double s)
{
	return s >= NOBODY_LEAST * t->job_cpu_s && s >= 0.01 ? s : 0;
}

/* CPU time of the job that is at no process of the table. */
static double nobody_s(const struct table *t)
{
	return beyond_rounding(t, t->job_cpu_s - t->cpu_s);
}

static bool by_perf(const struct process_tree *t)
{
	return t->kernel && strcmp(t->kernel, PROCESS_TREE_PERF) == 0;
}

/* Every process is there with its CPU time until its end, but for too little to explain
 * nobody_s(). */
static bool counts_all(const struct table *t)
{
	return is_by_events(t->t) && by_perf(t->t) && t->hidden_s <= HIDDEN_MOST * nobody_s(t);
}

static void add_nobody_row(cJSON *rows, const struct table *t)
{
	cJSON *row = model_json_row(rows);

	cJSON_AddStringToObject(row, "name",
	                        counts_all(t) ? "start and end of processes" : "unknown processes");
	cJSON_AddBoolToObject(row, "rest", true);
	add_or_dash(row, "count", UNIT_COUNT, NAN);
	add_or_dash(row, "cpu", UNIT_SECONDS, stats_round(nobody_s(t), 6));
	add_cpu_share(row, t, nobody_s(t));
	add_or_dash(row, "memory", UNIT_BYTES, NAN);
	cJSON_AddNullToObject(row, "states");
}

/* Sums of equal names, in their order; returns how many. */
static size_t sum_names(const struct table *of, struct named *v, struct name_sum *sums)
{
	const struct process_tree *t = of->t;
	size_t all = t->kept + t->n_groups, n = 0;

	for (size_t i = 0; i < all; i++)
		v[i] = i < t->kept
		           ? (struct named){t->of[i].name, (long)i}
		           : (struct named){t->groups[i - t->kept].name, -1 - (long)(i - t->kept)};
	qsort(v, all, sizeof *v, by_program);
	for (size_t i = 0; i < all; i++) {
		struct name_sum one = v[i].at >= 0 ? sum_of_process(of, &t->of[v[i].at])
		                                   : sum_of_group(of, &t->groups[-1 - v[i].at]);
		if (n && strcmp(sums[n - 1].name, one.name) == 0)
			add_to_sum(&sums[n - 1], &one);
		else
			sums[n++] = one;
	}
	return n;
}

/* A process whose name nobody knows is one of the others. */
static void add_name_rows(cJSON *processes, struct table *t)
{
	size_t all = t->t->kept + t->t->n_groups, n = 0, listed = 0;
	struct named *v = alloc_failed_note(calloc(all + 1, sizeof *v));
	struct name_sum *sums = alloc_failed_note(calloc(all + 1, sizeof *sums));
	struct name_sum rest = {.name = "", .memory_b = NAN};
	cJSON *names = cJSON_AddArrayToObject(processes, "names");
	cJSON *more = cJSON_AddArrayToObject(processes, "more_names");
	double counted = 0;

	if (v && sums)
		n = sum_names(t, v, sums);
	qsort(sums, n, sizeof *sums, by_sum);
	for (size_t i = 0; i < n; i++) {
		counted += sums[i].n;
		if (*sums[i].name && listed < NAMES)
			add_name_row(listed++ < SHOWN ? names : more, t, &sums[i], false);
		else
			add_to_sum(&rest, &sums[i]);
	}
	rest.n += fmax(t->t->n - counted, 0);
	if (rest.n > 0)
		add_name_row(listed < SHOWN ? names : more, t, &rest, true);
	if (nobody_s(t) > 0)
		add_nobody_row(names, t);
	cJSON_AddBoolToObject(processes, "has_more_names", cJSON_GetArraySize(more) > 0);
	cJSON_AddBoolToObject(processes, "grouped",
	                      counted > (double)n || (rest.n > 0 && listed > 0));
	free(v);
	free(sums);
}

/* -- the table: sentences ---------------------------------------------------------------------- */

/* perf events count while a process is on a CPU; the accounts of a job do so without what an
 * interrupt or the hypervisor takes meanwhile (docs/design.md). */
static void say_excess(const struct table *t, struct buf *b)
{
	bool perf = by_perf(t->t), cgroup = !isnan(t->run->snapshot.totals.cgroup_cpu_s);

	if (!(t->excess_s > 0))
		return;
	buf_printf(b, " That is %s (%s) more than the job's own CPU time",
	           UNITS_SECONDS(t->excess_s),
	           UNITS_PERCENT(stats_round(t->excess_s / t->job_cpu_s * 100, 1)));
	if (perf)
		buf_printf(b, ", which has no interrupts%s no time that the hypervisor took",
		           cgroup ? " and" : ",");
	if (!cgroup)
		buf_printf(b, "%s no processes that were not waited for",
		           perf ? " and" : ", which has");
	buf_str(b, perf || !cgroup ? "." : ": the kernel counts processes in ticks.");
}

static void say_nobody(const struct table *t, struct buf *b)
{
	double s = nobody_s(t), share = stats_round(s / t->job_cpu_s * 100, 1);
	const struct process_tree *tree = t->t;

	if (s > 0 && !is_by_events(tree) && t->unknown <= 0)
		buf_printf(b,
		           " Another %s (%s) was used by processes that began and ended between "
		           "two samples, and after the last sample of each.",
		           UNITS_SECONDS(s), UNITS_PERCENT(share));
	else if (s > 0 && counts_all(t))
		buf_printf(b, " The kernel used another %s (%s) to start and end them%s.",
		           UNITS_SECONDS(s), UNITS_PERCENT(share),
		           t->hidden_s > 0 ? ", or most of that" : "");
	else if (s > 0)
		buf_printf(b, " The job used another %s (%s); by which processes is unknown.",
		           UNITS_SECONDS(s), UNITS_PERCENT(share));
	say_excess(t, b);
	if (is_by_events(tree) && t->unknown > 0)
		buf_printf(b, " The CPU time of %s process%s is unknown%s.",
		           UNITS_COUNT(t->unknown), t->unknown > 1 ? "es" : "",
		           tree->kernel && strcmp(tree->kernel, PROCESS_TREE_CONNECTOR) == 0
		               ? ": the kernel's process connector does not report it"
		               : "");
	if (tree->refused && *tree->refused && (s > 0 || t->unknown > 0)) {
		buf_str(b, " Exact times by perf events: ");
		model_json_cut_text(b, tree->refused, MODEL_JSON_NAME_MAX);
		buf_char(b, '.');
	}
}

static void add_process_summary(cJSON *processes, const struct table *t)
{
	const struct process_tree *tree = t->t;
	bool all = is_by_events(tree), one = tree->n == 1;
	struct buf b = {0};

	if (all && one)
		buf_str(&b, "One process");
	else
		buf_printf(&b, "%s%s process%s%s", all ? "All " : "", UNITS_COUNT(tree->n),
		           one ? "" : "es",
		           all   ? ""
		           : one ? " was seen"
		                 : " were seen");
	if (t->cpu_s > 0)
		buf_printf(&b, ", which used %s of CPU time", UNITS_SECONDS(t->cpu_s));
	buf_char(&b, '.');
	say_nobody(t, &b);
	if (!all && *tree->why && t->run->snapshot.meta.children) {
		buf_str(&b, " Shorter ones are missing: ");
		model_json_cut_text(&b, tree->why, MODEL_JSON_TEXT_MAX / 2);
		buf_char(&b, '.');
	}
	if (tree->n > (double)tree->kept && !tree->largest)
		buf_printf(&b, " The %s longest are known one by one, the others as sums.",
		           UNITS_COUNT((double)tree->kept));
	model_json_take_cut(processes, "summary", &b, MODEL_JSON_TEXT_MAX);
}

/* -- the whole --------------------------------------------------------------------------------- */

static double hidden_s(const struct table *t, const struct process_tree_node *p)
{
	double lived_s = (isnan(p->end_s) ? t->run->stop - t->run->start : p->end_s) - p->start_s;

	if (p->cpu_exact > 0 && !isnan(p->cpu_s))
		return 0;
	/* All CPUs, as long as it lived. */
	lived_s *= allowance_machine_cpus(t->run);
	return lived_s >= 0 ? lived_s : INFINITY;
}

static void add_process_table(cJSON *processes, struct table *t)
{
	for (size_t i = 0; i < t->t->kept; i++) {
		t->cpu_s += zero_if_unknown(t->t->of[i].cpu_s);
		t->unknown += isnan(t->t->of[i].cpu_s);
		t->hidden_s += hidden_s(t, &t->t->of[i]);
	}
	for (size_t i = 0; i < t->t->n_groups; i++) {
		t->cpu_s += t->t->groups[i].cpu_s;
		if (!(t->t->groups[i].cpu_exact > 0))
			t->hidden_s = INFINITY;
	}
	t->job_cpu_s = usage_cpu_seconds(t->run);
	t->excess_s = beyond_rounding(t, t->cpu_s - t->job_cpu_s);
	if (!(t->job_cpu_s > t->cpu_s) && t->cpu_s > 0)
		t->job_cpu_s = t->cpu_s;
	add_process_summary(processes, t);
	add_name_rows(processes, t);
	add_process_rows(processes, t);
}

void model_processes_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	struct timeline l = {.run = run, .t = run->snapshot.tree};
	struct table t = {.l = &l, .run = run, .t = l.t, .most_cpu = -1, .most_memory = -1};
	cJSON *processes = cJSON_AddObjectToObject(model, "processes");
	cJSON *timeline = cJSON_AddObjectToObject(model, "timeline");
	struct chart_grid grid = {0};
	bool known = t.t && t.t->kept + t.t->n_groups;

	t.by = known ? alloc_failed_note(calloc(t.t->kept + 1, 1)) : NULL;
	t.drawn = make_timeline(&l, &grid);
	cJSON_AddBoolToObject(processes, "known", t.by != NULL);
	if (t.by)
		add_process_table(processes, &t);
	cJSON_AddBoolToObject(timeline, "known", t.drawn);
	if (t.drawn)
		add_timeline(&l, &grid, timeline);
	free(t.by);
	chart_grid_free(&grid);
	chart_lanes_free(&l.lanes);
	critical_path_free(&l.path);
}
