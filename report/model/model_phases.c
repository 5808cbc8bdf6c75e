/* model_phases: what each phase of the run used. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc_failed.h"
#include "core/elapsed.h"
#include "report/model/model.h"
#include "report/stats/usage_column.h"
#include "report/units/model_json.h"
#include "report/units/units.h"

#define NAMES_MAX ((size_t)40)  /* rows of the table */
#define BANDS_MAX ((size_t)300) /* phases that charts show */

static const struct measure {
	const char *id, *label;
	enum usage usage;
	enum unit unit;
	bool gpu; /* only where one was there */
} measures[] = {
    {"cpu", "CPU usage", USAGE_CPU, UNIT_CORES, false},
    {"memory", "Memory", USAGE_MEMORY, UNIT_BYTES, false},
    {"read", "Disk read", USAGE_READ, UNIT_RATE, false},
    {"write", "Disk write", USAGE_WRITE, UNIT_RATE, false},
    {"gpu", "GPU usage", USAGE_GPU, UNIT_GPUS, true},
    {"vram", "GPU memory", USAGE_VRAM, UNIT_BYTES, true},
};
#define MEASURES (sizeof measures / sizeof *measures)

/* Weighted, in one pass (West 1979). Valid when zero. */
struct sum {
	size_t n;
	double weight, mean, squares, min, max;
};

/* Of all samples that touch the phase, and of those that lie in it by half or more. */
struct used {
	struct sum touch, inside;
};

/* All phases of one name. */
struct job_key {
	const char *name;
	size_t count;
	double total; /* seconds */
	struct used used[MEASURES];
};

/* One phase, which ends before the next begins. */
struct part {
	size_t group; /* NAMES_MAX: of a name that found no room */
	size_t order;
	double from, to;
};

struct parts {
	struct part *v;
	size_t n, n_groups, left_out;
	struct job_key *group;
};

static void count_in(struct sum *s, double v, double weight)
{
	double off = v - s->mean;

	s->min = s->n && s->min < v ? s->min : v;
	s->max = s->n && s->max > v ? s->max : v;
	s->n++;
	s->weight += weight;
	s->mean += off * weight / s->weight;
	s->squares += weight * off * (v - s->mean);
}

/* As stats.h has it where all weigh alike: of a sample, NAN of fewer than two. */
static double deviation(const struct sum *s)
{
	double n = (double)s->n;

	return s->n < 2 ? (double)NAN : sqrt(fmax(s->squares, 0) / s->weight * n / (n - 1));
}

/* -- from marks to parts ----------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct part *p = a, *q = b;

	if (p->from != q->from)
		return p->from < q->from ? -1 : 1;
	return (p->order > q->order) - (p->order < q->order);
}

/* The name's group: a new one where it has none yet. */
static size_t group_of(struct parts *p, const char *name)
{
	size_t i = 0;

	while (i < p->n_groups && strcmp(p->group[i].name, name) != 0)
		i++;
	if (i < p->n_groups)
		return i;
	if (i == NAMES_MAX)
		return NAMES_MAX;
	p->group[p->n_groups++] = (struct job_key){.name = name};
	return i;
}

/* A phase ends where the next begins, and with the run. */
static void clip(struct parts *p, double stop)
{
	for (size_t i = 0; i < p->n; i++) {
		struct part *one = &p->v[i];
		double last = i + 1 < p->n ? p->v[i + 1].from : stop;
		if (isnan(one->to) || one->to > last)
			one->to = last;
		if (!(one->to > one->from))
			one->to = one->from;
	}
}

static bool is_time(double t)
{
	return t >= 0 && t < 1e12;
}

