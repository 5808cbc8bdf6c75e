/*
 * privdrop: keeps only the privileges that the options need.
 *
 * Recordings are untrusted input and are read after this call. Code injected by a recording can run
 * no program, has no network, and reaches only the files that the command line names
 * (landlock(7), seccomp(2)).
 */
#ifndef REPORT_OPTIONS_PRIVDROP_H
#define REPORT_OPTIONS_PRIVDROP_H

#include "report/options/report_options.h"

/* Also creates the price cache's folder. If the kernel has no Landlock or no seccomp, or forbids
 * them, fewer privileges are dropped; that is not an error. */
void privdrop(const struct report_options *o);

/* The same, but nothing can be written. Takes struct report_options. */
void privdrop_reading(const void *options);

/* The same, but for a catalog, whose folder is open. */
void privdrop_searching(const struct report_options *o);

#endif
