/*
 * pss: when the PSS of a process is read again, and what it is estimated to be in between. Pure:
 * files and clocks are the caller's.
 *
 * Why not in every sample: reading smaps_rollup makes the kernel walk all pages of the process with
 * its mmap lock held (3 to 5 ms per GiB of 4 KiB pages), which would be 57 to 93 % of a sample's
 * cost, and keeps the process from mapping memory meanwhile. So:
 *
 *  - It is read only if it can have changed: the process had page faults, its RSS is another, or a
 *    process that it may share pages with came or went.
 *  - All readings together may take 1 % of one core. This time is dealt out in equal parts to the
 *    processes that are due, and a process is read once its part, saved over some samples, covers
 *    what a reading costs. So where the budget is short, small processes are read as often as
 *    before, and only large ones less often: no large process can starve the others.
 *  - Between two readings PSS follows RSS, which PID/status gives in each sample. Growth of RssAnon
 *    is private. Growth of RssFile and RssShmem may be of pages that other processes have too, so
 *    it is kept apart: family.c counts it once for all processes.
 */
#ifndef COLLECT_PROCESS_PSS_H
#define COLLECT_PROCESS_PSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/procfs/proc_pid.h"

#define PSS_SHARE   0.01      /* of one core */
#define PSS_START_S 0.02      /* budget at the start, for the first readings at once */
#define PSS_SAVED_S 0.1       /* budget at most, however long there was nothing to read */
#define PSS_LAG_B   4194304.0 /* how far stat and status may lag behind smaps_rollup */

/* Counters that change whenever the pages of a process change. */
struct pss_activity {
	uint64_t faults;
	int64_t rss_pages;
};

struct pss_activity pss_activity(const struct proc_pid_stat *stat);
bool pss_same(const struct pss_activity *a, const struct pss_activity *b);

/* The same counters of all processes that it may share pages with (family.h). */
struct pss_kin {
	uint64_t events;   /* another number whenever one comes or goes */
	uint64_t faults;   /* of all */
	int64_t rss_pages; /* of all */
	double mapped_b;   /* RSS in files and shared memory, of all processes of the job */
};

/* The RSS of a process, in bytes, the part of it in files and shared memory (NAN: unknown), and the
 * part of that in shared memory. */
struct pss_rss {
	int64_t all_b;
	double mapped_b, shmem_b;
};

/* One process. {0}: never read. */
struct pss {
	bool known;
	struct proc_pid_smaps last;
	struct pss_activity then; /* its activity at the last reading */
	struct pss_rss rss_then;  /* its RSS at the last reading */
	struct pss_kin kin;       /* the same of its family */
	double cost_s;            /* of the last reading */
	double saved_s;           /* its savings for the next one */
};

/* Whether PSS can have changed since it was read. */
bool pss_is_due(const struct pss *p, const struct pss_activity *now, const struct pss_kin *kin);

/* Whether it shares anonymous memory with others that changed theirs noticeably since it was read:
 * who writes to a shared page gets a copy, which leaves the page to the others. */
bool pss_kin_is_active(const struct pss *p, const struct pss_kin *now);

/* Whether processes of the job mapped or left noticeably much, and it may share that. */
bool pss_maps_changed(const struct pss *p, const struct pss_kin *now);

/* How much of its files and shared memory may count too much, because other processes of the job
 * have mapped some since it was read. */
double pss_mapped_unsure_b(const struct pss *p, const struct pss_kin *now);

/* Anonymous memory that it shared with others when it was read. */
double pss_shared_anonymous_b(const struct pss *p);

/* {0}: before the first sample. */
struct pss_budget {
	bool unlimited;      /* of a captured machine, whose files cost nothing */
	double available_s;  /* not dealt out; below 0 after a reading that cost more than saved */
	double part_s;       /* for each process that is due in this sample */
	int64_t at;          /* of the last sample, ns */
	uint64_t due, taken; /* readings wanted, and made, so far */
};

/* Begins a sample at a time in ns, with n processes that are due. */
void pss_budget_deal(struct pss_budget *b, int64_t now, size_t n);

/* Whether a process that is due may be read. Gives it its part: call this once a sample for each.
 */
bool pss_may_read(struct pss_budget *b, struct pss *p, int64_t rss_b);

/* Whether a process that pss_may_read refused may be read with what the others left over. */
bool pss_may_read_late(struct pss_budget *b, struct pss *p, int64_t rss_b);

/* Takes a reading that cost cost_s of CPU time. rss: just before it. */
void pss_was_read(struct pss_budget *b, struct pss *p, const struct proc_pid_smaps *smaps,
                  const struct pss_activity *now, const struct pss_kin *kin,
                  const struct pss_rss *rss, double cost_s);

/* The memory of a process, in bytes. private_b, shared_b and swap_b are NAN if it was never read.
 */
struct pss_memory {
	double pss_b, rss_b, private_b, shared_b, swap_b;
	double mapped_b;     /* RSS in files and shared memory; 0: unknown */
	double pss_mapped_b; /* the part of .pss_b in them */
	double grown_b;      /* growth of .mapped_b since it was read, which is not in .pss_b */
	double file_most_b;  /* PSS in files, with all growth since it was read */
	double reduced_b;    /* family.c's: of .pss_mapped_b, what may count in others by now */
	double unsure_b;     /* of .pss_b, what is an estimate: pages went, and some were shared */
};

/* rss: now. If it was never read, PSS is RSS, and .mapped_b is all growth. */
void pss_memory(const struct pss *p, const struct pss_rss *rss, struct pss_memory *out);

#endif
