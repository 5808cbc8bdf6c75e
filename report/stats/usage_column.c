/* usage_column: the job's column of a measure, or the machine's. */
#include "report/stats/usage_column.h"

#include <math.h>

enum metric_id usage_column(enum usage what, const struct run *judge, enum usage decides)
{
	bool job = load_stats(judge, usage_columns[decides].of[METRIC_SCOPE_PROCESS])->n > 0;

	return usage_columns[what].of[job ? METRIC_SCOPE_PROCESS : METRIC_SCOPE_SYSTEM];
}

const struct stats *usage_stats(enum usage what, const struct run *run)
{
	return load_stats(run, usage_column(what, run, what));
}

bool usage_tracks_job(const struct run *run)
{
	return load_stats(run, METRIC_PROCESS_CPU_USAGE)->n > 0;
}

bool usage_is_partial(const struct run *run)
{
	return usage_tracks_job(run) && !run->snapshot.meta.children;
}

/* A recording of the machine alone has no working directory. */
bool usage_lacks_job(const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	return !s->meta.track_processes && s->job.known &&
	       (s->exit.known || (s->job.cwd && *s->job.cwd));
}

double usage_cpu_seconds(const struct run *run)
{
	const struct stats *u = load_stats(run, METRIC_PROCESS_UTIME),
			   *s = load_stats(run, METRIC_PROCESS_STIME);

	if (run->snapshot.totals.exact_cpu_s > 0)
		return run->snapshot.totals.exact_cpu_s;
	return u->n && s->n ? u->sum + s->sum : (double)NAN;
}

double usage_total(const struct run *run, enum metric_id id)
{
	const struct snapshot *s = &run->snapshot;
	double exact = NAN;

	if (s->totals.known && id == METRIC_PROCESS_READ_BYTES)
		exact = s->totals.read_b;
	else if (s->totals.known && id == METRIC_PROCESS_WRITE_BYTES)
		exact = s->totals.write_b;
	if (!isnan(exact))
		return exact;
	return load_stats(run, id)->n ? load_stats(run, id)->sum : (double)NAN;
}
