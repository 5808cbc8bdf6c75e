/*
 * oom: whom the kernel's OOM killer ended, as far as its counters say.
 *
 * The kernel counts each victim before it dies: in its memory cgroup (memory.events in v2, which
 * includes the cgroups below; memory.events.local and, in v1, memory.oom_control, of that one
 * cgroup only), and in /proc/vmstat for the whole machine. In v2 a cgroup without the memory
 * controller has no such file, and the nearest one above that has it counts.
 */
#ifndef COLLECT_CGROUP_OOM_H
#define COLLECT_CGROUP_OOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_own.h"
#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

#define OOM_LEVELS 8 /* cgroups with a limit that are watched, from the command's own upwards */

/* {0}: nothing is known. */
struct oom {
	bool open, v2;
	bool own;           /* no others are in it */
	bool made;          /* it was made for the command */
	bool slurm;         /* a step of Slurm, or in it */
	int dir;            /* the cgroup whose kills are counted, or -1, while open */
	int events, vmstat; /* descriptors, or -1, while open */
	double before, before_local, before_all;
	double kills_local;      /* of those of the job, by processes in this very cgroup */
	double kills, kills_all; /* of the job, of the machine; by oom_read, NAN: unknown */
	/* How often a process had to reclaim memory itself because the machine's was short: without
	 * that no machine runs out of memory. */
	double stalls_before, stalls;
	double seen; /* kills at the last look; when they had changed, ns */
	int64_t seen_at, changed_at;
	/* Cgroups with a limit, and how often memory could not be had because of it (v2), or only
	 * after reclaim (v1). NAN: unknown. */
	struct oom_level {
		size_t len; /* of its path in that of where */
		double limit_b, hits_before, hits;
	} level[OOM_LEVELS];
	size_t levels;
	const struct cgroup *where;
	const struct root *root;
};

/* Call this after the fork and before the command starts. own may be NULL. r and where must live as
 * long. Never fails. */
void oom_open(struct oom *o, const struct root *r, const struct cgroup *where,
              const struct cgroup_own *own);

/* OOM kills since oom_open in the cgroup that is counted, now; NAN: not known. */
double oom_count(const struct oom *o);

/* Whether no others can come into the cgroup that is counted: it was made for the command, or is
 * the job's step of Slurm. */
bool oom_is_closed(const struct oom *o);

/* With each sample: notes when a kill is counted. now: CLOCK_MONOTONIC, ns. */
void oom_look(struct oom *o, int64_t now);

/* Call this when the command has ended, and before its own cgroup is removed. */
void oom_read(struct oom *o);

/* After oom_read: whose memory ran out, if that is known: the cgroup whose limit alone was hit, or
 * the machine where no cgroup has a limit. Fills oom_kills…, oom_of, oom_cgroup, oom_limit_b and
 * slurm_step. */
void oom_fill(const struct oom *o, int64_t end, struct snapshot *s);

void oom_close(struct oom *o);

#endif
