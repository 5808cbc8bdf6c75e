/*
 * nameless: a file without a name, for what does not fit in memory. It vanishes with its
 * descriptor.
 */
#ifndef CORE_NAMELESS_H
#define CORE_NAMELESS_H

#include <stddef.h>
#include <sys/types.h>

/* In the folder of the file named beside. A descriptor that the caller closes, or -1. */
int nameless_beside(const char *beside);

/* Where large temporary files belong: in $TMPDIR, else /var/tmp, else /tmp. The same. */
int nameless_temporary(void);

/* All n bytes at that place of the file. 0, or -1 with errno. */
int nameless_write(int fd, const void *p, size_t n, off_t at);
int nameless_read(int fd, void *p, size_t n, off_t at);

#endif
