/* model_processes: the model's "processes", their sums by name, and their "timeline". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/chart/chart_lines.h"
#include "report/chart/chart_route.h"
#include "report/chart/chart_svg.h"
#include "report/model/model_sections.h"
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
#define COMMAND_ROW   ((size_t)70)  /* of a row */
#define ROWS_OF       6             /* of the table: longest on the path, longest, failed */
#define ROW_LEAST     0.01          /* of the run: a shorter time is no reason to be listed */
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

/* Which processes are in it. */
static void add_source_text(const struct timeline *l, cJSON *timeline)
{
	const struct process_tree *t = l->t;
	bool all = strcmp(t->source, PROCESS_TREE_EVENTS) == 0;
	struct buf text = {0};

	buf_printf(&text, "%s %s processes%s.", all ? "All" : "The", UNITS_COUNT(t->n),
	           all ? "" : " that samples saw");
	if (!all) {
		buf_str(&text, " Shorter ones are missing");
		if (*t->why)
			buf_printf(&text, ": %s", t->why);
		buf_char(&text, '.');
	}
	for (size_t i = 0; i < t->kept; i++)
		if (l->lanes.wrapper[i]) {
			buf_str(&text, " Those that only waited for one child after another, as a "
			               "shell may, are not drawn.");
			break;
		}
	if (t->n > (double)t->kept)
		buf_printf(&text, " The %s longest are known one by one, the others as sums.",
		           UNITS_COUNT((double)t->kept));
	model_json_take_cut(timeline, "source", &text, MODEL_JSON_TEXT_MAX);
}

/* -- time line: the table ---------------------------------------------------------------------- */

struct timeline_row {
	size_t at;
	double by;
};

