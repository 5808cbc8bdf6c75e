/*
 * load_known: which recordings were read, so that each counts once.
 *
 * A file is known by its device and inode, whatever its name, a recording in it by where it begins;
 * an object by its address.
 */
#ifndef REPORT_RUNS_LOAD_KNOWN_H
#define REPORT_RUNS_LOAD_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "report/input/input.h"

struct load_file_id {
	dev_t device;
	ino_t inode;         /* 0: neither a regular file nor an address; of an address its hash */
	const char *address; /* borrowed; NULL: a file */
	uint64_t at;         /* in a file of several recordings */
};

/* {0} is valid: none. */
struct load_known {
	struct load_file_id *v; /* a hash table of max slots, a power of 2; inode 0: free */
	size_t n, max;
};

/* Which file, or object at an address, it is. */
struct load_file_id load_known_id(struct input in);

bool load_known_has(const struct load_known *k, const struct load_file_id *id);

/* -1 without memory. */
int load_known_add(struct load_known *k, const struct load_file_id *id);

void load_known_free(struct load_known *k);

#endif
