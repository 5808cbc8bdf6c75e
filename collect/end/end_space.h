/*
 * end_space: which of the job's file systems have no room, and which had none when it began: of the
 * working directory, of TMPDIR and of the output; after SIGBUS, /dev/shm as well (statvfs(3)).
 */
#ifndef COLLECT_END_END_SPACE_H
#define COLLECT_END_END_SPACE_H

#include <stdbool.h>
#include <sys/statvfs.h>

#include "core/base/quantity.h"
#include "core/recording/snapshot.h"

/* A file system with less than both is full. */
#define END_SPACE_LEAST_B     QUANTITY_MIB
#define END_SPACE_LEAST_SHARE 0.01 /* of its size */

/* Whether each of those file systems, in this order, was full when the job began. {0}: none. */
struct end_space {
	bool full[SNAPSHOT_END_DISKS];
};

/* Whether it is full, or has no inodes. root: the user may use what is reserved. Pure. *inodes is
 * NAN where they are not counted. */
bool end_space_is_full(const struct statvfs *v, bool root, double *bytes, double *inodes);

/* Looks before the command starts. output: the path of the recording. */
void end_space_begin(struct end_space *e, const char *output);

/* Looks now, and fills what is full, and disk_left_b. */
void end_space_fill(const struct end_space *e, const char *output, struct snapshot *s);

#endif
