/*
 * end_space: which of the job's file systems have no room: of the working directory, of TMPDIR
 * and of the output; after SIGBUS, /dev/shm as well (statvfs(3)).
 */
#ifndef COLLECT_END_END_SPACE_H
#define COLLECT_END_END_SPACE_H

#include <stdbool.h>
#include <sys/statvfs.h>

#include "core/recording/snapshot.h"

#define END_SPACE_LEAST_B 1048576.0 /* a file system with less is full */

/* Whether it is full, or has no inodes. root: the user may use what is reserved. Pure. *inodes is
 * NAN where they are not counted. */
bool end_space_is_full(const struct statvfs *v, bool root, double *bytes, double *inodes);

/* Looks now, and fills what is full. output: the path of the recording. */
void end_space_fill(const char *output, struct snapshot *s);

#endif
