/*
 * job_label: which scheduler or CI runs the job, by an allow-list of environment variables.
 *
 * One row for each label: no variable that is not named in the table is ever looked at. Documented
 * in docs/labels.md.
 */
#ifndef COLLECT_JOB_JOB_LABEL_H
#define COLLECT_JOB_JOB_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#define JOB_LABEL_ROWS 20
#define JOB_LABEL_MAX  1024 /* bytes of a value with its NUL; longer ones are cut */

/* Where variables come from: NAME=VALUE, each with its NUL; text NULL: our own environment. */
struct job_env {
	const char *text;
	size_t n;
};

/* A variable's value, or NULL. Borrowed. */
const char *job_env_get(const struct job_env *env, const char *name);

struct job_label {
	const char *label;
	const char
	    *from; /* "{VARIABLE}" stands for its value; where one is empty there is no label */
};

struct job_provider {
	const char *kind, *name; /* a label and its value: "scheduler", "slurm" */
	const char *proof[3];    /* one of these variables is set … */
	const char *value;       /* … to this, ignoring case; NULL: to anything */
	struct job_label
	    labels[JOB_LABEL_ROWS]; /* of two for one label the first that is there counts */
};

extern const struct job_provider job_providers[];
extern const size_t job_providers_n;

/* Whether the environment is that provider's. */
bool job_provider_there(const struct job_provider *p, const struct job_env *env);

/* Puts the values in. A value ends at a control character; with url, blanks are written as %20, and
 * what is not http:// or https:// is refused. False, and out is "", where there is none. */
bool job_label_expand(const char *from, const struct job_env *env, bool url,
                      char out[JOB_LABEL_MAX]);

#endif
