/*
 * duct: what con/duct writes of a command: PREFIXinfo.json, its summary, and PREFIXusage.json, a
 * line for each minute. https://github.com/con/duct
 *
 * The summary makes a row. Usage alone, which is left where the recording broke off before the
 * summary, makes an unfinished one: who reads a folder leaves PREFIXusage.json out where
 * PREFIXinfo.json lies beside it.
 *
 * CPU time stays unknown: duct takes the %CPU of ps, which is a process's mean since its start,
 * and adds up and averages these. A job that computes for its first half only uses 50 %, and duct
 * says 85. Of the command only the name of its program is kept (gnu_time.h).
 */
#ifndef FLEET_IMPORT_DUCT_H
#define FLEET_IMPORT_DUCT_H

#include "fleet/import/import_reader.h"

/* As the functions of a kind in import.c. */
bool duct_recognise(const char *text, size_t n);
int duct_read(struct import *in, struct err *e);

#endif
