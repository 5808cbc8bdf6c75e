/*
 * folder: a tree of files that an input describes: for each a byte that chooses its path, its text,
 * and a NUL. The folders are made once, where files cost the least, and removed at the end.
 */
#ifndef FUZZ_FOLDER_H
#define FUZZ_FOLDER_H

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fuzz/fuzz.h"

struct fuzz_folder {
	const char *const *paths; /* of files; NULL ends it. All the folders above are made */
	char top[64];
};

static struct fuzz_folder fuzz_folder; /* a target has one, and atexit(3) hands nothing over */

static inline void fuzz_folder_each(void (*what)(int top, const char *folder))
{
	int top = open(fuzz_folder.top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char path[128];

	for (const char *const *p = fuzz_folder.paths; *p; p++)
		for (const char *s = strchr(*p, '/'); s; s = strchr(s + 1, '/')) {
			snprintf(path, sizeof path, "%.*s", (int)(s - *p), *p);
			what(top, path);
		}
	close(top);
}

static inline void fuzz_folder_add(int top, const char *folder)
{
	mkdirat(top, folder, 0700);
}

static inline void fuzz_folder_remove(int top, const char *folder)
{
	unlinkat(top, folder, AT_REMOVEDIR);
}

/* Removes the files. */
static inline void fuzz_folder_clear(void)
{
	int top = open(fuzz_folder.top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (const char *const *p = fuzz_folder.paths; *p; p++)
		unlinkat(top, *p, 0);
	close(top);
}

static inline void fuzz_folder_end(void)
{
	fuzz_folder_clear();
	/* From below, a level each time. */
	for (int level = 0; level < 12; level++)
		fuzz_folder_each(fuzz_folder_remove);
	rmdir(fuzz_folder.top);
}

static inline void fuzz_folder_begin(const char *const *paths)
{
	if (fuzz_folder.paths)
		return;
	fuzz_folder.paths = paths;
	snprintf(fuzz_folder.top, sizeof fuzz_folder.top, "%s/rtrack-fuzz-XXXXXX",
	         access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	must(mkdtemp(fuzz_folder.top) != NULL);
	fuzz_folder_each(fuzz_folder_add);
	atexit(fuzz_folder_end);
}

static inline void fuzz_folder_write(const char *path, const void *text, size_t n)
{
	char name[256];
	int fd;

	snprintf(name, sizeof name, "%s/%s", fuzz_folder.top, path);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	must(fd >= 0 && write(fd, text, n) == (ssize_t)n);
	close(fd);
}

/* Writes the files of an input up to its next 0xff (in a path's place); returns what was taken. */
static inline size_t fuzz_folder_put(const uint8_t *data, size_t size)
{
	size_t at = 0, paths = 0;

	while (fuzz_folder.paths[paths])
		paths++;
	while (at < size && data[at] != 0xff) {
		const uint8_t *text = data + at + 1, *nul = memchr(text, 0, size - at - 1);
		size_t n = nul ? (size_t)(nul - text) : size - at - 1;
		fuzz_folder_write(fuzz_folder.paths[data[at] % paths], text, n);
		at += n + 2;
	}
	return at < size ? at + 1 : size;
}

#endif
