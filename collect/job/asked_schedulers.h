/*
 * asked_schedulers: what a job asked its scheduler for, from the scheduler's environment variables.
 *
 * One table has a row for each scheduler and amount; no other variable is ever read. The first
 * scheduler of the table that runs the job decides, and of its rows for an amount the first that
 * has a value. Pure: the one file that a variable may name is read beforehand.
 */
#ifndef COLLECT_JOB_ASKED_SCHEDULERS_H
#define COLLECT_JOB_ASKED_SCHEDULERS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/job/job_label.h"
#include "core/recording/snapshot.h"

enum asked_scheduler {
	ASKED_NONE,
	ASKED_CONDOR,
	ASKED_SLURM,
	ASKED_PBS,
	ASKED_LSF,
	ASKED_SGE,
	ASKED_AWS_BATCH,
	ASKED_SCHEDULERS
};

struct asked_input {
	const struct job_env *env;
	const char *host; /* of this machine */
	double memory_b;  /* of this machine; NAN if unknown */
	const char *file; /* the content of asked_schedulers_file() */
	size_t file_n;    /* 0: none */
	bool covers_task; /* the recording is of one task, and not of all on this node */
};

/* Which scheduler runs the job. */
enum asked_scheduler asked_schedulers_find(const struct job_env *env);

/* The file that this scheduler describes the job in; NULL: none. */
const char *asked_schedulers_file(const struct job_env *env, enum asked_scheduler which);

/* How many tasks of the job's step were started on this node, by Slurm, Open MPI, MPICH or
 * torchrun. 1 if the process is of no such step: a batch script is not. */
double asked_schedulers_tasks(const struct job_env *env);

/* Sets the amounts that the scheduler's variables have. If the recording covers one of several
 * tasks on the node, they are its share. *out must be empty: asked_sources_clear(). */
void asked_schedulers_read(const struct asked_input *in, struct snapshot_asked *out);

#endif
