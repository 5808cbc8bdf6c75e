/*
 * cgroup_usage: what a cgroup has used since it was made, from its files in v2 or v1.
 *
 * The cgroup's members of struct snapshot_totals, NAN where it has no such number: CPU time is
 * exact, its split by ticks; the peak of memory is with page cache, as the limit counts it, the
 * working set that of now; bytes of storage count stacked devices once, in v2 only, as is the time
 * in which some task waited for a CPU (PSI).
 */
#ifndef COLLECT_CGROUP_CGROUP_USAGE_H
#define COLLECT_CGROUP_CGROUP_USAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/procfs/root.h"
#include "core/json/json_write.h"
#include "core/recording/snapshot.h"

/* Its directories in the hierarchies; -1: there is none. r is borrowed. */
struct cgroup_usage_files {
	const struct root *r;
	int v2, cpuacct, memory;
	bool memory_is_v2;
};

/* All NAN. */
struct snapshot_totals cgroup_usage_none(void);

/* Allocates nothing. */
void cgroup_usage_read(const struct cgroup_usage_files *f, struct snapshot_totals *out);

/* Writes the member "cgroup" of the totals: an object, or null if nothing is known. */
void cgroup_usage_write(const struct snapshot_totals *u, struct json_write *j);

#endif
