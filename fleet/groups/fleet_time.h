/*
 * fleet_time: how long the runs of a group would take with other CPUs, from the sums of what each
 * run's recording says (rtrack_row `time_at`). Pure. docs/fleet.md has examples.
 */
#ifndef FLEET_GROUPS_FLEET_TIME_H
#define FLEET_GROUPS_FLEET_TIME_H

#include "fleet/catalog/catalog.h"

/* By which a run may take longer with fewer CPUs. */
#define FLEET_TIME_SLOWDOWN 0.1

/* Seconds, summed over runs of which it is known. {0}: of none. */
struct fleet_times {
	double known_s;           /* that they took */
	double asked_s;           /* with as many free CPUs as they had asked for */
	double at[CATALOG_TIMES]; /* with 1, 2, 4 … free CPUs */
};

/* From a row of CATALOG_SUMS. */
struct fleet_times fleet_time_of_sums(const double *sums);

/* Seconds with so many free CPUs, 1 or more: between two powers of 2 the line over 1 / CPUs, which
 * is never below the sum. NAN: unknown. */
double fleet_time_at(const struct fleet_times *t, double cpus);

/* The fewest CPUs with which they take at most 1 + slowdown times as long as with those that they
 * asked for. NAN: unknown, or not with any number that is known. */
double fleet_time_fewest(const struct fleet_times *t, double slowdown);

/* By which factor they take longer with so many CPUs than with those that they asked for; 1 where
 * it is unknown. */
double fleet_time_longer(const struct fleet_times *t, double cpus);

#endif
