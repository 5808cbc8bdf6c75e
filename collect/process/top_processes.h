/*
 * top_processes: what samples know of the largest processes of a run.
 *
 * A process is kept while it is among the 200 with the most CPU time or the 200 with the most
 * memory. So a build with 100,000 compilers stays small. All processes are in the table that
 * collect/events/process_log.h writes. All memory is allocated at the beginning, and becomes
 * resident as it is used.
 */
#ifndef COLLECT_PROCESS_TOP_PROCESSES_H
#define COLLECT_PROCESS_TOP_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/process/tracked_process.h"
#include "collect/procfs/proc_pid.h"
#include "collect/procfs/root.h"
#include "core/base/err.h"
#include "core/recording/snapshot.h"

#define TOP_PROCESSES_TOP         200
#define TOP_PROCESSES_NAME_MAX    32
#define TOP_PROCESSES_COMMAND_MAX 192 /* bytes of a command line; whole words of it are kept */

/* Base units. {0}: an empty place. */
struct top_process {
	int pid, ppid;
	char name[TOP_PROCESSES_NAME_MAX];
	char command[TOP_PROCESSES_COMMAND_MAX]; /* each word ends in a NUL, as in PID/cmdline */
	size_t command_len;
	bool asked;   /* the command line was read */
	bool cut;     /* it has further words */
	double start; /* Unix time; NAN: not known */
	double cpu_s; /* its own, without its children */
	double peak_rss_b, peak_pss_b;
	double read_b, write_b; /* with those of children that it reaped; NAN: may not be read */
	bool reaped;            /* by us: .status is that of wait(2) */
	int status;
	size_t row;               /* 1 more than its row of the table of processes; 0: not known */
	float states_s[STATES_N]; /* seconds */
	struct wait_names_top waits;
};

struct top_processes;

/* places: processes at one time, at most. NULL with an error where there is no memory. */
struct top_processes *top_processes_open(size_t places, struct err *e);

/* The process at a place, which the caller fills while it lives. */
struct top_process *top_processes_at(struct top_processes *p, size_t place);

/* Updates the process at a place, which began at start (Unix time). Reads its command line the
 * second time that it is seen alive, and when its name changes (exec). */
void top_processes_note(struct top_processes *p, size_t place,
                        const struct tracked_process *process, double start, const struct root *r);

/* Takes the states of the process at a place; once, before the next. */
void top_processes_states(struct top_processes *p, size_t place,
                          const struct tracked_process *process);

/* The process at a place has ended: moves it into the table, and empties the place. */
void top_processes_end(struct top_processes *p, size_t place);

/* Reads the command line of a process. */
void top_processes_read_command(struct top_process *top, const struct root *r);

/* Takes the words of a command line, each ended by a NUL, as far as they fit. whole: text is all of
 * it. */
void top_processes_set_command(struct top_process *top, const char *text, size_t n, bool whole);

/* Appends the redacted command line to text. NULL if none was read, or text failed. */
struct buf;
const char *top_processes_command(const struct top_process *top, struct buf *text);

/* At the end: moves the living ones into the table, and keeps the largest of all. */
void top_processes_choose(struct top_processes *p);

/* Then: the process of a row of the table of processes, which begins at start (Unix time). A
 * process belongs to the first row that asks for it. NULL: it is not kept. */
const struct top_process *top_processes_find(struct top_processes *p, size_t row, int pid,
                                             double start);

/* Returns the facts of a process as a recording has them, without texts and .waits. */
struct snapshot_process top_processes_known(const struct top_process *top);

/* NULL is fine. */
void top_processes_close(struct top_processes *p);

#endif
