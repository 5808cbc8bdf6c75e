/*
 * job_row: a row that may be one of several of a job (job_rows.h).
 */
#ifndef FLEET_SCAN_JOB_ROW_H
#define FLEET_SCAN_JOB_ROW_H

#include <stdint.h>

#include "fleet/catalog/catalog.h"

struct job_row {
	struct rtrack_row *row; /* borrowed; run.row is the same */
	struct catalog_run run;
	bool taken;      /* set: of accounting, and now part of the recordings */
	bool given;      /* it is being put; else the catalog has it: */
	uint64_t stored; /* with these values (a hash) */
	bool cut;        /* set: of a recording that stops before the end that accounting knows */
	double job_start, job_wall_s; /* set with cut: those of the job */
	double
	    suspended_s; /* set: taken off the recording's time; 0 of a row that the catalog has */
	const struct job_row *outer; /* set: the row that it is inside of, or NULL */
};

/* Whether it is a recording, perhaps with what accounting says. */
static inline bool job_row_recorded(const struct catalog_run *run)
{
	return run->origin == IMPORT_RECORDED || run->origin == IMPORT_RECORDED_AND_SACCT;
}

#endif
