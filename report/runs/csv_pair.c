/* csv_pair: two CSV files → one run. */
#include "report/runs/csv_pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	if (load_whole(job, &why) && load_leave_out(r, job->file, &why, e))
		return -1;
	load_drop_rows(job);
	return 0;
}

int csv_pair(struct runs *r, struct err *e)
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
