/*
 * job_info: what is recorded, for the snapshot: name, command line, place, host and user.
 */
#ifndef COLLECT_JOB_INFO_H
#define COLLECT_JOB_INFO_H

#include <stddef.h>

#include "collect/collect_options.h"
#include "collect/procfs/root.h"
#include "core/snapshot.h"

#define JOB_INFO_HOST_MAX 256

/* The host's name as the kernel has it, "localhost" where it tells none. */
void job_info_host(const struct root *r, char out[JOB_INFO_HOST_MAX]);

/* Fills s->meta and s->job from the options; pid is the root process, 0 for the system alone. */
void job_info_describe(struct snapshot *s, const struct collect_options *o, const struct root *r,
                       int pid);

/* Redacts the working directory, once the code in it is known. */
void job_info_redact_cwd(struct snapshot *s);

#endif
