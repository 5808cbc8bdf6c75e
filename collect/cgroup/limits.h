/*
 * limits: what the job may use, which is not what the machine has.
 *
 * The least of every cgroup from the process's own up to the last that can be seen (cgroup v1 and
 * v2), of its cpuset, of its CPU affinity and of RLIMIT_AS. A limit above the mount point of a
 * container cannot be seen; .hidden says that there may be one. (v1 tells the memory limit even so,
 * by hierarchical_memory_limit of memory.stat.)
 */
#ifndef COLLECT_CGROUP_LIMITS_H
#define COLLECT_CGROUP_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/cgroup/cgroup.h"
#include "collect/procfs/root.h"
#include "core/json_write.h"
#include "core/snapshot.h"

/* NAN: no limit, or none that can be read. Set by limits_read. */
struct limits {
	double cpus_quota;    /* cores: cpu.max, cpu.cfs_quota_us */
	double cpus_cpuset;   /* CPUs of the cpuset */
	double cpus_affinity; /* CPUs: sched_getaffinity(2); NAN for a captured machine */
	double cpus_online;   /* CPUs of the machine */
	double cpus;          /* the least of these */
	double memory_b;      /* memory.max, memory.limit_in_bytes */
	double memory_high_b; /* memory.high: above it the job is slowed down */
	double swap_b;        /* memory.swap.max, or memory.memsw.limit_in_bytes less memory_b */
	double as_b;          /* RLIMIT_AS: of one process, address space */
	const char *cpu_from,
	    *memory_from; /* which file or call tells .cpus and .memory_b, or NULL */
	bool hidden;      /* cgroups above could not be seen, and may limit too */
	/* Length of the path of the cgroup whose quota is the least, within that of
	 * cgroup_of(CGROUP_CPU); 0: none has a quota. */
	size_t quota_len;
};

/* pid 0: ours, which the command inherits. Never fails. */
void limits_read(struct limits *l, const struct root *r, const struct cgroup *where, int pid);

/* RLIMIT_AS from the text of /proc/PID/limits: bytes; INFINITY: unlimited; NAN: not told. */
double limits_parse_as(const char *text, size_t n);

/* The member "limits": an object, in which null means no limit that is known. */
void limits_write(const struct limits *l, struct json_write *j);

/* Says that limits may be hidden. */
void limits_notes(const struct limits *l, struct snapshot *s);

#endif
