/*
 * tmpfile: an unnamed temporary file, for data that does not fit in memory. It vanishes with its
 * descriptor.
 */
#ifndef CORE_BASE_TMPFILE_H
#define CORE_BASE_TMPFILE_H

#include <stddef.h>
#include <sys/types.h>

/* Opens one in the folder of the file named beside. A descriptor for close(2), or -1. */
int tmpfile_beside(const char *beside);

/* Opens one in $TMPDIR, else /var/tmp, else /tmp. A descriptor for tmpfile_close, or -1. */
int tmpfile_temporary(void);
void tmpfile_close(int fd);

/* Opens TMPFILE_RESERVE such files now, for a process that may open none later (a sandbox):
 * tmpfile_temporary can then hand out so many at a time. */
#define TMPFILE_RESERVE 4
void tmpfile_reserve(void);

/* Write or read all n bytes at this offset, of any file. 0, or -1 with errno. */
int tmpfile_write(int fd, const void *from, size_t n, off_t at);
int tmpfile_read(int fd, void *to, size_t n, off_t at);

#endif
