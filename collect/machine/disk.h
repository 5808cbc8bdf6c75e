/*
 * disk: bytes read from and written to storage, from /proc/diskstats (the kernel's
 * Documentation/admin-guide/iostats.rst).
 *
 * A sector there is 512 bytes, whatever the disk's own sector size is. Each byte counts once, at
 * the hardware: partitions do not count (they repeat their disk), nor do stacked devices (dm, md,
 * bcache, drbd, zvol, loop: they repeat the devices below them), nor do RAM disks and zram, which
 * are memory. The hidden path of an NVMe multipath disk (nvme0c0n1) counts only if its head
 * (nvme0n1) has no counters, as before Linux 6.4.
 */
#ifndef COLLECT_MACHINE_DISK_H
#define COLLECT_MACHINE_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/machine/counter.h"
#include "collect/machine/devices.h"
#include "collect/procfs/root.h"

#define DISK_MAX         1024 /* devices of one machine; further ones are not counted */
#define DISK_NAME_MAX    32
#define DISK_SECTOR_SIZE 512
#define DISK_HEAD_MAX    48

/* One line of diskstats. */
struct disk_line {
	int major, minor;
	char name[DISK_NAME_MAX];
	uint64_t read_sectors, write_sectors;
};

struct disk_entry {
	struct disk_line last;
	struct counter read, write; /* sectors */
	unsigned seen;              /* the update that saw it last */
	bool counted;
	/* For a device that is not counted: the beginning of its line, up to the blank after the
	 * name, so that its lines need no parsing. Empty: its lines are parsed. */
	char head[DISK_HEAD_MAX];
	size_t head_len;
};

/* All devices, and the sums so far. Valid when zero. About 140 KiB: allocate it once. */
struct disk {
	struct disk_entry v[DISK_MAX];
	size_t n;
	unsigned updates;
	bool since_boot;         /* set before: count what a new device had, too */
	double read_b, write_b;  /* since the first update, or that; never falls */
	struct devices *devices; /* each counted device as well; NULL: the sums alone */
};

/* Decides whether a new device is counted. d holds the devices above it in the file. */
typedef bool (*disk_judge)(const void *ctx, const struct disk *d, const struct disk_line *line);

/* Parses the text of one reading, and adds the growth of each counted device to the sums. A new
 * device adds nothing yet, and counters that fall add nothing (counter.h). Returns 0, or -1 where
 * no line could be parsed (the sums stay). */
int disk_update(struct disk *d, const char *text, size_t n, disk_judge judge, const void *ctx);

/* Decides by sysfs: ctx is a const struct root *. Without sys/block, decides by the name. */
bool disk_judge_sysfs(const void *ctx, const struct disk *d, const struct disk_line *line);

/* Decides by the name alone; ctx is not used. A partition has the name of an earlier device, and a
 * number ("sda" "1", "nvme0n1" "p1"). */
bool disk_judge_name(const void *ctx, const struct disk *d, const struct disk_line *line);

/* Whether the kernel gives this name to a device that repeats the bytes of others, or is memory. */
bool disk_name_repeats(const char *name);

/* Parses one line. Returns 0, or -1 where it is not a line of diskstats. */
int disk_parse_line(const char *text, size_t n, struct disk_line *out);

#endif
