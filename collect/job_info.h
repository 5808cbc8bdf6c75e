/*
 * job_info: describes the job and the recording for the snapshot: name, command line, working
 * directory, host, user and tags.
 */
#ifndef COLLECT_JOB_INFO_H
#define COLLECT_JOB_INFO_H

#include <stddef.h>

#include "collect/collect_options.h"
#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

#define JOB_INFO_HOST_MAX 256

/* The host name from the kernel, or "localhost" if it has none. */
void job_info_host(const struct root *r, char out[JOB_INFO_HOST_MAX]);

/* Fills s->meta and s->job from the options. pid: the root process; 0: only the machine. All texts
 * are redacted, except the working directory, where discover_job() searches for a repository. */
void job_info_describe(struct snapshot *s, const struct collect_options *o, const struct root *r,
                       int pid);

/* Redacts the working directory. Call it after discover_job(). */
void job_info_redact_cwd(struct snapshot *s);

#endif
