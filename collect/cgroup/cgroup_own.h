/*
 * cgroup_own: a cgroup of its own for the command, where one may be made.
 *
 * Its accounts contain what neither sampling nor wait4(2) can see: processes that live between two
 * samples, and processes whose parent ignores SIGCHLD.
 *
 * It is a child of the cgroup that the collector is in, named rtrack-PID-NAMESPACE. (NAMESPACE is
 * the inode of our PID namespace: in containers, many collectors under one cgroup have PID 1.) It
 * is made in v2, as root or in a delegated subtree, and in the v1 hierarchies cpuacct and memory.
 *
 * It must not change how the command runs. Limits of the cgroups above hold in it as before. It
 * enables no controller and sets none. None is made where it would change scheduling or limits: in
 * cpuacct if that is mounted together with cpu, in memory if memory.use_hierarchy is off, or in a
 * step of Slurm, which would not see the OOM kills in it. All that the command can notice is its
 * longer path in /proc/self/cgroup.
 *
 * The command is born in it, because moving a running process takes 5 to 90 ms (the kernel waits
 * for all CPUs): in v2 by clone3(2) with CLONE_INTO_CGROUP (Linux 5.7); in v1 the child writes
 * itself into tasks, which does not wait from Linux 5.5 on. No other process is ever moved in.
 */
#ifndef COLLECT_CGROUP_CGROUP_OWN_H
#define COLLECT_CGROUP_CGROUP_OWN_H

#include <stdbool.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_usage.h"
#include "collect/procfs/root.h"
#include "core/base/err.h"
#include "core/recording/snapshot.h"

struct cgroup_own;

/* Makes the directories. r and where must live as long. With enabled false, on a captured machine
 * or if the kernel refuses, the result has no cgroup. NULL with an error where
 * there is no memory. */
struct cgroup_own *cgroup_own_open(const struct root *r, const struct cgroup *where, bool enabled,
                                   struct err *e);

/* fork(2), with the child in the own cgroup from the beginning. Plain fork(2) if there is none, or
 * o is NULL. */
int cgroup_own_fork(struct cgroup_own *o);

/* Removes directories that killed collectors have left beside them. Call it once the command runs:
 * the lists take time. NULL is fine. */
void cgroup_own_sweep(const struct cgroup_own *o);

/* Whether there is one that counts CPU time. Call it after the fork. */
bool cgroup_own_has_cpu(const struct cgroup_own *o);

/* The directory with the files of the memory controller, or -1. *v2 gets the version. Borrowed. */
int cgroup_own_memory(const struct cgroup_own *o, bool *v2);

/* Its directory in v2, or -1. Borrowed. */
int cgroup_own_v2(const struct cgroup_own *o);

/* Reads its accounts, when the command has ended. Allocates nothing. */
void cgroup_own_read(const struct cgroup_own *o, struct snapshot_totals *out);

/* Notes in the snapshot why there is none, if one was wanted. */
void cgroup_own_notes(const struct cgroup_own *o, struct snapshot *s);

/* Removes the directories. Moves processes that outlive the command to the cgroup where they would
 * be without it, which can take up to 0.2 s. NULL is fine. */
void cgroup_own_close(struct cgroup_own *o);

#endif
