/*
 * cgroup: in which cgroups a process is, and where their directories are (cgroups(7)).
 *
 * Two files say it: /proc/PID/cgroup names a path within each hierarchy, mountinfo says which part
 * of a hierarchy is mounted where. In a container the two may not fit: the path is that of the host
 * and the mount begins at the container's own cgroup, or the mount begins above what the namespace
 * shows.
 */
#ifndef COLLECT_CGROUP_CGROUP_H
#define COLLECT_CGROUP_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/procfs/root.h"

#define CGROUP_PATH_MAX 2048

/* The hierarchies that matter here. Those of v1 may share one directory (cpu,cpuacct). */
enum cgroup_kind {
	CGROUP_V2,
	CGROUP_CPU,
	CGROUP_CPUACCT,
	CGROUP_CPUSET,
	CGROUP_MEMORY,
	CGROUP_KINDS
};

struct cgroup_dir {
	bool known; /* path leads to the process's own cgroup */
	bool above; /* path is the mount point, of which only this is known: ours is below it */
	bool whole; /* the mount point is the root of the hierarchy: no limit is hidden above it */
	size_t top; /* length of the mount point in path: ancestors are not seen above it */
	char path[CGROUP_PATH_MAX]; /* without the leading slash, as root_openat takes it */
};

/* Valid when zero: in none. 10 KiB. */
struct cgroup {
	struct cgroup_dir v[CGROUP_KINDS];
};

/* Reads both files, of a process (pid 0: ours), and looks which directories are there. Never fails:
 * what could not be found is not known. */
void cgroup_find(struct cgroup *c, const struct root *r, int pid);

/* The same from their texts, without .whole. */
void cgroup_parse(struct cgroup *c, const char *cgroup, size_t n, const char *mountinfo, size_t m);

/* The directory that holds a controller's files of the process: the v1 one where the controller is
 * mounted so, else that of v2, which may not have it; NULL where neither is known. kind is not
 * CGROUP_V2. *v2 says which. */
const struct cgroup_dir *cgroup_of(const struct cgroup *c, enum cgroup_kind kind, bool *v2);

/* Whether it is the root of its hierarchy: the whole machine, not a job. */
bool cgroup_is_machine(const struct cgroup_dir *d);

/* The length of the path of the cgroup above the one that is the first len bytes of d->path, or 0
 * where that is the last that can be seen. */
size_t cgroup_parent(const struct cgroup_dir *d, size_t len);

/* Opens, or reads, a file of the cgroup that is the first len bytes of d->path. As root_openat and
 * root_read. */
int cgroup_open(const struct root *r, const struct cgroup_dir *d, size_t len, const char *file);
long cgroup_read(const struct root *r, const struct cgroup_dir *d, size_t len, const char *file,
                 char *out, size_t size);

#endif
