/*
 * discover_job: finds who runs the job and on what code: scheduler, CI and workflow engine from
 * environment variables (job_label.h), commit and branch of the working directory (git.h). All
 * results are redacted labels (docs/labels.md).
 */
#ifndef COLLECT_JOB_DISCOVER_JOB_H
#define COLLECT_JOB_DISCOVER_JOB_H

#include "collect/job/job_label.h"
#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

/* Adds to s->job.labels what the environment says, and commit and branch of the repository at
 * s->job.cwd or above. */
void discover_job(const struct root *r, const struct job_env *env, struct snapshot *s);

/* The environment of a process, at most 512 KiB, to be freed, and its length. NULL if it may not be
 * read. Call it before the command starts. */
char *discover_job_environ(const struct root *r, int pid, size_t *n);

/* The same without a repository. */
void discover_job_env(const struct root *r, const struct job_env *env, struct snapshot *s);

/* Finds the name of a Nextflow task in the beginning of its .command.run. Pure. Returns false if
 * there is none. */
bool discover_job_task(const char *text, size_t n, char out[JOB_LABEL_MAX]);

/* Adds a label with a redacted value, unless the value is empty or the label exists. */
void discover_job_label(struct snapshot *s, const char *label, const char *value);

#endif
