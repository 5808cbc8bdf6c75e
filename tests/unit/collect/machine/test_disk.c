/* Tests of collect/machine/disk.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/disk.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

static struct disk *disk;

static int setup(void **state)
{
	(void)state;
	disk = calloc(1, sizeof *disk);
	return disk ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	free(disk);
	return 0;
}

static int update(const char *text)
{
	return disk_update(disk, text, strlen(text), disk_judge_name, NULL);
}

TEST_WITH(one_line, setup, teardown)
{
	static const struct {
		const char *text;
		int rc;
	} rows[] = {
	    {" 254       0 vda 35459 9297 4173730 18759 20269 7356 1714080 5494 0 8624 24883 8379",
	     0},
	    {"8 0 sda 1 2 3 4 5 6 7", 0}, /* Linux 2.6 has no more than eleven */
	    {"8 0 sda 1 2 3 4 5 6", -1},
	    {"8 0", -1},
	    {"-8 0 sda 1 2 3 4 5 6 7", -1},
	    {"8 99999999999 sda 1 2 3 4 5 6 7", -1},
	    {"8 0 a-name-that-is-longer-than-any-device-has 1 2 3 4 5 6 7", -1},
	    {"", -1},
	};
	struct disk_line l;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(disk_parse_line(rows[i].text, strlen(rows[i].text), &l),
		                 rows[i].rc);
	disk_parse_line(rows[0].text, strlen(rows[0].text), &l);
	assert_int_equal(l.major, 254);
	assert_string_equal(l.name, "vda");
	assert_int_equal(l.read_sectors, 4173730);
	assert_int_equal(l.write_sectors, 1714080);
}

/* Sectors are of 512 bytes; a fall counts nothing; what comes later begins where it is. */
TEST_WITH(sums, setup, teardown)
{
	assert_int_equal(update("8 0 sda 0 0 100 0 0 0 50 0\n8 16 sdb 0 0 7 0 0 0 7 0\n"), 0);
	assert_true(disk->read_b == 0 && disk->write_b == 0);
	update("8 0 sda 0 0 110 0 0 0 50 0\n8 16 sdb 0 0 8 0 0 0 9 0\n");
	assert_true(disk->read_b == 11 * 512);
	assert_true(disk->write_b == 2 * 512);
	/* sda is gone, sdc is new */
	update("8 16 sdb 0 0 8 0 0 0 9 0\n8 32 sdc 0 0 1000 0 0 0 1000 0\n");
	assert_true(disk->read_b == 11 * 512);
	assert_int_equal(disk->n, 2);
	/* sdc was replaced: its counters fell, and what it read since then is unknown */
	update("8 16 sdb 0 0 8 0 0 0 9 0\n8 32 sdc 0 0 3 0 0 0 1000 0\n");
	assert_true(disk->read_b == 11 * 512);
	/* sda again, before them */
	update("8 0 sda 0 0 9 0 0 0 9 0\n8 16 sdb 0 0 8 0 0 0 9 0\n8 32 sdc 0 0 4 0 0 0 1000 0\n");
	assert_true(disk->read_b == 12 * 512);
	assert_string_equal(disk->v[0].last.name, "sda");
	assert_int_equal(update("no line\n"), -1);
	assert_int_equal(disk->n, 3);
	assert_true(disk->read_b == 12 * 512 && disk->write_b == 2 * 512);
}

/* Of --once: what they have had; a partition is not counted. */
TEST_WITH(since_boot, setup, teardown)
{
	disk->since_boot = true;
	update("8 0 sda 0 0 100 0 0 0 50 0\n8 1 sda1 0 0 100 0 0 0 50 0\n");
	assert_true(disk->read_b == 100 * 512 && disk->write_b == 50 * 512);
	update("8 0 sda 0 0 101 0 0 0 50 0\n8 1 sda1 0 0 101 0 0 0 50 0\n");
	assert_true(disk->read_b == 101 * 512 && disk->write_b == 50 * 512);
}

static bool counted(const char *name)
{
	for (size_t i = 0; i < disk->n; i++)
		if (strcmp(disk->v[i].last.name, name) == 0)
			return disk->v[i].counted;
	return false;
}

TEST_WITH(names, setup, teardown)
{
	static const struct {
		const char *name;
		bool counted;
	} rows[] = {
	    {"sda", true},        {"sda1", false},    {"sda15", false},     {"nvme0n1", true},
	    {"nvme0n1p1", false}, {"mmcblk0", true},  {"mmcblk0p2", false}, {"mmcblk0boot0", true},
	    {"xvda1", true},      {"sr0", true},      {"loop0", false},     {"loop0p1", false},
	    {"ram0", false},      {"zram0", false},   {"dm-0", false},      {"md0", false},
	    {"md127", false},     {"md_home", false}, {"zd16", false},      {"drbd1", false},
	    {"bcache0", false},   {"nbd0", true},     {"nbd0p1", false},    {"rbd0", true},
	    {"vda", true},        {"vdaa", true},     {"vdaa1", false},     {"mdx", true},
	    {"7", true},
	};
	char text[4096];
	size_t at = 0;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "8 %zu %s 0 0 1 0 0 0 1 0\n", i,
		                       rows[i].name);
	assert_int_equal(update(text), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (counted(rows[i].name) != rows[i].counted)
			fail_msg("%s", rows[i].name);
}

