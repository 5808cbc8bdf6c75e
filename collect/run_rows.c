/* run_rows: the rows of a recording, once it has ended. */
#include "collect/run_rows.h"

#include <math.h>

bool run_rows_unseen(const struct run *r)
{
	if (r->never_seen)
		return true;
	return r->tree && r->o->mode == COLLECT_OPTIONS_COMMAND && !tree_saw_any(r->tree);
}

static int fetch_whole(void *ctx, enum metric_id id, size_t from, size_t n, double *out,
                       struct err *e)
{
	const double *row = ctx;

	(void)from;
	(void)e;
	for (size_t i = 0; i < n; i++)
		out[i] = row[id];
	return 0;
}

/* Clears the columns that rusage does not cover. */
static void forget_unseen(struct run *r)
{
	double *row = r->rows.whole;

	for (int id = 0; id < METRIC_COUNT; id++)
		if (metrics[id].scope == METRIC_SCOPE_PROCESS &&
		    (!metrics[id].documented || id == METRIC_PROCESS_CHILDREN))
			row[id] = NAN;
	if (!r->has_job_end && r->command.self_io < 0)
		row[METRIC_PROCESS_READ_BYTES] = row[METRIC_PROCESS_WRITE_BYTES] = NAN;
}

/* The job may write to any file, this one too. Returns whether samples of this kind are missing. */
static bool lost_samples(struct run *r, bool early)
{
	struct journal_damage d = journal_verify(r->journal);
	size_t lost = early ? d.early : d.rows, left = journal_source(r->journal, early).rows;
	struct err what = {0};

	if (!lost && !d.others)
		return false;
	err_set(&what, "another process has changed the journal %s: %zu of %zu samples are lost%s",
	        r->file.journal, lost, lost + left,
	        d.others ? ", and processes may be missing" : "");
	r->say(what.msg);
	what.msg[0] = 'A';
	snapshot_note(&r->snapshot, "%s.", what.msg);
	return lost > 0;
}

struct snapshot_source run_rows_choose(struct run *r)
{
	const struct snapshot_source whole = {
	    .rows = 1, .fetch = fetch_whole, .ctx = r->rows.whole};
	bool early = !schedule_grown(&r->schedule, r->sample.at), lost;
	struct snapshot_source rows;

	if (run_rows_unseen(r)) {
		forget_unseen(r);
		return whole;
	}
	lost = lost_samples(r, early);
	rows = journal_source(r->journal, early);
	/* The first moments do not stand for the others. */
	if (rows.rows == 0 && !lost)
		rows = journal_source(r->journal, !early);
	return rows.rows ? rows : whole;
}
