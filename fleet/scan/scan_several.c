/* scan_several: files of several recordings. */
#include "fleet/scan/scan_several.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/files/recordings.h"
#include "fleet/catalog/catalog_list.h"
#include "fleet/catalog/catalog_row.h"
#include "fleet/scan/scan_days.h"

static int no_several_memory(struct err *e)
{
	return err_set(e, "no memory to read the recordings");
}

/* -- which files ------------------------------------------------------------------------------- */

static bool has_several(const struct scan_job *job)
{
	struct recordings v;
	bool several;

	if (job->place != INPUT_FILE || input_kind_of(job->path) != INPUT_SNAPSHOT ||
	    recordings_open(&v, job->path))
		return false;
	several = recordings_next(&v, NULL) > 0 && v.n < (uint64_t)job->size;
	recordings_close(&v);
	return several;
}

int scan_several_take(struct scan_several *q, struct scan_job *job, struct err *e)
{
	struct scan_job *more = q->v;
	size_t cap = q->cap ? 2 * q->cap : 64;

	if (!has_several(job))
		return 0;
	if (q->n == q->cap) {
		more = reallocarray(q->v, cap, sizeof *more);
		if (!more)
			return no_several_memory(e);
		q->v = more;
		q->cap = cap;
	}
	q->v[q->n++] = *job;
	*job = (struct scan_job){.path = NULL};
	return 1;
}

const struct scan_job *scan_several_file(const struct scan_several *q)
{
	return &q->v[q->next];
}

bool scan_several_has(const struct scan_several *q)
{
	return q->next < q->n;
}

/* -- their recordings -------------------------------------------------------------------------- */

void scan_several_skip(struct scan_several *q)
{
	if (q->walk)
		recordings_close(q->walk);
	free(q->walk);
	q->walk = NULL;
	free(q->v[q->next].path);
	q->v[q->next].path = NULL;
	if (++q->next == q->n)
		q->next = q->n = 0;
}

static int make_job(const struct scan_several *q, struct scan_job *out, size_t nth, uint64_t at,
                    struct err *e)
{
	const struct scan_job *file = &q->v[q->next];
	struct buf source = {0};

	*out = *file;
	out->path = strdup(file->path);
	out->nth = nth;
	out->at = at;
	if (nth > 1) {
		buf_printf(&source, "%s/%zu", file->path, nth);
		out->source = buf_take(&source);
	}
	return out->path && (nth == 1 || out->source) ? 0 : no_several_memory(e);
}

/* Bytes after the last whole recording are being appended just now, or are damaged: then they are
 * named each time, as a damaged file is. */
static int end_file(struct scan_several *q, struct scan_job *out, double now, struct err *e)
{
	struct scan_job *file = &q->v[q->next];

	if (!q->damaged || (double)file->mtime_ns / 1e9 > now - SCAN_DAYS_QUIET_S) {
		file->size = (int64_t)q->walk->at;
		if (make_job(q, out, 1, q->first, e))
			return -1;
		out->of = q->nth;
		scan_several_skip(q);
		return 0;
	}
	if (make_job(q, out, q->nth + 1, q->walk->at, e))
		return -1;
	q->damaged = false;
	return scan_work_leave_out(out, q->why.msg, e);
}

int scan_several_next(struct scan_several *q, struct scan_job *out, double now, struct err *e)
{
	struct scan_job *file = &q->v[q->next];
	struct err why = {0};
	int got = 0;

	*out = (struct scan_job){.path = NULL};
	if (!q->walk) {
		q->walk = calloc(1, sizeof *q->walk);
		if (!q->walk)
			return no_several_memory(e);
		q->ended = q->damaged = false;
		q->found = false;
		q->nth = 1;
		q->first = 0;
		got = recordings_open(q->walk, file->path);
	}
	if (!q->ended && !got)
		got = recordings_next(q->walk, &why);
	if (!q->ended && got == RECORDINGS_SHORT)
		return 0;
	if (!q->ended && got > 0 && q->found)
		return make_job(q, out, ++q->nth, q->walk->at, e);
	if (!q->ended && got > 0) {
		q->found = true;
		q->first = q->walk->at;
		return 0;
	}
	if (!q->ended && got < 0) {
		err_set(&q->why, "%s: %s", file->path, *why.msg ? why.msg : "cannot be read");
		q->damaged = true;
	}
	q->ended = true;
	return end_file(q, out, now, e);
}

void scan_several_free(struct scan_several *q)
{
	while (scan_several_has(q))
		scan_several_skip(q);
	free(q->v);
	*q = (struct scan_several){.n = 0};
}

/* -- recordings that a file no longer has ------------------------------------------------------ */

/* Sources that the catalog has. */
struct stale {
	char *source[CATALOG_LIST_IDS];
	size_t n;
};

static int on_stale(void *ctx, const struct catalog_result v[CATALOG_COLUMNS], struct err *e)
{
	struct stale *s = ctx;

	if (s->n == CATALOG_LIST_IDS)
		return 0;
	s->source[s->n] = strdup(v[CATALOG_COLUMN_SOURCE].text);
	return s->source[s->n] ? s->n++, 0 : no_several_memory(e);
}

/* Forgets a recording, "PATH/3", and those of its file that come after it. */
static int forget_from(struct catalog *c, const char *source, struct err *e)
{
	const char *number = strrchr(source, '/') + 1;
	size_t nth = 0, n = 0, before;
	struct buf next = {0};
	int failed;

	for (const char *p = number; *p; p++)
		nth = 10 * nth + (size_t)(*p - '0');
	do {
		before = n;
		buf_clear(&next);
		buf_add(&next, source, (size_t)(number - source));
		buf_printf(&next, "%zu", nth++);
		failed = next.failed ? no_several_memory(e)
		                     : catalog_forget(c, buf_cstr(&next), 0, &n, e);
	} while (!failed && n > before);
	buf_free(&next);
	return failed;
}

static int shrink_files(struct catalog *c, const struct scan_job *const *first, size_t n,
                        struct err *e)
{
	struct buf next[CATALOG_LIST_IDS] = {{0}};
	const char *source[CATALOG_LIST_IDS];
	struct stale stale = {.n = 0};
	bool room = true;
	int failed;

	for (size_t i = 0; i < n; i++) {
		buf_printf(&next[i], "%s/%zu", first[i]->path, first[i]->of + 1);
		room = room && !next[i].failed;
		source[i] = buf_cstr(&next[i]);
	}
	failed =
	    room ? catalog_list_sources(c, source, n, on_stale, &stale, e) : no_several_memory(e);
	for (size_t i = 0; i < stale.n; i++) {
		if (!failed)
			failed = forget_from(c, stale.source[i], e);
		free(stale.source[i]);
	}
	for (size_t i = 0; i < n; i++)
		buf_free(&next[i]);
	return failed;
}

int scan_several_shrink(struct catalog *c, const struct scan_job *v, size_t n, struct err *e)
{
	const struct scan_job *first[CATALOG_LIST_IDS];
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		if (v[i].of && v[i].state == SCAN_READ)
			first[k++] = &v[i];
		if (k == CATALOG_LIST_IDS) {
			if (shrink_files(c, first, k, e))
				return -1;
			k = 0;
		}
	}
	return k ? shrink_files(c, first, k, e) : 0;
}
