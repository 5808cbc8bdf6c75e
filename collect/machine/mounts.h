/*
 * mounts: space on the mounted file systems, from /proc/self/mountinfo (proc_pid_mountinfo(5)) and
 * statvfs(3).
 *
 * Each file system counts once, however often it is mounted or bind-mounted; its device number
 * identifies it.
 *
 * Counted: file systems on a block device; btrfs, zfs, bcachefs and ubifs; and the "/" of a
 * container or a light virtual machine (overlay, virtiofs, 9p …), unless its numbers equal those of
 * a file system that counts already.
 *
 * Not counted: file systems in memory or without storage (tmpfs, proc, cgroup …), read-only images
 * (squashfs, erofs, iso9660 …), images in a file (loop, other than on "/"), and network and FUSE
 * file systems, because statvfs can block for minutes when their server is gone.
 *
 * A captured machine has the space in proc/rtrack-statvfs: a line for each mount point, MOUNTPOINT
 * BLOCKSIZE BLOCKS BFREE BAVAIL FILES, with blanks in MOUNTPOINT as \040.
 */
#ifndef COLLECT_MACHINE_MOUNTS_H
#define COLLECT_MACHINE_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/machine/devices.h"
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
	size_t pool; /* likewise: the zfs pool, whose data sets share their free space; else "" */
	bool shares; /* an earlier entry is of the same pool */
};

/* The file systems that count. Valid when zero. About 75 KiB: allocate it once. */
struct mounts {
	struct mounts_entry v[MOUNTS_MAX];
	size_t n;
	char paths[MOUNTS_PATHS_MAX];
	size_t paths_len;
	size_t remote;           /* how many network and FUSE file systems are left out */
	char remote_first[96];   /* the type and place of one of them: "nfs4 on /data" */
	struct devices *devices; /* each file system as well; NULL: the sums alone */
};

struct mounts_space {
	double total_b, used_b, free_b; /* used = total - free of root; free = available to users */
};

/* Parses one line. Returns 0, or -1 where it is not a line of mountinfo. */
int mounts_parse_line(const char *text, size_t n, struct mounts_line *out);

/* By type, device number and mount point. */
enum mounts_kind mounts_kind_of(const struct mounts_line *line);

/* Makes the list again from the text of mountinfo. check says whether the path of a line leads to
 * its device: a later mount may hide it (NULL: every path does). */
typedef bool (*mounts_check)(void *ctx, const char *path, const struct mounts_line *line);
void mounts_list(struct mounts *m, const char *text, size_t n, mounts_check check, void *ctx);

/* The check on a real machine: stat(2) of the path gives the device. */
bool mounts_check_stat(void *ctx, const char *path, const struct mounts_line *line);

/* Sums the space of all file systems by statvfs(3). Returns 0, or -1 where every statvfs failed. */
int mounts_space(const struct mounts *m, struct mounts_space *out);

/* The same for a captured machine; text is its proc/rtrack-statvfs. */
int mounts_space_text(const struct mounts *m, const char *text, size_t n, struct mounts_space *out);

#endif
