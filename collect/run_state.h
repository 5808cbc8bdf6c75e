/*
 * run_state: what a recording holds while it goes on, and its parts: run_begin.c brings it to where
 * the command runs, run.c keeps it going, run_end.c writes it down.
 */
#ifndef COLLECT_RUN_STATE_H
#define COLLECT_RUN_STATE_H

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_own.h"
#include "collect/cgroup/cgroup_watch.h"
#include "collect/cgroup/limits.h"
#include "collect/cgroup/oom.h"
#include "collect/cloud/discover_cloud.h"
#include "collect/collect_options.h"
#include "collect/command/command.h"
#include "collect/command/cpu_rlimit.h"
#include "collect/command/phase_fifo.h"
#include "collect/gpu/gpu.h"
#include "collect/machine/clocks.h"
#include "collect/row_builder.h"
#include "collect/run_result.h"
#include "collect/schedule.h"
#include "collect/snapshot_file.h"
#include "core/journal.h"
#include "core/phases.h"

struct run {
	const struct collect_options *o;
	run_say say;
	struct fd_limit files;
	struct root root;
	struct tree *tree; /* NULL: the system alone */
	struct machine *system;
	struct gpu *gpu;
	struct cgroup where; /* that the command is started in */
	struct cgroup_own *own;
	struct cgroup_watch watch;
	struct cgroup_usage usage; /* of its own cgroup, at the end */
	struct limits limits;
	struct oom oom;
	struct discover_cloud cloud;
	struct signals signals;
	struct command child;
	struct err hidden; /* why the command cannot be seen in /proc, where it cannot */
	int pid, pidfd;    /* the root process; -1: no descriptor */
	struct snapshot snapshot;
	struct snapshot_file output;
	struct journal *journal;
	struct phase_fifo mark;
	struct phases *phases; /* NULL: there was no memory */
	struct csv_stream csv;
	struct schedule timing;
	struct clocks clocks;
	struct cpu_rlimit allowance;
	struct sample sample;
	struct row_builder record;
	bool over; /* nothing more to record */
	bool told; /* to stop, by a signal */
	bool said_journal, said_csv;
	struct command_end end;             /* of the command */
	double utime_s, stime_s, max_rss_b; /* of all that was reaped */
	struct reaped_totals totals;
};

#endif
