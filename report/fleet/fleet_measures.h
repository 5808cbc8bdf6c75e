/*
 * fleet_measures: a fleet's statistics by their numbers in measure.h, for gates. Pure.
 */
#ifndef REPORT_FLEET_FLEET_MEASURES_H
#define REPORT_FLEET_FLEET_MEASURES_H

#include "report/fleet/fleet.h"
#include "report/stats/measure.h"

/* NAN: unknown. */
void fleet_measures(const struct fleet *f, double out[MEASURE_FLEET_NAMES]);

#endif
