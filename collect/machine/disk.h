/*
 * disk: bytes read from and written to storage, from /proc/diskstats (the kernel's
 * Documentation/admin-guide/iostats.rst).
 *
 * A sector there is 512 bytes, whatever the disk's own sector is. Each byte counts once, where it
 * meets the hardware: partitions are left out (they repeat their disk), so are stacked devices (dm,
 * md, bcache, drbd, zvol, loop: they repeat what is below them), and so are RAM disks and zram,
 * which are memory. The hidden path of an NVMe multipath disk (nvme0c0n1) counts only where its
 * head (nvme0n1) has no counters, as before Linux 6.4.
 */
#ifndef COLLECT_MACHINE_DISK_H
#define COLLECT_MACHINE_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	unsigned seen; /* the update that saw it last */
	bool counted;
	/* Of a device whose counters nobody asks for: how its lines begin, up to the blank behind
	 * its name. Empty: its lines are read. */
	char head[DISK_HEAD_MAX];
	size_t head_len;
};

/* All devices, and how far the sums have come. Valid when zero. About 140 KiB: allocate it once. */
struct disk {
	struct disk_entry v[DISK_MAX];
	size_t n;
	unsigned updates;
	double read_b, write_b; /* since the first update; never falls */
};

/* Whether a device that was not there before is counted. d holds the devices before it. */
typedef bool (*disk_judge)(const void *ctx, const struct disk *d, const struct disk_line *line);

/* Takes the text of one reading and adds what each counted device has done since the last. A device
 * that is new adds nothing yet; one whose counters fell (replaced, wrapped) adds what it shows now.
 * 0, or -1 where no line could be read (the sums stay). */
int disk_update(struct disk *d, const char *text, size_t n, disk_judge judge, const void *ctx);

/* Judges by sysfs: ctx is a const struct root *. Where sys/block is absent, by name. */
bool disk_judge_sysfs(const void *ctx, const struct disk *d, const struct disk_line *line);

/* Judges by the name alone; ctx is not used. A name is a partition where it is that of a device
 * already there and a number ("sda" "1", "nvme0n1" "p1"). */
bool disk_judge_name(const void *ctx, const struct disk *d, const struct disk_line *line);

/* One line; 0, or -1 where it is none. */
int disk_parse_line(const char *text, size_t n, struct disk_line *out);

#endif
