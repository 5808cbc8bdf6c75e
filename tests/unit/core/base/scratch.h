/*
 * scratch: bytes as open files, for tests of what reads from a descriptor.
 */
#ifndef TESTS_UNIT_CORE_SCRATCH_H
#define TESTS_UNIT_CORE_SCRATCH_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/gz.h"

/* A file in memory with these bytes, at its beginning. */
static inline int scratch_bytes(const void *p, size_t n)
{
	int fd = memfd_create("scratch", MFD_CLOEXEC);

	if (fd < 0 || (n && write(fd, p, n) != (ssize_t)n) || lseek(fd, 0, SEEK_SET))
		abort();
	return fd;
}

static inline int scratch_text(const char *s)
{
	return scratch_bytes(s, strlen(s));
}

/* The same as one gzip member. */
static inline int scratch_gzip(const void *p, size_t n)
{
	int fd = memfd_create("scratch", MFD_CLOEXEC);
	struct gz_out *g = fd < 0 ? NULL : gz_out_new(fd, NULL);

	if (!g || gz_write(g, p, n, NULL) || gz_finish(g, NULL) || lseek(fd, 0, SEEK_SET))
		abort();
	gz_out_free(g);
	return fd;
}

/* All bytes of fd, from its beginning; free() them. */
static inline char *scratch_slurp(int fd, size_t *n)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *p = size < 0 ? NULL : malloc((size_t)size + 1);

	if (!p || pread(fd, p, (size_t)size, 0) != size || lseek(fd, 0, SEEK_SET))
		abort();
	p[size] = '\0';
	*n = (size_t)size;
	return p;
}

/* A descriptor of which every read gets part bytes, as a slow pipe gives them. At most 150 parts.
 */
static inline int scratch_drip(const char *p, size_t n, size_t part)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
		abort();
	for (size_t at = 0; at < n; at += part) {
		size_t k = n - at < part ? n - at : part;
		if (send(ends[1], p + at, k, MSG_DONTWAIT) != (ssize_t)k)
			abort();
	}
	close(ends[1]);
	return ends[0];
}

#endif
