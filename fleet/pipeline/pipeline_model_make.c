/* pipeline_model_make: the head of the tree: which run, its verdict, and what is left out. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/larger.h"
#include "fleet/groups/fleet_model_words.h"
#include "fleet/pipeline/pipeline_model.h"
#include "fleet/pipeline/pipeline_model_processes.h"
#include "report/chart/chart_axis.h"
#include "report/chart/chart_lanes.h"
#include "report/chart/chart_lines.h"
#include "report/render/output_formats.h"
#include "report/units/model_json.h"

/* -- the words of an attempt ------------------------------------------------------------------- */

static const char *ended_word(enum pipeline_end ended)
{
	static const char *const words[] = {[PIPELINE_DONE] = "done",
	                                    [PIPELINE_FAILED] = "failed",
	                                    [PIPELINE_OOM] = "out of memory",
	                                    [PIPELINE_UNFINISHED] = "unfinished"};

	return words[ended];
}

/* Its name, "unknown" where it has none, and ", attempt 2" where it is one of several. */
static void attempt_name(const struct pipeline_parts *x, const struct pipeline_attempt *a,
                         struct buf *out)
{
	model_json_cut_text(out, fleet_page_or_unknown(a->name), PIPELINE_MODEL_NAME);
	if (x->p->task[a->task].attempts > 1)
		buf_printf(out, ", attempt %zu", a->nth + 1);
}

/* -- "chain": the tasks that ended last, each before the next ---------------------------------- */

#define SAID 5

static void add_link(cJSON *rows, const struct pipeline_parts *x, size_t i)
{
	const struct pipeline_link *link = &x->chain.link[i];
	const struct pipeline_attempt *a = &x->p->attempt[link->at];
	cJSON *row = model_json_row(rows);
	struct buf name = {0};

	model_json_number(row, "number", (double)(i + 1));
	attempt_name(x, a, &name);
	model_json_take_cut(row, "name", &name, MODEL_JSON_NAME_MAX);
	fleet_page_quantity(row, "before", UNIT_SECONDS, link->before_s, NULL);
	fleet_page_quantity(row, "slot", UNIT_SECONDS, link->slot_s, NULL);
	fleet_page_quantity(row, "start", UNIT_SECONDS, a->start - x->p->begin, NULL);
	fleet_page_quantity(row, "wall", UNIT_SECONDS, a->end - a->start, NULL);
	cJSON_AddStringToObject(row, "ended", ended_word(a->ended));
	cJSON_AddBoolToObject(row, "failed", pipeline_failed(a->ended));
}

struct chained {
	size_t process;
	double s;
};

static int by_chained(const void *a, const void *b)
{
	const struct chained *x = a, *y = b;

	if (x->s != y->s)
		return x->s > y->s ? -1 : 1;
	return (x->process > y->process) - (x->process < y->process);
}

/* "ALIGN 63% of the time, CALL 7%; between them 12%; waiting for a slot 18%" */
static void add_chain_text(cJSON *chain, const struct pipeline_parts *x, double all)
{
	const struct pipeline *p = x->p;
	struct chained *v = alloc_failed_note(calloc(p->n_processes + 1, sizeof *v));
	struct buf text = {0};

	for (size_t k = 0; v && k < p->n_processes; k++)
		v[k].process = k;
	for (size_t i = 0; v && i < x->chain.n; i++) {
		const struct pipeline_attempt *a = &p->attempt[x->chain.link[i].at];
		v[a->of_process].s += a->end - a->start;
	}
	if (v)
		qsort(v, p->n_processes, sizeof *v, by_chained);
	for (size_t k = 0; v && k < SAID && k < p->n_processes && v[k].s > 0; k++) {
		const char *name = p->process[v[k].process].name;
		buf_str(&text, k ? ", " : "");
		model_json_cut_text(&text, fleet_page_or_unknown(name), PIPELINE_MODEL_NAME);
		buf_printf(&text, " %s%s", UNITS_SHARE(v[k].s / all), k ? "" : " of the time");
	}
	if (x->chain.before_s > 0)
		buf_printf(&text, "; no task of it ran or was submitted for %s",
		           UNITS_SECONDS(x->chain.before_s));
	if (x->chain.slot_s > 0)
		buf_printf(&text, "; waiting for a slot for %s", UNITS_SECONDS(x->chain.slot_s));
	buf_char(&text, '.');
	model_json_take_cut(chain, "text", &text, MODEL_JSON_TEXT_MAX);
	free(v);
}

