/*
 * job_rows: what the rows of one job make of each other. Pure.
 *
 * Accounting gives the recordings of its job their end, their ask, the account and the time of
 * submission, and the job's own name; what was used is what was recorded. A recording that stops
 * early takes from accounting how long the job ran, and its CPU time and peak of memory where these
 * are larger. Of recordings of several steps, one that ran
 * inside of the time of another, on the same node, adds what it used to that one: its ask is the
 * same ask, which counts once.
 */
#ifndef FLEET_SCAN_JOB_ROWS_H
#define FLEET_SCAN_JOB_ROWS_H

#include "fleet/scan/job_row.h"

#define JOB_ROWS_MAX ((size_t)4096) /* of a job with more, rows are left as they are */

/* Changes the n rows of one job, in any order. Texts are borrowed from one row to another. */
void job_rows_join(struct job_row *v, size_t n);

/* A recording that is read again keeps what accounting said of it before. */
void job_rows_inherit(struct job_row *now, const struct job_row *before);

#endif
