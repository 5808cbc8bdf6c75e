/* fleet_worse: the newest change for the worse of a group. */
#include "fleet/groups/fleet_worse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "fleet/catalog/catalog_list.h"
#include "report/history/history_changes.h"
#include "report/runs/job_key.h"

/* -- rows as runs ------------------------------------------------------------------------------ */

/* Adds a label from "key=value;key=value". */
static void add_row_label(struct snapshot *s, const char *labels, const char *key)
{
	size_t length = strlen(key), n;
	const char *at = labels;
	char value[64];

	while (at && (strncmp(at, key, length) != 0 || at[length] != '='))
		at = (at = strchr(at, ';')) ? at + 1 : NULL;
	if (!at)
		return;
	at += length + 1;
	n = strcspn(at, ";");
	if (n >= sizeof value)
		return;
	memcpy(value, at, n);
	value[n] = '\0';
	snapshot_pairs_add(s, &s->job.labels, key, snapshot_strdup(s, value));
}

/* The labels that history_commit and the order of the runs need. */
static void add_commit(struct snapshot *s, const char *labels)
{
	static const char *const keys[] = {"git.commit", "git.commit_time", "ci.commit",
	                                   "ci.commit_time"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		add_row_label(s, labels, keys[i]);
}

/* The CPU time of a row is one number; a run's is the sum of two columns. */
static void set_cpu_time(struct snapshot *s, double cpu_s)
{
	struct stats *user = &s->summary[METRIC_PROCESS_UTIME];
	struct stats *kernel = &s->summary[METRIC_PROCESS_STIME];

	if (!isfinite(cpu_s) || !s->meta.track_processes)
		return;
	user->n = kernel->n = 1;
	user->sum = cpu_s;
	kernel->sum = 0;
}

static bool is_comparable(const struct catalog_result *v)
{
	enum import_origin origin = import_origin_find(v[CATALOG_COLUMN_ORIGIN].text);

	return (origin == IMPORT_RECORDED || origin == IMPORT_RECORDED_AND_SACCT) &&
	       !*v[CATALOG_COLUMN_JOINED].text;
}

static int take_run_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	struct runs *r = ctx;
	struct run *run = &r->v[r->n];
	struct rtrack_row row;

	if (!is_comparable(v))
		return 0;
	rtrack_row_clear(&row);
	for (int i = 0; i < RTRACK_ROW_COLUMNS; i++) {
		if (rtrack_row_is_text(i))
			row.of[i].text = v[i].text;
		else
			row.of[i].number = v[i].number;
	}
	r->n++;
	run->file = strdup(v[CATALOG_COLUMN_SOURCE].text);
	rtrack_row_head(&row, &run->snapshot);
	if (!run->file || !run->snapshot.summary)
		return err_set(e, "out of memory");
	set_cpu_time(&run->snapshot, v[RTRACK_ROW_CPU].number);
	add_commit(&run->snapshot, v[RTRACK_ROW_LABELS].text);
	return load_measure(run, e);
}

static bool is_one_job(const struct runs *r)
{
	for (size_t i = 1; i < r->n; i++)
		if (*job_key_differs(NULL, &r->v[0], &r->v[i]))
			return false;
	return r->n > 0;
}

/* -- the change -------------------------------------------------------------------------------- */

/* Whether the newest level is still worse than the one before the change. */
static bool is_still_worse(const struct change_series *s, const struct change_point *c)
{
	return s->point[s->points - 1].after > c->before * (1 + CHANGE_STEP);
}

static const struct change_point *newest_worse(const struct history_changes *h, enum trend_id *id)
{
	const struct change_point *newest = NULL;
	size_t least = CHANGE_RUNS + 1;

	for (int i = 0; i < TREND_JUDGED; i++) {
		const struct history_series *s = &h->of[i].series;
		for (size_t k = 0; k < s->found.points && trend_measures[i].less_is_good; k++) {
			const struct change_point *c = &s->found.point[k];
			size_t age = history_change_age(s, c);
			if (!change_point_is_of_job(c) || !(c->step > 0) || age >= least ||
			    !is_still_worse(&s->found, c))
				continue;
			newest = c;
			least = age;
			*id = (enum trend_id)i;
		}
	}
	return newest;
}

