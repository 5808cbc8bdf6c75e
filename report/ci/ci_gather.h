/*
 * ci_gather: rows of a catalog → CI jobs and their runs.
 */
#ifndef REPORT_CI_CI_GATHER_H
#define REPORT_CI_CI_GATHER_H

#include "report/ci/ci.h"

/* The value of a key in "key=value;key=value"; *n: its bytes. NULL: there is none. Pure. */
const char *ci_gather_pair(const char *pairs, const char *key, size_t *n);

/* The recordings of a query as jobs, each with its runs by their start: all but the choice. */
int ci_gather(struct ci *out, const struct ci_input *in, struct err *e);

void ci_gather_free(struct ci_job *job);

#endif