static void gather(struct parts *p, const struct run *run)
{
	const struct phases *marked = run->snapshot.phases;

	for (size_t i = 0; i < marked->n; i++)
		if (is_time(marked->v[i].start) && marked->v[i].start <= run->stop)
			p->v[p->n++] = (struct part){
			    .order = i, .from = marked->v[i].start, .to = marked->v[i].end};
	qsort(p->v, p->n, sizeof *p->v, by_start);
	clip(p, run->stop);
	p->left_out = marked->left_out + marked->n - p->n;
	for (size_t i = 0; i < p->n; i++) {
		struct part *one = &p->v[i];
		one->group = group_of(p, marked->v[one->order].name);
		if (one->group == NAMES_MAX) {
			p->left_out++;
			continue;
		}
		p->group[one->group].count++;
		p->group[one->group].total += one->to - one->from;
	}
}

/* -- samples ----------------------------------------------------------------------------------- */

/* A sample at time t stands for the time since the one before. */
struct sample {
	double from, to, value;
};

static void meet(struct used *used, const struct part *p, const struct sample *s)
{
	double from = s->from > p->from ? s->from : p->from, to = s->to < p->to ? s->to : p->to;

	if (!(to > from))
		return;
	count_in(&used->touch, s->value, to - from);
	if (2 * (to - from) >= s->to - s->from)
		count_in(&used->inside, s->value, to - from);
}

/* Parts and samples both ascend, so one walk over them does. *first is the first part that a later
 * sample may touch. */
static void spread(struct parts *p, size_t measure, const struct sample *s, size_t *first)
{
	while (*first < p->n && p->v[*first].to <= s->from)
		++*first;
	for (size_t i = *first; i < p->n && p->v[i].from < s->to; i++)
		if (p->v[i].group != NAMES_MAX)
			meet(&p->group[p->v[i].group].used[measure], &p->v[i], s);
}

static void add_samples(struct parts *p, size_t measure, const struct run *run, enum metric_id id)
{
	const struct metric *m = &metrics[id];
	const struct frame *f = &run->snapshot.rows[m->scope];
	const double *t = frame_col(f, m->scope == METRIC_SCOPE_PROCESS ? METRIC_PROCESS_TIMESTAMP
	                                                                : METRIC_SYSTEM_TIMESTAMP);
	const struct elapsed_rows rows = elapsed_rows(&run->snapshot, m->scope);
	const double *col = frame_col(f, id);
	double last = NAN;
	size_t first = 0;

	for (size_t i = 0; t && col && i < f->rows; i++) {
		struct sample s = {.from = isnan(last) ? t[i] - elapsed_at(&rows, i) : last,
		                   .to = t[i]};
		if (!(s.to > s.from)) /* no time, or one that goes back */
			continue;
		last = t[i];
		s.value = m->kind == METRIC_KIND_DELTA ? col[i] / (s.to - s.from) : col[i];
		if (!isnan(s.value))
			spread(p, measure, &s, &first);
	}
	frame_rest(f);
}

/* -- the model --------------------------------------------------------------------------------- */

static void add_measure(cJSON *array, const struct measure *m, const struct used *used)
{
	const struct sum *s = used->inside.n ? &used->inside : &used->touch;
	cJSON *one = cJSON_CreateObject();

	cJSON_AddItemToArray(array, one);
	cJSON_AddStringToObject(one, "id", m->id);
	cJSON_AddStringToObject(one, "label", m->label);
	model_json_quantity(one, "min", m->unit, s->n ? s->min : (double)NAN);
	model_json_quantity(one, "max", m->unit, s->n ? s->max : (double)NAN);
	model_json_quantity(one, "mean", m->unit, s->n ? s->mean : (double)NAN);
	model_json_quantity(one, "sd", m->unit, deviation(s));
}

/* "once"; "3 times, 0.95 s on average". */
static void add_times(cJSON *row, size_t count, double mean)
{
	char number[UNITS_SIZE], seconds[UNITS_SIZE], text[128] = "once";

	if (count > 1)
		snprintf(text, sizeof text, "%s times, %s on average",
		         units_count((double)count, number), units_seconds(mean, seconds));
	cJSON_AddStringToObject(row, "times", text);
}

