/* disk: bytes read from and written to storage, from /proc/diskstats. */
#include "collect/machine/disk.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/procfs/scan.h"

int disk_parse_line(const char *text, size_t n, struct disk_line *out)
{
	struct scan s = scan_text(text, n), name;

	*out = (struct disk_line){0};
	/* major minor name, reads merged sectors ms, writes merged sectors */
	if (!scan_int(&s, &out->major) || !scan_int(&s, &out->minor) || !scan_word(&s, &name) ||
	    !scan_copy(name, out->name, sizeof out->name))
		return -1;
	if (!scan_skip(&s, 2) || !scan_u64(&s, &out->read_sectors) || !scan_skip(&s, 3) ||
	    !scan_u64(&s, &out->write_sectors))
		return -1;
	return 0;
}

/* -- which devices count ----------------------------------------------------------------------- */

static bool is_name_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool disk_name_repeats(const char *name)
{
	static const char *const stems[] = {"loop", "ram", "zram", "dm-",   "md",
	                                    "md_",  "zd",  "drbd", "bcache"};

	for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
		size_t n = strlen(stems[i]);

		if (strncmp(name, stems[i], n) == 0 &&
		    (is_name_digit(name[n]) || stems[i][n - 1] == '_'))
			return true;
	}
	return false;
}

/* "nvme0c1n2" is one path to the multipath disk "nvme0n2". */
static bool nvme_head(const char *name, char head[DISK_NAME_MAX])
{
	struct scan s = scan_text(name, strlen(name));
	int subsystem, path, space;

	if (!scan_literal(&s, "nvme") || !scan_int(&s, &subsystem) || !scan_literal(&s, "c") ||
	    !scan_int(&s, &path) || !scan_literal(&s, "n") || !scan_int(&s, &space) || s.p != s.end)
		return false;
	snprintf(head, DISK_NAME_MAX, "nvme%dn%d", subsystem, space);
	return true;
}

static const struct disk_entry *disk_by_name(const struct disk *d, const char *name, size_t len)
{
	/* From the end: the disk is just above its partition. */
	for (size_t i = d->n; i-- > 0;)
		if (strncmp(d->v[i].last.name, name, len) == 0 && d->v[i].last.name[len] == '\0')
			return &d->v[i];
	return NULL;
}

/* The kernel names partition N of a disk NAME "NAMEN", or "NAMEpN" where NAME ends in a digit. */
static bool name_is_partition(const struct disk *d, const char *name)
{
	size_t n = strlen(name), stem = n;

	while (stem > 0 && is_name_digit(name[stem - 1]))
		stem--;
	if (stem == n || stem == 0)
		return false;
	if (stem > 1 && name[stem - 1] == 'p' && is_name_digit(name[stem - 2]))
		stem--;
	return disk_by_name(d, name, stem) != NULL;
}

bool disk_judge_name(const void *ctx, const struct disk *d, const struct disk_line *line)
{
	(void)ctx;
	return !disk_name_repeats(line->name) && !name_is_partition(d, line->name);
}

bool disk_judge_sysfs(const void *ctx, const struct disk *d, const struct disk_line *line)
{
	const struct root *r = ctx;
	char name[DISK_NAME_MAX], path[DISK_NAME_MAX + 32];

	if (disk_name_repeats(line->name) || line->name[0] == '.')
		return false;
	memcpy(name, line->name, sizeof name);
	/* sysfs replaces the slash in names like "cciss/c0d0". */
	for (char *p = name; *p; p++)
		if (*p == '/')
			*p = '!';
	snprintf(path, sizeof path, "sys/block/%s", name);
	if (!root_exists(r, path))
		return root_exists(r, "sys/block") ? false : disk_judge_name(NULL, d, line);
	snprintf(path, sizeof path, "sys/block/%s/slaves", name);
	return !root_has_entries(r, path);
}

/* -- the sums ---------------------------------------------------------------------------------- */

static bool is_same_disk(const struct disk_line *a, const struct disk_line *b)
{
	return a->major == b->major && a->minor == b->minor && strcmp(a->name, b->name) == 0;
}

