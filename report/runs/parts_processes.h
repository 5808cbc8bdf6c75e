/*
 * parts_processes: the processes of several recordings as one list. The largest are kept as they
 * are, with their node; of the others, the sums by name.
 */
#ifndef REPORT_RUNS_PARTS_PROCESSES_H
#define REPORT_RUNS_PARTS_PROCESSES_H

#include "report/runs/parts.h"

/* Valid when zero. */
struct parts_processes {
	double n;                    /* processes in all */
	bool lacks, some_by_samples; /* a part without any, and one whose samples alone know them */
	struct snapshot_process *top,
	    *others; /* each of SNAPSHOT_PROCESSES_MAX; strings are owned */
	size_t n_top, n_others;
};

/* Adds the processes of a part, which must be read whole. 0, or -1 without memory. */
int parts_processes_add(struct parts_processes *all, const struct snapshot *s,
                        const struct part *part);

/* Moves them into a snapshot: the largest, and sums. */
void parts_processes_end(struct parts_processes *all, struct snapshot *out);

void parts_processes_free(struct parts_processes *all);

#endif
