/*
 * job_cut: recordings that stop before the end of their job (job_row.cut), of which accounting
 * knows the rest. Pure.
 */
#ifndef FLEET_SCAN_JOB_CUT_H
#define FLEET_SCAN_JOB_CUT_H

#include "fleet/scan/job_row.h"

/* Completes the n rows of one job from its accounting: how long it ran, and the CPU time that no
 * recording has. */
void job_cut_complete(struct job_row *v, size_t n);

/* Once it is known which rows are inside of others: the peak of a row, with that of the rows inside
 * of it, is at least accounting's. */
void job_cut_raise_peaks(struct job_row *v, size_t n);

#endif
