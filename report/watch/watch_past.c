/* watch_past: what the recordings beside a journal say. */
#include "report/watch/watch_past.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "report/runs/job_key.h"
#include "report/runs/settle.h"
#include "report/store/journal_header.h"

/* Reads the heads of all recordings of the SOURCEs but those that are being written. */
static int load_others(struct runs *r, const struct watch_past *p, const struct watch_jobs *running,
                       struct err *e)
{
	int failed = 0;

	r->store = p->store;
	for (size_t i = 0; i < running->n && !failed; i++) {
		struct load_file_id id = load_known_id(running->v[i].in);
		failed = load_known_add(&r->known, &id);
	}
	for (size_t i = 0; i < p->n_sources && !failed; i++) {
		struct buf folder = {0};
		if (p->source[i].place == INPUT_S3) {
			failed = load_input(r, p->source[i], e);
			continue;
		}
		watch_jobs_folder(p->source[i], &folder);
		failed = load_input(r, input_of(buf_cstr(&folder)), e);
		buf_free(&folder);
	}
	return failed || settle_runs(r, e) ? -1 : 0;
}

static int by_load_newer(const void *a, const void *b)
{
	return load_newer(a, b) ? -1 : load_newer(b, a);
}

double *watch_past_lengths(const struct watch_past *p, const struct run *run,
                           const struct watch_jobs *running, size_t *n)
{
	struct runs r = {0};
	struct err e = {0};
	double *took = NULL;

	*n = 0;
	if (load_others(&r, p, running, &e) == 0 && r.n)
		took = alloc_failed_note(calloc(r.n, sizeof *took));
	if (took)
		qsort(r.v, r.n, sizeof *r.v, by_load_newer);
	for (size_t i = 0; took && i < r.n && (long)*n < p->use; i++) {
		const struct run *v = &r.v[i];
		if ((v->status == RUN_FINISHED || v->status == RUN_UNKNOWN) && !v->impossible &&
		    v->duration > 0 && !*job_key_differs(p->group_by, v, run))
			took[(*n)++] = v->duration;
	}
	load_free(&r);
	return took;
}

bool watch_past_end(const struct watch_past *p, struct input journal, const struct run *run,
                    char out[VERDICT_END_MAX])
{
	const struct snapshot *s = &run->snapshot;
	struct runs r = {.store = p->store};
	struct buf path = {0};
	struct err e = {0};
	bool found;

	buf_add(&path, journal.name, watch_jobs_output(journal.name));
	journal.name = buf_cstr(&path);
	journal.kind = input_kind_of(journal.name);
	found = load_input(&r, journal, &e) == 0 && r.n == 1 && !r.v[0].snapshot.unfinished &&
	        journal_header_same(s, &r.v[0].snapshot);
	if (found)
		verdict_end_sentence(&r.v[0], out);
	else
		snprintf(
		    out, VERDICT_END_MAX,
		    "The recording broke off: the recorder was killed, or its machine is gone.");
	load_free(&r);
	buf_free(&path);
	return found;
}