static void pipeline_model_chain_add(cJSON *model, const struct pipeline_parts *x)
{
	const struct pipeline_chain *c = &x->chain;
	cJSON *chain = cJSON_AddObjectToObject(model, "chain"), *rows;
	double all = c->run_s + c->before_s + c->slot_s;
	size_t from = c->n > PIPELINE_MODEL_ROWS ? c->n - PIPELINE_MODEL_ROWS : 0;
	bool slots = false;

	cJSON_AddBoolToObject(chain, "known", c->n > 0 && all > 0);
	if (!c->n || !(all > 0))
		return;
	fleet_page_quantity(chain, "all", UNIT_SECONDS, all, NULL);
	fleet_page_quantity(chain, "run", UNIT_SECONDS, c->run_s, NULL);
	fleet_page_quantity(chain, "before", UNIT_SECONDS, c->before_s, NULL);
	fleet_page_quantity(chain, "slot", UNIT_SECONDS, c->slot_s, NULL);
	fleet_page_quantity(chain, "n", UNIT_COUNT, (double)c->n, NULL);
	add_chain_text(chain, x, all);
	rows = cJSON_AddArrayToObject(chain, "rows");
	for (size_t i = from; i < c->n; i++) {
		add_link(rows, x, i);
		slots |= isfinite(c->link[i].slot_s);
	}
	cJSON_AddBoolToObject(chain, "has_slots", slots);
	if (from)
		model_json_printf(chain, "shown", "The last %zu of %s", c->n - from,
		                  UNITS_COUNT((double)c->n));
	else
		model_json_printf(chain, "shown", "All of them, in the order of time");
}

/* -- "timeline": attempts in lanes, processes below each other --------------------------------- */

#define HEADED     60  /* processes with lanes of their own, at most */
#define HEAD_H     20  /* pixels above the lanes of a process, of its name */
#define FOOT_H     20  /* below all lanes, of the times */
#define BAR_LEAST  0.1 /* of 100: a narrower bar would be invisible */
#define LABEL      6   /* of 100: a narrower bar has no name, */
#define NARROW     20  /* nor has this one on a narrow screen */
#define LABEL_MAX  ((size_t)24)
#define AREA_H     28 /* of a process whose attempts have no bars */
#define LISTED     ((size_t)100)
#define SAID_FIRST 2

struct lanes_picture {
	const struct pipeline_parts *x;
	struct pipeline_lanes lanes;
	bool together; /* too many processes: their lanes are mixed */
	double lane_h, bar_h;
	double *top; /* of each process: its head */
	double height;
};

/* In percent of the picture's width. */
static double lanes_x(const struct pipeline *p, double t)
{
	double x = (t - p->begin) / (p->end - p->begin) * 100;

	return x > 0 ? fmin(x, 100) : 0;
}

/* -- "timeline": words ------------------------------------------------------------------------- */

static void add_since(struct buf *text, const struct pipeline *p, const struct pipeline_attempt *a)
{
	buf_printf(text, "%s to %s", UNITS_SECONDS(a->start - p->begin),
	           UNITS_SECONDS(a->end - p->begin));
}

static void add_attempt_title(cJSON *bar, const struct pipeline_parts *x,
                              const struct pipeline_attempt *a)
{
	struct buf text = {0};

	attempt_name(x, a, &text);
	buf_str(&text, ": ");
	add_since(&text, x->p, a);
	if (a->ended != PIPELINE_DONE)
		buf_printf(&text, "; %s", ended_word(a->ended));
	model_json_take_cut(bar, "title", &text, MODEL_JSON_NAME_MAX);
}

static void add_process_head(cJSON *heads, const struct pipeline_parts *x, size_t process, double y)
{
	const struct pipeline_process *of = &x->p->process[process];
	cJSON *one = model_json_row(heads);
	struct buf text = {0};

	cJSON_AddStringToObject(one, "colour", chart_lanes_colours[x->colour[process]]);
	model_json_number(one, "y", y);
	model_json_number(one, "box", y - 9);
	model_json_cut_text(&text, fleet_page_or_unknown(of->name), PIPELINE_MODEL_NAME);
	buf_printf(&text, " × %s", UNITS_COUNT((double)of->tasks));
	if (of->failed)
		buf_printf(&text, ", %s failed", UNITS_COUNT((double)of->failed));
	model_json_take_cut(one, "text", &text, MODEL_JSON_NAME_MAX);
}

/* -- "timeline": bars -------------------------------------------------------------------------- */

static double lane_y(const struct lanes_picture *l, size_t i)
{
	size_t process = l->together ? 0 : l->x->p->attempt[i].of_process;

	return l->top[process] + (l->together ? 0 : HEAD_H) +
	       (double)(l->lanes.lane[i] - l->lanes.first[process]) * l->lane_h;
}

