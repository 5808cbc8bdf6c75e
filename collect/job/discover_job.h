/*
 * discover_job: finds who runs the job and on what code: scheduler, CI and workflow engine from
 * environment variables (schedulers.h), commit and branch of the working directory (git.h). All
 * results are redacted labels (docs/labels.md).
 */
#ifndef COLLECT_JOB_DISCOVER_JOB_H
#define COLLECT_JOB_DISCOVER_JOB_H

#include "collect/job/job_env.h"
#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

#define DISCOVER_JOB_MAX 1024 /* bytes of a label's value with its NUL; a longer value is cut */

/* Adds to s->job.labels what the environment says, and commit and branch of the repository at
 * s->job.cwd or above. */
void discover_job(const struct root *r, const struct job_env *env, struct snapshot *s);

/* Adds when the commit of that repository was made, if its object says so. It may be called when
 * the job has ended: nothing of it is needed before. */
void discover_job_commit_time(struct snapshot *s);

/* The same as discover_job without a repository. */
void discover_job_env(const struct root *r, const struct job_env *env, struct snapshot *s);

/* Finds the name of a Nextflow task in the beginning of its .command.run. Pure. Returns false if
 * there is none. */
bool discover_job_task(const char *text, size_t n, char out[DISCOVER_JOB_MAX]);

/* Replaces the variables in from. A value ends at a control character. url: blanks become %20, and
 * only http:// and https:// are accepted. Returns false, with out "", if there is no label. */
bool discover_job_expand(const char *from, const struct job_env *env, bool url,
                         char out[DISCOVER_JOB_MAX]);

#endif
