/*
 * privdrop: what the options ask for is left to this process, and no more.
 *
 * Recordings are made by others, and are read after this: whoever breaks in by one can run no
 * program, has no network, and reaches only the files named here.
 */
#ifndef REPORT_PRIVDROP_H
#define REPORT_PRIVDROP_H

#include "report/report_options.h"

/* Makes the folder of the cache, where answers are to be kept. Where the kernel lends no hand, less
 * is given up, or nothing; that is no failure. */
void privdrop(const struct report_options *o);

#endif