static void add_attempt_bar(const struct lanes_picture *l, cJSON *bars, size_t i)
{
	const struct pipeline *p = l->x->p;
	const struct pipeline_attempt *a = &p->attempt[i];
	double x = lanes_x(p, a->start), width = fmax(lanes_x(p, a->end) - x, BAR_LEAST);
	cJSON *bar = model_json_row(bars);
	struct buf label = {0};

	model_json_number(bar, "x", round(fmin(x, 100 - width) * 100) / 100);
	model_json_number(bar, "width", round(width * 100) / 100);
	model_json_number(bar, "y", lane_y(l, i));
	cJSON_AddStringToObject(bar, "colour", chart_lanes_colours[l->x->colour[a->of_process]]);
	cJSON_AddBoolToObject(bar, "failed", pipeline_failed(a->ended));
	cJSON_AddBoolToObject(bar, "chain", l->x->chained[i]);
	if (l->x->chained[i])
		model_json_number(bar, "under", lane_y(l, i) + l->bar_h);
	add_attempt_title(bar, l->x, a);
	if (l->bar_h >= 12 && width >= LABEL) {
		if (pipeline_failed(a->ended))
			buf_str(&label, "✗ ");
		model_json_cut_text(&label, fleet_page_or_unknown(a->name), LABEL_MAX);
	}
	model_json_take_cut(bar, "text", &label, PIPELINE_MODEL_NAME);
	model_json_number(bar, "base", lane_y(l, i) + 10);
	cJSON_AddBoolToObject(bar, "narrow", width < NARROW);
}

/* Places the processes, those whose first attempt came first above. */
static int place_lanes(struct lanes_picture *l, struct err *e)
{
	static const struct {
		size_t most_lanes;
		int lane_h, bar_h;
	} sizes[] = {{100, 16, 12}, {400, 8, 6}, {SIZE_MAX, 3, 2}};
	const struct pipeline *p = l->x->p;
	size_t size = 0;

	l->together = p->n_processes > HEADED;
	if (pipeline_lanes_make(p, l->together, &l->lanes, e))
		return -1;
	while (l->lanes.n > sizes[size].most_lanes)
		size++;
	l->lane_h = sizes[size].lane_h;
	l->bar_h = sizes[size].bar_h;
	l->top = calloc(p->n_processes + 1, sizeof *l->top);
	if (!l->top)
		return err_set(e, "no memory for the report");
	for (size_t k = 0; k < (l->together ? 1 : p->n_processes); k++) {
		size_t lanes = l->lanes.first[k + 1] - l->lanes.first[k];
		l->top[k] = l->height;
		if (lanes)
			l->height += (l->together ? 0 : HEAD_H) + (double)lanes * l->lane_h + 4;
	}
	return 0;
}

static int add_attempt_bars(cJSON *picture, struct lanes_picture *l, struct err *e)
{
	const struct pipeline *p = l->x->p;
	cJSON *heads = cJSON_AddArrayToObject(picture, "heads"), *bars;

	if (place_lanes(l, e))
		return -1;
	for (size_t k = 0; !l->together && k < p->n_processes; k++)
		if (l->lanes.first[k + 1] > l->lanes.first[k])
			add_process_head(heads, l->x, k, l->top[k] + 14);
	bars = cJSON_AddArrayToObject(picture, "bars");
	for (size_t i = 0; i < p->n; i++)
		if (pipeline_dated(&p->attempt[i]))
			add_attempt_bar(l, bars, i);
	return 0;
}

/* -- "timeline": of very many attempts, how many of each process ran --------------------------- */

static void add_failed_marks(cJSON *area, const struct pipeline *p, size_t process, double y)
{
	double failed[PIPELINE_LOAD_POINTS] = {0};
	cJSON *marks = cJSON_AddArrayToObject(area, "marks");

	for (size_t i = 0; i < p->n; i++) {
		const struct pipeline_attempt *a = &p->attempt[i];
		double part = lanes_x(p, a->end) / 100 * (double)PIPELINE_LOAD_POINTS;
		if (a->of_process != process || !pipeline_dated(a) || !pipeline_failed(a->ended))
			continue;
		failed[(size_t)fmin(part, (double)PIPELINE_LOAD_POINTS - 1)]++;
	}
	for (size_t k = 0; k < PIPELINE_LOAD_POINTS; k++) {
		cJSON *one = failed[k] > 0 ? model_json_row(marks) : NULL;
		if (!one)
			continue;
		model_json_number(one, "x", ((double)k + 0.5) / (double)PIPELINE_LOAD_POINTS * 100);
		model_json_number(one, "y", y);
		model_json_printf(one, "title", "%s failed", UNITS_COUNT(failed[k]));
	}
}

static int add_process_area(cJSON *areas, const struct pipeline_parts *x, size_t process, double y,
                            struct err *e)
{
	struct pipeline_load load;
	struct buf path = {0}, title = {0};
	double most = 0;
	cJSON *one;

