/*
 * mounts: space on the mounted file systems, from /proc/self/mountinfo (proc_pid_mountinfo(5)) and
 * statvfs(3).
 *
 * Each file system counts once, however often it is mounted or bind-mounted: it is known by its
 * device number. Counted are those on a block device, btrfs, zfs, bcachefs and ubifs, and what a
 * container or a light virtual machine has on "/" (overlay, virtiofs, 9p …) unless its numbers are
 * those of a file system that counts already. Not counted: what lives in memory or is no storage
 * (tmpfs, proc, cgroup …), read-only images (squashfs, erofs, iso9660 …), images in a file (loop,
 * other than on "/"), and network and FUSE file systems: asking them can block for minutes when
 * their server is gone.
 *
 * Of a captured machine the space is read from proc/rtrack-statvfs: a line for each mount point,
 * MOUNTPOINT BLOCKSIZE BLOCKS BFREE BAVAIL FILES, blanks in MOUNTPOINT as \040.
 */
#ifndef COLLECT_MACHINE_MOUNTS_H
#define COLLECT_MACHINE_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/procfs/root.h"

#define MOUNTS_MAX       256
#define MOUNTS_PATHS_MAX 65536 /* bytes of all their mount points together */

enum mounts_kind {
	MOUNTS_LOCAL,   /* on a device of this machine */
	MOUNTS_ROOT,    /* on "/", and not on a device: overlay, virtiofs … */
	MOUNTS_REMOTE,  /* over a network, or served by a process */
	MOUNTS_NOTHING, /* no storage */
};

/* One line of mountinfo. The strings are slices of the text, still escaped. */
struct mounts_line {
	int major, minor;
	const char *path, *type, *source;
	size_t path_len, type_len, source_len;
};

struct mounts_entry {
	int major, minor;
	enum mounts_kind kind;
	size_t path; /* where in .paths; NUL-terminated, not escaped */
	size_t pool; /* the same: a zfs pool, whose data sets share their free space; else "" */
	bool shares; /* an entry before it is of the same pool */
};

/* The file systems that count. Valid when zero. About 75 KiB: allocate it once. */
struct mounts {
	struct mounts_entry v[MOUNTS_MAX];
	size_t n;
	char paths[MOUNTS_PATHS_MAX];
	size_t paths_len;
	size_t remote;         /* how many network and FUSE file systems are left out */
	char remote_first[96]; /* the type and place of one of them: "nfs4 on /data" */
};

struct mounts_space {
	double total_b, used_b, free_b; /* used = total - free of root; free = available to users */
};

/* One line; 0, or -1 where it is none. */
int mounts_parse_line(const char *text, size_t n, struct mounts_line *out);

/* By type, device number and mount point. */
enum mounts_kind mounts_kind_of(const struct mounts_line *line);

/* Makes the list anew from the text of mountinfo. check says whether a path leads to the device
 * (NULL: all do). */
typedef bool (*mounts_check)(void *ctx, const char *path, const struct mounts_line *line);
void mounts_list(struct mounts *m, const char *text, size_t n, mounts_check check, void *ctx);

/* check for the machine itself: stat(2) of the path gives the device. */
bool mounts_check_stat(void *ctx, const char *path, const struct mounts_line *line);

/* Sums the space of all by statvfs(3). 0, or -1 where not one could be asked. */
int mounts_space(const struct mounts *m, struct mounts_space *out);

/* The same of a captured machine; text is its proc/rtrack-statvfs. */
int mounts_space_text(const struct mounts *m, const char *text, size_t n, struct mounts_space *out);

#endif
