/*
 * measure_fleet: the statistics of many runs, by the names that gates use with --fleet:
 * "fleet.memory_efficiency". docs/gates.md says what each is. Pure.
 */
#ifndef REPORT_STATS_MEASURE_FLEET_H
#define REPORT_STATS_MEASURE_FLEET_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "report/stats/measure_unit.h"

enum measure_fleet_name {
	MEASURE_FLEET_RUNS,
	MEASURE_FLEET_GROUPS,
	MEASURE_FLEET_FAILED,
	MEASURE_FLEET_OOM_KILLS,
	MEASURE_FLEET_CPU_EFFICIENCY,
	MEASURE_FLEET_MEMORY_EFFICIENCY,
	MEASURE_FLEET_GPU_EFFICIENCY,
	MEASURE_FLEET_UNUSED_CORE_HOURS,
	MEASURE_FLEET_UNUSED_GIB_HOURS,
	MEASURE_FLEET_UNUSED_GPU_HOURS,
	MEASURE_FLEET_MONEY,
	MEASURE_FLEET_RECOVERABLE,
	MEASURE_FLEET_NAMES
};

/* Finds a name of n bytes. -1 with a sentence that suggests the nearest right name. */
int measure_fleet_find(const char *name, size_t n, enum measure_fleet_name *out, struct err *e);

/* Whether the n bytes are a name of one of these. */
bool measure_fleet_has(const char *name, size_t n);

enum measure_unit measure_fleet_unit(enum measure_fleet_name m);

/* Its name for people, in lower case. */
const char *measure_fleet_label(enum measure_fleet_name m);

/* Whether it is a share, shown as a percentage. */
bool measure_fleet_is_share(enum measure_fleet_name m);

/* Why there is no value: a clause without a full stop. */
const char *measure_fleet_unknown(enum measure_fleet_name m);

#endif
