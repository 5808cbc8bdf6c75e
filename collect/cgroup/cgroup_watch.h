/*
 * cgroup_watch: what is read of the job's cgroup in every sample: its working set, and how long it
 * was held back by a CPU quota.
 *
 * The memory is that of our own cgroup for the command, or else of the one that the command runs
 * in, which holds us and may hold others. The quota is that of the cgroup whose quota is the least;
 * others below it count too. Two pread(2) of kept descriptors a sample, three where there is a
 * quota.
 */
#ifndef COLLECT_CGROUP_CGROUP_WATCH_H
#define COLLECT_CGROUP_CGROUP_WATCH_H

#include <stdbool.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_own.h"
#include "collect/cgroup/limits.h"
#include "core/snapshot.h"

/* Valid when zero: nothing can be read. */
struct cgroup_watch {
	bool open;
	int cpu, usage, stat; /* descriptors, or -1, while open */
	bool cpu_v2, memory_v2;
	bool free;   /* no quota anywhere: 0 without reading */
	bool shared; /* memory of others is in it */
};

struct cgroup_gauges {
	double memory_b;        /* usage less inactive file pages */
	double throttled_s;     /* a sum over all CPUs that never falls */
	double throttled_count; /* likewise: periods in which it was held back */
};

/* own may be NULL. After the fork. Never fails: what cannot be read is NAN. */
void cgroup_watch_open(struct cgroup_watch *w, const struct root *r, const struct cgroup *where,
                       const struct cgroup_own *own, const struct limits *limits);
void cgroup_watch_read(const struct cgroup_watch *w, struct cgroup_gauges *out);
void cgroup_watch_notes(const struct cgroup_watch *w, struct snapshot *s);
void cgroup_watch_close(struct cgroup_watch *w);

#endif
