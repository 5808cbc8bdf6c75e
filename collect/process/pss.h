/*
 * pss: when the PSS of a process is read again, and what to say of its memory in between.
 *
 * Reading smaps_rollup walks all pages of a process under its memory lock: 3 to 5 ms a GiB. So it
 * is read only where the process's pages can have changed, which shows in its page faults or its
 * RSS, or one that it may share them with has come or gone; and all readings together may take 1 %
 * of one core. That time is dealt out in equal parts to those that wait, and who has saved what a
 * reading costs is read: where it does not suffice, large processes are read less often, small ones
 * as before. Between two readings PSS follows RSS. Pure: files and clocks are the caller's.
 */
#ifndef COLLECT_PROCESS_PSS_H
#define COLLECT_PROCESS_PSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/procfs/proc_pid.h"

#define PSS_SHARE   0.01 /* of one core */
#define PSS_START_S 0.02 /* what may be spent at once at the beginning */
#define PSS_SAVED_S 0.1  /* what may be saved while there is nothing to read */

/* What changes with a process's pages. */
struct pss_activity {
	uint64_t faults;
	int64_t rss_pages;
};

struct pss_activity pss_activity(const struct proc_pid_stat *stat);
bool pss_same(const struct pss_activity *a, const struct pss_activity *b);

/* One process. {0}: never read. */
struct pss {
	bool known;
	struct proc_pid_smaps last;
	struct pss_activity then; /* as it was at the last reading */
	int64_t rss_then_b;       /* its stat's RSS then */
	unsigned kin;             /* what the caller gave to pss_took */
	double cost_s;            /* of the last reading */
	double saved_s;           /* of what was dealt out */
};

/* Whether there is something new to read. kin changes when processes that it may share pages with
 * come or go. */
bool pss_is_due(const struct pss *p, const struct pss_activity *now, unsigned kin);

struct pss_budget {
	bool free;     /* readings cost nothing: of a captured machine */
	double pot_s;  /* not dealt out */
	double part_s; /* for each that waits, in this sample */
	int64_t at;    /* ns */
	uint64_t due, taken;
};

/* A sample begins, at a time in ns, with n processes to read. */
void pss_deal(struct pss_budget *b, int64_t now, size_t n);

/* Whether a process that is due may be read. To be called once a sample for each. */
bool pss_may(struct pss_budget *b, struct pss *p, int64_t rss_b);

/* Whether one that was refused may be read all the same, by what the others left over. */
bool pss_may_late(struct pss_budget *b, struct pss *p, int64_t rss_b);

/* It was read, in cost_s of CPU time. */
void pss_took(struct pss_budget *b, struct pss *p, const struct proc_pid_smaps *smaps,
              const struct pss_activity *now, int64_t rss_b, unsigned kin, double cost_s);

/* The memory of a process in bytes. Those that were never read are NAN. */
struct pss_memory {
	double pss_b, rss_b, private_b, shared_b, swap_b;
};

/* rss_b is its RSS now, as stat tells it. Where it was never read, PSS is RSS. */
void pss_memory(const struct pss *p, int64_t rss_b, struct pss_memory *out);

#endif
