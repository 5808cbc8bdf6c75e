/*
 * tmpfile: a file without a name, for what does not fit in memory. It vanishes with its
 * descriptor.
 */
#ifndef CORE_TMPFILE_H
#define CORE_TMPFILE_H

#include <stddef.h>
#include <sys/types.h>

/* In the folder of the file named beside. A descriptor that the caller closes, or -1. */
int tmpfile_beside(const char *beside);

/* Where large temporary files belong: in $TMPDIR, else /var/tmp, else /tmp. The same, but it is to
 * be closed by tmpfile_close. */
int tmpfile_temporary(void);
void tmpfile_close(int fd);

/* Opens TMPFILE_RESERVE of those now, for a process that may open none later: so many at a time
 * can be had then. */
#define TMPFILE_RESERVE 4
void tmpfile_reserve(void);

/* All n bytes at that place of the file. 0, or -1 with errno. */
int tmpfile_write(int fd, const void *from, size_t n, off_t at);
int tmpfile_read(int fd, void *to, size_t n, off_t at);

#endif
