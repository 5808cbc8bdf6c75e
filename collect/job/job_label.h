/*
 * job_label: recognises the scheduler, CI or workflow engine of a job by an allow-list of
 * environment variables.
 *
 * The table has one row per label. No other variable is ever read. Documented in docs/labels.md.
 */
#ifndef COLLECT_JOB_JOB_LABEL_H
#define COLLECT_JOB_JOB_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#define JOB_LABEL_ROWS 20
#define JOB_LABEL_MAX  1024 /* bytes of a value with its NUL; a longer value is cut */

/* An environment in the format of /proc/PID/environ: NAME=VALUE with a NUL each. text NULL: our own
 * environment. */
struct job_env {
	const char *text;
	size_t n;
};

/* Returns the value of a variable, or NULL. Borrowed. */
const char *job_env_get(const struct job_env *env, const char *name);

struct job_label {
	const char *label;
	const char *from; /* "{VARIABLE}" is replaced; if one is empty, there is no label */
};

struct job_provider {
	const char *kind, *name; /* a label and its value: "scheduler", "slurm" */
	const char *proof[3];    /* present if one of these variables is set … */
	const char *value;       /* … to this, ignoring case; NULL: to anything but "" */
	struct job_label
	    labels[JOB_LABEL_ROWS]; /* of several rows for a label, the first match wins */
};

extern const struct job_provider job_providers[];
extern const size_t job_providers_n;

/* Whether the job runs under this provider. */
bool job_provider_there(const struct job_provider *p, const struct job_env *env);

/* Replaces the variables in from. A value ends at a control character. url: blanks become %20, and
 * only http:// and https:// are accepted. Returns false, with out "", if there is no label. */
bool job_label_expand(const char *from, const struct job_env *env, bool url,
                      char out[JOB_LABEL_MAX]);

#endif
