/* fleet_measures: a fleet's statistics, for gates. */
#include "report/fleet/fleet_measures.h"

#include <math.h>

static double used_share(const struct fleet_hours *h)
{
	return h->asked > 0 ? h->used / h->asked : (double)NAN;
}

/* Where nothing was asked for, nothing is known to be unused. */
static double unused_hours(const struct fleet_hours *h)
{
	return h->asked > 0 ? h->unused : (double)NAN;
}

void fleet_measures(const struct fleet *f, double out[MEASURE_FLEET_NAMES])
{
	const struct fleet_usage *u = &f->usage;

	out[MEASURE_FLEET_RUNS] = f->runs;
	out[MEASURE_FLEET_GROUPS] = f->all_groups;
	out[MEASURE_FLEET_FAILED] = f->failed;
	out[MEASURE_FLEET_OOM_KILLS] = f->oom;
	out[MEASURE_FLEET_CPU_EFFICIENCY] = used_share(&u->cores);
	out[MEASURE_FLEET_MEMORY_EFFICIENCY] = used_share(&u->memory);
	out[MEASURE_FLEET_GPU_EFFICIENCY] = used_share(&u->gpus);
	out[MEASURE_FLEET_UNUSED_CORE_HOURS] = unused_hours(&u->cores);
	out[MEASURE_FLEET_UNUSED_GIB_HOURS] = unused_hours(&u->memory);
	out[MEASURE_FLEET_UNUSED_GPU_HOURS] = unused_hours(&u->gpus);
	out[MEASURE_FLEET_MONEY] = u->money;
	out[MEASURE_FLEET_RECOVERABLE] = u->recoverable;
}
