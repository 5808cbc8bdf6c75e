/*
 * gnu_time: what `time -v`, of GNU, writes to standard error or to its file (-o): a block of lines
 * for each command. Other output may stand around the blocks. GNU time is not translated.
 *
 * The time of the CPU is that of the command and of all that was waited for; the memory is that of
 * the largest process, so it is a lower bound of the job's. Of the command only the name of its
 * program is kept: its arguments may be secrets, which the recorder would hide, and nothing here
 * can.
 */
#ifndef FLEET_IMPORT_GNU_TIME_H
#define FLEET_IMPORT_GNU_TIME_H

#include "fleet/import/import_reader.h"

/* As the functions of a kind in import.c: wherever a block begins in the n bytes. */
bool gnu_time_recognise(const char *text, size_t n);
int gnu_time_read(struct import *in, struct err *e);

/* Seconds of "1:02:03", "1:02.34" or "0:00.12". 0, or -1 if it is not one. Pure. */
int gnu_time_elapsed(const char *text, double *out);

#endif
