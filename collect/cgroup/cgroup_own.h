/*
 * cgroup_own: a cgroup of our own for the command, where one may be made, whose accounts see what
 * no sampling and no wait4(2) sees: processes that live between two samples, and those whose parent
 * ignores SIGCHLD.
 *
 * It is a child of the cgroup that we are in, rtrack-PID-NAMESPACE (the inode of our PID namespace:
 * in containers, many collectors under one cgroup have PID 1): in v2 (root, or a delegated
 * subtree), and in the v1 hierarchies cpuacct and memory. Limits from above hold in it as before.
 * It enables no controller and sets none, so the command is scheduled as it would be without it;
 * for the same reason none is made in cpuacct where it is mounted together with cpu, and none in
 * memory where memory.use_hierarchy is off. What the command sees is its own longer path in
 * /proc/self/cgroup.
 *
 * Moving a process that runs costs 5 to 90 ms (the kernel waits for all CPUs), so the command is
 * born in it: clone3(2) CLONE_INTO_CGROUP (Linux 5.7) for v2; in v1 the child itself writes to
 * tasks, which does not wait from Linux 5.5 on. No other process is ever moved in.
 */
#ifndef COLLECT_CGROUP_CGROUP_OWN_H
#define COLLECT_CGROUP_CGROUP_OWN_H

#include <stdbool.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_usage.h"
#include "collect/procfs/root.h"
#include "core/err.h"
#include "core/snapshot.h"

struct cgroup_own;

/* Makes the directories. r and where must live as long. enabled false, a captured machine, and
 * refusals of the kernel give one without any cgroup, and are no error. NULL with a sentence where
 * there is no memory. */
struct cgroup_own *cgroup_own_open(const struct root *r, const struct cgroup *where, bool enabled,
                                   struct err *e);

/* fork(2), but the child is in our cgroup from the beginning; plain fork(2) where there is none,
 * and where o is NULL. */
int cgroup_own_fork(struct cgroup_own *o);

/* Whether there is one that counts CPU time, or memory. After the fork. */
bool cgroup_own_has_cpu(const struct cgroup_own *o);
bool cgroup_own_has_memory(const struct cgroup_own *o);

/* The directory with the files of the memory controller, *v2 which; -1: none. Borrowed. */
int cgroup_own_memory(const struct cgroup_own *o, bool *v2);

/* Allocates nothing. To be called before cgroup_own_close, when the command has ended. */
void cgroup_own_read(const struct cgroup_own *o, struct cgroup_usage *out);

/* Why there is none, where it was wanted. */
void cgroup_own_notes(const struct cgroup_own *o, struct snapshot *s);

/* Removes the directories; processes that outlive the command go back to where they would have
 * been. Takes up to 0.2 s where there are such. NULL is fine. */
void cgroup_own_close(struct cgroup_own *o);

#endif
