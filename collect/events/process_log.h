/*
 * process_log: every process of the job, from its beginning to its end.
 *
 * The kernel reports each fork, exec and end: those of the command alone, with the CPU time
 * (perf_events.h, where it is asked for), or those of the machine (proc_events.h); without both,
 * the processes are those that samples see. Who descends from a root belongs to the job. Only those
 * that live are in memory: ended ones go into the journal as entries (process_entry.h). Once there
 * are more than a recording keeps, short ones are added up by name and parent instead.
 *
 * At an exec the command line is read before it is gone, and at the end the CPU time (ended_cpu.h).
 * All of this gets a small share of a core (event_budget.h): where there is more to do, events wait
 * for a moment, and then the files of processes are not read. Where the kernel drops events, the
 * next samples say who lives, and the recording when that was.
 */
#ifndef COLLECT_EVENTS_PROCESS_LOG_H
#define COLLECT_EVENTS_PROCESS_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include "collect/events/living.h"
#include "collect/events/proc_events.h"
#include "collect/process/tree.h"
#include "collect/process/unseen_bound.h"
#include "collect/procfs/root.h"
#include "core/base/err.h"
#include "core/files/journal.h"
#include "core/json/json_write.h"
#include "core/processes/process_entry.h"

struct process_log; /* opaque; NULL is fine for all but process_log_write */

/* Subscribes to the events. commands: command lines are kept. first: the first source that is
 * tried, PROCESS_TREE_PERF as soon as the command is named, PROCESS_TREE_CONNECTOR or
 * PROCESS_TREE_SAMPLES, for the reason why. NULL without memory. r must live as long. */
struct process_log *process_log_open(const struct root *r, bool commands, const char *first,
                                     const char *why);

/* Names a process with whose fork or first sample the job begins, before its exec. launcher: not
 * itself, but its children from now on. */
void process_log_root(struct process_log *l, int pid, bool launcher);

/* Proves that the kernel reports statuses, once the command runs. Nothing was read before. */
void process_log_started(struct process_log *l);

/* A process that has ended, as far as it is known. */
struct process_log_dead {
	const char *name; /* as the kernel has it; "": not known */
	struct living_limits limits;
	double cpu_least_s, cpu_most_s; /* bounds of the CPU time that it had used */
};

/* Is told of each process of the job that a signal ended, at once; NULL: whose process it was is
 * not known. And that events were lost;
 * last: there will be no more. */
struct process_log_deaths {
	void (*died)(void *ctx, const struct proc_event *e, const struct process_log_dead *known);
	void (*settle)(void *ctx); /* those of a moment have been told */
	void (*lost)(void *ctx, bool last);
	void *ctx;
};

/* False: there are no events. */
bool process_log_tell(struct process_log *l, const struct process_log_deaths *deaths);

/* The journal, and the beginning of the recording in CLOCK_MONOTONIC and in real time, in ns. */
void process_log_journal(struct process_log *l, struct journal *j, int64_t start, int64_t real);

/* How long the machine was suspended since the beginning, in ns. */
void process_log_asleep(struct process_log *l, int64_t asleep);

/* To poll for POLLIN; -1: none now. Reading each event at once would be dear where there are many:
 * then *deadline (CLOCK_MONOTONIC, ns) is lowered to when process_log_read is due. */
int process_log_fd(const struct process_log *l, int64_t now, int64_t *deadline);

/* Reads what events there are. now: CLOCK_MONOTONIC, ns. */
void process_log_read(struct process_log *l, int64_t now);

/* Takes the status and the rusage of a process that we reaped. */
void process_log_reaped(struct process_log *l, int pid, int status, const struct rusage *usage);

/* The processes that the last sample did not see, by the events since. now:
 * CLOCK_MONOTONIC, ns; after process_log_read. */
struct unseen_told process_log_unseen(const struct process_log *l, int64_t now);

/* Takes what a reading of the tree at a time (CLOCK_MONOTONIC) found, after process_log_read. */
void process_log_sample(struct process_log *l, const struct tree *t, int64_t at);

/* CPU seconds of all processes by perf_events.h; NAN: they are not counted. */
double process_log_counted(const struct process_log *l);

/* Fills an entry of a process of the last sample, as far as it is known: number, parent and start.
 * Whether its name is filled too, redacted. */
bool process_log_find(struct process_log *l, const struct top_process *top,
                      struct process_entry *out);

/* Writes to the journal what has ended, after the row of a sample, so that a crash loses little. */
void process_log_flush(struct process_log *l);

/* Writes rtrack.tree (process_tree_write.h) with what t knows of its rows, once, at the end, after
 * tree_write_states. 0, or -1 with a sentence. */
int process_log_write(struct process_log *l, const struct tree *t, struct json_write *j,
                      struct err *e);

void process_log_close(struct process_log *l);

#endif
