/*
 * fd_limit: how many files we may have open, and how many the command.
 *
 * Ours are as many as we may have without asking anybody; the command's are as many as it would
 * have without us.
 */
#ifndef COLLECT_PROCFS_FD_LIMIT_H
#define COLLECT_PROCFS_FD_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/resource.h>

/* {0}: nothing was raised. */
struct fd_limit {
	struct rlimit before;
	bool raised;
};

/* Raises the soft limit towards the hard one. */
void fd_limit_raise(struct fd_limit *d);

/* As it was; in the child, before it becomes the command. */
void fd_limit_restore(const struct fd_limit *d);

/* How many may be open now, or more than will be needed. */
size_t fd_limit_most(void);

#endif
