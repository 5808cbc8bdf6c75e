/* scan_store: objects in a store → rows, for scan_sources. */
#include "fleet/scan/scan_store.h"

#include <stdlib.h>
#include <string.h>

#include "report/runs/load_store.h"
#include "report/store/store_find.h"
#include "report/store/store_pieces.h"

/* -- listing ----------------------------------------------------------------------------------- */

static void note_unlisted(struct scan_work *w, const struct err *why)
{
	w->in->failure(w->in->ctx, why);
	w->out->failed++;
}

static int add_found(void *ctx, const struct store_found *f, struct err *e)
{
	struct scan_work *w = ctx;

	return scan_list_add_object(&w->list, f, e);
}

static int list_many(void *ctx, const char *prefix, size_t *n, struct err *e)
{
	struct scan_work *w = ctx;
	struct store_find *f = calloc(1, sizeof *f);
	struct err why = {0};

	if (!f)
		return err_set(e, "no memory to list the recordings");
	f->is_recording = input_is_recording;
	f->each = add_found;
	f->ctx = w;
	if (store_find(w->in->store, prefix, f, &why))
		note_unlisted(w, &why);
	*n = *why.msg ? 1 : f->n;
	free(f);
	return 0;
}

/* An object, or its pieces. */
static int list_one(void *ctx, const char *source, size_t *n, struct err *e)
{
	struct scan_work *w = ctx;
	struct store_found found = {.address = source};
	struct store_pieces pieces = {.n = 0};
	struct store_range r;
	struct err why = {0};
	char byte;

	if (store_read(w->in->store, source, 0, "", &byte, 1, &r, &why) ||
	    (r.absent && load_store_pieces(w->in->store, source, &pieces, &why))) {
		note_unlisted(w, &why);
		*n = 1;
		return 0;
	}
	found.size = r.size;
	found.tag = r.tag;
	found.pieces = r.absent;
	if (pieces.n) {
		pieces.folder[strlen(pieces.folder) - 1] = '\0';
		found.address = pieces.folder;
		found.modified = pieces.modified;
		found.tag = "";
		for (size_t i = 0; i < pieces.n; i++)
			found.size += pieces.v[i].size;
	}
	*n = !r.absent || pieces.n;
	return *n ? scan_list_add_object(&w->list, &found, e) : 0;
}

int scan_store_list(struct scan_work *w, const char *source, struct err *e)
{
	const struct store_find_taker taker = {list_one, list_many, w};
	struct err why = {0};
	size_t n;

	if (store_find_source(&taker, source, &n, e))
		return -1;
	if (n)
		return 0;
	err_set(&why, "%s: there are no recordings", source);
	note_unlisted(w, &why);
	return 0;
}

/* -- reading ----------------------------------------------------------------------------------- */

struct head_reading {
	struct scan_work *w;
	struct err *e;
	int failed; /* what is still asked for is read and not looked at */
};

static bool next_head(void *ctx, const char **address, void **item)
{
	struct head_reading *r = ctx;
	struct scan_job *job;

	while (!r->failed && (job = scan_work_waiting(r->w, true))) {
		job->state = job->pieces ? SCAN_FURTHER : SCAN_ASKED;
		if (job->pieces)
			continue;
		*address = job->path;
		*item = job;
		return true;
	}
	return false;
}

static int take_head(struct scan_work *w, struct scan_job *job, const char *p,
                     const struct store_range *range, const struct err *why, struct err *e)
{
	struct scan_answer *a = &w->answer;
	bool failed = *why->msg || range->absent;

	if (!failed && scan_head_parse(w->own, p, range->n, &a->row)) {
		job->state = SCAN_FURTHER;
		return 0;
	}
	a->failed = failed ? -1 : 0;
	if (failed)
		err_set(&a->why, "%s", *why->msg ? why->msg : "there is no such object any more");
	scan_worker_strip(a, job->path);
	if (scan_work_take(w, job, e))
		return -1;
	return w->turn(w, e);
}

static void each_head(void *ctx, void *item, const char *p, const struct store_range *range,
                      const struct err *why)
{
	struct head_reading *r = ctx;

	if (r->failed)
		return;
	r->failed = take_head(r->w, item, p, range, why, r->e);
	scan_work_progress(r->w);
}

static struct scan_job *further_job(const struct scan_work *w)
{
	for (size_t i = 0; i < SCAN_BATCHES; i++)
		for (size_t k = 0; k < w->batch[i]->n; k++)
			if (w->batch[i]->job[k].state == SCAN_FURTHER)
				return &w->batch[i]->job[k];
	return NULL;
}

/* Pieces that are gone: the run has ended since they were listed, and its snapshot is added the
 * next time. */
static int read_further(struct scan_work *w, struct scan_job *job, struct err *e)
{
	struct scan_answer *a = &w->answer;
	bool absent;

	a->failed = scan_head_read_on(w->own, w->in->store, job->path, &a->row, &absent, &a->why);
	if (absent && job->pieces) {
		job->state = SCAN_GONE;
		job->batch->left--;
		w->done++;
		return 0;
	}
	scan_worker_strip(a, job->path);
	return scan_work_take(w, job, e);
}

bool scan_store_has(const struct scan_work *w)
{
	return scan_work_waiting(w, true) || further_job(w);
}

int scan_store_read(struct scan_work *w, struct err *e)
{
	struct head_reading r = {.w = w, .e = e};
	const struct store_heads heads = {next_head, each_head, &r, SCAN_HEAD};
	struct scan_job *job;
	struct err why = {0};

	if (!w->own && !(w->own = scan_head_new(e)))
		return -1;
	if (!scan_work_waiting(w, true)) {
		job = further_job(w);
		return job ? read_further(w, job, e) : 0;
	}
	if (store_heads(w->in->store, &heads, &why) && !r.failed)
		return err_set(e, "%s", why.msg);
	return r.failed;
}
