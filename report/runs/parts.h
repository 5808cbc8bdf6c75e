/*
 * parts: the recordings of one job that ran on several nodes or as several tasks.
 *
 * A run with parts has their sums as its rows and totals (parts_join.h). This is what is known of
 * each part. Everything is in the arena of the run's snapshot.
 */
#ifndef REPORT_RUNS_PARTS_H
#define REPORT_RUNS_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/recording/states.h"
#include "report/runs/load.h"
#include "report/runs/parts_grid.h"

#define PARTS_POINTS 240 /* of a node's line: each is the mean, or of memory the maximum, there */

/* Of a task or a node; NAN: not measured. Where no job was tracked, the machine's. */
struct parts_used {
	double cpu_s, cores;     /* CPU seconds, and the mean */
	double memory_b, vram_b; /* peaks */
	double gpu, gpu_max;     /* mean and peak, in GPUs */
	double read_b, write_b;
};

/* A recording. Strings are "" if unknown. */
struct part {
	struct input input; /* its name is NULL once it is left out */
	const char *host, *node;
	double task; /* rank; NAN: it covers a node */
	double start, stop, interval;
	enum run_status status;
	int code, signal; /* if ended */
	bool ended, oom;  /* ended: its exit status is known */
	bool end_known;   /* why it ended: core/end/end_cause.h */
	const char *end_cause, *end_sentence;
	struct snapshot_tasks tasks;
	struct parts_used used;
	size_t at; /* its node */
};

struct parts_node {
	const char *name, *host;
	size_t first, n; /* its parts */
	double start, stop;
	struct parts_used used;    /* sums; peaks are those of the sum */
	double states_s[STATES_N]; /* come to its time; all 0: not measured */
	float *line[PARTS_LINES];  /* ->points each, NAN where it did not run. NULL: not kept */
};

struct parts {
	struct part *v; /* in the order of their nodes; of a node, in that of their starts */
	size_t n;
	struct parts_node *node;
	size_t n_nodes;              /* that were recorded */
	double job_nodes, job_tasks; /* that the job has; NAN: unknown */
	bool of_job;                 /* the job's columns were measured in all parts */
	size_t tasks;                /* that were recorded; 0: the parts cover nodes */
	size_t failed;               /* parts that failed or were killed */
	size_t unfinished;           /* parts whose recording is incomplete */
	const struct part *worst;    /* it says how the job ended */
	size_t late;                 /* the node that starts last, */
	double spread;               /* so much later than the first, in seconds */
	size_t points;               /* of the nodes' lines, equally long parts of the run */
	struct read_ahead *ahead;    /* runs.ahead */
	const struct store *store;   /* runs.store */
};

/* How many nodes of the run were recorded; 1 for a run of one recording. */
size_t parts_nodes(const struct run *run);

/* How many nodes, or tasks, of the job were not recorded. p NULL, a run of one recording: 0. */
size_t parts_missing(const struct parts *p);

/* "3 of 4 nodes", "15 of 16 tasks (not rank 7)": what was recorded of the job. */
void parts_recorded_text(const struct parts *p, struct buf *out);

/* Where a part ran: "n2", "n2 (rank 3)". task NAN: no rank. */
void parts_place_text(const char *node, double task, struct buf *out);

/* The worse of two parts, by how they ended: out of memory, failed or killed (the first that
 * ended: it is often why the others were killed), the same after a signal to end, incomplete,
 * unknown, finished. */
const struct part *parts_worse(const struct part *a, const struct part *b);

/* What imbalance is measured by. */
enum parts_measure {
	PARTS_MEASURE_CPU,
	PARTS_MEASURE_MEMORY,
	PARTS_MEASURE_WALL,
	PARTS_MEASURES,
};

/* From this imbalance on, parts were unevenly used. */
#define PARTS_UNEVEN 1.2

/* The nodes, or the tasks, as rows. */
enum parts_rows { PARTS_OF_NODES, PARTS_OF_TASKS };

struct parts_row {
	const char *name, *host; /* of its node */
	double task, start, stop;
	const struct parts_used *used;
	const struct part *worst; /* the part that says how it ended */
};

/* 0 tasks where the parts cover nodes. */
size_t parts_rows(const struct parts *p, enum parts_rows of);
struct parts_row parts_row(const struct parts *p, enum parts_rows of, size_t i);

/* A row's value; NAN: not measured. */
double parts_measure(const struct parts_row *row, enum parts_measure m);

/* Over nodes, or over the tasks of a job on one node. */
struct parts_imbalance {
	enum parts_rows of;
	double ratio; /* max / mean; NAN: there is only one, or it was not measured on all */
	double mean, most;
	size_t at; /* the row with the most */
};

struct parts_imbalance parts_imbalance(const struct parts *p, enum parts_measure m);

/* A value of a node, by its line: mean CPU and GPU usage, peak memory and GPU memory. */
double parts_line_value(const struct parts_used *used, enum parts_line line);

/* The largest over the nodes of mean CPU and GPU usage, and of peaks. NAN: not measured. */
struct parts_used parts_worst_node(const struct parts *p);

/* The nodes of the run that had to be paid for: those that were not recorded as well. */
size_t parts_all_nodes(const struct run *run);

/* The tasks on each node; 0: unknown, or not equally many. */
size_t parts_tasks_per_node(const struct run *run);

#endif
