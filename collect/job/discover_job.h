/*
 * discover_job: who runs the job, and on what code: scheduler, CI and workflow engine by the
 * allow-list of job_label.h, commit and branch of the working directory by git.h. All of it as
 * labels, masked.
 */
#ifndef COLLECT_JOB_DISCOVER_JOB_H
#define COLLECT_JOB_DISCOVER_JOB_H

#include "collect/job/job_label.h"
#include "collect/procfs/root.h"
#include "core/snapshot.h"

/* Adds to s->job.labels. pid 0: the environment is ours; else that of the process, where it may be
 * read. s->job.cwd says where to look for a repository; of a captured machine none is looked for.
 * Allocates at most 512 KiB for the while: call it before the command starts. */
void discover_job(const struct root *r, int pid, struct snapshot *s);

/* The same of a given environment, without a repository. */
void discover_job_env(const struct root *r, const struct job_env *env, struct snapshot *s);

/* The name of a Nextflow task, from the beginning of its .command.run. Pure. False where there is
 * none. */
bool discover_job_task(const char *text, size_t n, char out[JOB_LABEL_MAX]);

/* Adds a label, masked; the first of a name stays. An empty value adds none. */
void discover_job_label(struct snapshot *s, const char *label, const char *value);

#endif
