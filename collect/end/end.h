/*
 * end: the evidence of why the run ends, gathered before the command, with each sample and at the
 * end (docs/snapshot.md, end). The sentence is made by core/end/end_cause.h.
 */
#ifndef COLLECT_END_END_H
#define COLLECT_END_END_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "collect/cgroup/cgroup_outside.h"
#include "collect/cgroup/limits.h"
#include "collect/cgroup/oom.h"
#include "collect/cgroup/pids_limit.h"
#include "collect/command/job_end.h"
#include "collect/end/end_deaths.h"
#include "collect/end/end_signals.h"
#include "collect/end/end_space.h"
#include "collect/process/tree.h"
#include "core/recording/snapshot.h"

#define END_SAMPLES 16 /* over which growth is measured */

/* {0}, but for deaths.events.fd = -1: nothing is known. */
struct end {
	struct end_signals signals;
	struct end_deaths deaths;
	struct pids_limit pids;
	struct end_space space;
	/* Memory when samples last saw the job alive. */
	struct end_memory {
		int64_t at;
		double bytes;
	} memory[END_SAMPLES];
	size_t samples;
	double largest_b;
	int largest_pid;
	bool largest_alone; /* the others are much smaller */
	/* OOM kills at the last sample; the memory of the largest process, which was not the
	 * command, of the sample before the last one was counted, if it was gone then; else 0. */
	double oom_seen, victim_b;
	bool outlived; /* the command was alive in the sample that saw the last OOM kill */
	char largest[PROC_PID_COMM_MAX];
	double threads_most;
	double alive; /* processes in the last sample */
	/* The command's process, read when it has ended and is not reaped yet. */
	char name[PROC_PID_COMM_MAX]; /* "": not known */
	bool has_limits;
	bool childless;        /* it waited for no child */
	bool ignores_children; /* a process was seen whose children nobody waits for */
	double cpu_s;          /* as the kernel compares it with RLIMIT_CPU; NAN: unknown */
	double written_b;      /* wchar of it and of those that it waited for; NAN: unknown */
	struct rlimit cpu, file, address, processes;
};

/* All else that is known at the end. Pointers are borrowed, and may be NULL. */
struct end_known {
	const struct oom *oom;
	const struct cgroup_outside *outside; /* of a job in another cgroup */
	const struct job_end *job_end;        /* by its launcher */
	const struct limits *limits;
	char *const *command; /* and its arguments; NULL: unknown */
	int pid;              /* of the command; 0: it is not the process that status is of */
	const char *output;   /* path of the recording; NULL: file systems are not looked at */
	int status;           /* of wait(2); -1: not known */
	double max_rss_b;     /* of the largest process that was reaped */
	double peak_b;        /* of the job */
	double all_cpu_s;     /* of all that were waited for */
	double address_b;     /* the most that one process had, or all of them */
	double wall_s;
	double ran_s; /* of the job, before this recording; 0: not known */
	int64_t at;   /* of the end: CLOCK_MONOTONIC, ns */
};

/* With each sample. */
void end_sample(struct end *e, const struct tree *tree, const struct tree_counters *now);

/* When the command has ended, before it is reaped: its limits, and whether it had children. */
void end_look(struct end *e, const struct root *r, int pid);

/* Fills s->end. s->exit and s->asked must be set. */
void end_fill(const struct end *e, const struct end_known *k, struct snapshot *s);

/* Whether memory ran out: the command was ended for that, or Slurm calls its step OUT_OF_MEMORY. */
bool end_is_oom(const struct snapshot *s);

/* Notes how many processes the kernel's OOM killer ended. */
void end_notes(struct snapshot *s);

void end_close(struct end *e);

#endif