/* What is not counted is known by how its line begins, and passed over. */
TEST_WITH(passed_over, setup, teardown)
{
	update("   7       0 loop0 1 0 1 0 0 0 1 0\n   8       0 sda 0 0 10 0 0 0 0 0\n");
	assert_int_equal(update("   7       0 loop0 x\n   8       0 sda 0 0 20 0 0 0 0 0\n"), 0);
	assert_int_equal(disk->n, 2);
	assert_true(disk->read_b == 10 * 512);
	/* Another's begins alike. */
	update("   7       0 loop00 1 0 1 0 0 0 1 0\n   8       0 sda 0 0 30 0 0 0 0 0\n");
	assert_int_equal(disk->n, 2);
	assert_string_equal(disk->v[0].last.name, "loop00");
	assert_true(disk->read_b == 20 * 512);
	update("   8       0 sda 0 0 40 0 0 0 0 0\n");
	assert_int_equal(disk->n, 1);
	assert_true(disk->read_b == 30 * 512);
}

static bool is_path(const void *ctx, const struct disk *d, const struct disk_line *line)
{
	(void)ctx;
	(void)d;
	return strcmp(line->name, "nvme0c0n1") == 0;
}

/* Its path asks for the counters of a head that is not counted itself. */
TEST_WITH(a_head_is_not_passed_over, setup, teardown)
{
	static const char *const texts[] = {
	    "259 0 nvme0n1 0 0 0 0 0 0 0 0\n259 1 nvme0c0n1 0 0 5 0 0 0 0 0\n",
	    "259 0 nvme0n1 0 0 7 0 0 0 0 0\n259 1 nvme0c0n1 0 0 9 0 0 0 0 0\n"};

	for (size_t i = 0; i < 2; i++)
		disk_update(disk, texts[i], strlen(texts[i]), is_path, NULL);
	assert_true(disk->v[1].counted && !disk->v[0].counted);
	assert_true(disk->read_b == 0);
}

/* The path of a multipath disk counts where its head does not, and only there. */
TEST_WITH(multipath, setup, teardown)
{
	update("259 1 nvme0c0n1 0 0 10 0 0 0 10 0\n259 2 nvme0n1 0 0 0 0 0 0 0 0\n"
	       "259 3 nvme1c3n1 0 0 10 0 0 0 10 0\n259 4 nvme1n1 0 0 10 0 0 0 10 0\n");
	update("259 1 nvme0c0n1 0 0 15 0 0 0 10 0\n259 2 nvme0n1 0 0 0 0 0 0 0 0\n"
	       "259 3 nvme1c3n1 0 0 10 0 0 0 30 0\n259 4 nvme1n1 0 0 10 0 0 0 30 0\n");
	assert_true(disk->read_b == 5 * 512);
	assert_true(disk->write_b == 20 * 512);
}

static void machine(const char *name, const char *expected)
{
	static char text[65536], names_of[2048];
	struct root r = captured_root(name);
	long n;
	size_t at = 0;

	n = root_read(&r, "proc/diskstats", text, sizeof text);
	assert_true(n > 0);
	memset(disk, 0, sizeof *disk);
	assert_int_equal(disk_update(disk, text, (size_t)n, disk_judge_sysfs, &r), 0);
	names_of[0] = '\0';
	for (size_t i = 0; i < disk->n; i++)
		if (disk->v[i].counted)
			at += (size_t)snprintf(names_of + at, sizeof names_of - at, "%s ",
			                       disk->v[i].last.name);
	assert_string_equal(names_of, expected);
	disk_update(disk, text, (size_t)n, disk_judge_sysfs, &r);
	assert_true(isfinite(disk->read_b) && isfinite(disk->write_b));
	root_close(&r);
}

TEST_WITH(machines, setup, teardown)
{
	machine("idle-vm", "vda ");
	machine("cpus-64", "nvme0n1 nvme1n1 nvme2n1 nvme3c3n1 nvme3n1 nvme5c5n1 nvme5n1 sda sr0 ");
	/* no /sys */
	machine("container", "sda nvme0n1 xvda1 ");
	/* only sda is in sys/block */
	machine("hostile", "sda sda ");
}

TEST_WITH(many, setup, teardown)
{
	size_t room = 64 * (DISK_MAX + 100), at = 0;
	char *text = malloc(room);

	assert_non_null(text);
	for (int i = 0; i < DISK_MAX + 100; i++)
		at += (size_t)snprintf(text + at, room - at, "8 %d sd%c 0 0 1 0 0 0 1 0\n", i,
		                       'a' + i % 26);
	assert_int_equal(update(text), 0);
	assert_int_equal(disk->n, DISK_MAX);
	assert_int_equal(update(text), 0);
	assert_int_equal(disk->n, DISK_MAX);
	free(text);
}
