/*
 * cgroup_alone: whether a cgroup has the job's processes alone, as in most containers: what it
 * counts is the job's then.
 */
#ifndef COLLECT_CGROUP_CGROUP_ALONE_H
#define COLLECT_CGROUP_CGROUP_ALONE_H

#include <stdbool.h>

#include "collect/procfs/root.h"

/* Whether no process is in the cgroup of this directory but the recorder, its ancestors, which wait
 * for it, and its descendants. False as well where that is not known: on a captured machine, with
 * very many processes, or with one of another namespace of processes. */
bool cgroup_alone(const struct root *r, int dir);

#endif
