/* Tests of collect/machine/mounts.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "collect/machine/mounts.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

static struct mounts *mounts;

static int setup(void **state)
{
	(void)state;
	mounts = calloc(1, sizeof *mounts);
	return mounts ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	free(mounts);
	return 0;
}

static void list(const char *text)
{
	mounts_list(mounts, text, strlen(text), NULL, NULL);
}

/* The mount points that count, in order, with a blank after each. */
static const char *places(void)
{
	static char out[8192];
	size_t at = 0;

	out[0] = '\0';
	for (size_t i = 0; i < mounts->n; i++)
		at += (size_t)snprintf(out + at, sizeof out - at, "%s ",
		                       mounts->paths + mounts->v[i].path);
	return out;
}

TEST_WITH(one_line, setup, teardown)
{
	static const struct {
		const char *text;
		int rc;
	} rows[] = {
	    {"36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 propagate_from:2 - ext3 /dev/root rw", 0},
	    {"36 35 98:0 /mnt1 /mnt2 rw,noatime - ext3 /dev/root rw", 0},
	    {"36 35 98:0 /mnt1 /mnt2 rw,noatime ext3 /dev/root rw", -1},
	    {"36 35 98:0 /mnt1 /mnt2 rw -", -1},
	    {"36 35 98:0 /mnt1 /mnt2 rw - ext4", -1},
	    {"36 35 -1:0 / / rw - ext4 a b", -1},
	    {"36 35 98 / / rw - ext4 a b", -1},
	    {"", -1},
	};
	struct mounts_line l;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(mounts_parse_line(rows[i].text, strlen(rows[i].text), &l),
		                 rows[i].rc);
	mounts_parse_line(rows[0].text, strlen(rows[0].text), &l);
	assert_int_equal(l.major, 98);
	assert_memory_equal(l.path, "/mnt2", l.path_len);
	assert_memory_equal(l.type, "ext3", l.type_len);
	assert_memory_equal(l.source, "/dev/root", l.source_len);
}

TEST_WITH(kinds, setup, teardown)
{
	static const struct {
		const char *dev, *path, *type, *source;
		enum mounts_kind kind;
	} rows[] = {
	    {"8:1", "/", "ext4", "/dev/sda1", MOUNTS_LOCAL},
	    {"8:1", "/data", "xfs", "/dev/sda1", MOUNTS_LOCAL},
	    {"0:33", "/b", "btrfs", "/dev/sdb", MOUNTS_LOCAL},
	    {"0:34", "/z", "zfs", "tank/a", MOUNTS_LOCAL},
	    {"0:35", "/", "overlay", "overlay", MOUNTS_ROOT},
	    {"0:35", "/var/lib/x/merged", "overlay", "overlay", MOUNTS_NOTHING},
	    {"0:36", "/", "virtiofs", "kataShared", MOUNTS_ROOT},
	    {"0:36", "/mnt", "virtiofs", "share", MOUNTS_REMOTE},
	    {"0:37", "/", "fuse.fuse-overlayfs", "x", MOUNTS_ROOT},
	    {"0:37", "/", "nfs", "h:/r", MOUNTS_REMOTE},
	    {"0:37", "/h", "nfs4", "h:/r", MOUNTS_REMOTE},
	    {"0:37", "/h", "smb3", "//h/r", MOUNTS_REMOTE},
	    {"0:37", "/h", "odd", "//h/r", MOUNTS_REMOTE},
	    {"0:38", "/g", "fuse.glusterfs", "h:/v", MOUNTS_REMOTE},
	    {"8:9", "/n", "fuseblk", "/dev/sdc1", MOUNTS_REMOTE},
	    {"0:39", "/var/lib/lxcfs", "fuse.lxcfs", "lxcfs", MOUNTS_NOTHING},
	    {"0:40", "/", "tmpfs", "tmpfs", MOUNTS_NOTHING},
	    {"0:1", "/", "rootfs", "rootfs", MOUNTS_NOTHING},
	    {"0:40", "/proc", "proc", "proc", MOUNTS_NOTHING},
	    {"0:40", "/c", "cgroup2", "cgroup2", MOUNTS_NOTHING},
	    {"0:40", "/c", "autofs", "systemd-1", MOUNTS_NOTHING},
	    {"7:3", "/snap/x", "squashfs", "/dev/loop3", MOUNTS_NOTHING},
	    {"7:3", "/mnt/i", "ext4", "/dev/loop3", MOUNTS_NOTHING},
	    {"7:3", "/", "ext4", "/dev/loop3", MOUNTS_LOCAL},
	    {"11:0", "/cd", "iso9660", "/dev/sr0", MOUNTS_NOTHING},
	    {"1:0", "/r", "ext2", "/dev/ram0", MOUNTS_NOTHING},
	    {"252:0", "/r", "ext4", "/dev/zram0", MOUNTS_NOTHING},
	};
	char text[256];
	struct mounts_line l;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		snprintf(text, sizeof text, "1 2 %s / %s rw - %s %s rw", rows[i].dev, rows[i].path,
		         rows[i].type, rows[i].source);
		assert_int_equal(mounts_parse_line(text, strlen(text), &l), 0);
		if (mounts_kind_of(&l) != rows[i].kind)
			fail_msg("%s", text);
	}
}

