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

/* Fills s->meta and s->job from the options, all but the user. pid: the root process; 0: only the
 * machine. All texts are redacted, except the working directory, where discover_job() searches for
 * a repository. */
void job_info_describe(struct snapshot *s, const struct collect_options *o, const struct root *r,
                       int pid);

/* Sets s->job.user: who runs rtrack-collect. */
void job_info_user(struct snapshot *s, const struct root *r);

/* Names anew a job whose command line does not tell what it is: a batch script by the scheduler's
 * name of the job ("" if unknown), a step of a CI by the label of the CI's job (discover_job()). */
void job_info_name_by_scheduler(struct snapshot *s, char *const *command, const char *scheduled);

/* Redacts the working directory. Call it after discover_job(). */
void job_info_redact_cwd(struct snapshot *s);

#endif