	if (pipeline_load_make(x->p, (long)process, &load, e))
		return -1;
	one = model_json_row(areas);
	for (size_t i = 0; i < PIPELINE_LOAD_POINTS; i++)
		most = fmax(most, load.running[i]);
	buf_printf(&path, "M0 %d", AREA_H);
	for (size_t i = 0; i < PIPELINE_LOAD_POINTS; i++)
		buf_printf(&path, "V%.3gH%zu",
		           AREA_H * (1 - (most > 0 ? load.running[i] / most : 0)), i + 1);
	buf_printf(&path, "V%dZ", AREA_H);
	model_json_number(one, "y", y);
	cJSON_AddStringToObject(one, "colour", chart_lanes_colours[x->colour[process]]);
	model_json_take(one, "path", &path);
	buf_printf(&title, "at most %s at once", UNITS_COUNT(load.most));
	model_json_take(one, "title", &title);
	add_failed_marks(one, x->p, process, y);
	return 0;
}

static int add_areas(cJSON *picture, struct lanes_picture *l, struct err *e)
{
	const struct pipeline *p = l->x->p;
	cJSON *heads = cJSON_AddArrayToObject(picture, "heads");
	cJSON *areas = cJSON_AddArrayToObject(picture, "areas");
	double h = HEAD_H + AREA_H + 4;

	for (size_t k = 0; k < p->n_processes && k < HEADED; k++) {
		add_process_head(heads, l->x, l->x->by_wall[k], l->height + 14);
		if (add_process_area(areas, l->x, l->x->by_wall[k], l->height + HEAD_H, e))
			return -1;
		l->height += h;
	}
	model_json_number(picture, "area", AREA_H);
	return 0;
}

/* -- "timeline": the table --------------------------------------------------------------------- */

struct listed {
	size_t at;
	double by;
};

