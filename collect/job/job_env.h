/*
 * job_env: the environment that describes the job: our own, or that of another process.
 */
#ifndef COLLECT_JOB_JOB_ENV_H
#define COLLECT_JOB_JOB_ENV_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/procfs/root.h"

#define JOB_ENV_MAX ((size_t)512 << 10)

/* In the format of /proc/PID/environ: NAME=VALUE with a NUL each. text NULL: our own. */
struct job_env {
	const char *text;
	size_t n;
};

/* Reads the environment of a process into text, of JOB_ENV_MAX bytes; of a larger one, the part
 * that fits. False if it may not be read. */
bool job_env_read(struct job_env *env, const struct root *r, int pid, char *text);

/* Returns the value of a variable, or NULL. Borrowed. */
const char *job_env_get(const struct job_env *env, const char *name);

/* Whether a variable is set to more than "". name may be NULL. */
bool job_env_has(const struct job_env *env, const char *name);

#endif
