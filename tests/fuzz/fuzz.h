/*
 * fuzz: what the targets share. A target calls must() of what has to hold.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define must(what) ((what) ? (void)0 : fuzz_fail(#what, __FILE__, __LINE__))

_Noreturn static inline void fuzz_fail(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: must(%s)\n", file, line, what);
	abort();
}

/* A file without a name that holds these bytes, at its beginning. The caller closes. */
static inline int fuzz_file(const void *p, size_t n)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	must(fd >= 0 && write(fd, p, n) == (ssize_t)n && lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

/* The bytes up to the first NUL, to be freed. (GCC's AddressSanitizer takes strndup(3) to read one
 * more.) */
static inline char *fuzz_text(const void *p, size_t size)
{
	size_t n = strnlen(p, size);
	char *text = malloc(n + 1);

	must(text);
	memcpy(text, p, n);
	text[n] = '\0';
	return text;
}

/* What to open it by. */
static inline const char *fuzz_path(int fd, char out[32])
{
	snprintf(out, 32, "/proc/self/fd/%d", fd);
	return out;
}

#endif
