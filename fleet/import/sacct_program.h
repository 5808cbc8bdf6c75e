/*
 * sacct_program: Slurm's sacct, run as a process beside this one.
 *
 * Start it before this process gives up its rights. It is asked which columns it has, then for the
 * jobs of all users that it may show, with times as Unix seconds.
 *
 *	failed = sacct_program_start(&p, since, e);
 *	... import p.out as IMPORT_SACCT, to its end ...
 *	failed = sacct_program_finish(&p, e);
 */
#ifndef FLEET_IMPORT_SACCT_PROGRAM_H
#define FLEET_IMPORT_SACCT_PROGRAM_H

#include <stdio.h>
#include <sys/types.h>

#include "core/base/err.h"

/* {0} is valid: none was started. */
struct sacct_program {
	pid_t pid;
	FILE *out; /* what it prints; NULL: it was not started */
	int said;  /* what it says on standard error: a file without a name */
};

/* since: Unix seconds. -1 with a sentence: it cannot be run, or it failed. */
int sacct_program_start(struct sacct_program *p, double since, struct err *e);

/* Closes its output, waits for its end, and empties *p. -1 with its first message if it failed. Of
 * an output that was not read to its end that is normal: e is NULL then. */
int sacct_program_finish(struct sacct_program *p, struct err *e);

#endif