static int by_most(const void *a, const void *b)
{
	const struct timeline_row *x = a, *y = b;

	if (x->by != y->by)
		return x->by > y->by ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static double lived_s(const struct timeline *l, size_t i)
{
	return critical_path_end_s(&l->t->of[i], &l->job) -
	       critical_path_start_s(&l->t->of[i], &l->job);
}

/* How strong a reason is to list a process; 0: it is none. */
static double reason_of(const struct timeline *l, size_t i, int reason)
{
	const struct process_tree_node *p = &l->t->of[i];
	double s = reason == 0 ? l->path.on_s[i] : lived_s(l, i);

	if (reason < 2)
		return s >= ROW_LEAST * l->job.duration_s && !l->lanes.wrapper[i] ? s : 0;
	if (!critical_path_failed(p))
		return 0;
	/* Signals first. */
	return s + (p->status < 0 ? 2 : 1) * l->job.duration_s;
}

static void add_timeline_row(const struct timeline *l, cJSON *rows, size_t i)
{
	const struct process_tree_node *p = &l->t->of[i];
	struct buf ended = {0};
	cJSON *row = model_json_row(rows);

	model_json_cut(row, "name", name_or(p->name, "unknown"), MODEL_JSON_NAME_MAX);
	model_json_number(row, "pid", p->pid);
	model_json_cut(row, "command", p->command, COMMAND_ROW);
	model_json_quantity(row, "start", UNIT_SECONDS, critical_path_start_s(p, &l->job));
	model_json_quantity(row, "duration", UNIT_SECONDS, stats_round(lived_s(l, i), 3));
	model_json_quantity(row, "path", UNIT_SECONDS, stats_round(l->path.on_s[i], 3));
	model_json_quantity(row, "cpu", UNIT_SECONDS, p->cpu_s);
	model_json_quantity(row, "memory", UNIT_BYTES, p->memory_b);
	if (isnan(p->end_s))
		buf_str(&ended, "still ran");
	else if (p->status == 0)
		buf_str(&ended, "exit 0");
	else
		add_ended_text(&ended, p);
	cJSON_AddStringToObject(row, "ended", ended.len ? buf_cstr(&ended) : "unknown");
	cJSON_AddBoolToObject(row, "failed", critical_path_failed(p));
	buf_free(&ended);
}

static int by_row_start(const void *a, const void *b)
{
	const struct timeline_row *x = a, *y = b;

	if (x->by != y->by)
		return x->by < y->by ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* Rows in the order of their starts. */
static void add_timeline_rows(const struct timeline *l, cJSON *timeline)
{
	struct timeline_row *v = alloc_failed_note(calloc(l->t->kept + 1, sizeof *v));
	struct timeline_row shown[3 * ROWS_OF];
	cJSON *rows = cJSON_AddArrayToObject(timeline, "rows");
	size_t n = 0;

	for (int reason = 0; v && reason < 3; reason++) {
		for (size_t i = 0; i < l->t->kept; i++)
			v[i] = (struct timeline_row){i, reason_of(l, i, reason)};
		qsort(v, l->t->kept, sizeof *v, by_most);
		for (size_t i = 0; i < ROWS_OF && i < l->t->kept && v[i].by > 0; i++) {
			size_t k = 0;
			while (k < n && shown[k].at != v[i].at)
				k++;
			if (k == n)
				shown[n++] = (struct timeline_row){
				    v[i].at, critical_path_start_s(&l->t->of[v[i].at], &l->job)};
		}
	}
	free(v);
	qsort(shown, n, sizeof *shown, by_row_start);
	for (size_t i = 0; i < n; i++)
		add_timeline_row(l, rows, shown[i].at);
	model_json_printf(timeline, "shown",
	                  "%zu of %s processes%s: those with most time on the critical path, the "
	                  "longest, and failed ones",
	                  n, UNITS_COUNT(l->t->n), (double)n < l->t->n ? "" : " (all)");
}

/* -- time line: the whole ---------------------------------------------------------------------- */

void model_processes_timeline(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	struct timeline l = {.run = run, .t = run->snapshot.tree};
	cJSON *timeline = cJSON_AddObjectToObject(model, "timeline");
	struct chart_grid grid = {0};
	bool known = verdict_path_job(run, &l.job) && chart_grid_make(&grid, run) == 0 &&
	             critical_path_of(l.t, &l.job, &l.path) == 0 &&
	             chart_lanes_make(l.t, &l.job, &l.path, &l.lanes) == 0;

	cJSON_AddBoolToObject(timeline, "known", known);
	if (known) {
		l.axis = chart_svg_time(run, &grid);
		l.head = run->snapshot.phases && run->snapshot.phases->n ? HEAD_H : 0;
		add_source_text(&l, timeline);
		add_path_text(&l, timeline);
		add_timeline_key(&l, timeline);
		add_timeline_picture(&l, timeline);
		add_timeline_rows(&l, timeline);
	}
	chart_grid_free(&grid);
	chart_lanes_free(&l.lanes);
	critical_path_free(&l.path);
}

/* -- processes --------------------------------------------------------------------------------- */

#define TOP          ((size_t)25)  /* processes shown for CPU time, and as many for memory */
#define COMMANDS_MAX ((size_t)30)  /* names; the others become one row */
#define COMMAND_MAX  ((size_t)256) /* bytes: more than the recorder keeps */
#define BAR_MIN      0.5           /* of 100: a shorter bar would be invisible */
#define TICKS        3             /* most steps on the timeline's axis */
#define ALL_MAX      ((size_t)2 * SNAPSHOT_PROCESSES_MAX)

/* A row of the table, or of the sums by name. */
struct process_entry {
	struct snapshot_process p;
	size_t order; /* in the recording: breaks ties when sorting */
	bool shown, top_cpu, top_memory;
};

static double or_0(double v)
{
	return isnan(v) ? 0 : v;
}

/* a + b, where NAN (unknown) counts as 0; NAN if both are. */
static double add_known(double a, double b)
{
	return isnan(a) ? b : a + or_0(b);
}

static double larger_known(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

/* PSS, which divides shared pages among their processes; RSS if PSS could not be read. */
static double peak_memory_b(const struct snapshot_process *p)
{
	return isnan(p->peak_pss_b) ? p->peak_rss_b : p->peak_pss_b;
}

static int order_descending(double x, double y, const struct process_entry *a,
                            const struct process_entry *b)
{
	if (or_0(x) != or_0(y))
		return or_0(x) < or_0(y) ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

static int order_by_cpu(const void *a, const void *b)
{
	const struct process_entry *x = a, *y = b;

	return order_descending(x->p.cpu_s, y->p.cpu_s, x, y);
}

static int order_by_memory(const void *a, const void *b)
{
	const struct process_entry *x = a, *y = b;

	return order_descending(peak_memory_b(&x->p), peak_memory_b(&y->p), x, y);
}

static int order_by_name(const void *a, const void *b)
{
	const struct process_entry *x = a, *y = b;
	int names = strcmp(x->p.name, y->p.name);

	return names ? names : (x->order > y->order) - (x->order < y->order);
}

/* -- processes: one row ------------------------------------------------------------------------ */

/* The CPU time of the job, of which cpu_share is a share. */
static double job_cpu_s(const struct snapshot *s)
{
	double sum = add_known(s->processes.seen_cpu_s, s->processes.unseen_cpu_s);

	return larger_known(sum, s->totals.exact_cpu_s);
}

/* The process's bar in a run that is 100 wide; null if its times are unknown or outside the run. */
static void add_timeline_bar(cJSON *row, const struct run *run, const struct snapshot_process *p)
{
	double length = run->stop - run->start, from = p->start - run->start, x, width;
	double to = isnan(p->end) ? length : p->end - run->start;
	cJSON *bar;

	bar =
	    model_json_object_if(length > 0 && to >= from && to >= 0 && from <= length, row, "bar");
	if (!bar)
		return;
	from = from > 0 ? from : 0;
	to = to < length ? to : length;
	width = fmax(stats_round((to - from) / length * 100, 2), BAR_MIN);
	x = fmin(stats_round(from / length * 100, 2), 100 - width);
	model_json_number(bar, "x", x);
	model_json_number(bar, "width", width);
	model_json_printf(bar, "text", "from %s to %s%s", UNITS_SECONDS(from),
	                  isnan(p->end) ? "the end, " : "", UNITS_SECONDS(to));
}

/* "exit" is "0" or "KILL", and "ended" is "exit 0" or "signal KILL". */
static void add_exit_status(cJSON *row, const struct snapshot_process *p)
{
	char code[UNITS_SIZE] = "";
	struct buf ended = {0};

	if (!isnan(p->exit_code))
		snprintf(code, sizeof code, "%.0f", p->exit_code);
	model_json_cut(row, "exit", *p->signal ? p->signal : code, MODEL_JSON_NAME_MAX);
	if (*p->signal || *code)
		buf_printf(&ended, "%s %s", *p->signal ? "signal" : "exit",
		           *p->signal ? p->signal : code);
	model_json_take_cut(row, "ended", &ended, MODEL_JSON_NAME_MAX);
}

static void add_amounts(cJSON *row, const struct snapshot_process *p, double tree_cpu)
{
	double share = p->cpu_s / tree_cpu;

	model_json_quantity(row, "cpu", UNIT_SECONDS, stats_round(p->cpu_s, 6));
	model_json_quantity(row, "cpu_share", UNIT_PERCENT,
	                    share > 1 ? 100 : stats_round(share * 100, 1));
	model_json_quantity(row, "memory", UNIT_BYTES, peak_memory_b(p));
	model_json_quantity(row, "read", UNIT_BYTES, p->read_b);
	model_json_quantity(row, "write", UNIT_BYTES, p->write_b);
}

/* A process that was still alive at the end of the run has no end; its duration ends with the
 * run. */
static void add_process_row(cJSON *rows, const struct run *run, const struct process_entry *e)
{
	const struct snapshot_process *p = &e->p;
	double length = (isnan(p->end) ? run->stop : p->end) - p->start;
	cJSON *row = cJSON_CreateObject();
	struct state_use states;

	cJSON_AddNumberToObject(row, "rank", cJSON_GetArraySize(rows) + 1);
	cJSON_AddItemToArray(rows, row);
	model_json_number(row, "pid", p->pid);
	model_json_number(row, "ppid", p->ppid);
	model_json_cut(row, "name", *p->name ? p->name : "(no name)", MODEL_JSON_NAME_MAX);
	model_json_cut(row, "command", p->command, COMMAND_MAX);
	model_json_cut(row, "node", p->node ? p->node : "", MODEL_JSON_NAME_MAX);
	model_json_time(row, "start", p->start);
	model_json_time(row, "end", p->end);
	model_json_quantity(row, "duration", UNIT_SECONDS,
	                    length >= 0 ? stats_round(length, 3) : (double)NAN);
	add_amounts(row, p, job_cpu_s(&run->snapshot));
	add_exit_status(row, p);
	cJSON_AddBoolToObject(row, "top_cpu", e->top_cpu);
	cJSON_AddBoolToObject(row, "top_memory", e->top_memory);
	add_timeline_bar(row, run, p);
	states = state_use_of_seconds(p->states_s);
	model_states_bar(row, &states, p->n_waits ? &p->waits[0] : NULL);
}

/* -- processes: the table ---------------------------------------------------------------------- */

static size_t fill_entries(struct process_entry *all, const struct snapshot_process *p, size_t n,
                           size_t at)
{
	for (size_t i = 0; i < n; i++)
		all[at + i] = (struct process_entry){.p = p[i], .order = at + i};
	return at + n;
}

/* Marks the TOP processes by memory and by CPU time to be shown, and the first of each if there is
 * more than one process. Leaves the entries sorted by CPU time. */
static void mark_top(struct process_entry *all, size_t n)
{
	qsort(all, n, sizeof *all, order_by_memory);
	for (size_t i = 0; i < n && i < TOP; i++)
		all[i].shown = true;
	if (n > 1)
		all[0].top_memory = peak_memory_b(&all[0].p) > 0;
	qsort(all, n, sizeof *all, order_by_cpu);
	for (size_t i = 0; i < n && i < TOP; i++)
		all[i].shown = true;
	if (n > 1)
		all[0].top_cpu = all[0].p.cpu_s > 0;
}

static void add_process_rows(cJSON *processes, const struct run *run, struct process_entry *all)
{
	const struct snapshot_processes *p = &run->snapshot.processes;
	cJSON *rows = cJSON_AddArrayToObject(processes, "rows");
	size_t n = fill_entries(all, p->top, p->n_top, 0);
	bool states = false;

	mark_top(all, n);
	for (size_t i = 0; i < n; i++) {
		if (!all[i].shown)
			continue;
		add_process_row(rows, run, &all[i]);
		states |= state_use_of_seconds(all[i].p.states_s).known;
	}
	cJSON_AddBoolToObject(processes, "has_states", states);
}

/* -- processes: sums by name ------------------------------------------------------------------- */

/* Memory is the largest single peak: the processes may not have lived at the same time. */
static void add_to_sum(struct snapshot_process *sum, const struct snapshot_process *p)
{
	sum->count = add_known(sum->count, p->count);
	sum->cpu_s = add_known(sum->cpu_s, p->cpu_s);
	sum->peak_rss_b = larger_known(sum->peak_rss_b, p->peak_rss_b);
	sum->peak_pss_b = larger_known(sum->peak_pss_b, p->peak_pss_b);
	sum->read_b = add_known(sum->read_b, p->read_b);
	sum->write_b = add_known(sum->write_b, p->write_b);
}

/* Merges entries with the same name. Returns how many are left. */
static size_t merge_same_name(struct process_entry *all, size_t n)
{
	size_t kept = 0;

	qsort(all, n, sizeof *all, order_by_name);
	for (size_t i = 0; i < n; i++)
		if (kept && strcmp(all[kept - 1].p.name, all[i].p.name) == 0)
			add_to_sum(&all[kept - 1].p, &all[i].p);
		else
			all[kept++] = all[i];
	return kept;
}

static void add_command_row(cJSON *rows, const struct snapshot_process *p, const char *name,
                            bool rest, double tree_cpu)
{
	cJSON *row = model_json_row(rows);

	model_json_cut(row, "name", name, MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(row, "rest", rest);
	model_json_quantity(row, "count", UNIT_COUNT, p->count);
	add_amounts(row, p, tree_cpu);
}

static void add_command_rows(cJSON *processes, const struct snapshot *s, struct process_entry *all)
{
	const struct snapshot_processes *p = &s->processes;
	cJSON *rows = cJSON_AddArrayToObject(processes, "commands");
	size_t n = fill_entries(all, p->top, p->n_top, 0), shown = 0;
	struct snapshot_process rest = {.count = NAN,
	                                .cpu_s = NAN,
	                                .peak_rss_b = NAN,
	                                .peak_pss_b = NAN,
	                                .read_b = NAN,
	                                .write_b = NAN};
	bool grouped = false, more = false;

	for (size_t i = 0; i < n; i++)
		all[i].p.count = 1;
	n = merge_same_name(all, fill_entries(all, p->others, p->n_others, n));
	qsort(all, n, sizeof *all, order_by_cpu);
	for (size_t i = 0; i < n; i++) {
		grouped = grouped || all[i].p.count > 1;
		if (*all[i].p.name && shown++ < COMMANDS_MAX) {
			add_command_row(rows, &all[i].p, all[i].p.name, false, job_cpu_s(s));
			continue;
		}
		add_to_sum(&rest, &all[i].p);
		more = true;
	}
	if (more)
		add_command_row(rows, &rest, "all others", true, job_cpu_s(s));
	cJSON_AddBoolToObject(processes, "grouped", grouped);
}

/* -- processes: the timeline's axis ------------------------------------------------------------ */

/* A round step of the time axis such that at most TICKS steps fill the run. */
static double axis_step(double length)
{
	static const double steps[] = {1,    2,    3,     5,     10,    15,    20,    30,
	                               60,   120,  180,   300,   600,   900,   1200,  1800,
	                               3600, 7200, 10800, 14400, 21600, 28800, 43200, 86400};
	static const double factors[] = {2, 2.5, 2}; /* 1, 2, 5, 10 */
	size_t n = sizeof steps / sizeof *steps;
	double step;

	if (length < TICKS) {
		step = 1;
		for (size_t i = 0; i < 24 && step / factors[i % 3] * TICKS >= length; i++)
			step /= factors[i % 3];
		return step;
	}
	for (size_t i = 0; i < n; i++)
		if (steps[i] * TICKS >= length)
			return steps[i];
	step = steps[n - 1];
	for (size_t i = 0; step * TICKS < length; i++)
		step *= factors[i % 3];
	return step;
}

static void add_timeline_tick(cJSON *axis, double at, double x)
{
	cJSON *tick = model_json_row(axis);
	char text[UNITS_SIZE];

	model_json_number(tick, "x", stats_round(x, 2));
	if (at < 60)
		snprintf(text, sizeof text, "%g s", stats_round(at, 6));
	else
		units_seconds(at, text);
	cJSON_AddStringToObject(tick, "text", text);
	/* Which side of the text is at x, so that no text extends beyond the axis. */
	if (x < 10)
		cJSON_AddStringToObject(tick, "anchor", "start");
	else
		cJSON_AddStringToObject(tick, "anchor", x > 85 ? "end" : "middle");
}

static void add_timeline_axis(cJSON *processes, const struct run *run)
{
	cJSON *axis = cJSON_AddArrayToObject(processes, "axis");
	double length = run->stop - run->start, step;

	if (!(length > 0))
		return;
	step = axis_step(length);
	for (int i = 0; i <= TICKS && i * step <= length * (1 + 1e-9); i++)
		add_timeline_tick(axis, i * step, i * step / length * 100);
}

/* -- processes: the sentence ------------------------------------------------------------------- */

static void add_unseen_cpu(struct buf *b, const struct snapshot *s)
{
	double unseen = s->processes.unseen_cpu_s, share = unseen / job_cpu_s(s);

	if (!(unseen > 0))
		return;
	buf_printf(
	    b, " Another %s (%s) was used by processes that began and ended between two samples.",
	    UNITS_SECONDS(unseen), UNITS_PERCENT(share > 1 ? 100 : stats_round(share * 100, 1)));
}

static void add_process_summary(cJSON *processes, const struct snapshot *s)
{
	const struct snapshot_processes *p = &s->processes;
	double seen = isnan(p->seen) ? (double)p->n_top : p->seen;
	size_t rows =
	    (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(processes, "rows"));
	struct buf b = {0};

	buf_printf(&b, "%s process%s seen", UNITS_COUNT(seen), seen == 1 ? " was" : "es were");
	if (!isnan(p->seen_cpu_s))
		buf_printf(&b, ", which used %s of CPU time", UNITS_SECONDS(p->seen_cpu_s));
	buf_char(&b, '.');
	add_unseen_cpu(&b, s);
	if (seen > (double)rows)
		buf_printf(&b,
		           " The table lists the %zu processes with the most CPU time or the "
		           "most memory.",
		           rows);
	model_json_take_cut(processes, "summary", &b, MODEL_JSON_TEXT_MAX);
}

void model_processes_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	const struct snapshot_processes *p = &run->snapshot.processes;
	cJSON *processes = cJSON_AddObjectToObject(model, "processes");
	struct process_entry *all = alloc_failed_note(calloc(ALL_MAX, sizeof *all));

	cJSON_AddBoolToObject(processes, "known", all && p->known && p->n_top + p->n_others);
	if (all && p->known) {
		add_process_rows(processes, run, all);
		add_command_rows(processes, &run->snapshot, all);
		add_timeline_axis(processes, run);
		add_process_summary(processes, &run->snapshot);
	}
	free(all);
}
