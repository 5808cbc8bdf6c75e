/*
 * sacct: the text of `sacct -P` (or -p), with its header, as jobs (slurm_job.h).
 *
 * Columns are known by their names, in any order; what a Slurm of another version lacks is unknown.
 * Times are local to this process (TZ), unless they are digits (SLURM_TIME_FORMAT=%s). A name of a
 * job may hold "|" if JobName is the last column. Attempts of a job are numbered by the column
 * Restarts, else in their order, which is that of sacct -D.
 */
#ifndef FLEET_IMPORT_SACCT_H
#define FLEET_IMPORT_SACCT_H

#include "fleet/import/import_reader.h"

/* Whether the first line of n bytes of text is such a header. Pure. */
bool sacct_recognise(const char *text, size_t n);

int sacct_read(struct import *in, struct err *e);

#endif
