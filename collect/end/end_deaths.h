/*
 * end_deaths: processes of the job, but the command, that a signal ended, as the kernel reports
 * them (proc_events.h), or where it does not, those that the recorder itself reaps. After each by
 * SIGKILL it looks whether the kernel has counted an OOM kill, which it does before it kills.
 *
 * The kernel tells every death by a signal on the machine, which are few; which of them are of the
 * job is looked up here, by their parents.
 */
#ifndef COLLECT_END_END_DEATHS_H
#define COLLECT_END_END_DEATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "collect/cgroup/oom.h"
#include "collect/events/proc_events.h"
#include "collect/events/process_log.h"
#include "collect/process/tree.h"
#include "core/recording/snapshot.h"

/* The limit of CPU time that a process which a signal ended had reached: the soft one for SIGXCPU,
 * the hard one for SIGKILL; 0: it had not. As the kernel's, .rlim_cur is a second more for each
 * SIGXCPU that it sent at the limit. cpu_s: that the process had used; NAN: unknown, and so is the
 * answer. */
double end_deaths_cpu_limit_s(int signal, const struct rlimit *cpu, double cpu_s);

/* CPU time of a process, also of a zombie; NAN: unknown. */
double end_deaths_cpu_s(int pid);

/* Bytes that a process and those that it waited for have written; NAN: unknown. */
double end_deaths_written_b(const struct root *r, int pid);

#define END_DEATHS_KEPT     16
#define END_DEATHS_LATELY_S 10 /* those of the last seconds count as a part of the end */

/* .events.fd must be -1 where nothing was opened. */
struct end_deaths {
	struct proc_events events;
	bool complete; /* the kernel reported all that there were */
	const struct root *root;
	struct tree *tree;     /* borrowed; NULL: none */
	const struct oom *oom; /* NULL: its kills are counted elsewhere */
	int command;           /* its pid */
	struct end_deaths_one {
		int pid, signal;
		int64_t at; /* CLOCK_MONOTONIC, ns */
		char name[PROC_PID_COMM_MAX];
		/* RLIMIT_CPU and RLIMIT_FSIZE that it had reached; 0: none; NAN: unknown */
		double cpu_limit_s, file_limit_b;
		double file_had_b; /* that it had; NAN: unknown */
	} last[END_DEATHS_KEPT];
	size_t n;
	double killed; /* by SIGKILL */
	/* How many of them were victims of OOM kills, were not, and may have been. */
	double victims, no_victims, unsettled;
	double oom_counted, oom_left; /* OOM kills at the last look; of which no death is known */
	int64_t oom_at;               /* when the last of them was counted */
	unsigned reaped;              /* processes that the recorder reaped, but the command */
	int64_t doubt;  /* when the last was whose parent was gone before it was looked at */
	int64_t second; /* look-ups in this second */
	unsigned looked;
};

/* Without the kernel's events, what is reaped is all that there is. tree may be NULL. All must live
 * as long. */
void end_deaths_open(struct end_deaths *d, const struct root *r, struct tree *tree,
                     const struct oom *oom, int command);

/* The same, where another one reads the events: it calls end_deaths_died() for each process of the
 * job that a signal ended, with what it knows of it, NULL if whose process it was is not
 * known; end_deaths_settle() after those of a moment; and end_deaths_lost() where some are
 * missing, last: there will be no more calls. deaths: a struct end_deaths. */
void end_deaths_open_told(struct end_deaths *d, const struct root *r, struct tree *tree,
                          const struct oom *oom, int command);
void end_deaths_died(void *deaths, const struct proc_event *e,
                     const struct process_log_dead *known);
void end_deaths_settle(void *deaths);
void end_deaths_lost(void *deaths, bool last);

/* To poll for POLLIN; -1: none. */
int end_deaths_fd(const struct end_deaths *d);

void end_deaths_read(struct end_deaths *d);

/* With each sample, at: CLOCK_MONOTONIC, ns. OOM kills in a cgroup that was not made for the
 * command are not the job's if no process of it has ended soon after. */
void end_deaths_look(struct end_deaths *d, int64_t at);

/* Processes of the job, but the command, that may have been victims of OOM kills: those that
 * SIGKILL ended when one had been counted. end: of the run. */
double end_deaths_candidates(const struct end_deaths *d, int64_t end);

/* The recorder reaped a process, with this status of wait(2), which had this name at its end, or
 * "". at: CLOCK_MONOTONIC, ns. */
void end_deaths_reaped(struct end_deaths *d, int pid, int status, const char *name, int64_t at);

/* Fills killed_others, oom_victim and death; end: of the run. After oom_fill. */
void end_deaths_fill(const struct end_deaths *d, int64_t end, struct snapshot *snapshot);

void end_deaths_close(struct end_deaths *d);

#endif
