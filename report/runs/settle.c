/* settle: which files are one run: two CSV files, a page and its recording, copies. */
#include "report/runs/settle.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fnv1a.h"
#include "core/base/standard_input.h"
#include "report/runs/load_page.h"
#include "report/runs/run_row.h"

/* -- CSV files --------------------------------------------------------------------------------- */

static size_t samples_of(const struct run *run, enum metric_scope scope)
{
	return run
	    ->stats[scope == METRIC_SCOPE_PROCESS ? METRIC_PROCESS_TIMESTAMP
	                                          : METRIC_SYSTEM_TIMESTAMP]
	    .n;
}

/* A run that was given already to another one has no file any more. */
static bool has_only(const struct run *run, enum metric_scope scope)
{
	return run->file && run->snapshot.from_csv && !run->mate && samples_of(run, scope) &&
	       !samples_of(run, scope == METRIC_SCOPE_PROCESS ? METRIC_SCOPE_SYSTEM
	                                                      : METRIC_SCOPE_PROCESS);
}

/* Seconds; 0 if they are not of one run. */
static double times_overlap(const struct run *a, const struct run *b)
{
	double common = fmin(a->stop, b->stop) - fmax(a->start, b->start);
	double shorter = fmin(a->stop - a->start, b->stop - b->start);

	return common > 0 && common >= 0.5 * shorter ? common : 0;
}

static struct run *find_mate(struct runs *r, const struct run *job)
{
	struct run *best = NULL;
	double most = 0;

	for (size_t i = 0; i < r->n; i++) {
		double common =
		    has_only(&r->v[i], METRIC_SCOPE_SYSTEM) ? times_overlap(job, &r->v[i]) : 0;
		if (common > most) {
			most = common;
			best = &r->v[i];
		}
	}
	return best;
}

/* Reads both files as one run. A file that has changed meanwhile is left out. */
static int join_mate(struct runs *r, struct run *job, struct run *machine, struct err *e)
{
	struct err why = {0};

	if (r->current && strcmp(machine->file, r->current) == 0)
		r->current = job->file;
	for (size_t i = 0; i < r->n; i++)
		r->v[i].given -= r->v[i].given > machine->given;
	job->mate = machine->file;
	machine->file = NULL;
	snapshot_free(&machine->snapshot);
	load_drop_rows(job);
	if (load_again(job, SNAPSHOT_WANT_ROWS, &why) && load_leave_out(r, job->file, &why, e))
		return -1;
	load_drop_rows(job);
	return 0;
}

/* Makes one run of a CSV file with the job's rows alone and one with the machine's rows alone if
 * their times overlap, by half of the shorter one at least: for each job the machine with the
 * longest overlap that no other job has taken. The rows are dropped. */
static int pair_csv(struct runs *r, struct err *e)
{
	size_t kept = 0;
	int failed = 0;

	for (size_t i = 0; i < r->n && !failed; i++) {
		struct run *mate =
		    has_only(&r->v[i], METRIC_SCOPE_PROCESS) ? find_mate(r, &r->v[i]) : NULL;
		if (mate)
			failed = join_mate(r, &r->v[i], mate, e);
	}
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].file)
			r->v[kept++] = r->v[i];
	r->n = kept;
	return failed;
}

/* -- pages and copies -------------------------------------------------------------------------- */

static uint64_t id_of(const struct run *run)
{
	char id[RTRACK_ROW_ID_SIZE];

	if (run->page && run->page->id)
		return fnv1a_add(FNV1A_BEGIN, run->page->id);
	run_row_id(run, id);
	return fnv1a_add(FNV1A_BEGIN, id);
}

static bool is_of_job(const struct run *page, const struct run *run)
{
	const struct snapshot_part *p = &run->snapshot.part;

	return page->page->joined && !run->page && p->known && p->job && *p->job &&
	       strcmp(p->job, page->snapshot.part.job) == 0;
}

