/*
 * sacct_json: the output of `sacct --json` (Slurm 21.08 and later), one job at a time, as jobs
 * (slurm_job.h). Values are found by their paths; what is not known is passed over.
 *
 * Of text that breaks off, or is no JSON any more, what was read before counts, and the rest is one
 * line that is left out.
 */
#ifndef FLEET_IMPORT_SACCT_JSON_H
#define FLEET_IMPORT_SACCT_JSON_H

#include "fleet/import/import_reader.h"

#define SACCT_JSON_STEPS 20000 /* of a job; with more, its use is unknown */

/* Whether n bytes are the beginning of such an output. Pure. */
bool sacct_json_recognise(const char *text, size_t n);

int sacct_json_read(struct import *in, struct err *e);

#endif