/* Returns the index of a device, or d->n. Lines keep their order, so it is mostly the hint. */
static size_t disk_find(const struct disk *d, const struct disk_line *line, size_t hint)
{
	/* All devices are new at the first reading. */
	for (size_t i = 0; d->updates > 1 && i < d->n; i++) {
		size_t at = hint + i < d->n ? hint + i : hint + i - d->n;

		if (is_same_disk(&d->v[at].last, line))
			return at;
	}
	return d->n;
}

/* From now on, lines of a device that does not count are skipped by their beginning. NVMe disks are
 * an exception: their hidden paths need the counters of the head. */
static void note_head(struct disk_entry *e, struct scan text)
{
	struct scan s = text;
	size_t n;

	if (e->counted || strncmp(e->last.name, "nvme", 4) == 0 || !scan_skip(&s, 3))
		return;
	n = (size_t)(s.p - text.p) + 1;
	if (n > sizeof e->head || s.p == s.end)
		return;
	memcpy(e->head, text.p, n);
	e->head_len = n;
}

/* Whether the line belongs to the device at this index, and nobody needs its counters. */
static bool passes(const struct disk *d, struct scan text, size_t at)
{
	size_t n = at < d->n ? d->v[at].head_len : 0;

	return n && (size_t)(text.end - text.p) > n && memcmp(text.p, d->v[at].head, n) == 0;
}

/* From Linux 6.4 on, the head of a multipath disk has counters, and its paths repeat them. */
static bool head_counts(const struct disk *d, const char *name)
{
	char head[DISK_NAME_MAX];
	const struct disk_entry *e;

	if (!nvme_head(name, head))
		return false;
	e = disk_by_name(d, head, strlen(head));
	return e && (e->last.read_sectors || e->last.write_sectors);
}

static void disk_add(struct disk *d, struct disk_entry *e, const struct disk_line *line)
{
	double read_b = (double)counter_grow(&e->read, line->read_sectors) * DISK_SECTOR_SIZE;
	double write_b = (double)counter_grow(&e->write, line->write_sectors) * DISK_SECTOR_SIZE;

	if (e->counted && !head_counts(d, line->name)) {
		d->read_b += read_b;
		d->write_b += write_b;
		devices_add(d->devices, DETAIL_DISK, line->name, read_b, write_b);
	}
	e->last = *line;
	e->seen = d->updates;
}

static void disk_sweep(struct disk *d)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].seen == d->updates)
			d->v[kept++] = d->v[i];
	d->n = kept;
}

int disk_update(struct disk *d, const char *text, size_t n, disk_judge judge, const void *ctx)
{
	struct scan s = scan_text(text, n), line;
	struct disk_line now;
	size_t hint = 0, lines = 0;

	d->updates++;
	while (scan_line(&s, &line)) {
		size_t at;

		if (passes(d, line, hint)) {
			d->v[hint++].seen = d->updates;
			lines++;
			continue;
		}
		if (disk_parse_line(line.p, (size_t)(line.end - line.p), &now) < 0)
			continue;
		lines++;
		at = disk_find(d, &now, hint);
		if (at == d->n && d->n == DISK_MAX)
			continue;
		if (at < d->n) {
			disk_add(d, &d->v[at], &now);
		} else {
			bool counted = judge(ctx, d, &now);
			at = hint;
			memmove(d->v + at + 1, d->v + at, (d->n - at) * sizeof *d->v);
			d->v[at] = (struct disk_entry){
			    .last = now,
			    .read = counter_begin(d->since_boot ? 0 : now.read_sectors),
			    .write = counter_begin(d->since_boot ? 0 : now.write_sectors),
			    .seen = d->updates,
			    .counted = counted};
			d->n++;
			note_head(&d->v[at], line);
			disk_add(d, &d->v[at], &now); /* nothing, but the device is there */
		}
		hint = at + 1;
	}
	if (lines == 0)
		return -1;
	disk_sweep(d);
	return 0;
}