/* Whether run k makes page i superfluous. */
static bool stands_for(const struct runs *r, const uint64_t *id, size_t k, size_t i)
{
	if (k == i)
		return false;
	return id[k] == id[i] ? !r->v[k].page || k < i : is_of_job(&r->v[i], &r->v[k]);
}

static void drop_run(struct runs *r, uint64_t *id, size_t i)
{
	snapshot_free(&r->v[i].snapshot);
	free(r->v[i].file);
	r->n--;
	memmove(&r->v[i], &r->v[i + 1], (r->n - i) * sizeof *r->v);
	memmove(&id[i], &id[i + 1], (r->n - i) * sizeof *id);
	if (r->keeper > i)
		r->keeper--;
	else if (r->keeper == i)
		r->keeper = 0;
}

/* A recording by its id; copies of it have the same. */
struct numbered {
	uint64_t id;
	size_t at;
	bool unfinished;
};

static int by_id(const void *a, const void *b)
{
	const struct numbered *p = a, *q = b;

	if (p->id != q->id)
		return p->id < q->id ? -1 : 1;
	if (p->unfinished != q->unfinished)
		return p->unfinished ? 1 : -1;
	return p->at < q->at ? -1 : 1;
}

/* Other tools record neither the host nor the process, so their runs have no id of their own. */
static bool has_id(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	return !run->page && s->job.known && isfinite(s->meta.start_time) && isfinite(s->meta.pid);
}

static void say_copy(struct runs *r, const struct run *copy, const struct run *of)
{
	if (r->copies++ == 0)
		err_set(&r->copy, "%s is a copy of %s", standard_input_name(copy->file),
		        standard_input_name(of->file));
}

/* Of recordings with the same id one counts: the first that has ended, in the order of reading. */
static int drop_copies(struct runs *r, uint64_t *id, struct err *e)
{
	struct numbered *v = calloc(r->n + 1, sizeof *v);
	bool *drop = calloc(r->n + 1, sizeof *drop);
	size_t n = 0;
	int failed;

	for (size_t i = 0; v && drop && i < r->n; i++)
		if (has_id(&r->v[i]))
			v[n++] = (struct numbered){id[i], i, r->v[i].snapshot.unfinished};
	if (n)
		qsort(v, n, sizeof *v, by_id);
	for (size_t k = 0, first = 0; k < n; k++) {
		if (v[k].id != v[first].id)
			first = k;
		if (k == first)
			continue;
		drop[v[k].at] = true;
		say_copy(r, &r->v[v[k].at], &r->v[v[first].at]);
		if (r->current && strcmp(r->current, r->v[v[k].at].file) == 0)
			r->current = r->v[v[first].at].file;
	}
	for (size_t i = r->n; drop && i-- > 0;)
		if (drop[i])
			drop_run(r, id, i);
	failed = v && drop ? 0 : err_set(e, "no memory");
	free(v);
	free(drop);
	return failed;
}

/* Each page whose run another one is of, too: the recording counts, or else the first page. */
static void drop_pages(struct runs *r, uint64_t *id)
{
	for (size_t i = r->n; i-- > 0;) {
		size_t k = 0;
		while (r->v[i].page && k < r->n && !stands_for(r, id, k, i))
			k++;
		if (!r->v[i].page || k == r->n)
			continue;
		if (r->current && strcmp(r->current, r->v[i].file) == 0)
			r->current = r->v[k].file;
		drop_run(r, id, i);
	}
}

int settle_runs(struct runs *r, struct err *e)
{
	uint64_t *id;
	int failed;

	if (pair_csv(r, e))
		return -1;
	if (r->n < 2)
		return 0;
	id = calloc(r->n, sizeof *id);
	if (!id)
		return err_set(e, "no memory");
	for (size_t i = 0; i < r->n; i++)
		id[i] = id_of(&r->v[i]);
	failed = drop_copies(r, id, e);
	drop_pages(r, id);
	free(id);
	return failed;
}
