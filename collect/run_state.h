/*
 * run_state: what a recording holds while it goes on, and its parts: run_begin.c brings it to where
 * the command runs, run.c keeps it going, run_end.c writes it down.
 */
#ifndef COLLECT_RUN_STATE_H
#define COLLECT_RUN_STATE_H

#include "../core/journal.h"
#include "../core/phases.h"
#include "allowance.h"
#include "cgroup.h"
#include "cgroup_own.h"
#include "cgroup_watch.h"
#include "child.h"
#include "clocks.h"
#include "discover_cloud.h"
#include "gpu.h"
#include "limits.h"
#include "mark.h"
#include "oom.h"
#include "output.h"
#include "record.h"
#include "run.h"
#include "timing.h"

struct run {
	const struct options *o;
	run_say say;
	struct descriptors files;
	struct root root;
	struct tree *tree; /* NULL: the system alone */
	struct system *system;
	struct gpu *gpu;
	struct cgroup where; /* that the command is started in */
	struct cgroup_own *own;
	struct cgroup_watch watch;
	struct cgroup_usage usage; /* of its own cgroup, at the end */
	struct limits limits;
	struct oom oom;
	struct discover_cloud cloud;
	struct signals signals;
	struct child child;
	struct err hidden; /* why the command cannot be seen in /proc, where it cannot */
	int pid, pidfd;    /* the root process; -1: no descriptor */
	struct snapshot snapshot;
	struct output output;
	struct journal *journal;
	struct mark mark;
	struct phases *phases; /* NULL: there was no memory */
	struct csv csv;
	struct timing timing;
	struct clocks clocks;
	struct allowance allowance;
	struct sample sample;
	struct record record;
	bool over; /* nothing more to record */
	bool told; /* to stop, by a signal */
	bool said_journal, said_csv;
	struct child_end end;               /* of the command */
	double utime_s, stime_s, max_rss_b; /* of all that was reaped */
	struct totals totals;
};

/* Takes a sample into r->sample. */
void run_take(struct run *r);

/* Opens all that is to be read and written, forks the command, starts it, and takes the first
 * sample. -1 with a sentence, and result->status set. */
int run_begin(struct run *r, struct run_result *result, struct err *e);

/* Writes the snapshot, and fills *result. */
void run_end(struct run *r, struct run_result *result);

#endif
