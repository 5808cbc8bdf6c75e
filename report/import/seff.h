/*
 * seff: the text of seff, which Slurm's contribs have, of one job or of several.
 *
 * It has no start. Amounts are rounded: memory to two digits after the point. What seff calls an
 * estimated maximum, the largest task's memory × tasks, is the peak.
 */
#ifndef REPORT_IMPORT_SEFF_H
#define REPORT_IMPORT_SEFF_H

#include "report/import/import_reader.h"

/* Whether n bytes are the beginning of such a text: "Job ID: 12" and "State:" after it. Pure. */
bool seff_recognise(const char *text, size_t n);

int seff_read(struct import *in, struct err *e);

#endif
