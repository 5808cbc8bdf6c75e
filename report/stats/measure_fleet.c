/* measure_fleet: the statistics of many runs, by name. */
#include "report/stats/measure_fleet.h"

#include <string.h>

#include "core/base/edit_distance.h"

#define PREFIX     "fleet."
#define PREFIX_LEN (sizeof PREFIX - 1)

static const char not_asked[] = "it is not known what was asked for";
static const char no_price[] = "no price is known";
static const char no_runs[] = "it is unknown";

static const struct {
	const char *name;
	enum measure_unit unit;
	bool share;
	const char *label, *unknown;
} fleet[MEASURE_FLEET_NAMES] = {
    [MEASURE_FLEET_RUNS] = {PREFIX "runs", MEASURE_NUMBER, false, "number of runs", no_runs},
    [MEASURE_FLEET_GROUPS] = {PREFIX "groups", MEASURE_NUMBER, false, "number of groups", no_runs},
    [MEASURE_FLEET_FAILED] = {PREFIX "failed", MEASURE_NUMBER, false, "failed runs", no_runs},
    [MEASURE_FLEET_OOM_KILLS] = {PREFIX "oom_kills", MEASURE_NUMBER, false,
                                 "runs killed because memory ran out", no_runs},
    [MEASURE_FLEET_CPU_EFFICIENCY] = {PREFIX "cpu_efficiency", MEASURE_NUMBER, true,
                                      "CPU efficiency of all runs", not_asked},
    [MEASURE_FLEET_MEMORY_EFFICIENCY] = {PREFIX "memory_efficiency", MEASURE_NUMBER, true,
                                         "memory efficiency of all runs", not_asked},
    [MEASURE_FLEET_GPU_EFFICIENCY] = {PREFIX "gpu_efficiency", MEASURE_NUMBER, true,
                                      "GPU efficiency of all runs", not_asked},
    [MEASURE_FLEET_UNUSED_CORE_HOURS] = {PREFIX "unused_core_hours", MEASURE_NUMBER, false,
                                         "unused core-hours", not_asked},
    [MEASURE_FLEET_UNUSED_GIB_HOURS] = {PREFIX "unused_gib_hours", MEASURE_NUMBER, false,
                                        "unused GiB-hours", not_asked},
    [MEASURE_FLEET_UNUSED_GPU_HOURS] = {PREFIX "unused_gpu_hours", MEASURE_NUMBER, false,
                                        "unused GPU-hours", not_asked},
    [MEASURE_FLEET_MONEY] = {PREFIX "money", MEASURE_MONEY, false, "cost of all runs", no_price},
    [MEASURE_FLEET_RECOVERABLE] = {PREFIX "recoverable", MEASURE_MONEY, false, "recoverable money",
                                   no_price},
};

static bool is_name(size_t i, const char *name, size_t n)
{
	return strlen(fleet[i].name) == n && memcmp(fleet[i].name, name, n) == 0;
}

/* "memory_efficiency" is as near as "fleet.memory_efficiency". */
static const char *nearest_of_fleet(const char *name, size_t n)
{
	size_t least = n / 2 + 1 < EDIT_DISTANCE_FAR ? n / 2 + 1 : EDIT_DISTANCE_FAR;
	const char *best = NULL;

	for (size_t i = 0; i < MEASURE_FLEET_NAMES; i++) {
		size_t whole = edit_distance(name, n, fleet[i].name);
		size_t bare = edit_distance(name, n, fleet[i].name + PREFIX_LEN);
		size_t d = whole < bare ? whole : bare;
		if (d >= least)
			continue;
		least = d;
		best = fleet[i].name;
	}
	return best;
}

bool measure_fleet_has(const char *name, size_t n)
{
	for (size_t i = 0; i < MEASURE_FLEET_NAMES; i++)
		if (is_name(i, name, n))
			return true;
	return false;
}

int measure_fleet_find(const char *name, size_t n, enum measure_fleet_name *out, struct err *e)
{
	const char *near;

	for (size_t i = 0; i < MEASURE_FLEET_NAMES; i++)
		if (is_name(i, name, n)) {
			*out = (enum measure_fleet_name)i;
			return 0;
		}
	near = nearest_of_fleet(name, n);
	if (near)
		return err_set(e, "--fleet has no statistic \"%.*s\"; did you mean %s?", (int)n,
		               name, near);
	return err_set(e,
	               "--fleet has no statistic \"%.*s\", but fleet.memory_efficiency and others",
	               (int)n, name);
}

enum measure_unit measure_fleet_unit(enum measure_fleet_name m)
{
	return fleet[m].unit;
}

const char *measure_fleet_label(enum measure_fleet_name m)
{
	return fleet[m].label;
}

bool measure_fleet_is_share(enum measure_fleet_name m)
{
	return fleet[m].share;
}

const char *measure_fleet_unknown(enum measure_fleet_name m)
{
	return fleet[m].unknown;
}