static int by_reason(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	if (x->by != y->by)
		return x->by > y->by ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static int by_attempt(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static void add_attempt_row(cJSON *rows, const struct pipeline_parts *x, size_t i)
{
	const struct pipeline_attempt *a = &x->p->attempt[i];
	cJSON *row = model_json_row(rows);
	struct buf name = {0};

	attempt_name(x, a, &name);
	model_json_take_cut(row, "name", &name, MODEL_JSON_NAME_MAX);
	model_json_cut(row, "process", fleet_page_or_unknown(a->process), PIPELINE_MODEL_NAME);
	fleet_page_quantity(row, "start", UNIT_SECONDS, a->start - x->p->begin, NULL);
	fleet_page_quantity(row, "wall", UNIT_SECONDS, a->wall_s, NULL);
	fleet_page_quantity(row, "wait", UNIT_SECONDS, a->start - a->submit, NULL);
	fleet_page_quantity(row, "cpus", UNIT_CORES, a->cores_mean, NULL);
	fleet_page_quantity(row, "memory", UNIT_BYTES, a->memory_peak_b, NULL);
	cJSON_AddStringToObject(row, "ended", ended_word(a->ended));
	cJSON_AddBoolToObject(row, "failed", pipeline_failed(a->ended));
}

/* Those that failed first, then those on the chain, then the longest; in the order of time. */
static void add_attempt_rows(cJSON *timeline, const struct pipeline_parts *x)
{
	const struct pipeline *p = x->p;
	struct listed *v = alloc_failed_note(calloc(p->n + 1, sizeof *v));
	cJSON *rows = cJSON_AddArrayToObject(timeline, "rows");
	size_t n = p->n < LISTED ? p->n : LISTED;
	double span = fmax(p->end - p->begin, 1);

	for (size_t i = 0; v && i < p->n; i++) {
		const struct pipeline_attempt *a = &p->attempt[i];
		double wall = isfinite(a->wall_s) ? fmin(a->wall_s, span) : 0;
		v[i] = (struct listed){i, wall + (pipeline_failed(a->ended) ? 4 * span : 0) +
		                              (x->chained[i] ? 2 * span : 0)};
	}
	if (v) {
		qsort(v, p->n, sizeof *v, by_reason);
		qsort(v, n, sizeof *v, by_attempt);
		for (size_t i = 0; i < n; i++)
			add_attempt_row(rows, x, v[i].at);
	}
	free(v);
	if (n < p->n)
		model_json_printf(timeline, "shown",
		                  "%zu of %s attempts: those that failed, those of the chain, and "
		                  "the longest",
		                  n, UNITS_COUNT((double)p->n));
	else
		model_json_printf(timeline, "shown", "All attempts, in the order of their starts");
}

/* -- "timeline": the whole --------------------------------------------------------------------- */

static void add_lanes_text(cJSON *timeline, const struct lanes_picture *l, bool grouped)
{
	const struct pipeline *p = l->x->p;

	if (grouped)
		model_json_printf(
		    timeline, "text",
		    "How many of each process ran: %s attempts are too many for a "
		    "bar each.%s A red mark is where some failed.",
		    UNITS_COUNT((double)p->n),
		    p->n_processes > HEADED ? " Only the processes with most time are here." : "");
	else
		model_json_printf(timeline, "text",
		                  "Each bar is an attempt at a task%s. Those with a red border "
		                  "failed; those of the chain of tasks that ended last are "
		                  "underlined.",
		                  l->together ? "" : ", below the name of its process");
}

static int pipeline_model_lanes_add(cJSON *model, const struct pipeline_parts *x, struct err *e)
{
	const struct pipeline *p = x->p;
	struct lanes_picture l = {.x = x};
	cJSON *timeline = cJSON_AddObjectToObject(model, "timeline"), *picture;
	bool known = p->end > p->begin, grouped = p->n - p->undated > PIPELINE_LANES_MAX;
	int failed;

	cJSON_AddBoolToObject(timeline, "known", known);
	add_attempt_rows(timeline, x);
	if (!known)
		return 0;
	picture = cJSON_AddObjectToObject(timeline, "picture");
	failed = grouped ? add_areas(picture, &l, e) : add_attempt_bars(picture, &l, e);
	add_lanes_text(timeline, &l, grouped);
	model_json_number(picture, "height", l.height);
	model_json_number(picture, "bar", l.bar_h);
	model_json_number(picture, "foot", l.height + 14);
	model_json_number(picture, "room", l.height + FOOT_H);
	chart_lines_times(cJSON_AddArrayToObject(picture, "ticks"), p->end - p->begin);
	free(l.top);
	pipeline_lanes_free(&l.lanes);
	return failed;
}

/* -- "load": how many attempts ran at once ----------------------------------------------------- */

#define ROWS 10 /* of a chart's table */

struct load_series {
	const char *label;
	const double *v; /* NULL: unknown */
};

static double mean_of(const double *v, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += v[i];
	return sum / (double)(to - from);
}

static void add_load_line(struct chart_lines *l, const struct load_series *s, size_t look)
{
	struct chart_point p[PIPELINE_LOAD_POINTS];

	for (size_t i = 0; i < PIPELINE_LOAD_POINTS; i++)
		p[i] = chart_lines_point(l, ((double)i + 0.5) / (double)PIPELINE_LOAD_POINTS, 0,
		                         s->v[i], s->v[i]);
	/* The area below the line, from 0 on. */
	chart_lines_add(l, s->label, look, p, PIPELINE_LOAD_POINTS, look ? 0 : 0.5);
	chart_lines_key(l->key, s->label, PIPELINE_MODEL_NAME, look);
}

static void add_load_table(cJSON *chart, enum unit unit, const struct load_series *s, size_t n,
                           double span)
{
	cJSON *head = cJSON_AddArrayToObject(chart, "head");
	cJSON *rows = cJSON_AddArrayToObject(chart, "table");

	for (size_t k = 0; k < n; k++)
		cJSON_AddItemToArray(head, cJSON_CreateString(s[k].label));
	for (size_t i = 0; i < ROWS; i++) {
		size_t from = i * PIPELINE_LOAD_POINTS / ROWS,
		       to = (i + 1) * PIPELINE_LOAD_POINTS / ROWS;
		cJSON *row = model_json_row(rows), *values;
		model_json_printf(row, "time", "%s", UNITS_SECONDS(span * (double)i / ROWS));
		values = cJSON_AddArrayToObject(row, "values");
		for (size_t k = 0; k < n; k++)
			fleet_page_quantity(values, NULL, unit, mean_of(s[k].v, from, to), NULL);
	}
}

static void add_load_chart(cJSON *charts, const struct chart_lines_kind *kind,
                           const struct load_series *s, size_t n, double span)
{
	struct chart_lines l;
	double most = 0;
	cJSON *chart;

	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < PIPELINE_LOAD_POINTS; i++)
			most = fmax(most, s[k].v[i]);
	chart = chart_lines_chart(&l, charts, kind, chart_axis_top(kind->unit, most), span);
	for (size_t k = 0; k < n; k++) {
		add_load_line(&l, &s[k], k);
		chart_lines_say(&l, s[k].label, mean_of(s[k].v, 0, PIPELINE_LOAD_POINTS));
	}
	chart_lines_end(&l);
	model_json_printf(chart, "summary", "%s, on average: %s", kind->title,
	                  buf_cstr(&l.summary));
	buf_free(&l.summary);
	add_load_table(chart, kind->unit, s, n, span);
}

/* Draws those of two series that are known. */
static void add_pair_chart(cJSON *charts, const struct chart_lines_kind *kind, const double *asked,
                           const double *used, double span)
{
	struct load_series s[2];
	size_t n = 0;

	if (asked)
		s[n++] = (struct load_series){"asked", asked};
	if (used)
		s[n++] = (struct load_series){"used", used};
	if (n)
		add_load_chart(charts, kind, s, n, span);
}

/* -- "waits" ----------------------------------------------------------------------------------- */

static int add_waits(cJSON *model, const struct pipeline_parts *x, struct err *e)
{
	cJSON *waits = cJSON_AddObjectToObject(model, "waits");
	struct pipeline_waits w;
	struct buf text = {0};

	if (pipeline_chain_waits(x->p, &w, e))
		return -1;
	cJSON_AddBoolToObject(waits, "known", w.known > 0);
	if (!w.known) {
		model_json_printf(waits, "text",
		                  "When the tasks were submitted is unknown, so that waiting for "
		                  "other tasks cannot be told from waiting for a slot.");
		return 0;
	}
	fleet_page_quantity(waits, "slot", UNIT_SECONDS, w.slot_s, NULL);
	fleet_page_quantity(waits, "slot_p50", UNIT_SECONDS, w.slot_p50_s, NULL);
	fleet_page_quantity(waits, "slot_max", UNIT_SECONDS, w.slot_max_s, NULL);
	fleet_page_quantity(waits, "others", UNIT_SECONDS, w.others_s, NULL);
	buf_printf(
	    &text,
	    "Of %s attempts it is known when they were submitted. Together they waited %s for "
	    "a slot, from then to their start (half of them at most %s, the longest %s). ",
	    UNITS_COUNT((double)w.known), UNITS_SECONDS(w.slot_s), UNITS_SECONDS(w.slot_p50_s),
	    UNITS_SECONDS(w.slot_max_s));
	buf_printf(&text,
	           "%s of them were submitted within %d s after another one ended, and so waited "
	           "for it: together %s since the run began.",
	           UNITS_COUNT((double)w.others), PIPELINE_AT_ONCE_S, UNITS_SECONDS(w.others_s));
	model_json_take(waits, "text", &text);
	return 0;
}

/* -- "load" and "waits" ------------------------------------------------------------------------ */

static int pipeline_model_load_add(cJSON *model, const struct pipeline_parts *x, struct err *e)
{
	const struct pipeline *p = x->p;
	struct pipeline_load *l = calloc(1, sizeof *l);
	cJSON *load = cJSON_AddObjectToObject(model, "load"), *charts;
	double span = p->end - p->begin;
	bool known = span > 0;
	int failed = l ? pipeline_load_make(p, -1, l, e) : err_set(e, "no memory for the report");

	cJSON_AddBoolToObject(load, "known", known);
	if (!failed && known) {
		const struct load_series running = {"running", l->running};
		fleet_page_quantity(load, "most", UNIT_COUNT, l->most, NULL);
		fleet_page_quantity(load, "mean", UNIT_COUNT, l->mean, NULL);
		model_json_printf(load, "text",
		                  "At most %s at once, first after %s; %s on average. Each point "
		                  "is the mean of a part of the time.",
		                  UNITS_COUNT(l->most), UNITS_SECONDS(l->most_at - p->begin),
		                  UNITS_COUNT(l->mean));
		charts = cJSON_AddArrayToObject(load, "charts");
		add_load_chart(charts,
		               &(struct chart_lines_kind){"running", "Tasks at once", UNIT_COUNT},
		               &running, 1, span);
		add_pair_chart(charts, &(struct chart_lines_kind){"cores", "Cores", UNIT_CORES},
		               l->asked_cpus ? l->asked_cores : NULL,
		               l->used_cpus ? l->used_cores : NULL, span);
		add_pair_chart(charts, &(struct chart_lines_kind){"memory", "Memory", UNIT_BYTES},
		               l->asked_memory ? l->asked_b : NULL,
		               l->used_memory ? l->used_b : NULL, span);
	}
	free(l);
	return failed ? -1 : add_waits(model, x, e);
}

/* -- shares ------------------------------------------------------------------------------------ */

#define USED 0.5 /* of what was asked for: below, much is wasted */

/* -- "tiles" ----------------------------------------------------------------------------------- */

static void add_hours_tile(cJSON *tiles, const char *id, const char *label,
                           const struct pipeline_hours *h, const struct pipeline *p)
{
	char asked[64], used[64];
	struct buf note = {0};

	if (!(h->n > 0))
		return;
	buf_printf(&note, "%s used", fleet_model_hours_text(h->used, used));
	if (h->asked > 0)
		buf_printf(&note, ", %s", UNITS_SHARE(h->used / h->asked));
	if (h->n < (double)p->n)
		buf_printf(&note, "; known of %s of %s attempts", UNITS_COUNT(h->n),
		           UNITS_COUNT((double)p->n));
	fleet_page_tile(tiles, id, label, fleet_model_hours_text(h->asked, asked), buf_cstr(&note));
	buf_free(&note);
}

static void add_run_tiles(cJSON *model, const struct pipeline *p)
{
	cJSON *tiles = cJSON_AddArrayToObject(model, "tiles");
	double wall_s = p->end - p->begin;
	struct buf note = {0};

	buf_printf(&note, "%s failed, %s retried", UNITS_COUNT((double)p->failed),
	           UNITS_COUNT((double)p->retried));
	fleet_page_tile(tiles, "tasks", "Tasks", UNITS_COUNT((double)p->n_tasks), buf_cstr(&note));
	fleet_page_tile(tiles, "processes", "Processes", UNITS_COUNT((double)p->n_processes), "");
	fleet_page_tile(tiles, "wall", "Wall time",
	                isfinite(wall_s) ? UNITS_SECONDS(wall_s) : "unknown",
	                isfinite(wall_s) ? "from the first start to the last end" : "");
	add_hours_tile(tiles, "cores", "Core-hours asked", &p->core_h, p);
	add_hours_tile(tiles, "memory", "GiB-hours asked", &p->gib_h, p);
	buf_free(&note);
}

/* -- "verdict" --------------------------------------------------------------------------------- */

static void say_ends(cJSON *verdict, const struct pipeline *p)
{
	const char *level = p->unfinished ? "warn" : "good";
	struct buf text = {0};

	buf_printf(&text, "%s task%s of %s process%s", UNITS_COUNT((double)p->n_tasks),
	           fleet_page_plural((double)p->n_tasks), UNITS_COUNT((double)p->n_processes),
	           p->n_processes == 1 ? "" : "es");
	if (!p->failed && !p->unfinished) {
		buf_str(&text, ": none failed in the end.");
	} else {
		buf_printf(&text, ": %s failed in the end", UNITS_COUNT((double)p->failed));
		if (p->oom)
			buf_printf(&text, ", %s of them for memory", UNITS_COUNT((double)p->oom));
		if (p->unfinished)
			buf_printf(&text, "; the end of %s is unknown",
			           UNITS_COUNT((double)p->unfinished));
		buf_char(&text, '.');
	}
	fleet_page_sentence(verdict, "ends", p->failed ? "bad" : level, &text);
}

static void say_retries(cJSON *verdict, const struct pipeline *p)
{
	struct buf text = {0};
	char hours[64];

	if (!p->retries)
		return;
	buf_printf(&text, "%s task%s tried again, %s time%s in all",
	           UNITS_COUNT((double)p->retried), p->retried == 1 ? " was" : "s were",
	           UNITS_COUNT((double)p->retries), fleet_page_plural((double)p->retries));
	if (isfinite(p->retries_core_h))
		buf_printf(&text, ": attempts that were not the last used %s",
		           units_text(UNIT_CORE_HOURS, p->retries_core_h, NULL, hours));
	buf_char(&text, '.');
	fleet_page_sentence(verdict, "retries", "warn", &text);
}

static void say_use(cJSON *verdict, const char *id, enum unit unit, const struct pipeline_hours *h)
{
	struct buf text = {0};
	char asked[64], used[64];

	if (!(h->n > 0) || !(h->asked > 0))
		return;
	buf_printf(&text, "Of %s asked for, %s were used (%s).",
	           units_text(unit, h->asked, NULL, asked), units_text(unit, h->used, NULL, used),
	           UNITS_SHARE(h->used / h->asked));
	fleet_page_sentence(verdict, id, h->used < USED * h->asked ? "warn" : "info", &text);
}

static void say_chain(cJSON *verdict, const struct pipeline_parts *x)
{
	const struct pipeline_chain *c = &x->chain;
	double all = c->run_s + c->before_s + c->slot_s;
	struct buf text = {0};

	if (!c->n || !(all > 0))
		return;
	buf_str(&text, "The chain of tasks that ended last has ");
	if (c->n == 1)
		buf_str(&text, "one: it");
	else
		buf_printf(&text, "%s: they", UNITS_COUNT((double)c->n));
	buf_printf(&text, " ran for %s of its %s", UNITS_SHARE(c->run_s / all), UNITS_SECONDS(all));
	if (c->slot_s > 0)
		buf_printf(&text, ", and waited for a slot for %s", UNITS_SHARE(c->slot_s / all));
	buf_str(&text, ". The last was ");
	attempt_name(x, &x->p->attempt[c->link[c->n - 1].at], &text);
	buf_char(&text, '.');
	fleet_page_sentence(verdict, "chain", "info", &text);
}

static void say_make_missing(cJSON *verdict, const struct pipeline *p)
{
	struct buf text = {0};

	if (p->rows > PIPELINE_ROWS_MAX)
		buf_printf(&text,
		           "The run has more than %s recordings: this page has the newest ones. ",
		           UNITS_COUNT((double)PIPELINE_ROWS_MAX));
	if (p->impossible)
		buf_printf(&text, "%s recording%s left out, because the numbers cannot be true. ",
		           UNITS_COUNT((double)p->impossible),
		           p->impossible == 1 ? " is" : "s are");
	if (p->undated)
		buf_printf(&text,
		           "It is unknown when %s attempt%s ran: %s in no picture over time, and "
		           "not in the chain.",
		           UNITS_COUNT((double)p->undated), fleet_page_plural((double)p->undated),
		           p->undated == 1 ? "it is" : "they are");
	if (text.len)
		fleet_page_sentence(verdict, "left_out", "warn", &text);
}

static void add_verdict(cJSON *model, const struct pipeline_parts *x)
{
	cJSON *verdict = cJSON_AddArrayToObject(model, "verdict");

	say_ends(verdict, x->p);
	say_retries(verdict, x->p);
	say_use(verdict, "cores", UNIT_CORE_HOURS, &x->p->core_h);
	say_use(verdict, "memory", UNIT_GIB_HOURS, &x->p->gib_h);
	say_chain(verdict, x);
	say_make_missing(verdict, x->p);
}

/* -- "run" ------------------------------------------------------------------------------------- */

static const char *workflow_name(const struct pipeline *p)
{
	static const struct {
		const char *word, *name;
	} names[] = {{"nextflow", "Nextflow"},
	             {"snakemake", "Snakemake"},
	             {"airflow", "Airflow"},
	             {"metaflow", "Metaflow"},
	             {"slurm", "Slurm"},
	             {"gitlab", "GitLab CI"},
	             {"github-actions", "GitHub Actions"}};
	const char *word = p->workflow ? p->workflow : "";

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i].word, word) == 0)
			return names[i].name;
	return word;
}

