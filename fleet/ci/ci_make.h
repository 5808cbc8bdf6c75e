/*
 * ci_make: rows of a catalog → CI jobs, each with its runner.
 */
#ifndef FLEET_CI_CI_MAKE_H
#define FLEET_CI_CI_MAKE_H

#include "fleet/ci/ci_gather.h"

/* Fills *out, which was zero. -1 with a sentence; free it either way. */
int ci_make(struct ci *out, const struct ci_input *in, struct err *e);

#endif