static void add_row(cJSON *rows, const struct job_key *g, size_t index, const bool *shown,
                    double length)
{
	cJSON *row = cJSON_CreateObject(), *array;
	double share = g->total / length, mean = stats_round(g->total / (double)g->count, 3);

	cJSON_AddItemToArray(rows, row);
	model_json_cut(row, "name", g->name, MODEL_JSON_NAME_MAX);
	model_json_number(row, "index", (double)index);
	model_json_quantity(row, "count", UNIT_COUNT, (double)g->count);
	model_json_quantity(row, "total", UNIT_SECONDS, stats_round(g->total, 3));
	model_json_quantity(row, "mean", UNIT_SECONDS, mean);
	add_times(row, g->count, mean);
	model_json_quantity(row, "share", UNIT_PERCENT,
	                    share > 1 ? 100 : stats_round(share * 100, 1));
	array = cJSON_AddArrayToObject(row, "measures");
	for (size_t m = 0; m < MEASURES; m++)
		if (shown[m])
			add_measure(array, &measures[m], &g->used[m]);
}

/* What the charts show. */
static void add_data(cJSON *phases, const struct parts *p)
{
	cJSON *data = cJSON_AddObjectToObject(phases, "data");
	cJSON *names = cJSON_AddArrayToObject(data, "names");
	cJSON *bands = cJSON_AddArrayToObject(data, "bands");

	for (size_t i = 0; i < p->n_groups; i++)
		model_json_cut(names, NULL, p->group[i].name, MODEL_JSON_NAME_MAX);
	for (size_t i = 0, n = 0; i < p->n && n < BANDS_MAX; i++) {
		cJSON *band;
		if (p->v[i].group == NAMES_MAX || !(p->v[i].to > p->v[i].from))
			continue;
		n++;
		band = cJSON_CreateArray();
		cJSON_AddItemToArray(bands, band);
		model_json_number(band, NULL, (double)p->v[i].group);
		model_json_number(band, NULL, stats_round(p->v[i].from, 3));
		model_json_number(band, NULL, stats_round(p->v[i].to, 3));
	}
}

static bool has_gpus(const struct run *run)
{
	return run->snapshot.server.gpu_count > 0 || usage_stats(USAGE_VRAM, run)->max > 0;
}

static void add_all(cJSON *phases, struct parts *p, const struct run *run)
{
	cJSON *heads = cJSON_AddArrayToObject(phases, "measures");
	cJSON *rows = cJSON_AddArrayToObject(phases, "rows");
	bool shown[MEASURES];

	for (size_t m = 0; m < MEASURES; m++) {
		enum metric_id id = usage_column(measures[m].usage, run, measures[m].usage);
		cJSON *head;
		shown[m] = run->stats[id].n && (!measures[m].gpu || has_gpus(run));
		if (!shown[m])
			continue;
		add_samples(p, m, run, id);
		head = cJSON_CreateObject();
		cJSON_AddItemToArray(heads, head);
		cJSON_AddStringToObject(head, "id", measures[m].id);
		cJSON_AddStringToObject(head, "label", measures[m].label);
	}
	for (size_t i = 0; i < p->n_groups; i++)
		add_row(rows, &p->group[i], i, shown, run->duration);
	add_data(phases, p);
}

void model_add_phases(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	const struct phases *marked = run->snapshot.phases;
	cJSON *phases = cJSON_AddObjectToObject(model, "phases");
	struct parts p = {.v = alloc_failed_note(calloc(PHASES_MAX, sizeof *p.v)),
	                  .group = alloc_failed_note(calloc(NAMES_MAX, sizeof *p.group))};

	if (marked && p.v && p.group)
		gather(&p, run);
	cJSON_AddBoolToObject(phases, "known", p.n_groups > 0);
	model_json_number(phases, "left_out", (double)p.left_out);
	if (p.n_groups)
		add_all(phases, &p, run);
	free(p.v);
	free(p.group);
}
