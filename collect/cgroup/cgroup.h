/*
 * cgroup: the cgroups that a process is in, and their directories (cgroups(7)).
 *
 * It takes two files: /proc/PID/cgroup gives a path within each hierarchy, and mountinfo says
 * which part of a hierarchy is mounted where. In a container the two may not match: the path may be
 * the host's while the mount begins at the container's own cgroup, or the mount may begin above the
 * root of the cgroup namespace.
 */
#ifndef COLLECT_CGROUP_CGROUP_H
#define COLLECT_CGROUP_CGROUP_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/procfs/root.h"

#define CGROUP_PATH_MAX 2048

/* The hierarchies that are used here. Two of v1 may share one directory (cpu,cpuacct). */
enum cgroup_kind {
	CGROUP_V2,
	CGROUP_CPU,
	CGROUP_CPUACCT,
	CGROUP_CPUSET,
	CGROUP_MEMORY,
	CGROUP_PIDS,
	CGROUP_KINDS
};

struct cgroup_dir {
	bool known;      /* path is the process's own cgroup */
	bool mount_only; /* path is the mount point; where the own cgroup is below it is unknown */
	bool mount_is_root; /* the mount point is the root of the hierarchy: it hides no limit */
	size_t mount_len;   /* of the mount point in path: no ancestor above it can be seen */
	char path[CGROUP_PATH_MAX]; /* without the leading slash, as root_openat takes it */
};

/* {0}: in no cgroup. 12 KiB. */
struct cgroup {
	struct cgroup_dir v[CGROUP_KINDS];
};

/* Reads both files of a process (pid 0: the collector), and tests the mount points. Never fails: a
 * cgroup that is not found is not known. */
void cgroup_find(struct cgroup *c, const struct root *r, int pid);

/* The same from the texts of the two files, without .mount_is_root. */
void cgroup_parse(struct cgroup *c, const char *cgroup, size_t n, const char *mountinfo, size_t m);

/* The directory with a controller's files for the process: that of v1 if the controller is mounted
 * there, else that of v2, which may not have the controller; NULL if neither is known. kind is not
 * CGROUP_V2. *v2 says which it is. */
const struct cgroup_dir *cgroup_of(const struct cgroup *c, enum cgroup_kind kind, bool *v2);

/* Whether it is the root of its hierarchy: the whole machine, not a job. */
bool cgroup_is_machine(const struct cgroup_dir *d);

/* The cgroup that is the first len bytes of d->path: the length of its parent's path, or 0 if no
 * parent can be seen. */
size_t cgroup_parent(const struct cgroup_dir *d, size_t len);

/* Opens or reads a file of the cgroup that is the first len bytes of d->path, as root_openat and
 * root_read do. */
int cgroup_open(const struct root *r, const struct cgroup_dir *d, size_t len, const char *file);
long cgroup_read(const struct root *r, const struct cgroup_dir *d, size_t len, const char *file,
                 char *out, size_t size);

/* The number in a file, or that of a line "KEY NUMBER", from an open descriptor or from a file of
 * an open directory; NAN where there is none. */
double cgroup_number(int fd);
double cgroup_key(int fd, const char *key);
double cgroup_number_in(int dir, const char *file);
double cgroup_key_in(int dir, const char *file, const char *key);

#endif
