/*
 * parts_head: the heads of several recordings as one: who, where, how it ended, totals, limits.
 */
#ifndef REPORT_RUNS_PARTS_HEAD_H
#define REPORT_RUNS_PARTS_HEAD_H

#include "report/runs/parts.h"

#define PARTS_HEAD_NOTES 256 /* different notes that are counted */

struct parts_head_note {
	const char *text, *node; /* of the first part that has it */
	size_t n;
};

/* Valid when zero. Strings are in the arena of `out`. */
struct parts_head {
	struct snapshot *out;
	size_t parts, nodes;
	bool several_on_a_node;
	bool gpus_left_out;          /* more than a table holds */
	struct snapshot_wait *waits; /* of out->states */
	struct parts_head_note note[PARTS_HEAD_NOTES];
	size_t n_notes;
};

/* Adds a part's head to h->out, which must be empty before the first. The parts of a node follow
 * each other. */
void parts_head_add(struct parts_head *h, const struct snapshot *s, const struct part *part);

/* Ends it: what h->out says of times and nodes, its exit status, which is that of p->worst, and its
 * notes. */
void parts_head_end(struct parts_head *h, const struct parts *p, double step);

#endif
