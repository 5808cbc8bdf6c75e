/* detail_write: writes what --detail recorded. */
#include "core/recording/detail_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/recording/gaps.h"

#define CHUNK 512

static double some_digits(double v, int digits)
{
	char text[32];

	if (!digits || !isfinite(v))
		return v;
	snprintf(text, sizeof text, "%.*g", digits, v);
	return strtod(text, NULL);
}

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
	for (size_t i = 0; i < DETAIL_NUMBERS; i++) {
		double v = *(const double *)((const char *)series + detail_numbers[i].at);
		json_write_num(w->j, detail_numbers[i].key,
		               some_digits(v, detail_numbers[i].digits));
	}
	json_write_array(w->j, DETAIL_KEY_POINTS);
	for (size_t i = 0; i < w->buckets; i++)
		json_write_num(w->j, NULL, some_digits(series->points[i], 4));
	json_write_array_end(w->j);
	json_write_object_end(w->j);
}

int detail_write_head(struct json_write *j, const struct overview_rows *r,
                      struct detail_measured *m, struct err *e)
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

void detail_write_read(struct json_write *j, const struct detail *d)
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

static int write_detail_column(struct json_write *j, const struct overview_rows *r,
                               enum metric_id id, int digits, struct err *e)
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

int detail_write_rows(struct json_write *j, const struct overview_rows *r,
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
