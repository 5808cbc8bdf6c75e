/*
 * landlock: permanently restricts the files that a process can use to those named before.
 *
 * Uses the kernel's Landlock (since 5.13), which applies to every user, root included. If the
 * kernel does not have it, or a rule could not be added, nothing is restricted. Files that are
 * already open stay usable, and so do pipes. See landlock(7).
 */
#ifndef REPORT_SANDBOX_LANDLOCK_H
#define REPORT_SANDBOX_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* {.rules = -1} is valid: empty. Call landlock_begin, then name the files, then landlock_end. */
struct landlock {
	int rules;        /* file descriptor of the ruleset; -1: no Landlock */
	uint64_t handled; /* access rights that are denied unless a rule allows them */
	bool failed;
};

enum landlock_scope {
	LANDLOCK_ALL,     /* allow reading and writing of named files only */
	LANDLOCK_WRITING, /* restrict writing only */
};

void landlock_begin(struct landlock *r, enum landlock_scope scope);

/* Allows reading a file and the other files of its folder (a rename may replace the file), or
 * reading a folder, everything in it, and the files that its links lead to. Missing paths are
 * ignored. */
void landlock_read(struct landlock *r, const char *path);

/* Allows writing a file: in place if it is a device or a FIFO, else by rename within its folder. */
void landlock_write(struct landlock *r, const char *path);

/* Allows reading, creating, writing and removing files in a folder. */
void landlock_folder(struct landlock *r, const char *path);

/* Allows listing a folder, and removing files and empty folders in it. */
void landlock_remove(struct landlock *r, const char *path);

/* Applies the rules for good, and closes *r. Returns whether the restriction is in force. */
bool landlock_end(struct landlock *r);

#endif
