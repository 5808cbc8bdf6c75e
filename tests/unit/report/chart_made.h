/*
 * chart_made: a run of made-up columns, without a file, and SVG paths as points again.
 */
#ifndef TESTS_UNIT_REPORT_CHART_MADE_H
#define TESTS_UNIT_REPORT_CHART_MADE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/chart/chart.h"
#include "report/units/model_json.h"

#define MADE_START 1795234300.0

/* A run that samples each step seconds, from MADE_START on; it has no columns yet. */
static inline struct run *made_run(double step)
{
	struct run *run = calloc(1, sizeof *run);
	struct snapshot *s = run ? &run->snapshot : NULL;

	if (!run)
		abort();
	run->interval = step;
	run->start = run->stop = MADE_START;
	s->limits.cpus = s->limits.memory_b = NAN;
	s->server.vcpus = s->server.memory_b = s->server.gpu_count = s->server.gpu_memory_b = NAN;
	run->stats = snapshot_alloc(s, METRIC_COUNT * sizeof *run->stats);
	if (!run->stats)
		abort();
	for (int id = 0; id < METRIC_COUNT; id++)
		run->stats[id].max = run->stats[id].mean = NAN;
	return run;
}

/* A column of n values: of(i), which may be NAN. */
static inline void made_column(struct run *run, enum metric_id id, size_t n, double (*of)(size_t))
{
	struct frame *f = &run->snapshot.rows[metrics[id].scope];
	struct err e = {0};

	for (size_t i = 0; i < n; i++)
		if (frame_push(f, id, of(i), &e))
			abort();
	if (frame_square(f, &e) || stats_of(frame_col(f, id), NULL, n, &run->stats[id], &e))
		abort();
}

static double made_step;
static inline double made_time(size_t i)
{
	return MADE_START + (double)i * made_step;
}

/* The times of both scopes, n each. */
static inline void made_times(struct run *run, size_t n)
{
	made_step = run->interval;
	made_column(run, METRIC_PROCESS_TIMESTAMP, n, made_time);
	made_column(run, METRIC_SYSTEM_TIMESTAMP, n, made_time);
	run->stop = made_time(n - 1);
}

static inline void made_free(struct run *run)
{
	snapshot_free(&run->snapshot);
	free(run);
}

static inline const cJSON *made_get(const cJSON *o, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(o, key);
}

static inline const cJSON *made_chart(const cJSON *all, const char *id)
{
	const cJSON *c;

	cJSON_ArrayForEach (c, all)
		if (strcmp(cJSON_GetStringValue(made_get(c, "id")), id) == 0)
			return c;
	return NULL;
}

static inline const char *made_text(const cJSON *o, const char *key)
{
	return cJSON_GetStringValue(made_get(o, key));
}

static inline double made_number(const cJSON *o, const char *key)
{
	return cJSON_GetNumberValue(made_get(o, key));
}

struct made_path {
	struct {
		double x, y;
		int part; /* which M it follows, from 0 */
	} v[8192];
	size_t n;
	int parts;
};

/* Reads "M1 2l3-4 5 6z…". False where there is anything else in it. */
static inline bool made_path(struct made_path *p, const char *d)
{
	double x = 0, y = 0;
	char how = 0;

	p->n = 0;
	p->parts = 0;
	while (*d) {
		char *end;
		if (strchr("Mlz", *d)) {
			how = *d++;
			p->parts += how == 'M';
			continue;
		}
		double a = strtod(d, &end), b = strtod(end, (char **)&d);
		if (end == d || !strchr("Ml", how) || !how || p->n == sizeof p->v / sizeof *p->v)
			return false;
		x = how == 'M' ? a : x + a;
		y = how == 'M' ? b : y + b;
		p->v[p->n].x = x;
		p->v[p->n].y = y;
		p->v[p->n++].part = p->parts - 1;
	}
	return true;
}

#endif
