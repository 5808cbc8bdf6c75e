/*
 * wrappers: processes that only wait for one child after another, as the sh and gcc around cc1. A
 * picture of their children says the same in less room.
 */
#ifndef REPORT_STATS_WRAPPERS_H
#define REPORT_STATS_WRAPPERS_H

#include "report/stats/critical_path.h"

#define WRAPPERS_COVERED 0.9 /* of a wrapper's time, at least, a child ran */
#define WRAPPERS_CPU     0.1 /* of its time, at most, it used a CPU itself */

/* Sets is[0 ... kept - 1]. A process without a parent is none, nor one that failed though its
 * children did not. 0, or -1 without memory. */
int wrappers_find(const struct process_tree *t, const struct critical_path_job *job, bool *is);

#endif
