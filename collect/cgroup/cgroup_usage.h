/*
 * cgroup_usage: what a cgroup has used, from its files in v2 and in v1.
 */
#ifndef COLLECT_CGROUP_CGROUP_USAGE_H
#define COLLECT_CGROUP_CGROUP_USAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/procfs/root.h"
#include "core/json_write.h"

/* Since it was made; NAN where this cgroup does not tell. */
struct cgroup_usage {
	double utime_s, stime_s, cpu_s; /* cpu_s is exact; the split of it is by ticks */
	double memory_peak_b;           /* page cache included, as the limit counts it */
	double working_set_b;           /* usage less inactive file pages, now */
	double read_b, write_b;         /* of storage, stacked devices once; v2 alone */
	double cpu_some_s; /* in which some task of it waited for a CPU, of all; v2 alone */
	double oom_kills;  /* processes of it that the OOM killer ended */
};

/* Directories of the hierarchies; -1: there is none. r is borrowed. */
struct cgroup_usage_files {
	const struct root *r;
	int v2, cpuacct, memory;
	bool memory_is_v2;
};

/* All unknown. */
struct cgroup_usage cgroup_usage_none(void);

/* Allocates nothing. */
void cgroup_usage_read(const struct cgroup_usage_files *f, struct cgroup_usage *out);

/* Reads a file of such a directory: its length, or -1; text is NUL-terminated then too. */
long cgroup_usage_file(int dir, const char *file, char *text, size_t size);

/* The member "cgroup" of the totals: an object, or null where nothing of it is known. */
void cgroup_usage_write(const struct cgroup_usage *u, struct json_write *j);

#endif
