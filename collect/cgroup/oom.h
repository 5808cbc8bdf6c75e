/*
 * oom: whether the kernel's OOM killer ended the command.
 *
 * The kernel counts its victims before they die: in the cgroup of the memory controller that they
 * are in (memory.events in v2, memory.oom_control in v1, where the counter is of that one cgroup
 * alone), and in /proc/vmstat for the whole machine.
 */
#ifndef COLLECT_CGROUP_OOM_H
#define COLLECT_CGROUP_OOM_H

#include <stdbool.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_own.h"
#include "collect/procfs/root.h"
#include "core/snapshot.h"

enum oom_cause {
	OOM_NO,
	OOM_LIKELY, /* it was SIGKILL, the killer was at work, and no cgroup tells whose victim it
	               was */
	OOM_YES,
};

/* Valid when zero: nothing is known. */
struct oom {
	bool open;
	int events, vmstat; /* descriptors, or -1, while open */
	double before, before_all;
	double kills, kills_all; /* since oom_open; NAN: not known. Set by oom_read */
};

/* After the fork, before the start. own may be NULL. Never fails. */
void oom_open(struct oom *o, const struct root *r, const struct cgroup *where,
              const struct cgroup_own *own);

/* When the command has ended, before its own cgroup is removed. */
void oom_read(struct oom *o);

/* Of the status that wait(2) gave for the command. Death by SIGKILL, and the status 137 by which a
 * shell tells that of its child. After oom_read. */
enum oom_cause oom_cause(const struct oom *o, int status);

/* Says how many processes were victims. */
void oom_notes(const struct oom *o, int status, struct snapshot *s);

void oom_close(struct oom *o);

#endif
