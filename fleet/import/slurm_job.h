/*
 * slurm_job: the lines of Slurm's accounting → jobs.
 *
 * A job is the line of its allocation and the lines of its steps, which follow it, or come anywhere
 * before it, as in a file that was sorted: up to 64 MiB of them wait for their job. Its use is that
 * of the steps; where it has none (sacct -X), that of its own line. A line that is not understood
 * is counted, and what never ran (PENDING) is passed over.
 */
#ifndef FLEET_IMPORT_SLURM_JOB_H
#define FLEET_IMPORT_SLURM_JOB_H

#include "fleet/import/import_reader.h"

enum slurm_job_text {
	SLURM_JOB_ID,     /* as sacct prints it: 12, 12_3, 12+0; with .STEP */
	SLURM_JOB_ID_RAW, /* 15, 15.STEP; "": as the former */
	SLURM_JOB_NAME,
	SLURM_JOB_USER,
	SLURM_JOB_ACCOUNT,
	SLURM_JOB_CLUSTER,
	SLURM_JOB_PARTITION,
	SLURM_JOB_QOS,
	SLURM_JOB_STATE, /* "COMPLETED", "CANCELLED by 1000" */
	SLURM_JOB_NODE_LIST,
	SLURM_JOB_DIRECTORY,
	SLURM_JOB_COMMENT, /* the administrator's (jobstats.h) */
	SLURM_JOB_TEXTS
};

enum slurm_job_number {
	SLURM_JOB_SUBMIT, /* Unix seconds */
	SLURM_JOB_START,
	SLURM_JOB_END,
	SLURM_JOB_WALL, /* seconds, without those that it was suspended */
	SLURM_JOB_SUSPENDED,
	SLURM_JOB_LIMIT,
	SLURM_JOB_CPU,        /* the kernel's account of processes that were waited for */
	SLURM_JOB_CPU_POLLED, /* sampled, at least */
	SLURM_JOB_RSS_TOTAL,  /* bytes: the sum of the peaks of all tasks */
	SLURM_JOB_RSS_MAX,    /* the peak of the largest task */
	SLURM_JOB_DISK,       /* bytes that were read, from files in memory as well */
	SLURM_JOB_TASKS,
	SLURM_JOB_NODES,
	SLURM_JOB_ASKED_CPUS, /* CPUs, memory and GPUs follow each other */
	SLURM_JOB_ASKED_MEMORY,
	SLURM_JOB_ASKED_GPUS,
	SLURM_JOB_GIVEN_CPUS,
	SLURM_JOB_GIVEN_MEMORY,
	SLURM_JOB_GIVEN_GPUS,
	SLURM_JOB_CODE,
	SLURM_JOB_SIGNAL,
	SLURM_JOB_RESTARTS,
	SLURM_JOB_NUMBERS
};

/* A line, as it is read: "" and NAN are unknown. Texts are borrowed for the call. */
struct slurm_job_line {
	const char *text[SLURM_JOB_TEXTS];
	double number[SLURM_JOB_NUMBERS];
	size_t line; /* for sentences; 0: unknown */
};

void slurm_job_line_clear(struct slurm_job_line *line);

struct slurm_jobs;

/* in: what is read; it gets the jobs. source: of what was asked for, as "sacct". Both are borrowed.
 * NULL with a sentence if there is no memory. */
struct slurm_jobs *slurm_job_new(struct import *in, const char *source, struct err *e);

/* The next line. -1 with a sentence: in->each said so. */
int slurm_job_add(struct slurm_jobs *jobs, const struct slurm_job_line *line, struct err *e);

/* The use of the job whose lines are read is not complete, because the file is cut. */
void slurm_job_cut(struct slurm_jobs *jobs);

/* No more lines follow. */
int slurm_job_end(struct slurm_jobs *jobs, struct err *e);

void slurm_job_free(struct slurm_jobs *jobs);

#endif
