/* detail_file: what --detail recorded, in a file. */
#include "core/head/detail_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "core/recording/gaps.h"

#define DETAIL_KEY_FROM    "from"
#define DETAIL_KEY_STEP    "step"
#define DETAIL_KEY_BUCKETS "buckets"
#define DETAIL_KEY_SERIES  "series"
#define DETAIL_KEY_NAME    "name"
#define DETAIL_KEY_POINTS  "points"

#define BUCKETS_TAKEN_MAX 500 /* as many as a picture takes */
#define VALUE_MAX         1e24

/* The numbers of a series: its key, where it is, and the digits that are written (17: all). */
static const struct {
	const char *key;
	size_t at;
	int digits;
} numbers[] = {
    {"n", offsetof(struct detail_series, n), 17},
    {"mean", offsetof(struct detail_series, mean), 12},
    {"max", offsetof(struct detail_series, max), 12},
    {"sum", offsetof(struct detail_series, sum), 17},
    {"first", offsetof(struct detail_series, first), 17},
    {"last", offsetof(struct detail_series, last), 17},
    {"busy", offsetof(struct detail_series, busy), 6},
};
#define NUMBERS (sizeof numbers / sizeof *numbers)

static const cJSON *detail_member(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

/* NAN where it is not a number that can be: nothing here is below 0. */
static double read_detail_number(const cJSON *v)
{
	return cJSON_IsNumber(v) && v->valuedouble >= 0 && v->valuedouble <= VALUE_MAX
	           ? v->valuedouble
	           : (double)NAN;
}

static const double *read_points(struct snapshot *s, const cJSON *array, size_t n)
{
	double *out = cJSON_IsArray(array) && (size_t)cJSON_GetArraySize(array) == n
	                  ? snapshot_alloc(s, n * sizeof *out)
	                  : NULL;
	const cJSON *one = array ? array->child : NULL;

	for (size_t i = 0; out && i < n; i++, one = one->next)
		out[i] = read_detail_number(one);
	return out;
}

static void read_detail_series(struct snapshot *s, struct detail *d, const cJSON *o)
{
	struct detail_series *v = &d->v[d->n];
	const char *name = cJSON_GetStringValue(detail_member(o, DETAIL_KEY_NAME)), *device;
	char text[DETAIL_NAME_MAX];
	size_t n;

	if (!name || !detail_series_parse(name, &v->kind, &v->measure, &device, &n) ||
	    n >= sizeof text)
		return;
	memcpy(text, device, n);
	text[n] = '\0';
	v->device = snapshot_strdup(s, text);
	for (size_t i = 0; i < NUMBERS; i++)
		*(double *)((char *)v + numbers[i].at) =
		    read_detail_number(detail_member(o, numbers[i].key));
	v->points = read_points(s, detail_member(o, DETAIL_KEY_POINTS), d->buckets);
	if (v->points && detail_sums_valid(v))
		d->n++;
}

struct detail *detail_file_read(struct snapshot *s, const cJSON *o)
{
	const cJSON *series = detail_member(o, DETAIL_KEY_SERIES), *one;
	double buckets = read_detail_number(detail_member(o, DETAIL_KEY_BUCKETS));
	double from = read_detail_number(detail_member(o, DETAIL_KEY_FROM));
	double step = read_detail_number(detail_member(o, DETAIL_KEY_STEP));
	struct detail *d;

	if (!(buckets >= 1 && buckets <= BUCKETS_TAKEN_MAX) ||
	    !detail_sums_valid_time(from, step) || !cJSON_IsArray(series))
		return NULL;
	d = snapshot_alloc(s, sizeof *d);
	if (!d)
		return NULL;
	d->buckets = (size_t)buckets;
	d->from = from;
	d->step = step;
	cJSON_ArrayForEach (one, series)
		if (d->n < DETAIL_CELLS_MAX)
			read_detail_series(s, d, one);
	return d;
}

/* -- writing ----------------------------------------------------------------------------------- */

#define CHUNK 512

struct head_writer {
	struct json_write *j;
	const struct detail_devices *devices;
	struct detail_measured *m;
	size_t buckets;
};

static void write_detail_begin(void *ctx, const struct buckets *b)
{
	struct head_writer *w = ctx;

	w->buckets = b->n;
	json_write_num(w->j, DETAIL_KEY_FROM, b->from);
	json_write_num(w->j, DETAIL_KEY_STEP, b->step);
	json_write_num(w->j, DETAIL_KEY_BUCKETS, (double)b->n);
	json_write_array(w->j, DETAIL_KEY_SERIES);
}

static void note_measured(struct head_writer *w, const struct detail_series *series)
{
	for (size_t i = 0; i < w->devices->n; i++)
		if (w->devices->v[i].name == series->device &&
		    w->devices->v[i].kind == series->kind)
			w->m->cell[w->devices->v[i].cell + series->measure] = true;
}

static void write_detail_series(void *ctx, const struct detail_series *series)
{
	struct head_writer *w = ctx;
	char name[DETAIL_SERIES_MAX];

	if (w->m)
		note_measured(w, series);
	json_write_object(w->j, NULL);
	json_write_str(w->j, DETAIL_KEY_NAME,
	               detail_series_name(series->kind, series->device, series->measure, name));
	for (size_t i = 0; i < NUMBERS; i++) {
		double v = *(const double *)((const char *)series + numbers[i].at);
		json_write_num(w->j, numbers[i].key, stats_digits(v, numbers[i].digits));
	}
	json_write_array(w->j, DETAIL_KEY_POINTS);
	for (size_t i = 0; i < w->buckets; i++)
		json_write_num(w->j, NULL, stats_digits(series->points[i], 4));
	json_write_array_end(w->j);
	json_write_object_end(w->j);
}

int detail_file_write(struct json_write *j, const struct written *r, struct detail_measured *m,
                      struct err *e)
{
	struct head_writer w = {.j = j, .devices = r->s->devices, .m = m};

	if (!r->s->devices || !r->s->devices->n || !r->source->rows)
		return 0;
	json_write_object(j, DETAIL_KEY);
	if (detail_sums(r, &(struct detail_sums_to){write_detail_begin, write_detail_series, &w},
	                e))
		return -1;
	json_write_array_end(j);
	json_write_object_end(j);
	return 0;
}

void detail_file_write_read(struct json_write *j, const struct detail *d)
{
	struct head_writer w = {.j = j};

	json_write_object(j, DETAIL_KEY);
	write_detail_begin(&w,
	                   &(struct buckets){.from = d->from, .step = d->step, .n = d->buckets});
	for (size_t i = 0; i < d->n; i++)
		write_detail_series(&w, &d->v[i]);
	json_write_array_end(j);
	json_write_object_end(j);
}

static int write_detail_column(struct json_write *j, const struct written *r, enum metric_id id,
                               int digits, struct err *e)
{
	const struct snapshot_source *rows = r->source;
	double cells[CHUNK];

	for (size_t from = 0; from < rows->rows; from += CHUNK) {
		size_t n = rows->rows - from < CHUNK ? rows->rows - from : CHUNK;
		if (j->failed || rows->fetch(rows->ctx, id, from, n, cells, e))
			return -1;
		for (size_t i = 0; i < n; i++)
			if (!gaps_has(r->s, from + i))
				json_write_num(j, NULL, stats_round(cells[i], digits));
	}
	return 0;
}

int detail_file_write_rows(struct json_write *j, const struct written *r,
                           const struct detail_measured *m, struct err *e)
{
	const struct detail_devices *d = r->s->devices;

	for (size_t i = 0; d && i < d->n; i++)
		for (size_t k = 0; k < detail_kinds[d->v[i].kind].cells; k++) {
			char name[DETAIL_SERIES_MAX];
			if (!m->cell[d->v[i].cell + k])
				continue;
			json_write_array(j,
			                 detail_series_name(d->v[i].kind, d->v[i].name, k, name));
			if (write_detail_column(j, r, DETAIL_CELL(d->v[i].cell + k),
			                        detail_kinds[d->v[i].kind].measure[k].digits, e))
				return -1;
			json_write_array_end(j);
		}
	return 0;
}
