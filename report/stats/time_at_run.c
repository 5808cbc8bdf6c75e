/* time_at_run: how long a run would take with another number of CPUs. */
#include "report/stats/time_at_run.h"

#include <math.h>

#include "core/head/time_at_file.h"
#include "core/head/time_at_rows.h"
#include "report/runs/parts.h"
#include "report/stats/usage_column.h"

/* The rows of a run on several nodes are sums. Returns by how much they are larger than those of
 * the node that used most. */
static double summed_nodes(const struct run *run)
{
	double nodes = (double)parts_nodes(run), most;

	if (!run->parts)
		return 1;
	most = parts_worst_node(run->parts).cores;
	return fmax(1, fmin(nodes, load_stats(run, METRIC_PROCESS_CPU_USAGE)->mean / most));
}

const struct time_at *time_at_run_sums(const struct run *run, struct time_at *own)
{
	const struct time_at *t = load_time_at(run, own);
	struct stats stats[METRIC_COUNT];

	if (!usage_tracks_job(run) || usage_is_partial(run))
		return NULL;
	if (!t) {
		*own = (struct time_at){0};
		time_at_rows_add(&run->snapshot, load_all_stats(run, stats), summed_nodes(run),
		                 own);
		time_at_file_round(own); /* as it stands in a file */
		t = own;
	}
	return time_at_known(t) ? t : NULL;
}

bool time_at_run(const struct run *run, struct time_at *out)
{
	struct time_at own;
	const struct time_at *t = time_at_run_sums(run, &own);

	*out = t ? *t : (struct time_at){0};
	return t != NULL;
}
