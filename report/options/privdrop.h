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
#include "report/sandbox/landlock.h"

/* Also creates the price cache's folder. If the kernel has no Landlock or no seccomp, or forbids
 * them, fewer privileges are dropped; that is not an error. */
void privdrop(const struct report_options *o);

/* The same, but nothing can be written. Takes struct report_options. */
void privdrop_reading(const void *options);

/* The steps of privdrop, for a program that names more files: begin, then what is allowed, then
 * end. begin also opens what is needed later: the time zone and a temporary file. cache creates the
 * price cache's folder. */
void privdrop_begin(struct landlock *r);
void privdrop_inputs(struct landlock *r, const struct report_options *o);
void privdrop_outputs(struct landlock *r, const struct report_options *o);
void privdrop_cache(struct landlock *r, const struct report_options *o);
void privdrop_end(struct landlock *r);

#endif