static void add_make_run(cJSON *model, const struct pipeline *p,
                         const struct pipeline_model_input *in)
{
	cJSON *run = cJSON_AddObjectToObject(model, "run"), *others;
	struct buf more = {0};

	model_json_cut(run, "name", in->run ? in->run : "", MODEL_JSON_NAME_MAX);
	model_json_cut(run, "workflow", workflow_name(p), PIPELINE_MODEL_NAME);
	model_json_time(run, "begin", p->begin);
	model_json_time(run, "end", p->end);
	others = cJSON_AddArrayToObject(model, "others");
	for (size_t i = 0; i < in->n_others; i++)
		model_json_cut(others, NULL, in->other[i], MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(model, "has_others", in->n_others > 0);
	if (in->all_others > in->n_others)
		buf_printf(&more, "and %s more",
		           UNITS_COUNT((double)(in->all_others - in->n_others)));
	model_json_take(model, "others_more", &more);
}

/* -- the whole tree ---------------------------------------------------------------------------- */

/* Those with most time get the colours. The list is short, or its order does not matter. */
static void rank_by_wall(struct pipeline_parts *x)
{
	const struct pipeline *p = x->p;

	for (size_t k = 0; k < p->n_processes; k++) {
		x->by_wall[k] = k;
		x->colour[k] = CHART_LANES_COLOURS;
	}
	for (size_t i = 0; i < PIPELINE_MODEL_ROWS && i < p->n_processes; i++) {
		size_t best = i, other = x->by_wall[i];
		for (size_t k = i + 1; k < p->n_processes; k++)
			if (p->process[x->by_wall[k]].wall_s > p->process[x->by_wall[best]].wall_s)
				best = k;
		x->by_wall[i] = x->by_wall[best];
		x->by_wall[best] = other;
		if (i < CHART_LANES_COLOURS)
			x->colour[x->by_wall[i]] = i;
	}
}

static int begin_parts(struct pipeline_parts *x, struct err *e)
{
	x->chained = calloc(x->p->n + 1, sizeof *x->chained);
	x->by_wall = calloc(x->p->n_processes + 1, sizeof *x->by_wall);
	x->colour = calloc(x->p->n_processes + 1, sizeof *x->colour);
	if (!x->chained || !x->by_wall || !x->colour)
		return err_set(e, "%s", strerror(ENOMEM));
	if (pipeline_chain_make(x->p, &x->chain, e))
		return -1;
	for (size_t i = 0; i < x->chain.n; i++)
		x->chained[x->chain.link[i].at] = true;
	rank_by_wall(x);
	return 0;
}

cJSON *pipeline_model_make(const struct pipeline *p, const struct pipeline_model_input *in,
                           struct err *e)
{
	struct pipeline_parts x = {.p = p, .in = in};
	cJSON *model = cJSON_CreateObject();
	bool whole = false;

	if (!model || begin_parts(&x, e))
		goto out;
	fleet_page_head(model, OUTPUT_PIPELINE_FORMAT, in->run, &in->page);
	add_make_run(model, p, in);
	add_run_tiles(model, p);
	add_verdict(model, &x);
	if (pipeline_model_lanes_add(model, &x, e) || pipeline_model_load_add(model, &x, e) ||
	    pipeline_model_processes_add(model, &x, e))
		goto out;
	pipeline_model_chain_add(model, &x);
	whole = !alloc_failed();
out:
	pipeline_chain_free(&x.chain);
	free(x.chained);
	free(x.by_wall);
	free(x.colour);
	if (whole)
		return model;
	if (!*e->msg)
		err_set(e, "no memory for the report");
	cJSON_Delete(model);
	return NULL;
}
