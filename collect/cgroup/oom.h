/*
 * oom: whether the kernel's OOM killer ended the command.
 *
 * The kernel counts each victim before it dies: in its memory cgroup (memory.events in v2, which
 * includes the cgroups below; memory.oom_control in v1, of that one cgroup only), and in
 * /proc/vmstat for the whole machine.
 */
#ifndef COLLECT_CGROUP_OOM_H
#define COLLECT_CGROUP_OOM_H

#include <stdbool.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_own.h"
#include "collect/procfs/root.h"
#include "core/recording/snapshot.h"

enum oom_cause {
	OOM_NO,
	OOM_LIKELY, /* SIGKILL, and the OOM killer killed some process of the machine meanwhile; no
	               cgroup says which */
	OOM_YES,
};

/* {0}: nothing is known. */
struct oom {
	bool open;
	int events, vmstat; /* descriptors, or -1, while open */
	double before, before_all;
	double kills, kills_all; /* of the job, of the machine; by oom_read, NAN: unknown */
};

/* Call this after the fork and before the command starts. own may be NULL. Never fails. */
void oom_open(struct oom *o, const struct root *r, const struct cgroup *where,
              const struct cgroup_own *own);

/* Call this when the command has ended, and before its own cgroup is removed. */
void oom_read(struct oom *o);

/* The cause of the status that wait(2) gave for the command: death by SIGKILL, or the exit code 137
 * by which a shell reports that of its child. Call this after oom_read. */
enum oom_cause oom_cause(const struct oom *o, int status);

/* Notes in the snapshot how many processes were killed. */
void oom_notes(const struct oom *o, int status, struct snapshot *s);

void oom_close(struct oom *o);

#endif