static bool not_hidden(void *ctx, const char *path, const struct mounts_line *l)
{
	(void)ctx;
	(void)l;
	return strcmp(path, "/hidden") != 0;
}

TEST_WITH(once_each, setup, teardown)
{
	static const char text[] = "1 2 8:1 / /hidden rw - ext4 /dev/sda1 rw\n"
				   "1 2 8:1 /x /a\\040b rw - ext4 /dev/sda1 rw\n"
				   "1 2 8:1 /y /c rw - ext4 /dev/sda1 rw\n"
				   "1 2 8:2 / /hidden rw - ext4 /dev/sda2 rw\n"
				   "1 2 0:9 / /n rw - nfs h:/r rw\n"
				   "1 2 0:10 / /m rw - nfs4 h:/r rw\n";

	mounts_list(mounts, text, sizeof text - 1, not_hidden, NULL);
	assert_string_equal(places(), "/a b ");
	assert_int_equal(mounts->remote, 2);
	assert_string_equal(mounts->remote_first, "nfs on /n");
	/* A list is made again. */
	mounts_list(mounts, text, sizeof text - 1, NULL, NULL);
	assert_string_equal(places(), "/hidden /hidden ");
	assert_int_equal(mounts->remote, 2);
	list("");
	assert_string_equal(places(), "");
	assert_int_equal(mounts->remote, 0);
}

static void space_of(const char *info, const char *statvfs, int rc, double total, double used,
                     double free_to_users)
{
	struct mounts_space s;

	list(info);
	assert_int_equal(mounts_space_text(mounts, statvfs, strlen(statvfs), &s), rc);
	assert_true(s.total_b == total);
	assert_true(s.used_b == used);
	assert_true(s.free_b == free_to_users);
}

TEST_WITH(spaces, setup, teardown)
{
	space_of("1 2 8:1 / / rw - ext4 /dev/sda1 rw\n", "/ 1000 100 60 50\n", 0, 100000, 40000,
	         50000);
	/* more free than there is: nothing is used */
	space_of("1 2 8:1 / / rw - ext4 /dev/sda1 rw\n", "/ 1000 100 101 50\n", 0, 100000, 0,
	         50000);
	space_of("1 2 8:1 / / rw - ext4 /dev/sda1 rw\n", "/other 1 1 1 1\n/ 5\n", -1, 0, 0, 0);
	/* an overlay on a file system that counts already, in either order */
	space_of(
	    "1 2 0:9 / / rw - overlay overlay rw\n1 2 8:1 /h /etc/hosts rw - ext4 /dev/sda1 rw\n",
	    "/ 1000 100 60 50 7\n/etc/hosts 1000 100 60 50 7\n", 0, 100000, 40000, 50000);
	space_of(
	    "1 2 8:1 /h /etc/hosts rw - ext4 /dev/sda1 rw\n1 2 0:9 / / rw - overlay overlay rw\n",
	    "/ 1000 100 60 50 7\n/etc/hosts 1000 100 60 50 7\n", 0, 100000, 40000, 50000);
	/* an overlay on another one */
	space_of("1 2 0:9 / / rw - overlay overlay rw\n1 2 8:1 / /data rw - ext4 /dev/sda1 rw\n",
	         "/ 1000 100 60 50 7\n/data 1000 200 60 50 9\n", 0, 300000, 180000, 100000);
	/* two file systems that are alike are two */
	space_of("1 2 8:1 / /a rw - ext4 /dev/sda1 rw\n1 2 8:2 / /b rw - ext4 /dev/sda2 rw\n",
	         "/a 1000 100 60 50 7\n/b 1000 100 60 50 7\n", 0, 200000, 80000, 100000);
	/* data sets of one zfs pool share what is free */
	space_of("1 2 0:51 / /t rw - zfs tank rw\n1 2 0:52 / /t/a rw - zfs tank/a rw\n"
	         "1 2 0:53 / /u rw - zfs tankard/a rw\n",
	         "/t 1000 110 100 100\n/t/a 1000 130 100 100\n/u 1000 5 5 5\n", 0, 145000, 40000,
	         105000);
}

