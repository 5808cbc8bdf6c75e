/*
 * scan_jobs: puts rows into a catalog so that the rows of one job are one run (job_rows.h).
 *
 * Rows with the same job_id and user are of one job of a scheduler, if their times allow it: a
 * batch script and its steps, each recorded, and what accounting says. Whenever some of them are
 * put, those that the catalog has are read back, and those that change are put again. A row of
 * accounting of which there is a recording is not in the catalog. The rows of a job with more than
 * JOB_ROWS_MAX are neither read back nor changed.
 */
#ifndef FLEET_SCAN_SCAN_JOBS_H
#define FLEET_SCAN_SCAN_JOBS_H

#include <stdint.h>

#include "fleet/catalog/catalog.h"
#include "fleet/scan/id_table.h"

/* {0} is valid: nothing was put yet. */
struct scan_jobs {
	bool looked;   /* whether the catalog has: */
	bool recorded; /* recordings with a job_id */
	/* Jobs with rows of several users, which were not joined; a sentence about the first. */
	size_t refused;
	struct err example;
	struct id_table crowded; /* the hashes of jobs with too many rows */
};

void scan_jobs_free(struct scan_jobs *j);

/* Puts n rows, run[i].row being row[i], which may be changed until the call returns. All or none,
 * but for rows of accounting that have become part of a recording, which are removed last. */
int scan_jobs_put(struct scan_jobs *j, struct catalog *c, const struct catalog_run *run,
                  struct rtrack_row *const *row, size_t n, struct err *e);

#endif
