/*
 * root: the one door to the machine. All files of /proc, /sys and cgroupfs are opened here,
 * relative to a root directory: "/" for a recording, or the directory of a captured machine that is
 * replayed (--root DIR).
 *
 * No path leaves a replayed root: symbolic links are resolved inside it (openat2(2)
 * RESOLVE_IN_ROOT, Linux 5.6). If the kernel or a seccomp filter refuses openat2, a path with a
 * link in it is refused (ELOOP). Nothing here blocks on a FIFO, and nothing allocates.
 *
 *	root_open(&r, "/", &e);
 *	n = root_read(&r, "proc/meminfo", text, sizeof text);
 *	root_close(&r);
 */
#ifndef COLLECT_PROCFS_ROOT_H
#define COLLECT_PROCFS_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/err.h"

struct root {
	int fd;        /* O_PATH of the directory, while open */
	bool open;     /* false: nothing to close ({0}) */
	bool replayed; /* a captured machine: its numbers do not move */
	bool scarce;   /* RLIMIT_NOFILE is so low that a root_file keeps no descriptor */
	/* /proc is that of another PID namespace (unshare --pid without --mount-proc): its pids are
	 * other processes than those that system calls take, and none is opened. */
	bool other_pids;
};

/* dir NULL: the machine itself. 0, or -1 with an error that names the directory. */
int root_open(struct root *r, const char *dir, struct err *e);

void root_close(struct root *r);

/* Opens a file or a directory for reading, O_CLOEXEC. path has no leading slash: "proc/stat". The
 * caller closes it. -1 with errno. */
int root_openat(const struct root *r, const char *path);

/* Reads what a symbolic link says, NUL-terminated, and follows none. The length, or -1: it is none,
 * or too long for size. */
long root_link(const struct root *r, const char *path, char *out, size_t size);

bool root_exists(const struct root *r, const char *path);

/* Opens a file of a directory that is open, or -1: none. */
int root_open_in(int dir, const char *file);

/* Reads a whole file into out, NUL-terminated, looping to the end: a multi-record file of /proc
 * gives at most one page per read. The length, or -1 with errno; EFBIG if it does not fit, and then
 * out holds the first size - 1 bytes. */
long root_read(const struct root *r, const char *path, char *out, size_t size);

/* The same from an open descriptor, by pread(2) from its beginning. */
long root_read_fd(int fd, char *out, size_t size);

/* The same, and closes fd. Takes the result of an open directly: if fd is negative, -1 with the
 * errno of that open. */
long root_take_fd(int fd, char *out, size_t size);

/* One pread(2) of at most size - 1 bytes from the beginning, NUL-terminated: enough for
 * single-record files (stat, meminfo, PID/stat …), which come whole in one read, and for the head
 * of longer ones. The length, or -1 with errno. */
long root_head_fd(int fd, char *out, size_t size);

/* As root_read_fd, for a file of short lines (diskstats, net/dev): the kernel gives as many lines
 * as fit into a page, so a read that leaves a quarter of a page empty was the last, and the read
 * that would return 0 is saved. */
long root_lines_fd(int fd, char *out, size_t size);

/* A file that is kept open and read again. Valid when zero; r must live as long. */
struct root_file {
	const struct root *r; /* NULL: not open */
	int fd;               /* -1: it could not be opened, or is not kept */
	char path[64];
};

/* 0, or -1 with errno. The file can be read later all the same: each read tries to open it again.
 */
int root_file_open(struct root_file *f, const struct root *r, const char *path);

/* As root_read_fd, root_lines_fd and root_head_fd. If a read fails, the file is opened once more
 * and read again. */
long root_file_read(struct root_file *f, char *out, size_t size);
long root_file_lines(struct root_file *f, char *out, size_t size);
long root_file_head(struct root_file *f, char *out, size_t size);

void root_file_close(struct root_file *f);

/* Lists a directory without allocating: calls each(ctx, name, is_dir) for every entry but . and ..
 * until it returns other than 0, which is then returned. 0 at the end, -1 with errno. fd is an open
 * directory, and is read from its beginning. is_dir comes from d_type; it is true if the file
 * system gives no type. */
typedef int (*root_each)(void *ctx, const char *name, bool is_dir);
int root_list_fd(int fd, root_each each, void *ctx);
int root_list(const struct root *r, const char *path, root_each each, void *ctx);

/* The same, from a place in the directory on: *at, of the call before, or 0. It is set to behind
 * the last entry that each was called with, and at the end to 0. */
int root_list_part(const struct root *r, const char *path, int64_t *at, root_each each, void *ctx);

/* Whether a directory is there and not empty. */
bool root_has_entries(const struct root *r, const char *path);

#endif
