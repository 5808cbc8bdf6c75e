/*
 * parts_grid: sums the rows of several recordings on common rows of wall-clock time.
 *
 * Row k stands for the time from `from` + k steps to `from` + (k + 1) steps, and the end of that
 * time is its time stamp. The last row ends at `to`. docs/parts.md has the rules of each kind of
 * column. In short: an amount is spread over the rows that its interval overlaps, so sums are
 * conserved; so are the core-seconds of a level; a state counts at the row nearest to its sample,
 * with its maximum there, so no peak is lost. The seconds of its states (job_states.def) are
 * the mean over the nodes that run in the row, and those of a node over its recordings. Where a
 * recording that runs did not measure, the sum is NAN.
 *
 * Memory is one number for each column and row, however many recordings are added.
 */
#ifndef REPORT_RUNS_PARTS_GRID_H
#define REPORT_RUNS_PARTS_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "core/recording/snapshot.h"
#include "core/recording/states.h"

#define PARTS_GRID_ROWS_MAX ((size_t)86400) /* a day at 1 s; of longer jobs the step grows */

/* Sums over the recordings of one node that are wanted beside those of all. */
enum parts_line { PARTS_CPU, PARTS_MEMORY, PARTS_GPU, PARTS_VRAM, PARTS_LINES };

/* Valid when zero. */
struct parts_grid {
	double from, to, step; /* Unix seconds; seconds */
	size_t rows;
	bool job;                       /* lines are the job's columns; else the machine's */
	double *sum[METRIC_COUNT];      /* NULL: no recording has it yet */
	size_t measured[METRIC_COUNT];  /* recordings that have the column */
	size_t recorded[METRIC_SCOPES]; /* recordings that count for a scope's columns */
	double *node_peak; /* of the node: METRIC_PROCESS_MEMORY_PEAK, summed over its parts */
	size_t node_peaks; /* parts that have it */
	double *machine_s; /* of each row: seconds, summed over nodes */
	double *line[PARTS_LINES];    /* of the current node; zeroed by parts_grid_node */
	double *state_scale;          /* of each row, for parts_grid.c */
	double *node_state[STATES_N]; /* of the current node; NULL: not measured yet */
	double machine_until; /* of the current node: its machine is counted until this time, */
	size_t machine_rows;  /* and its machine's states in the rows before this one */
	size_t node_parts;    /* recordings of the current node */
	struct parts_interval *interval; /* of the rows of the recording that is added */
	double *first_share, *awake;     /* the same, as arrays, */
	double *steps_awake;             /* and of ->awake in steps: one memory */
	size_t intervals;
};

/* Whether a column of a recording is added, or needed to add others. */
bool parts_grid_wants(const struct metric *m);

/* For recordings between two times, the shortest of whose intervals is given. 0, or -1 with a
 * sentence without memory or if the times are of no use. */
int parts_grid_init(struct parts_grid *g, double from, double to, double interval, struct err *e);

/* Begins another node: recordings that are added until the next call share its machine. */
void parts_grid_node(struct parts_grid *g);

/* Adds a recording with its rows. The recordings of a node must be added in the order of their
 * starts, because the first one that has a time gives the machine's values there. 0, or -1. */
int parts_grid_add(struct parts_grid *g, const struct snapshot *s, struct err *e);

/* Ends a node: adds its states, whose seconds in all rows are returned. */
void parts_grid_node_end(struct parts_grid *g, double states_s[STATES_N]);

/* The current node's line in a row. */
double parts_grid_line(const struct parts_grid *g, enum parts_line line, size_t row);

/* Moves the sums into the rows of a snapshot, whose frames must be empty: columns that all
 * recordings have. *g is then empty but for ->measured and ->recorded. 0, or -1. */
int parts_grid_finish(struct parts_grid *g, struct snapshot *out, struct err *e);

/* The peak of the sum of the job's memory on the node, with what the kernel knows of the time
 * between samples; NAN if not all of its parts have that. */
double parts_grid_node_peak(const struct parts_grid *g);

void parts_grid_free(struct parts_grid *g);

#endif
