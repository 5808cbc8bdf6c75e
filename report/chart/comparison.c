/* comparison: the data that is kept of each compared run. */
#include "report/chart/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/runs/parts_join.h"
#include "report/stats/usage_column.h"

const struct metric *comparison_metric(enum comparison_line_id line, const struct runs *r,
                                       size_t run)
{
	static const enum usage shown[COMPARISON_LINES] = {USAGE_CPU, USAGE_MEMORY};
	enum metric_id id = usage_column(shown[line], &r->v[0], USAGE_CPU);

	return load_stats(&r->v[run], id)->n ? &metrics[id] : NULL;
}

/* -- names ------------------------------------------------------------------------------------- */

static const char *tag_value(const struct run *run, const char *key)
{
	const struct snapshot_pairs *tags = &run->snapshot.job.tags;

	for (size_t i = 0; i < tags->n; i++)
		if (strcmp(tags->v[i].key, key) == 0)
			return tags->v[i].value;
	return NULL;
}

/* Whether each of the first n runs has another value of this tag. */
static bool distinguishes(const struct runs *r, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++) {
		const char *one = tag_value(&r->v[i], key);
		if (!one || !*one)
			return false;
		for (size_t k = 0; k < i; k++)
			/* analyzer-null-argument: run k has it, else the loop had ended at k */
			if (strcmp(one, tag_value(&r->v[k], key)) == 0)
				return false;
	}
	return n > 1;
}

static const char *distinguishing_tag(const struct runs *r, size_t n)
{
	const struct snapshot_pairs *tags = &r->v[0].snapshot.job.tags;

	for (size_t i = 0; i < tags->n; i++)
		if (distinguishes(r, n, tags->v[i].key))
			return tags->v[i].key;
	return NULL;
}

static void add_file_label(struct buf *label, const char *path)
{
	static const char *const endings[] = {".json.gz", ".json"};
	const char *name = input_file_name(path);
	size_t n = strlen(name);

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		size_t m = strlen(endings[i]);
		if (n > m && strcmp(name + n - m, endings[i]) == 0) {
			n -= m;
			break;
		}
	}
	buf_add(label, name, n);
}

static void add_run_label(struct buf *label, const struct run *run, const struct opts_list *names,
                          const char *tag)
{
	if (run->given < names->n && *names->v[run->given])
		buf_str(label, names->v[run->given]);
	else if (tag)
		buf_printf(label, "%s %s", tag, tag_value(run, tag));
	else
		add_file_label(label, run->file);
}

/* -- what is kept ------------------------------------------------------------------------------ */

static int take_lines(struct comparison_run *one, const struct runs *r)
{
	const struct run *run = &r->v[one->run];
	struct chart_grid *g = &one->grid;
	double last;

	if (chart_grid_make(g, run))
		return -1;
	if (!g->n)
		return 0;
	for (int line = 0; line < COMPARISON_LINES; line++) {
		const struct metric *m =
		    comparison_metric((enum comparison_line_id)line, r, one->run);
		if (!m)
			continue;
		one->cells[line] = calloc(g->n, sizeof *one->cells[line]);
		if (!one->cells[line])
			return -1;
		chart_grid_fill(one->cells[line], g, run, m);
	}
	/* A start long before the first sample is not when this data begins. */
	one->begin = run->start <= g->from && g->from - run->start <= g->gap ? run->start : g->from;
	last = g->buckets ? (double)g->n * g->step : g->x[g->n - 1];
	one->span = g->from + last - one->begin;
	return 0;
}

static int take_run(struct comparison_run *one, struct runs *r, struct err *e)
{
	struct run *run = &r->v[one->run];
	int failed;

	if (parts_load_whole(run, &one->why))
		return 0; /* its statistics are still there */
	failed = take_lines(one, r) || phase_usage_of(run, &one->phases, NULL);
	if (one->run)
		load_drop_rows(run);
	return failed || alloc_failed() ? err_set(e, "no memory for the comparison") : 0;
}

static int fill_comparison(struct comparison *c, struct runs *r, const struct opts_list *names,
                           struct err *e)
{
	const char *tag;

	if (names->n > r->n)
		return err_set(e, "--name was given %zu times, for %zu run%s", names->n, r->n,
		               r->n == 1 ? "" : "s");
	c->n = r->n < COMPARISON_MAX ? r->n : COMPARISON_MAX;
	c->left_out = r->n - c->n;
	for (size_t i = 0; i < c->n; i++) {
		c->v[i].run = i;
		if (take_run(&c->v[i], r, e))
			return -1;
	}
	/* After all runs were read again: that replaces their strings. */
	tag = distinguishing_tag(r, c->n);
	for (size_t i = 0; i < c->n; i++)
		add_run_label(&c->v[i].label, &r->v[i], names, tag);
	return 0;
}

struct comparison *comparison_new(struct runs *r, const struct opts_list *names, struct err *e)
{
	struct comparison *c = calloc(1, sizeof *c);

	if (!c) {
		err_set(e, "no memory for the comparison");
	} else if (fill_comparison(c, r, names, e)) {
		comparison_free(c);
		c = NULL;
	}
	return c;
}

void comparison_free(struct comparison *c)
{
	for (size_t i = 0; c && i < c->n; i++) {
		chart_grid_free(&c->v[i].grid);
		for (int line = 0; line < COMPARISON_LINES; line++)
			free(c->v[i].cells[line]);
		buf_free(&c->v[i].label);
	}
	free(c);
}

/* -- phases ------------------------------------------------------------------------------------ */

/* From when to when the run was in the phase; false where it never was, or more than once. */
static bool was_once_in(const struct phase_usage *u, const char *name, double *from, double *to)
{
	size_t times = 0;

	for (size_t i = 0; i < u->n_spans; i++) {
		const struct phase_usage_span *span = &u->span[i];
		if (strcmp(u->name[span->name].name, name) != 0)
			continue;
		times++;
		*from = span->from;
		*to = span->to;
	}
	return times == 1;
}

/* Appends a phase to the axis if all runs have it after the phase before. */
static void append_phase(struct comparison_align *a, const struct comparison *c, const char *name)
{
	size_t k = a->n;
	double width = 0;

	if (k == COMPARISON_PHASES_MAX)
		return;
	for (size_t i = 0; i < c->n; i++) {
		double from = NAN, to = NAN;
		if (c->v[i].phases.n) {
			if (!was_once_in(&c->v[i].phases, name, &from, &to) || !(to > from) ||
			    (k && from < a->to[k - 1][i]))
				return;
			width = to - from > width ? to - from : width;
		}
		a->from[k][i] = from;
		a->to[k][i] = to;
	}
	a->name[k] = name;
	a->at[k] = a->span;
	a->width[k] = width;
	a->span += width;
	a->n++;
}

void comparison_align(struct comparison_align *a, const struct comparison *c)
{
	size_t runs = 0, first = c->n;

	*a = (struct comparison_align){0};
	for (size_t i = c->n; i-- > 0;)
		if (c->v[i].phases.n) {
			first = i;
			runs++;
		}
	if (runs < 2)
		return;
	for (size_t i = 0; i < c->v[first].phases.n; i++)
		append_phase(a, c, c->v[first].phases.name[i].name);
}

double comparison_align_at(const struct comparison_align *a, size_t run, double unix_s,
                           size_t *phase)
{
	for (size_t k = 0; k < a->n; k++)
		if (unix_s > a->from[k][run] && unix_s <= a->to[k][run]) {
			*phase = k;
			return a->at[k] + unix_s - a->from[k][run];
		}
	return NAN;
}