static void say_worse(const struct runs *r, const struct history_changes *h,
                      struct fleet_worse *out)
{
	enum trend_id id = TREND_DURATION;
	const struct change_point *c = newest_worse(h, &id);
	const struct history_series *s = &h->of[id].series;
	const struct run *first;
	struct buf text = {0};

	if (!c)
		return;
	first = &r->v[s->run[c->at]];
	history_change_text(r, id, s, c, &text);
	*out = (struct fleet_worse){.measure = &trend_measures[id],
	                            .runs = history_change_age(s, c),
	                            .since = first->start,
	                            .step = c->step,
	                            .least = c->least,
	                            .most = c->most,
	                            .commit = alloc_failed_note(strdup(history_commit(first))),
	                            .text = alloc_failed_note(buf_take(&text))};
}

static int find_in_runs(struct runs *r, struct fleet_worse *out, struct err *e)
{
	struct history_changes *h;

	if (r->n < 2 * CHANGE_LEAST || !is_one_job(r))
		return 0;
	if (history_choose(r, 0, e))
		return -1;
	h = history_changes_new(r, NAN);
	if (h)
		say_worse(r, h, out);
	free(h);
	return alloc_failed() ? err_set(e, "out of memory") : 0;
}

/* -- groups whose rows are read together ------------------------------------------------------- */

struct together {
	struct runs runs[CATALOG_LIST_SOURCES]; /* of each group */
	struct source {
		const char *text;
		struct runs *of;
	} by[CATALOG_LIST_SOURCES]; /* sorted by text */
	const char *text[CATALOG_LIST_SOURCES];
	size_t n;
};

static int compare_sources(const void *a, const void *b)
{
	return strcmp(((const struct source *)a)->text, ((const struct source *)b)->text);
}

static int take_source_row(void *ctx, const struct catalog_result *v, struct err *e)
{
	const struct together *t = ctx;
	const struct source key = {.text = v[CATALOG_COLUMN_SOURCE].text};
	const struct source *found = bsearch(&key, t->by, t->n, sizeof key, compare_sources);

	return found ? take_run_row(found->of, v, e) : 0;
}

static int find_together(struct catalog *c, struct together *t, const struct fleet_worse_of *v,
                         size_t n, struct err *e)
{
	int failed = 0;

	t->n = 0;
	for (size_t i = 0; i < n && !failed; i++) {
		t->runs[i] = (struct runs){.v = calloc(v[i].n + 1, sizeof *t->runs[i].v)};
		failed = t->runs[i].v ? 0 : err_set(e, "out of memory");
		for (size_t k = 0; k < v[i].n; k++)
			t->by[t->n++] = (struct source){v[i].source[k], &t->runs[i]};
	}
	qsort(t->by, t->n, sizeof *t->by, compare_sources);
	for (size_t i = 0; i < t->n; i++)
		t->text[i] = t->by[i].text;
	if (!failed && t->n)
		failed = catalog_list_sources(c, t->text, t->n, take_source_row, t, e);
	for (size_t i = 0; i < n; i++) {
		if (!failed)
			failed = find_in_runs(&t->runs[i], v[i].out, e);
		load_free(&t->runs[i]);
		t->runs[i] = (struct runs){.n = 0};
	}
	return failed ? -1 : 0;
}

int fleet_worse_find(struct catalog *c, const struct fleet_worse_of *v, size_t n, struct err *e)
{
	struct together *t = calloc(1, sizeof *t);
	int failed = t ? 0 : err_set(e, "out of memory");

	for (size_t i = 0; i < n && !failed;) {
		size_t first = i, rows = 0;
		while (i < n && i - first < CATALOG_LIST_SOURCES &&
		       rows + v[i].n <= CATALOG_LIST_SOURCES)
			rows += v[i++].n;
		failed = i == first ? err_set(e, "too many runs of one group")
		                    : find_together(c, t, v + first, i - first, e);
	}
	free(t);
	return failed;
}

void fleet_worse_free(struct fleet_worse *w)
{
	free(w->commit);
	free(w->text);
	*w = (struct fleet_worse){0};
}
