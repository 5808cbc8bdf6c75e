/*
 * descriptors: how many files we may have open, and how many the command.
 *
 * Ours are as many as we may have without asking anybody; the command's are as many as it would
 * have without us.
 */
#ifndef COLLECT_DESCRIPTORS_H
#define COLLECT_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>

#include <sys/resource.h>

/* {0}: nothing was raised. */
struct descriptors {
	struct rlimit before;
	bool raised;
};

/* Raises the soft limit towards the hard one. */
void descriptors_raise(struct descriptors *d);

/* As it was; in the child, before it becomes the command. */
void descriptors_restore(const struct descriptors *d);

/* How many may be open now, or more than will be needed. */
size_t descriptors_most(void);

#endif
