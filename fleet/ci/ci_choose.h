/*
 * ci_choose: the runner that a job should have, and what its runs would take and cost on it. Pure.
 * docs/ci.md has every formula.
 */
#ifndef FLEET_CI_CI_CHOOSE_H
#define FLEET_CI_CI_CHOOSE_H

#include "fleet/ci/ci.h"

/* The runner of the table that the job has today: the one that its label names, else the one of the
 * same CPUs and nearly the same memory. NULL where there is none; *several: because several fit,
 * whose prices differ. */
const struct ci_runner *ci_choose_today(const struct ci_job *j, const struct ci_prices *p,
                                        bool *several);

/* Seconds that a run of the job would take with so many CPUs. NAN: unknown. */
double ci_choose_predict(const struct ci_job *j, const struct ci_run *run, double vcpus);

/* Fills in what a job's runs, which ci_gather has found, say about its runner. slowdown: 0.1 is a
 * tenth. scratch has room for n. */
void ci_choose(struct ci_job *j, const struct ci_prices *p, double lambda, double slowdown,
               double *scratch);

/* Money that the change saves in the period, in dollars; 0: nothing, or unknown. */
double ci_choose_saves(const struct ci_job *j);

#endif