TEST_WITH(machines, setup, teardown)
{
	static const struct {
		const char *machine, *places;
		double total, used, avail;
	} rows[] = {
	    {"idle-vm", "/ ", 66053021 * 4096.0, (66053021 - 61756280) * 4096.0, 20787556 * 4096.0},
	    {"cpus-64", "/ /boot /boot/efi /data /mnt/old disk /pool /tank /tank/a ",
	     (25600000 + 250000 + 130000 + 1800000000 + 1000000 + 2000000) * 4096.0 +
	         (80100 + 900) * 131072.0,
	     (10000000 + 50000 + 10000 + 900000000 + 1000000 + 500000) * 4096.0 +
	         (100 + 900) * 131072.0,
	     (14300000 + 180000 + 120000 + 900000000 + 0 + 1400000) * 4096.0 + 80000 * 131072.0},
	    {"container", "/ /etc/resolv.conf ", 25000000 * 4096.0, 15000000 * 4096.0,
	     9000000 * 4096.0},
	};
	static char text[65536];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct mounts_space s;
		struct root r = captured_root(rows[i].machine);
		long n;

		n = root_read(&r, "proc/self/mountinfo", text, sizeof text);
		assert_true(n > 0);
		list(text);
		assert_string_equal(places(), rows[i].places);
		n = root_read(&r, "proc/rtrack-statvfs", text, sizeof text);
		assert_true(n > 0);
		assert_int_equal(mounts_space_text(mounts, text, (size_t)n, &s), 0);
		assert_true(s.total_b == rows[i].total);
		assert_true(s.used_b == rows[i].used);
		assert_true(s.free_b == rows[i].avail);
		root_close(&r);
	}
}

TEST_WITH(caps, setup, teardown)
{
	size_t room = 400 * 500, at = 0;
	char *text = malloc(room);

	assert_non_null(text);
	for (int i = 0; i < 400; i++)
		at += (size_t)snprintf(text + at, room - at,
		                       "1 2 8:%d / /%0400d rw - ext4 /dev/x rw\n", i, i);
	list(text);
	assert_in_range(mounts->n, MOUNTS_PATHS_MAX / 402 - 1, MOUNTS_MAX);
	at = 0;
	for (int i = 0; i < 400; i++)
		at += (size_t)snprintf(text + at, room - at, "1 2 8:%d / /%d rw - ext4 /dev/x rw\n",
		                       i, i);
	list(text);
	assert_int_equal(mounts->n, MOUNTS_MAX);
	snprintf(text, room, "1 2 0:9 / /%0300d rw - nfs4 h:/ rw\n", 0);
	list(text);
	assert_int_equal(mounts->remote, 1);
	assert_int_equal(strlen(mounts->remote_first), sizeof mounts->remote_first - 1);
	free(text);
}

/* Live: what statvfs(3) says of "/" bounds the sums from below, whatever else is mounted. */
TEST_WITH(live, setup, teardown)
{
	static char text[1 << 20];
	struct mounts_space s;
	struct statvfs v;
	struct root r;
	long n;

	assert_int_equal(root_open(&r, NULL, NULL), 0);
	n = root_read(&r, "proc/self/mountinfo", text, sizeof text);
	assert_true(n > 0);
	mounts_list(mounts, text, (size_t)n, mounts_check_stat, NULL);
	assert_int_equal(statvfs("/", &v), 0);
	if (mounts->n > 0 && strcmp(mounts->paths + mounts->v[0].path, "/") == 0) {
		assert_int_equal(mounts_space(mounts, &s), 0);
		assert_true(s.total_b >= (double)v.f_blocks * (double)v.f_frsize);
		assert_true(s.used_b <= s.total_b);
	}
	root_close(&r);
}
