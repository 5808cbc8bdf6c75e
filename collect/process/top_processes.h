/*
 * top_processes: who used it: the processes that were seen, in a table that does not grow.
 *
 * A process is told singly while it is among the 200 that used the most CPU time or among the 200
 * that had the most memory; the others are summed by their command's name, and where there are too
 * many names, under one. What lived and died between two readings was never seen: what it used is
 * told as one sum. All memory is allocated at the beginning, and becomes resident as it is used.
 */
#ifndef COLLECT_PROCESS_TOP_PROCESSES_H
#define COLLECT_PROCESS_TOP_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/process/tracked_process.h"
#include "collect/procfs/proc_pid.h"
#include "collect/procfs/root.h"
#include "core/err.h"
#include "core/json_write.h"

#define TOP_PROCESSES_TOP         200
#define TOP_PROCESSES_NAMES       256
#define TOP_PROCESSES_NAME_MAX    32
#define TOP_PROCESSES_COMMAND_MAX 192 /* bytes of a command line; whole words of it are kept */

/* Base units. {0}: nobody. */
struct process {
	int pid, ppid;
	char name[TOP_PROCESSES_NAME_MAX];
	char command
	    [TOP_PROCESSES_COMMAND_MAX]; /* as the kernel gives it: each word ends in a NUL */
	size_t command_len;
	bool asked;        /* it was read */
	bool cut;          /* there are further words */
	double start, end; /* Unix time; end: the reading that missed it; NAN */
	double cpu_s;      /* its own */
	double peak_rss_b, peak_pss_b;
	double read_b, write_b; /* with what children that it reaped handed to it; NAN */
	bool reaped;            /* by us: status is that of wait(2) */
	int status;
};

struct top_processes;

/* places: how many live at one time at most. NULL with a sentence where there is no memory. */
struct top_processes *top_processes_open(size_t places, struct err *e);

/* The process at a place, which the caller fills while it lives. */
struct process *top_processes_at(struct top_processes *p, size_t place);

/* Takes down what is known now of the process at a place, which began at start (Unix time). Reads
 * its command line where it lives since the last time. */
void top_processes_note(struct top_processes *p, size_t place, const struct tracked_process *m,
                        double start, const struct root *r);

/* The one at this place has ended: it goes into the table, and the place is empty. */
void top_processes_end(struct top_processes *p, size_t place);

/* Reads a process's command line. */
void top_processes_read_command(struct process *process, const struct root *r);

/* Takes words, each ended by a NUL, as far as they fit. whole: text is all of it. */
void top_processes_set_command(struct process *process, const char *text, size_t n, bool whole);

/* CPU seconds of all that were seen. */
double top_processes_cpu(const struct top_processes *p);

/* Writes the member "processes"; the living go into the table with it. cpu_s is what all together
 * used; NAN: not known. Command lines are masked, and left out where commands is false. */
void top_processes_write(struct top_processes *p, struct json_write *j, double cpu_s,
                         bool commands);

/* NULL is fine. */
void top_processes_close(struct top_processes *p);

#endif
