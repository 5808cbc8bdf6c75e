/*
 * sacct_json_values: which values of `sacct --json` are kept, by their paths: "/time/start" of a
 * job, "/steps/time/start" of its step. Pure.
 */
#ifndef FLEET_IMPORT_SACCT_JSON_VALUES_H
#define FLEET_IMPORT_SACCT_JSON_VALUES_H

#include "fleet/import/slurm_job.h"

#define SACCT_JSON_VALUES_STEPS "/steps" /* their path */
#define SACCT_JSON_VALUES_TEXT  512      /* bytes of a text that is kept; the rest is cut */
#define SACCT_JSON_VALUES_MAX   1e15     /* numbers; Slurm has the largest ones for "not set" */

struct sacct_json_step {
	char id[32], state[32];
	char nodes[SACCT_JSON_VALUES_TEXT]; /* their list */
	double number[SLURM_JOB_NUMBERS];
};

/* A job, and the step of it that is read. "" and NAN are unknown. */
struct sacct_json_values {
	char text[SLURM_JOB_TEXTS][SACCT_JSON_VALUES_TEXT];
	double number[SLURM_JOB_NUMBERS];
	double array_job, array_task;
	struct sacct_json_step step;
};

void sacct_json_values_clear(struct sacct_json_values *v);
void sacct_json_values_clear_step(struct sacct_json_step *s);

/* Whether a text at this path is kept. */
bool sacct_json_values_wanted(const char *path);

/* A value at a path, of which the first counts. */
void sacct_json_values_text(struct sacct_json_values *v, const char *path, const char *text);
void sacct_json_values_number(struct sacct_json_values *v, const char *path, double number);

/* A resource of the list at a path: "gres", "gpu", 2. */
void sacct_json_values_resource(struct sacct_json_values *v, const char *path, const char *type,
                                const char *name, double count);

/* Stores a text, cut, where there is none yet. */
void sacct_json_values_keep(char *into, size_t size, const char *text);

#endif
