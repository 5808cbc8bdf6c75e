/*
 * process_table: the processes of the tree, found again at every reading.
 *
 * A process enters the table when it is first seen as a descendant of the root, and keeps its place
 * (an index) until its account is closed. It stays when its parent ends and the kernel gives it to
 * another one, in or outside the tree. Everything is allocated by process_table_open.
 */
#ifndef COLLECT_PROCESS_PROCESS_TABLE_H
#define COLLECT_PROCESS_PROCESS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/process/cpu_accounting.h"
#include "collect/process/tracked_process.h"
#include "collect/procfs/root.h"

#define PROCESS_TABLE_EXCLUDED 8
#define PROCESS_TABLE_CHAINS   4096

struct process_table_pair;

/* Files and shared memory of all processes, for family.c: the sum of their RSS, the sum of their
 * PSS, what was taken from that because others mapped more since, the most that one has mapped, the
 * most that one has mapped since its reading, and since the last reading of any, which may be now.
 */
struct process_table_mapped {
	double all_b, pss_b, reduced_b, most_b, own_grown_b, grown_b;
	bool was_read;
};

/* {0}: not open. The caller sets root, launcher, launcher_stays, excluded, kept_max, wakes and
 * alone. */
struct process_table {
	const struct root *r;
	int self;
	int root; /* pid of the root process; 0 once it is gone: its number may be given again */
	int launcher;        /* of tree_set_launcher; 0: none, or gone */
	bool launcher_stays; /* also when it is gone: it says at the end what it inherited */
	int excluded[PROCESS_TABLE_EXCLUDED]; /* our children outside the tree, and
	                                       * their sessions; 0: none */
	bool subreaper;                       /* our own children belong to the tree */
	bool alone;                           /* only the root process is of the tree */
	bool wakes;                           /* this reading skips no process as idle */
	unsigned reading;                     /* how many there were */

	/* The four tables share one allocation, at .processes. */
	struct tracked_process *processes;
	struct cpu_account *accounts; /* of the same places */
	int *order;                   /* places of the last reading, parents before children */
	int *scratch;                 /* places, for one caller at a time */
	size_t places;                /* that the tables have */
	size_t n;                     /* processes in .order */
	size_t high;                  /* places ever used */
	size_t hint;                  /* where to look for a free place */
	size_t beyond;                /* processes that found no place */
	struct process_table_mapped mapped;

	/* A hash table by pid, whose chains run through tracked_process.next: the first place of
	 * each, or -1. */
	int first[PROCESS_TABLE_CHAINS];
	/* Children come from the kernel's lists (task/TID/children). Where it has none
	 * (CONFIG_PROC_CHILDREN), each reading scans /proc for the parent of every process. */
	int *children;                    /* the answer of the last call */
	int own_children;                 /* our own list, or -1 */
	bool scans;                       /* the kernel has no lists */
	struct process_table_pair *pairs; /* pid and parent of every process, where .scans */
	size_t n_pairs;
	/* Lists of threads other than the first: */
	struct root_file loadavg; /* has the last pid */
	int last_pid;             /* given before this reading; 0: not read, -1: unknown */
	size_t others_left;       /* of which so many may be read in this reading … */
	int others_turn;          /* … from this pid on; 0: from any */
	bool keeps_children;      /* some process's children were not all listed */
	size_t kept, kept_max;    /* processes whose descriptors stay open */
};

/* Allocates everything but the places; r must live as long. 0, or -1 without memory. */
int process_table_open(struct process_table *t, const struct root *r, bool subreaper);

/* Allocates the places, in exchange for any earlier ones; only before the first reading. 0, or -1
 * without memory. */
int process_table_reserve(struct process_table *t, size_t places);

/* Finds the processes that exist now: .order and .n, a launcher first. Reads the stat of each.
 * Allocates nothing. */
void process_table_discover(struct process_table *t);

/* Whether a place is that of the launcher. */
bool process_table_is_launcher(const struct process_table *t, int place);

/* Whether a place is that of the launcher, which stays when it is gone. */
bool process_table_stays(const struct process_table *t, int place);

/* Marks a process as ended and takes its pid out of the index. Its parent is marked to be read
 * again, since it may have been read before the kernel handed it this process's usage. */
void process_table_set_gone(struct process_table *t, int place);

/* Whether we are its parent. The kernel keeps such a process for our wait4(2), so it stays in the
 * table until then, even where its files cannot be read. */
bool process_table_is_our_child(const struct process_table *t, int place);

/* Takes a process out of the index of pids, whose number may be given again. Its place stays. */
void process_table_forget_pid(struct process_table *t, int place);

/* Frees a place, with its descriptors. */
void process_table_free_place(struct process_table *t, int place);

/* The place of a pid that has not ended, or -1. */
int process_table_find(const struct process_table *t, int pid);

/* The pid of the i-th process of the last reading; -1 if it has ended, 0 past the end. */
int process_table_pid(const struct process_table *t, size_t i);

void process_table_close(struct process_table *t);

#endif
