/*
 * limits: what the job may use, which can be less than the machine has.
 *
 * A cgroup's limit holds for everything below it, so the limit that binds is the least of all from
 * the process's own cgroup up to the root (v1 and v2). CPUs are limited by cpuset and CPU affinity
 * too, the address space by RLIMIT_AS. In a container, cgroups above the mount point cannot be
 * seen: .hidden says that there may be further limits. (v1 shows the memory limit all the same, as
 * hierarchical_memory_limit in memory.stat.)
 */
#ifndef COLLECT_CGROUP_LIMITS_H
#define COLLECT_CGROUP_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/cgroup/cgroup.h"
#include "collect/procfs/root.h"
#include "core/json/json_write.h"
#include "core/recording/snapshot.h"

struct limits {
	/* NAN: there is no limit, or it cannot be read. .cpus is the least of the four; .hidden:
	 * further cgroups above cannot be seen, and may limit too. */
	struct snapshot_limits of;
	/* The cgroup with the least quota: the length of its path within that of
	 * cgroup_of(CGROUP_CPU); 0: none has a quota. */
	size_t quota_len;
};

/* pid 0: the limits of the collector, which the command inherits. Those of cgroups in which another
 * process was, and which are gone, are unknown. Never fails. */
void limits_read(struct limits *l, const struct root *r, const struct cgroup *where, int pid);

/* Reads the CPU quota of another cgroup alone: .cpus_quota and .quota_len, and .cpus where that is
 * less. */
void limits_read_quota(struct limits *l, const struct root *r, const struct cgroup *where, int pid);

/* RLIMIT_AS in bytes from the text of /proc/PID/limits; INFINITY: unlimited; NAN: not in it. */
double limits_parse_as(const char *text, size_t n);

/* Writes the member "limits": an object, in which null means that no limit is known. */
void limits_write(const struct limits *l, struct json_write *j);

/* Notes in the snapshot that limits may be hidden. */
void limits_notes(const struct limits *l, struct snapshot *s);

#endif
