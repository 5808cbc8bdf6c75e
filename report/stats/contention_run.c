/* contention_run: how long others kept a run from the CPUs. */
#include "report/stats/contention_run.h"

#include "core/numbers/contention.h"
#include "core/numbers/time_at.h"
#include "report/stats/time_at_run.h"

struct snapshot_contention contention_run(const struct run *run)
{
	struct time_at own;
	const struct time_at *t =
	    run->snapshot.contention.known ? NULL : time_at_run_sums(run, &own);

	if (!t || !time_at_contention_known(t))
		return run->snapshot.contention;
	return (struct snapshot_contention){true, t->contended_s, t->stolen_s};
}

bool contention_run_is(const struct run *run)
{
	struct snapshot_contention c = contention_run(run);

	return c.known && contention_is(c.waited_s, c.stolen_s, run->duration);
}
