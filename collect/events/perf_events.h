/*
 * perf_events: forks, execs and ends of the processes of one command, and the exact CPU time of
 * each of their threads, from the kernel (perf_event_open(2)).
 *
 * A plain user may listen to a child of his own that has not called exec(3) yet, and to all that
 * descends from it: an inherited software event counts the CPU time of each task by itself. Of
 * other processes nothing is reported. The kernel wants one event for each CPU that the command may
 * use, with a ring of its own; each fork copies all of them, and opening them delays the command,
 * so there are at most PERF_EVENTS_CPUS.
 *
 * The CPU times of a task are written into the rings of all CPUs by the one on which it ends, and
 * the kernel does not guard a ring against two CPUs at once: then it may stop for good, without a
 * word (seen on Linux 6.18 once in some ten thousand ends that come two at a time). So there are
 * two rings for each CPU: what is written by its own CPU alone, which is everything else, is apart
 * and safe; and perf_events_renew() replaces those of CPU times when some of them are missing.
 *
 * The status of a process is not reported. A process that executes a program with other rights
 * (setuid), or one that its user may not read, is dropped: it seems to end. One task of all, not
 * always the first, holds the events themselves, not copies of them: its CPU time is not reported
 * but is what is left of perf_events_total() at the end.
 *
 *	if (perf_events_open(&p, pid, &r, &e))
 *		…the reason is in e…
 *	while ((more = perf_events_next(&p, until, &record)) > 0)
 *		…
 *	perf_events_close(&p);
 */
#ifndef COLLECT_EVENTS_PERF_EVENTS_H
#define COLLECT_EVENTS_PERF_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/procfs/root.h"
#include "core/base/err.h"

#define PERF_EVENTS_CPUS   16
#define PERF_EVENTS_RING_B 65536 /* of each CPU, at most: about 1,000 records */
#define PERF_EVENTS_NAME   16    /* bytes, with the NUL */

enum perf_events_kind {
	PERF_EVENTS_OTHER,
	PERF_EVENTS_FORK,     /* of a process or, where parent == pid, of a thread */
	PERF_EVENTS_NAME_SET, /* a thread has another name */
	PERF_EVENTS_EXEC,     /* a process executes a program, which has this name */
	PERF_EVENTS_EXIT,     /* of a thread */
	PERF_EVENTS_CPU_TIME, /* of a thread that ended: what it used on one CPU */
	PERF_EVENTS_LOST,     /* there was no room for so many records */
};

struct perf_events_record {
	enum perf_events_kind kind;
	uint64_t at; /* CLOCK_MONOTONIC, ns */
	int pid, tid, parent;
	char name[PERF_EVENTS_NAME];
	uint64_t value; /* ns of CPU time, or records that were lost … */
	bool of_times;  /* … from a ring of CPU times */
};

/* Reads one record of n bytes, its header included. Pure. A record of another kind, or one that is
 * too short for its kind, is PERF_EVENTS_OTHER. */
struct perf_events_record perf_events_parse(const unsigned char *record, size_t n);

/* A ring of records: .size bytes, a power of 2, of which those from .tail to .head are to be read.
 * Both only grow. */
struct perf_events_ring {
	const unsigned char *data;
	uint64_t size, tail, head;
};

/* Reads the next record. 1, 0 where there is none, or -1 where the bytes are not one. Pure. */
int perf_events_ring_next(struct perf_events_ring *r, struct perf_events_record *out);

/* Valid when zero: closed. */
struct perf_events {
	int cpus;
	int n; /* rings: of each CPU one, and one for CPU times */
	struct perf_events_one {
		int fd;
		bool of_times;
		void *mapped; /* a page of the kernel's, and the ring */
		size_t mapped_b;
		struct perf_events_ring ring;
		struct perf_events_record next; /* read, but not taken yet */
		bool has_next;
		bool full; /* it had no room for one more record */
	} one[2 * PERF_EVENTS_CPUS];
	int poll;           /* an epoll(7) of all: to poll for POLLIN */
	const char *change; /* refused: what an administrator could change; NULL: nothing known */
};

/* Opens the events of a child that has not called exec(3) yet, or of ourselves, for a trial. They
 * count from the exec on. No descriptor is inherited. 0, or -1 with the reason, and nothing is
 * open. r: where the limits of the kernel stand. */
int perf_events_open(struct perf_events *p, int pid, const struct root *r, struct err *e);

/* Whether the machine's limit lets a user without CAP_PERFMON open them. 0, or -1 with the reason,
 * and *change is as above. */
int perf_events_allowed(const struct root *r, const char **change, struct err *e);

/* To poll for POLLIN; -1: it is closed. */
int perf_events_fd(const struct perf_events *p);

/* Wakes whoever polls also while fd can be read, until fd is closed. */
void perf_events_with(struct perf_events *p, int fd);

/* To be called before a reading: records that come later wake again whoever polls. */
void perf_events_woken(struct perf_events *p);

/* Takes the earliest record of all CPUs whose time is at most until, a time of CLOCK_MONOTONIC that
 * was read after perf_events_woken(). Then all that a record is the consequence of has come before.
 * 1, 0 where there is none, or -1: a ring is broken, and no record of it can be trusted. */
int perf_events_next(struct perf_events *p, uint64_t until, struct perf_events_record *out);

/* Begins new rings of CPU times. False: some have records that were not read yet, and are as they
 * were, or could not be made, and have no records until the next call. */
bool perf_events_renew(struct perf_events *p);

/* The CPU time of all tasks together, those that live included, in ns. */
uint64_t perf_events_total(const struct perf_events *p);

void perf_events_close(struct perf_events *p);

#endif
