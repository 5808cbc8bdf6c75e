/* time_at_run: how long a run would take with another number of CPUs. */
#include "report/stats/time_at_run.h"

#include "core/recording/time_at_rows.h"
#include "report/runs/parts.h"
#include "report/stats/usage_column.h"

bool time_at_run(const struct run *run, struct time_at *out)
{
	*out = (struct time_at){0};
	if (!usage_tracks_job(run) || usage_is_partial(run))
		return false;
	if (run->snapshot.time_at)
		*out = *run->snapshot.time_at;
	else if (!run->parts ||
	         parts_imbalance(run->parts, PARTS_MEASURE_CPU).of != PARTS_OF_NODES ||
	         !(parts_imbalance(run->parts, PARTS_MEASURE_CPU).ratio > PARTS_UNEVEN))
		time_at_rows_add(&run->snapshot, (double)parts_nodes(run), out);
	return time_at_known(out);
}
