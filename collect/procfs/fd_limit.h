/*
 * fd_limit: the limit on open files (RLIMIT_NOFILE), of the collector and of the command.
 *
 * The collector keeps files of processes open, which is cheaper than opening them for each sample,
 * so it raises its soft limit (often 1024) as far as it may. The command gets back the limit that
 * it would have without the collector.
 */
#ifndef COLLECT_PROCFS_FD_LIMIT_H
#define COLLECT_PROCFS_FD_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/resource.h>

/* {0}: the limit was not raised. */
struct fd_limit {
	struct rlimit before;
	bool raised;
};

/* Raises the soft limit towards the hard limit. */
void fd_limit_raise(struct fd_limit *d);

/* Sets the earlier limit again. Call this in the child, before exec. */
void fd_limit_restore(const struct fd_limit *d);

/* Files that may be open now, or the most that is ever needed, if that is less. */
size_t fd_limit_most(void);

/* Closes all descriptors from this number on. */
void fd_limit_close_from(int first);

#endif
