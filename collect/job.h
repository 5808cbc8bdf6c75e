/*
 * job: what is recorded, for the snapshot: name, command line, place, host and user.
 */
#ifndef COLLECT_JOB_H
#define COLLECT_JOB_H

#include <stddef.h>

#include "../core/snapshot.h"
#include "options.h"
#include "root.h"

#define JOB_HOST_MAX 256

/* The host's name as the kernel has it, "localhost" where it tells none. */
void job_host(const struct root *r, char out[JOB_HOST_MAX]);

/* Fills s->meta and s->job from the options; pid is the root process, 0 for the system alone. */
void job_describe(struct snapshot *s, const struct options *o, const struct root *r, int pid);

/* Redacts the working directory, once the code in it is known. */
void job_redact_cwd(struct snapshot *s);

#endif
