/*
 * process_tree: the one table of a job's processes (rtrack.tree, docs/snapshot.md).
 *
 * Each row has what the kernel's events and the samples say of a process; what is not known is NAN.
 * An older recording has these in two places, of which process_join.h makes one table.
 *
 * At most PROCESS_TREE_KEPT processes, the longest, are kept one by one; shorter ones are summed up
 * by name and parent. A writer passes over the rows once for each column, so a recorder needs no
 * memory for them (process_tree_entries.h).
 */
#ifndef CORE_PROCESSES_PROCESS_TREE_H
#define CORE_PROCESSES_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/json/json_read.h"
#include "core/json/json_write.h"
#include "core/recording/snapshot.h"

#define PROCESS_TREE_KEPT     20000
#define PROCESS_TREE_COMMANDS 4000 /* command lines: of the longest processes */
#define PROCESS_TREE_NAMES    2048
#define PROCESS_TREE_GROUPS   4096
#define PROCESS_TREE_KEY      "tree" /* of rtrack */

/* Values of .source. */
#define PROCESS_TREE_EVENTS  "events"  /* the kernel reported each: all are there */
#define PROCESS_TREE_SAMPLES "samples" /* those that samples saw, at least for a part of the run */

#define PROCESS_TREE_NO_STATUS (-1000) /* a status that is not known */

/* Values of .kernel. */
#define PROCESS_TREE_PERF      "perf"
#define PROCESS_TREE_CONNECTOR "connector"

/* Times are seconds since the start of the recording, of which --pid may follow an older
 * process. */
struct process_tree_node {
	int pid;     /* -1: unknown */
	long parent; /* its index; -1: none, or not known. Never a circle */
	double start_s;
	double end_s;     /* NAN: it still ran at the end */
	double cpu_s;     /* its own, without its children; NAN: unknown */
	double cpu_exact; /* 1: all of .cpu_s, by its end; 0: at least .cpu_s, as a sample saw
	                      * it; NAN: not known */
	double memory_b;  /* the largest RSS that a sample saw; NAN: none saw it */
	int status;       /* exit code, -signal, or PROCESS_TREE_NO_STATUS */
	const struct snapshot_process *sampled; /* PSS, bytes, states, waits and node, where samples
	                                         * know them; else NULL. Borrowed */
	const char *name;    /* "" if unknown: it ended before its name could be read */
	const char *command; /* "" if unknown, or left out */
};

/* Processes of one name that are not listed. */
struct process_tree_group {
	const char *name;
	long parent; /* index of the nearest ancestor that is listed; -1: none */
	double n, cpu_s;
	double cpu_exact;      /* 1: all of .cpu_s; else some used more, or what is not known */
	double memory_b;       /* of the largest; NAN: not known */
	double start_s, end_s; /* of the first, and of the last */
};

struct process_tree {
	const char *source, *why; /* of the above; why not events, "" with them */
	const char *kernel;  /* the kernel's interface that reported them last; NULL: not known */
	const char *refused; /* why not PROCESS_TREE_PERF; NULL: it was not asked for, or worked */
	bool largest;        /* the rows are only the largest, without parents: no time line. Their
	                      * starts may be NAN, and .parent of groups says nothing */
	bool says_exact;     /* the recording has .cpu_exact: it is one table */
	double n;            /* all processes: those kept, and those of the groups */
	struct process_tree_node *of;
	size_t kept;
	struct process_tree_group *groups;
	size_t n_groups;
};

/* Calls visit for each row, in the same order each time. 0, or -1 with a sentence. The texts of a
 * row are valid during the call. */
typedef void (*process_tree_visit)(void *to, const struct process_tree_node *row);
struct process_tree_rows {
	const char *source, *why, *kernel, *refused;
	bool largest, says_exact;
	double n;
	size_t kept;
	int (*each)(void *ctx, process_tree_visit visit, void *to, struct err *e);
	void *ctx;
	const struct process_tree_group *groups;
	size_t n_groups;
};

struct process_tree_rows process_tree_rows_of(struct process_tree *t);

/* Copies rows into the arena of s. NULL without memory, or where they cannot be read. */
struct process_tree *process_tree_copy(struct snapshot *s, const struct process_tree_rows *rows);

/* The largest memory that is known of a row: PSS, which divides shared pages, else RSS. */
double process_tree_memory(const struct process_tree_node *row);

/* Reads the value of the member "tree" into the arena of s, to s->tree: NULL where it has another
 * form. -1 if it is not JSON. Columns that are not known are skipped. */
int process_tree_read(struct snapshot *s, struct json_read *in);

#endif
