/*
 * cgroup_watch: the job's cgroup in every sample: its working set, and how long a CPU quota held it
 * back (throttling).
 *
 * Memory is that of the command's own cgroup (cgroup_own.h), or else of the cgroup that the command
 * runs in, which also holds the collector and may hold other processes. Throttling is that of the
 * cgroup with the least quota, with everything below it; also where the command moves itself under
 * one. A sample takes two pread(2) of kept
 * descriptors, or three if there is a quota; and three more where the command has a cgroup of its
 * own in v2, for its pressure.
 */
#ifndef COLLECT_CGROUP_CGROUP_WATCH_H
#define COLLECT_CGROUP_CGROUP_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_own.h"
#include "collect/cgroup/limits.h"
#include "collect/machine/pressure.h"
#include "core/recording/snapshot.h"

#define CGROUP_WATCH_PRESSURES 3
#define CGROUP_WATCH_PLACES    8

/* {0}: nothing can be read. */
struct cgroup_watch {
	bool open;
	int cpu, usage, stat; /* descriptors, or -1, while open */
	/* PSI of the job's own cgroup alone (v2): CPU, storage, memory; and when the job began. */
	int psi[CGROUP_WATCH_PRESSURES];
	struct pressure_total first[CGROUP_WATCH_PRESSURES], last[CGROUP_WATCH_PRESSURES];
	bool cpu_v2, memory_v2;
	bool no_quota; /* none anywhere: throttling is 0, without reading */
	bool shared;   /* other processes may be in the cgroup whose memory is read */
	bool others;   /* they were, at any time; or that is not known */
	const struct root *r;
	int dir; /* of the shared one, or -1 */
	/* Anonymous and shared memory that the cgroup held when it was opened; 0: it is the
	 * command's own. */
	double anonymous_first_b, shmem_first_b;
	/* Where processes of the job were seen last: hashes of their cgroups' paths. */
	uint64_t places[CGROUP_WATCH_PLACES];
	size_t n_places;    /* ever noted: the next one replaces the oldest */
	double joined_s;    /* what is counted from before the cgroup of .cpu was joined … */
	double throttled_s; /* … and up to the last reading; NAN: none */
};

struct cgroup_gauges {
	double memory_b; /* working set: usage less inactive file pages */
	/* Anonymous memory, and shared memory with tmpfs, since it was opened. Only of a cgroup
	 * that has the job's processes alone. */
	double anonymous_b, shmem_b;
	double throttled_s;     /* since the cgroup was made, summed over all CPUs */
	double throttled_count; /* periods in which it was held back, since it was made */
	/* Pressure of the job's own cgroup, since it was made: no task that could run had a CPU;
	 * all that were not idle waited for storage; for memory. NAN: it has none of its own. */
	double cpu_full_s, io_full_s, memory_full_s;
};

/* Whether the command may run before cgroup_watch_open: all is counted in cgroups that were made
 * for it. */
bool cgroup_watch_can_wait(const struct cgroup *where, const struct cgroup_own *own);

/* own may be NULL. Call this after the fork, since cgroup_own_fork can lose the own cgroup. Never
 * fails: what cannot be read is NAN. */
void cgroup_watch_open(struct cgroup_watch *w, const struct root *r, const struct cgroup *where,
                       const struct cgroup_own *own, const struct limits *limits);
void cgroup_watch_read(struct cgroup_watch *w, struct cgroup_gauges *out);
/* Whether the cgroup whose memory is read still has the job's processes alone. It reads the stat of
 * each process there: ask only where it matters. */
bool cgroup_watch_alone(struct cgroup_watch *w);

/* Looks where a process of the job is, which takes one small file. If it has moved under a tighter
 * CPU quota, that one is watched from now on, and limits gets it; what it had throttled before is
 * left out. */
void cgroup_watch_follow(struct cgroup_watch *w, const struct root *r, int pid,
                         struct limits *limits);

/* The pressure since it was opened, as the last reading found it: the PSI members of the totals.
 * Leaves them where there is none. */
void cgroup_watch_totals(const struct cgroup_watch *w, struct snapshot_totals *out);
void cgroup_watch_notes(const struct cgroup_watch *w, struct snapshot *s);
void cgroup_watch_close(struct cgroup_watch *w);

#endif
