/*
 * seff: the text of seff, which Slurm's contribs have, of one job or of several.
 *
 * It has no start. Amounts are rounded: memory to two digits after the point. What seff calls an
 * estimated maximum, the largest task's memory × tasks, is the peak.
 */
#ifndef FLEET_IMPORT_SEFF_H
#define FLEET_IMPORT_SEFF_H

#include "fleet/import/import_reader.h"

/* Whether n bytes are the beginning of such a text: "Job ID: 12" and "State:" after it. Pure. */
bool seff_recognise(const char *text, size_t n);

int seff_read(struct import *in, struct err *e);

#endif
