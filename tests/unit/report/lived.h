/*
 * lived: process trees for tests, a row a process.
 */
#ifndef TESTS_UNIT_REPORT_LIVED_H
#define TESTS_UNIT_REPORT_LIVED_H

#include <math.h>
#include <string.h>

#include "report/stats/critical_path.h"
#include "tests/unit/unit.h"

#define LIVED_MAX 512

/* A tree in memory of its own. */
struct lived_tree {
	struct process_tree t;
	struct process_tree_node of[LIVED_MAX];
	struct process_tree_group groups[8];
};

static inline void lived_begin(struct lived_tree *l)
{
	memset(l, 0, sizeof *l);
	l->t.source = PROCESS_TREE_EVENTS;
	l->t.why = "";
	l->t.of = l->of;
	l->t.groups = l->groups;
}

/* A process that used a CPU all the time; returns its index. Its pid is 100 + the index. */
static inline long lived(struct lived_tree *l, const char *name, long parent, double start,
                         double end)
{
	assert_true(l->t.kept < LIVED_MAX);
	l->of[l->t.kept] = (struct process_tree_node){.pid = 100 + (int)l->t.kept,
	                                              .parent = parent,
	                                              .start_s = start,
	                                              .end_s = end,
	                                              .cpu_s = end - start,
	                                              .memory_b = NAN,
	                                              .name = name,
	                                              .command = ""};
	l->t.n++;
	return (long)l->t.kept++;
}

#endif
