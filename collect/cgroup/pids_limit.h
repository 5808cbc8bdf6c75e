/*
 * pids_limit: how often the kernel refused the job a new process or thread because of the limit of
 * its cgroup (pids.events and pids.max, Documentation/admin-guide/cgroup-v1/pids.rst and
 * cgroup-v2.rst).
 *
 * "max" of pids.events is counted in the cgroup of the process that forked (v1, and v2 before Linux
 * 6.11), or in the one whose limit was reached and in all above. Only what is the job's alone is
 * read: its own cgroup, and the one that it was started in, if no others are there.
 */
#ifndef COLLECT_CGROUP_PIDS_LIMIT_H
#define COLLECT_CGROUP_PIDS_LIMIT_H

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_own.h"
#include "collect/procfs/root.h"

/* {0}: not open. */
struct pids_limit {
	bool open;
	int own, given; /* descriptors of pids.events, or -1, while open */
	double before;
	double
	    limit; /* of the cgroup that it was started in, or of the nearest above that has one */
};

/* Never fails. own may be NULL. */
void pids_limit_open(struct pids_limit *p, const struct root *r, const struct cgroup *where,
                     const struct cgroup_own *own);

/* How many were refused since then; NAN: not known. Call it before the own cgroup is removed. */
double pids_limit_refused(const struct pids_limit *p);

void pids_limit_close(struct pids_limit *p);

#endif
