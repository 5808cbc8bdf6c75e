/*
 * measure_fleet: the statistics of many runs, by the names that gates use with --fleet:
 * "fleet.memory_efficiency". docs/gates.md says what each is. Pure.
 */
#ifndef REPORT_STATS_MEASURE_FLEET_H
#define REPORT_STATS_MEASURE_FLEET_H

#include "report/stats/measure.h"

/* Finds a name of n bytes. -1 with a sentence that suggests the nearest right name. */
int measure_fleet_find(const char *name, size_t n, struct measure *out, struct err *e);

/* Whether the n bytes are a name of one of these. */
bool measure_fleet_has(const char *name, size_t n);

/* The following are only for measures of the kind MEASURE_OF_FLEET. */
enum measure_unit measure_fleet_unit(const struct measure *m);

/* Its name for people, in lower case. */
const char *measure_fleet_label(const struct measure *m);

/* Whether it is a share, shown as a percentage. */
bool measure_fleet_is_share(const struct measure *m);

/* Why there is no value: a clause without a full stop. */
const char *measure_fleet_unknown(const struct measure *m);

#endif
