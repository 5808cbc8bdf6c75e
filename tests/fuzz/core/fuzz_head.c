/* snapshot_read_path: what the head of a recording says is what the whole of it says. */
#include <math.h>
#include <string.h>

#include "core/files/snapshot_read.h"
#include "core/head/detail_sums.h"
#include "core/head/overview.h"
#include "tests/fuzz/fuzz.h"

static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static void same_text(const char *a, const char *b)
{
	must(strcmp(a ? a : "", b ? b : "") == 0);
}

static void same_pairs(const struct snapshot_pairs *a, const struct snapshot_pairs *b)
{
	must(a->n == b->n);
	for (size_t i = 0; i < a->n; i++) {
		same_text(a->v[i].key, b->v[i].key);
		same_text(a->v[i].value, b->v[i].value);
	}
}

static void same_stats(const struct stats *a, const struct stats *b)
{
	must(a->n == b->n && same(a->min, b->min) && same(a->max, b->max));
	must(same(a->mean, b->mean) && same(a->sum, b->sum) && same(a->sd, b->sd));
	must(same(a->p50, b->p50) && same(a->p95, b->p95));
}

static void same_head(const struct snapshot *a, const struct snapshot *b)
{
	must(same(a->meta.interval, b->meta.interval));
	must(same(a->meta.start_time, b->meta.start_time));
	must(same(a->meta.stop_time, b->meta.stop_time));
	must(same(a->server.vcpus, b->server.vcpus));
	must(same(a->server.memory_b, b->server.memory_b));
	same_text(a->server.os, b->server.os);
	same_text(a->cloud.vendor, b->cloud.vendor);
	same_text(a->cloud.instance_type, b->cloud.instance_type);
	same_text(a->job.name, b->job.name);
	same_text(a->job.host, b->job.host);
	must(a->job.argc == b->job.argc);
	for (size_t i = 0; i < a->job.argc; i++)
		same_text(a->job.argv[i], b->job.argv[i]);
	same_pairs(&a->job.tags, &b->job.tags);
	same_pairs(&a->job.labels, &b->job.labels);
	must(a->exit.known == b->exit.known && a->exit.code == b->exit.code);
	must(a->exit.signal == b->exit.signal && a->unfinished == b->unfinished);
	must(same(a->limits.memory_b, b->limits.memory_b));
	must(same(a->totals.max_rss_b, b->totals.max_rss_b) && a->notes.n == b->notes.n);
	for (int id = 0; id < METRIC_COUNT; id++)
		same_stats(&a->summary[id], &b->summary[id]);
}

/* The head alone may pass where the rest is broken. What is whole passes both ways. */
static void check(const struct snapshot *head, int head_failed, const struct snapshot *whole,
                  int whole_failed)
{
	must(whole_failed || !head_failed);
	must(head_failed || !head->head_only || (head->summary && !head->rows[0].rows));
	must(head_failed || head->head_only || !whole_failed);
	if (!whole_failed && head->head_only)
		same_head(head, whole);
	if (!whole_failed && !head->head_only)
		for (int scope = 0; scope < METRIC_SCOPES; scope++)
			must(head->rows[scope].rows == whole->rows[scope].rows);
}

/* A bucket has all values, in order, or none. */
static void check_column(const struct overview_column *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool none = isnan(c->min[i]);
		must(none == isnan(c->mean[i]) && none == isnan(c->max[i]));
		must(c->seconds[i] >= 0 && isfinite(c->seconds[i]));
		must(none || (c->min[i] <= c->mean[i] && c->mean[i] <= c->max[i]));
		must(none || (isfinite(c->min[i]) && isfinite(c->max[i]) && c->seconds[i] > 0));
	}
}

static void check_overview(const struct overview *v)
{
	must(v->n > 0 && v->n <= OVERVIEW_BUCKETS_MAX && v->step > 0 && v->gap > 0);
	must(isfinite(v->from) && isfinite(v->step) && isfinite(v->gap));
	for (int id = 0; id < METRIC_COUNT; id++)
		if (v->column[id].min)
			check_column(&v->column[id], v->n);
	must(v->n_shares <= OVERVIEW_SHARES_MAX && v->n_phases <= OVERVIEW_PHASES_MAX);
	for (size_t i = 0; i < v->n_shares; i++)
		must(v->share[i].share >= 0 && v->share[i].share <= 1);
	for (size_t i = 0; i < v->n_differences; i++)
		must(v->difference[i].max >= 0 && v->difference[i].mean >= 0);
	for (size_t i = 0; i < v->n_phases; i++)
		must(v->phase[i].name);
}

/* The overview stands in place of rows, or the rows are there. */
static void check_with_overview(const char *path, const struct snapshot *whole, int whole_failed)
{
	struct snapshot s = {.unfinished = false};
	struct err e = {{0}};

	if (snapshot_read_path(&s, path, SNAPSHOT_WANT_OVERVIEW, &e)) {
		must(!s.arena);
		/* The overview's text counts in the block's, and may be wrong. */
	} else if (s.overview) {
		must(s.head_only && s.summary && !s.rows[0].rows && !s.rows[1].rows);
		check_overview(s.overview);
		if (!whole_failed && whole->summary)
			same_head(&s, whole);
	} else {
		must(!s.head_only && (whole_failed || s.rows[0].rows == whole->rows[0].rows));
	}
	snapshot_free(&s);
}

static void check_detail(const struct detail *d)
{
	must(d->buckets > 0 && d->n <= DETAIL_CELLS_MAX && d->step > 0 && d->from >= 0);
	for (size_t i = 0; i < d->n; i++) {
		const struct detail_series *v = &d->v[i];
		must(v->device && v->mean >= 0 && v->mean <= v->max && isfinite(v->max));
		must(isnan(v->busy) || (v->busy >= 0 && v->busy <= 1));
		for (size_t k = 0; k < d->buckets; k++)
			must(isnan(v->points[k]) || (v->points[k] >= 0 && isfinite(v->points[k])));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct snapshot head = {.unfinished = false}, whole = {.unfinished = false};
	struct err e = {{0}}, f = {{0}};
	int fd = fuzz_file(data, size), head_failed, whole_failed;
	char path[32];

	head_failed = snapshot_read_path(&head, fuzz_path(fd, path), SNAPSHOT_WANT_HEAD, &e);
	whole_failed = snapshot_read(&whole, fd, path, &f);
	check(&head, head_failed, &whole, whole_failed);
	/* What is wrong is reported alike, how much was read of it or not; but the head of a recording
	 * with an overview ends there. */
	if (head_failed)
		must((strcmp(e.msg, f.msg) == 0 || strstr(e.msg, "wrong JSON in the block")) &&
		     !head.arena);
	check_with_overview(path, &whole, whole_failed);
	must(!head.overview && !whole.overview && (!head.head_only || !head.detail));
	if (whole.detail)
		check_detail(whole.detail);
	snapshot_free(&head);
	snapshot_free(&whole);
	close(fd);
	return 0;
}
