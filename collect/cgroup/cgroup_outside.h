/*
 * cgroup_outside: the job's cgroup, as a recorder reads it that is not in it (--pid, --per-node,
 * Slurm's plugin).
 *
 * Slurm gives a step a cgroup ".../job_JOB/step_STEP". In v1, slurmstepd is in it and the tasks in
 * its "task_N"; in v2, slurmstepd is in its "slurm" and the tasks below its "user". The limits are
 * those of step_STEP (v1) or "user" (v2) and of what is above.
 *
 * The cgroup may be removed before the recorder notices the end, and then its kept descriptors
 * give ENODEV. So what has been read stays until more can be read, and slurmstepd's plugin reads
 * the same when the last task has ended (job_end.h). Nothing here allocates after the opening.
 */
#ifndef COLLECT_CGROUP_CGROUP_OUTSIDE_H
#define COLLECT_CGROUP_CGROUP_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/cgroup/cgroup.h"
#include "collect/procfs/root.h"

/* {0}: not open, nothing is known. */
struct cgroup_outside {
	bool open;
	bool slurm; /* of a step of Slurm, which calls a step OUT_OF_MEMORY after any OOM kill */
	bool v2;
	int dir, peak, pressure, vmstat; /* descriptors, or -1, while open */
	double vmstat_kills;             /* of the machine, when last looked at */
	double kills_before, peak_before, some_before;
	/* Since it was opened. NAN: unknown. */
	double kills;  /* processes that the OOM killer ended */
	double peak_b; /* with page cache, as the limit counts it; NAN: a run before had more */
	double some_s; /* in which some task waited for a CPU (v2) */
};

/* Whether a folder of this name (n bytes) is that of a job of Slurm: job_N, or its SLUID, which is
 * the usual name since 26.05 (cgroup.conf(5), CgroupJobIdPaths). */
bool cgroup_outside_is_job(const char *name, size_t n);

/* The length of the path of a step's cgroup in the path of a cgroup in it; 0: it is in none. */
size_t cgroup_outside_step(const char *path);

/* Whether it is the cgroup of a step with all its tasks, as cgroup_outside_widen leaves it. */
bool cgroup_outside_is_step(const char *path);

/* Replaces the cgroups of a process of a Slurm step by those of all its tasks. */
void cgroup_outside_widen(struct cgroup *c, const struct root *r);

/* Remembers what was used before. Never fails: what cannot be read is NAN. */
void cgroup_outside_open(struct cgroup_outside *o, const struct root *r,
                         const struct cgroup *where);

/* OOM kills in the cgroup of an open directory and in all below it; NAN: not known. */
double cgroup_outside_kills(int dir, bool v2);

/* With each sample: reads the peak, and looks for OOM kills if the machine had any. */
void cgroup_outside_look(struct cgroup_outside *o);

/* At the end: reads everything. */
void cgroup_outside_read(struct cgroup_outside *o);

void cgroup_outside_close(struct cgroup_outside *o);

#endif
