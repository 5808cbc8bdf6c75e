/*
 * run_state: everything that a recording holds while it runs. run_begin.c sets it up and starts the
 * command, run_upload.c uploads to an object store, run.c does all the rest. Valid only as run()
 * initialises it.
 */
#ifndef COLLECT_RUN_STATE_H
#define COLLECT_RUN_STATE_H

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_outside.h"
#include "collect/cgroup/cgroup_own.h"
#include "collect/cgroup/cgroup_watch.h"
#include "collect/cgroup/limits.h"
#include "collect/cgroup/oom.h"
#include "collect/cloud/discover_cloud.h"
#include "collect/collect_options.h"
#include "collect/command/command.h"
#include "collect/command/cpu_rlimit.h"
#include "collect/command/job_end.h"
#include "collect/command/node_tasks.h"
#include "collect/command/per_node.h"
#include "collect/command/phase_fifo.h"
#include "collect/discover_asked.h"
#include "collect/end/end.h"
#include "collect/events/process_log.h"
#include "collect/events/process_now.h"
#include "collect/gpu/gpu.h"
#include "collect/job/input_files.h"
#include "collect/job/part.h"
#include "collect/machine/clocks.h"
#include "collect/output/progress_line.h"
#include "collect/output/snapshot_file.h"
#include "collect/row_builder.h"
#include "collect/run_result.h"
#include "collect/schedule.h"
#include "core/files/journal.h"
#include "core/numbers/phases.h"

struct run {
	const struct collect_options *o;
	run_say say;
	struct fd_limit files;

	/* sources */
	struct root root;
	struct tree *tree;       /* NULL: only the machine is recorded */
	struct process_log *log; /* every process of the job; NULL: not recorded */
	struct process_now *now; /* those that run, for who watches; NULL: not recorded */
	struct machine *machine; /* NULL: only the job is */
	double cpus;             /* of the machine; NAN: unknown */
	struct gpu *gpu;
	struct cgroup cgroup;   /* where rtrack-collect starts the command, or where --pid is */
	struct cgroup_own *own; /* the command's own cgroup, a child of it */
	struct snapshot_totals usage; /* of the own cgroup, at the end */
	struct cgroup_watch watch;
	size_t followed; /* process whose cgroup the last sample looked at */
	struct limits limits;
	struct oom oom;                /* of a command */
	struct end end;                /* why it ended */
	int end_file;                  /* of --end-file; -1: none */
	struct cgroup_outside outside; /* of a job that runs outside of our cgroup */
	struct discover_cloud cloud;
	struct discover_asked asked;

	/* the command or the followed process */
	struct signals signals;
	struct command command;
	struct err unseen; /* why the command cannot be seen in /proc; empty if it can */
	struct per_node per_node;
	struct node_tasks tasks;    /* how those of per_node ended */
	int pid;                    /* the root process; 0: none */
	int pidfd;                  /* of the process whose end is awaited; -1: none */
	char end_text[JOB_END_MAX]; /* what --end-fd has said so far */
	size_t end_n;
	struct job_end job_end; /* by it, once the line is whole */
	bool has_job_end;
	bool never_seen;  /* no sample saw a process of the job that it reported */
	bool awaits_task; /* --per-node: .pidfd is of a task, and others may follow */
	struct command_end command_end;
	double utime_s, stime_s, max_rss_b; /* of all reaped processes */
	struct snapshot_totals totals;
	struct cpu_rlimit cpu_rlimit; /* of rtrack-collect itself */

	/* what is recorded, and where it goes */
	struct schedule schedule;
	struct clocks clocks;
	struct sample sample;
	double *devices; /* --detail: the cells of all samples */
	struct row_builder rows;
	struct phase_fifo phase_fifo;
	struct phases *phases; /* NULL: no memory */
	struct part part;
	struct input_files inputs;
	struct snapshot snapshot;
	struct snapshot_file file;
	struct journal *journal;
	struct csv_stream csv;
	struct run_upload *upload; /* NULL: the output is a file */
	struct {
		struct background process; /* copies the journal; {0}: none does */
		int64_t due;
	} sync; /* --sync */
	struct run_progress {
		struct progress_line line;
		struct progress_line_of of;
		struct sample before; /* of the line before */
		struct sample_carry carry;
	} progress;

	bool done;                   /* nothing more to record */
	bool interrupted;            /* by a signal that ends the recording */
	bool said_journal, said_csv; /* this failure was reported */
};

/* Prints a sentence where the line of --progress may be: r->say, without the line. */
static inline void run_state_say(struct run *r, const char *sentence)
{
	progress_line_clear(&r->progress.line);
	r->say(sentence);
}

#endif
