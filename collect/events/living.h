/*
 * living: the processes of the job that live now, by pid. All memory is part of the table.
 */
#ifndef COLLECT_EVENTS_LIVING_H
#define COLLECT_EVENTS_LIVING_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/resource.h>

#include "collect/process/top_processes.h"
#include "collect/procfs/root.h"
#include "core/base/buf.h"
#include "core/processes/process_entry.h"

#define LIVING_MAX       4096
#define LIVING_NAMES     2048 /* programs and command lines at one time */
#define LIVING_CHAINS    1024
#define LIVING_ZOMBIES   8 /* of one parent */
#define LIVING_UNCOUNTED (-1)

/* A program: a process and its children share it until one calls exec(3). */
struct living_program {
	struct top_process top;                /* its .name, and the command line */
	char name[PROCESS_ENTRY_NAME_MAX + 1]; /* redacted; "": not known */
	unsigned users;
	int next; /* in a chain of free ones */
};

/* Seconds are since the start of the recording. */
struct living {
	int pid; /* 0: a free place */
	int ppid;
	struct living_program *program; /* NULL: not known */
	uint32_t id, parent;
	int next;          /* in a chain of pids, or of free places */
	unsigned children; /* that live */
	bool in_journal;   /* an entry of it, or of a child's sum, is in the journal */
	bool has_sums;     /* children of it were summed up */
	bool reaped;
	bool bare;        /* it has not called exec(3) */
	bool over;        /* it has ended: process_log.c */
	bool forked;      /* it had children */
	bool left;        /* its first thread ended at gone_s, and others may run on */
	unsigned sampled; /* the last sample that saw it */
	double gone_s;    /* first time that it was not seen any more; NAN */
	double start_s, cpu_s, memory_b;
	bool cpu_exact; /* .cpu_s is all that it used, by its end */
	int32_t status;
	/* At its exec, or when it was first sampled. */
	struct living_limits {
		bool known;
		struct rlimit cpu;
		rlim_t file; /* its size */
	} limits;
	/* CPU time that it inherited from children that it waited for; those that are zombies are
	 * in .zombies of the table. */
	double inherited_s; /* NAN: not known */
	/* As perf_events.h reports it */
	int threads;       /* that live; LIVING_UNCOUNTED: not known */
	int cpu_due;       /* records of CPU time that are still to come */
	uint64_t cpu_ns;   /* of threads that have ended */
	bool early;        /* .status came before the last thread ended */
	int64_t ended_at;  /* CLOCK_MONOTONIC, ns, of the last thread; 0: it lives */
	bool holds;        /* it has ended, and its CPU time is what is left of the total */
	bool dropped;      /* its events were dropped: samples say how long it lives */
	bool lost_zombies; /* children have ended that are in neither of them */
};

struct living_table {
	int chains[LIVING_CHAINS]; /* by pid: the first place of each, or -1 */
	int free_place;            /* the first of a chain, or -1 */
	int high;                  /* places ever used */
	uint32_t ids;              /* the last one given */
	double n, beyond;          /* processes added, and those of them that found no place */
	int free_program, high_program;
	/* Children that had ended when their parent's .inherited_s was read, and were not in it. */
	int n_zombies;
	struct living_zombie {
		uint32_t parent;
		int pid;
		double s; /* what it will hand over; NAN: not known */
	} zombies[LIVING_ZOMBIES];
	struct living of[LIVING_MAX];
	struct living_program programs[LIVING_NAMES];
};

/* The table must be all zero. */
void living_open(struct living_table *t);

/* NULL: no such process. */
struct living *living_find(struct living_table *t, int pid);

/* The parent, if it lives. */
struct living *living_parent(struct living_table *t, const struct living *p);

/* Adds a process, which has the name and the command line of its parent; parent may be NULL. NULL
 * if there is no place. */
struct living *living_add(struct living_table *t, int pid, struct living *parent, double start_s);

/* Gives the process a program of its own, empty; NULL if there is no room. */
struct living_program *living_exec(struct living_table *t, struct living *p);

/* Redacts the name again. text: room for it, as below. */
void living_program_redact(struct living_program *p, struct buf *text);

/* Reads the name and the command line at an exec, as far as they are still there. hurries: the name
 * alone. */
void living_program_read(struct living_program *p, const struct root *r, bool commands,
                         bool hurries, struct buf *text);

/* A sample has found them: a name that a process has given itself, and what an exec was too fast
 * for. */
void living_program_take(struct living_table *t, struct living *p, const struct top_process *top,
                         bool commands, struct buf *text);

/* Frees the place. */
void living_remove(struct living_table *t, struct living *p);

#endif
