/*
 * same_file: whether two names or descriptors lead to one file.
 */
#ifndef CORE_BASE_SAME_FILE_H
#define CORE_BASE_SAME_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

static inline bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether path leads to the open file: others may remove it, or put another file there. A link with
 * this name is another file. */
static inline bool same_file_named(int fd, const char *path)
{
	struct stat open, named;

	return fstat(fd, &open) == 0 && lstat(path, &named) == 0 && same_file(&open, &named);
}

#endif
