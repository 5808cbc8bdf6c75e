/*
 * cgroup_usage: what a cgroup has used since it was made, from its files in v2 or v1.
 */
#ifndef COLLECT_CGROUP_CGROUP_USAGE_H
#define COLLECT_CGROUP_CGROUP_USAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/procfs/root.h"
#include "core/json/json_write.h"

/* NAN: this cgroup has no such number. */
struct cgroup_usage {
	double utime_s, stime_s, cpu_s; /* cpu_s is exact, the split by ticks */
	double memory_peak_b;           /* with page cache, as the limit counts it */
	double working_set_b;           /* now: cgroup_text_working_set */
	double read_b, write_b;         /* storage, stacked devices once; v2 only */
	double cpu_some_s; /* time in which some task of it waited for a CPU (PSI); v2 only */
	double oom_kills;  /* processes of it that the OOM killer killed */
};

/* Its directories in the hierarchies; -1: there is none. r is borrowed. */
struct cgroup_usage_files {
	const struct root *r;
	int v2, cpuacct, memory;
	bool memory_is_v2;
};

/* All NAN. */
struct cgroup_usage cgroup_usage_none(void);

/* Allocates nothing. */
void cgroup_usage_read(const struct cgroup_usage_files *f, struct cgroup_usage *out);

/* Reads a file of such a directory: its length, or -1. text is NUL-terminated in any case. */
long cgroup_usage_file(int dir, const char *file, char *text, size_t size);

/* Writes the member "cgroup" of the totals: an object, or null if nothing is known. */
void cgroup_usage_write(const struct cgroup_usage *u, struct json_write *j);

#endif
