/* pipeline_model_lanes: the model's "timeline": attempts as bars in lanes, processes below each
 * other; of very many attempts, how many of each process ran. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "fleet/pipeline/pipeline_lanes.h"
#include "fleet/pipeline/pipeline_load.h"
#include "fleet/pipeline/pipeline_model_parts.h"
#include "fleet/pipeline/pipeline_model_words.h"
#include "report/chart/chart_axis.h"
#include "report/chart/chart_lanes.h"
#include "report/chart/chart_lines.h"
#include "report/units/model_json.h"

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

/* -- words ------------------------------------------------------------------------------------- */

static void add_since(struct buf *text, const struct pipeline *p, const struct pipeline_attempt *a)
{
	buf_printf(text, "%s to %s", UNITS_SECONDS(a->start - p->begin),
	           UNITS_SECONDS(a->end - p->begin));
}

static void add_attempt_title(cJSON *bar, const struct pipeline_parts *x,
                              const struct pipeline_attempt *a)
{
	struct buf text = {0};

	pipeline_model_words_name(x, a, &text);
	buf_str(&text, ": ");
	add_since(&text, x->p, a);
	if (a->ended != PIPELINE_DONE)
		buf_printf(&text, "; %s", pipeline_model_words_ended(a->ended));
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
	model_json_cut_text(&text, *of->name ? of->name : "unknown", PIPELINE_MODEL_NAME);
	buf_printf(&text, " × %s", UNITS_COUNT((double)of->tasks));
	if (of->failed)
		buf_printf(&text, ", %s failed", UNITS_COUNT((double)of->failed));
	model_json_take_cut(one, "text", &text, MODEL_JSON_NAME_MAX);
}

/* -- bars -------------------------------------------------------------------------------------- */

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
		model_json_cut_text(&label, *a->name ? a->name : "unknown", LABEL_MAX);
	}
	model_json_take_cut(bar, "text", &label, PIPELINE_MODEL_NAME);
	model_json_number(bar, "base", lane_y(l, i) + 10);
	cJSON_AddBoolToObject(bar, "narrow", width < NARROW);
}

/* Places the processes, those whose first attempt came first above. */
static int place_lanes(struct lanes_picture *l, struct err *e)
{
	const struct pipeline *p = l->x->p;

	l->together = p->n_processes > HEADED;
	if (pipeline_lanes_make(p, l->together, &l->lanes, e))
		return -1;
	l->lane_h = l->lanes.n <= 100 ? 16 : l->lanes.n <= 400 ? 8 : 3;
	l->bar_h = l->lane_h - (l->lane_h > 8 ? 4 : l->lane_h > 3 ? 2 : 1);
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

/* -- how many of each process ------------------------------------------------------------------ */

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

/* -- the table --------------------------------------------------------------------------------- */

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

	pipeline_model_words_name(x, a, &name);
	model_json_take_cut(row, "name", &name, MODEL_JSON_NAME_MAX);
	model_json_cut(row, "process", *a->process ? a->process : "unknown", PIPELINE_MODEL_NAME);
	pipeline_model_words_quantity(row, "start", UNIT_SECONDS, a->start - x->p->begin);
	pipeline_model_words_quantity(row, "wall", UNIT_SECONDS, a->wall_s);
	pipeline_model_words_quantity(row, "wait", UNIT_SECONDS, a->start - a->submit);
	pipeline_model_words_quantity(row, "cpus", UNIT_CORES, a->cores_mean);
	pipeline_model_words_quantity(row, "memory", UNIT_BYTES, a->memory_peak_b);
	cJSON_AddStringToObject(row, "ended", pipeline_model_words_ended(a->ended));
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

/* -- the whole --------------------------------------------------------------------------------- */

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

int pipeline_model_lanes_add(cJSON *model, const struct pipeline_parts *x, struct err *e)
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
