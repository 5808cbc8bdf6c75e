/*
 * pipeline: the tasks of one run of a workflow, from rows of a catalog.
 *
 * An attempt is one recording, or the recordings of one job of several nodes. Attempts of the same
 * work are one task: its first attempt started it, its last attempt is its end, and what all of
 * them used counts. A process is the tasks of one name: a process of Nextflow, a rule of Snakemake,
 * the jobs of an array. docs/pipelines.md has examples.
 *
 *	struct pipeline p = {0};
 *	failed = catalog_list(c, &query, PIPELINE_ROWS_MAX + 1, pipeline_row_add, &p, e) ||
 *	         pipeline_make(&p, e);
 *	pipeline_free(&p);
 */
#ifndef FLEET_PIPELINE_PIPELINE_H
#define FLEET_PIPELINE_PIPELINE_H

#include "core/numbers/time_at.h"
#include "fleet/catalog/catalog_list.h"

#define PIPELINE_ROWS_MAX ((size_t)100000)
#define PIPELINE_NAME_MAX ((size_t)200) /* bytes of a name that are kept */

enum pipeline_end { PIPELINE_DONE, PIPELINE_FAILED, PIPELINE_OOM, PIPELINE_UNFINISHED };

/* Amounts are NAN where they are unknown: bytes, seconds, cores. Times are Unix seconds. What
 * nobody asked for is unknown, too: the machine's size is not an ask. */
struct pipeline_attempt {
	char *name;    /* of its task: "ALIGN (s1)" */
	char *process; /* "ALIGN" */
	char *same;    /* attempts of one task have the same, but not only they */
	char *joined;  /* recordings of one job have the same; "": it is the only one */
	double number; /* of the attempt, from 1; NAN: unknown */
	double start, end, submit;
	double wall_s, node_s; /* node_s: of all recordings */
	enum pipeline_end ended;
	bool counts; /* its use says what the next run needs */
	double asked_cpus, asked_memory_b, asked_gpus, asked_time_s;
	double cpu_s, cores_mean, cores_needed;
	double memory_peak_b, memory_need_b, memory_mean_b, gpus_peak;
	double read_b, written_b;
	double time_asked, time_at[TIME_AT_POWERS]; /* of wall_s */
	size_t task;                                /* index */
	size_t of_process;                          /* index */
	size_t nth;                                 /* which of its task's, from 0 */
};

struct pipeline_task {
	size_t first, last; /* attempts */
	size_t attempts;
};

/* Sums of attempts of which both are known, and how many those are. */
struct pipeline_hours {
	double asked, used, n;
};

struct pipeline_process {
	const char *name; /* of an attempt */
	size_t tasks, attempts;
	size_t failed; /* tasks whose last attempt failed */
	struct pipeline_hours core_h, gib_h;
	double wall_s; /* of all attempts */
};

/* Valid when zero. */
struct pipeline {
	struct pipeline_attempt *attempt; /* by start; those without one last */
	size_t n, cap;
	size_t rows; /* that were given; more than PIPELINE_ROWS_MAX: the oldest are missing */
	size_t impossible;          /* rows whose numbers cannot be true: left out */
	size_t undated;             /* attempts whose start or end is unknown */
	struct pipeline_task *task; /* by their first attempt */
	size_t n_tasks;
	struct pipeline_process *process; /* by their first attempt */
	size_t n_processes;
	char *workflow;    /* "nextflow", "snakemake"; the array's scheduler; ""; owned */
	bool array;        /* the rows are elements of a job array */
	double begin, end; /* the first start, the last end; NAN: none is known */
	double first_submit;
	size_t failed, oom, unfinished; /* tasks, by their last attempt */
	size_t retried, retries;        /* tasks with several attempts; attempts beyond the first */
	struct pipeline_hours core_h, gib_h;
	double retries_core_h; /* that attempts used which were not the last; NAN: unknown */
};

/* A catalog_each_listed: ctx is a struct pipeline. */
int pipeline_row_add(void *ctx, const struct catalog_result v[CATALOG_COLUMNS], struct err *e);

/* Joins, sorts and sums what was added. */
int pipeline_make(struct pipeline *p, struct err *e);

void pipeline_free(struct pipeline *p);

/* Whether its start and its end are known. */
bool pipeline_dated(const struct pipeline_attempt *a);

bool pipeline_failed(enum pipeline_end ended);

/* -- how many attempts ran at once, and what they asked for and used meanwhile ----------------- */

#define PIPELINE_LOAD_POINTS ((size_t)160) /* equal parts of the run's time */

/* Means of each part, over the attempts whose start and end are known. */
struct pipeline_load {
	double running[PIPELINE_LOAD_POINTS];
	double asked_cores[PIPELINE_LOAD_POINTS], used_cores[PIPELINE_LOAD_POINTS];
	double asked_b[PIPELINE_LOAD_POINTS], used_b[PIPELINE_LOAD_POINTS];
	double most;                /* attempts at once: exact */
	double most_at;             /* when it was reached first, Unix seconds */
	double mean;                /* over the run's time */
	bool asked_cpus, used_cpus; /* whether any is known */
	bool asked_memory, used_memory;
};

/* process: of this one alone; -1: of all. *out is all 0, and most_at NAN, where the run has no
 * length. -1 without memory. */
int pipeline_load_make(const struct pipeline *p, long process, struct pipeline_load *out,
                       struct err *e);

/* -- attempts as bars in lanes, the lanes of one process below each other ---------------------- */

#define PIPELINE_LANES_MAX ((size_t)2000) /* attempts that have a bar each */

/* Valid when zero. */
struct pipeline_lanes {
	size_t *lane;  /* of each attempt whose start and end are known */
	size_t *first; /* of each process: its first lane; and at the end, the number of lanes */
	size_t n;      /* lanes */
};

/* An attempt takes the first lane of its process that is free; together: of all, which are in
 * `first` as one process. -1 without memory. */
int pipeline_lanes_make(const struct pipeline *p, bool together, struct pipeline_lanes *out,
                        struct err *e);
void pipeline_lanes_free(struct pipeline_lanes *l);

#endif
