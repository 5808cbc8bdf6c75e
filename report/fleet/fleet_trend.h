/*
 * fleet_trend: how the peak memory of a group's runs changes over its days. Pure.
 *
 * The lists have days (since 1970) as values, and the sum of peaks in bytes as sums.
 */
#ifndef REPORT_FLEET_FLEET_TREND_H
#define REPORT_FLEET_FLEET_TREND_H

#include "report/fleet/fleet.h"
#include "report/fleet/fleet_percentile.h"

/* From the mean of the first half of the days with runs to that of the second, which has the day in
 * the middle: 0.5 is half as much again. NAN for fewer than 2 days or FLEET_RUNS_FEW runs. */
double fleet_trend_change(const struct fleet_weights *days);

/* Means of FLEET_TREND_POINTS equal parts of the time from the first day to the last, NAN without
 * runs. Returns 0, and leaves out as it is, for fewer than 2 days. */
int fleet_trend_points(const struct fleet_weights *days, double out[FLEET_TREND_POINTS]);

#endif
