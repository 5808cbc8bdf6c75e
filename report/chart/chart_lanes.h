/*
 * chart_lanes: the processes of a run as bars in lanes, a child below its parent.
 *
 * Bars that are narrower than a pixel are drawn as groups: those of one name and parent that follow
 * each other closely. So are more where the picture would become too large. Wrappers (wrappers.h)
 * have none: their children stand below their parents. Pure.
 */
#ifndef REPORT_CHART_CHART_LANES_H
#define REPORT_CHART_CHART_LANES_H

#include <stdbool.h>
#include <stddef.h>

#include "report/stats/wrappers.h"

#define CHART_LANES_PX      1000 /* pixels that the picture is wide, or more */
#define CHART_LANES_BARS    240  /* of single processes, at most */
#define CHART_LANES_GROUPS  120  /* at most */
#define CHART_LANES_MAX     36   /* lanes at most */
#define CHART_LANES_COLOURS 8    /* programs with a colour of their own; others are grey */

/* The last is grey. White letters are readable on each. */
extern const char *const chart_lanes_colours[CHART_LANES_COLOURS + 1];

/* A process, or a group of them. Times are seconds since the start of the run, within it. */
struct chart_lanes_bar {
	long at;          /* index of the process; -1: a group */
	const char *name; /* borrowed; "" if unknown, or if a group has several */
	double n, failed; /* processes; failed is not known for recorded sums */
	double cpu_s;     /* of those whose CPU time is known */
	double from_s, to_s;
	long parent; /* its bar; -1: none */
	size_t lane;
	size_t colour; /* below CHART_LANES_COLOURS; that: grey */
};

struct chart_lanes_program {
	const char *name;
	double n;    /* processes */
	double on_s; /* of the critical path */
	double s;    /* of all of them */
};

/* Valid when zero. */
struct chart_lanes {
	struct chart_lanes_bar *bar; /* parents before their children */
	size_t n, lanes;
	long *bar_of;  /* of each process: its bar, or that of the nearest ancestor; -1: none */
	bool *wrapper; /* of each process: it has no bar (wrappers.h) */
	struct chart_lanes_program *program; /* all names: those on the path longest first */
	size_t programs;
};

/* 0, or -1 without memory. */
int chart_lanes_make(const struct process_tree *t, const struct critical_path_job *job,
                     const struct critical_path *path, struct chart_lanes *out);

void chart_lanes_free(struct chart_lanes *l);

#endif
