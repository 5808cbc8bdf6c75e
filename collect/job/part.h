/*
 * part: which part of a job this is, from the environment of its scheduler and its launcher (srun,
 * mpirun, torchrun).
 *
 * schedulers.def names the variables. A launcher inside a scheduler's job says rank and size; the
 * key is made of both. docs/snapshot.md describes the result ("part").
 */
#ifndef COLLECT_JOB_PART_H
#define COLLECT_JOB_PART_H

#include <stdbool.h>

#include "collect/job/schedulers.h"
#include "core/base/err.h"
#include "core/recording/snapshot.h"

#define PART_TEXT_MAX 128 /* bytes of a value with its NUL; a longer value is cut */
#define PART_KEY_MAX  (5 * PART_TEXT_MAX)

/* Texts are redacted, without control characters, and "" where unknown; numbers are NAN then. Valid
 * when zero but for the numbers: call part_read or part_none. */
struct part {
	const struct scheduler *scheduler, *launcher; /* NULL: none */
	char text[PART_VALUES][PART_TEXT_MAX];
	char key[PART_KEY_MAX];       /* of the job; "": one cannot be made */
	char array_key[PART_KEY_MAX]; /* "": no array */
	double nodes, tasks, local_tasks, rank, index;
	bool launched;         /* the process is a task of a step or of a launcher */
	bool odd[PART_VALUES]; /* the scheduler's variable is set, but gives no value */
};

/* Reads an environment. Pure, but for memory that it frees again. */
void part_read(struct part *p, const struct job_env *env);

/* A part of which nothing is known. */
struct part part_none(void);

/* The part as the snapshot has it; unknown unless the job has several parts or is of an array.
 * host: the name of the node where the scheduler has none. per_node: all tasks of the node are
 * recorded. Strings point into *p and to host. */
struct snapshot_part part_describe(const struct part *p, const char *host, bool per_node);

/* Sets the sentence that says which variables would give a value: "SLURM_ARRAY_TASK_ID is not set".
 * Returns -1. */
int part_missing(const struct part *p, enum part_value value, struct err *e);

#endif
