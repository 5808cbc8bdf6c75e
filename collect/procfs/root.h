/*
 * root: the one door to the machine. Everything of /proc, /sys and cgroupfs is opened here,
 * relative to a root directory: "/" where the collector records, or a captured machine (--root DIR)
 * that it replays.
 *
 * Under a replayed root no path leaves it: symbolic links are resolved inside (openat2(2)
 * RESOLVE_IN_ROOT, Linux 5.6), and where the kernel or a seccomp filter refuses openat2, a path
 * with a link in it is refused (ELOOP). Nothing here blocks on a FIFO, and nothing allocates.
 */
#ifndef COLLECT_PROCFS_ROOT_H
#define COLLECT_PROCFS_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/err.h"

struct root {
	int fd;        /* O_PATH of the directory, while open */
	bool open;     /* false: nothing to close ({0}) */
	bool replayed; /* a directory was given: a captured machine, whose numbers do not move */
	bool scarce;   /* few files may be open at a time: a root_file keeps none */
};

/* dir NULL: the machine itself. 0, or -1 with a sentence that names the directory. */
int root_open(struct root *r, const char *dir, struct err *e);

void root_close(struct root *r);

/* Opens a file or a directory for reading, O_CLOEXEC. path has no leading slash: "proc/stat". The
 * caller closes. -1 with errno. */
int root_openat(const struct root *r, const char *path);

/* Reads a whole file into out, NUL-terminated, looping to the end: multi-record files of /proc give
 * at most one page a read. The length, or -1 with errno; EFBIG where it does not fit, and then out
 * holds the size - 1 bytes that did. */
long root_read(const struct root *r, const char *path, char *out, size_t size);

/* The same from an open descriptor, by pread(2) from its beginning. */
long root_read_fd(int fd, char *out, size_t size);

/* The same of a descriptor that was just opened, which is closed; -1, with errno as open left it,
 * where fd is negative. */
long root_take_fd(int fd, char *out, size_t size);

/* One pread(2) of at most size - 1 bytes from the beginning, NUL-terminated: enough for
 * single-record files (stat, meminfo, PID/stat …), which come whole in one read, and for the head
 * of longer ones. The length, or -1 with errno. */
long root_head_fd(int fd, char *out, size_t size);

/* As root_read_fd, of a file of short lines (diskstats, net/dev): the kernel hands out as many as
 * fit into a page, so what leaves a quarter of one empty was the end, and need not be asked for. */
long root_lines_fd(int fd, char *out, size_t size);

/* A file that is kept open and read again. Valid when zero; r must live as long. */
struct root_file {
	const struct root *r; /* NULL: not open */
	int fd;               /* -1: could not be opened, or lost, or not kept */
	char path[64];
};

/* 0, or -1 with errno; the file may be read later even so: each read tries to open it again. */
int root_file_open(struct root_file *f, const struct root *r, const char *path);

/* As root_read_fd, root_lines_fd and root_head_fd. Where reading fails (the descriptor has died),
 * the file is opened once more. */
long root_file_read(struct root_file *f, char *out, size_t size);
long root_file_lines(struct root_file *f, char *out, size_t size);
long root_file_head(struct root_file *f, char *out, size_t size);

void root_file_close(struct root_file *f);

/* Lists a directory without allocating: calls each(ctx, name, is_dir) for every entry but . and ..,
 * until it returns other than 0, which is then returned; 0 at the end, -1 with errno. fd is an open
 * directory; it is read from its beginning. is_dir is what d_type says. */
typedef int (*root_each)(void *ctx, const char *name, bool is_dir);
int root_list_fd(int fd, root_each each, void *ctx);
int root_list(const struct root *r, const char *path, root_each each, void *ctx);

#endif
