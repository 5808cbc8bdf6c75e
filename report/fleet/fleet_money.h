/*
 * fleet_money: what asks cost, by prices of machines or by a site's rates. Pure. docs/fleet.md has
 * the formulas with examples.
 *
 * A machine is paid for once: its CPUs and its memory are never added up.
 */
#ifndef REPORT_FLEET_FLEET_MONEY_H
#define REPORT_FLEET_FLEET_MONEY_H

#include "report/fleet/fleet.h"

/* The runs of a group that count on one type of machine. Seconds are summed over the nodes of a
 * run. */
struct fleet_cell {
	struct catalog_machine machine;
	double runs, wall_s, paid_s;
	double asked_core_s, asked_byte_s, asked_gpu_s;
	struct fleet_ask most; /* the largest asks; NAN: unknown */
	/* Filled in when the proposal is known: seconds of runs that it would have failed, which
	 * are run again with again_b of memory; and seconds until a run reached its time. */
	double memory_again_s, time_again_s;
	double again_b;
};

/* The largest share of the machine that is asked for, at most 1 (the whole machine); NAN where no
 * share is known. */
double fleet_money_share(const struct fleet_ask *ask, const struct catalog_machine *m);

/* Machine-seconds that the proposed ask would have taken. What it does not know stays as it was:
 * the largest ask. NAN where no share is known. */
double fleet_money_machine_s(const struct fleet_cell *c, const struct fleet_ask *proposed);

/* GPUs, and the larger of CPUs and memory, at these rates. */
double fleet_money_at_rates(const struct fleet_rates *r, double core_s, double byte_s,
                            double gpu_s);

/* What was asked for, and what the proposed ask would have cost. What it does not know costs what
 * it did. */
double fleet_money_asked(const struct fleet_rates *r, const struct fleet_cell *c);
double fleet_money_proposed(const struct fleet_rates *r, const struct fleet_cell *c,
                            const struct fleet_ask *proposed);

/* asked - proposed, at least 0 and at most asked; NAN where one is unknown. */
double fleet_money_recoverable(double asked, double proposed);

#endif
