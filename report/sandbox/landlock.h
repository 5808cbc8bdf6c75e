/*
 * landlock: files that a process gives up, for good: all but those that were named before.
 *
 * The kernel's Landlock (since 5.13) holds to it whoever the user is. Where it is missing, or a
 * name could not be handed to it, nothing changes. What is open already stays so, and pipes are
 * within reach.
 */
#ifndef REPORT_SANDBOX_LANDLOCK_H
#define REPORT_SANDBOX_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* {.rules = -1} holds nothing; landlock_begin comes first, landlock_end closes. */
struct landlock {
	int rules;        /* a descriptor; -1: the kernel has none */
	uint64_t handled; /* what is forbidden where no name allows it */
	bool failed;
};

enum landlock_scope {
	LANDLOCK_ALL,     /* of reading and writing, nothing but what is named */
	LANDLOCK_WRITING, /* reading stays as it is */
};

void landlock_begin(struct landlock *r, enum landlock_scope scope);

/* A file to read, and what stands beside it or replaces it; a folder with what is in it, and where
 * its links lead. What is not there is passed over. */
void landlock_read(struct landlock *r, const char *path);

/* A file to write, by a rename within its folder or, where it is a device or a FIFO, as it is. */
void landlock_write(struct landlock *r, const char *path);

/* A folder whose files come and go. */
void landlock_folder(struct landlock *r, const char *path);

/* Gives up the rest. Whether it is out of reach. */
bool landlock_end(struct landlock *r);

#endif
