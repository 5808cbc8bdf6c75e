/*
 * cgroup_watch: the job's cgroup in every sample: its working set, and how long a CPU quota held it
 * back (throttling).
 *
 * Memory is that of the command's own cgroup (cgroup_own.h), or else of the cgroup that the command
 * runs in, which also holds the collector and may hold other processes. Throttling is that of the
 * cgroup with the least quota, with everything below it. A sample takes two pread(2) of kept
 * descriptors, or three if there is a quota.
 */
#ifndef COLLECT_CGROUP_CGROUP_WATCH_H
#define COLLECT_CGROUP_CGROUP_WATCH_H

#include <stdbool.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_own.h"
#include "collect/cgroup/limits.h"
#include "core/recording/snapshot.h"

/* {0}: nothing can be read. */
struct cgroup_watch {
	bool open;
	int cpu, usage, stat; /* descriptors, or -1, while open */
	bool cpu_v2, memory_v2;
	bool no_quota; /* none anywhere: throttling is 0, without reading */
	bool shared;   /* other processes may be in the cgroup whose memory is read */
};

struct cgroup_gauges {
	double memory_b;        /* working set: usage less inactive file pages */
	double throttled_s;     /* since the cgroup was made, summed over all CPUs */
	double throttled_count; /* periods in which it was held back, since it was made */
};

/* own may be NULL. Call this after the fork, since cgroup_own_fork can lose the own cgroup. Never
 * fails: what cannot be read is NAN. */
void cgroup_watch_open(struct cgroup_watch *w, const struct root *r, const struct cgroup *where,
                       const struct cgroup_own *own, const struct limits *limits);
void cgroup_watch_read(const struct cgroup_watch *w, struct cgroup_gauges *out);
void cgroup_watch_notes(const struct cgroup_watch *w, struct snapshot *s);
void cgroup_watch_close(struct cgroup_watch *w);

#endif
