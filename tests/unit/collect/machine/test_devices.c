/* devices: what each has, and that their sums are the machine's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/machine/disk.h"
#include "collect/machine/machine.h"
#include "collect/machine/mounts.h"
#include "collect/machine/net.h"
#include "collect/machine/procstat.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

#define S 1000000000ll

static struct devices *d;
static double cells[DETAIL_CELLS_MAX];

static int set_up(void **state)
{
	(void)state;
	d = calloc(1, sizeof *d);
	if (d)
		d->room = DETAIL_CELLS_MAX;
	return d ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	free(d);
	return 0;
}

static const struct devices_entry *entry(enum detail_kind kind, const char *name)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->v[i].kind == kind && strcmp(d->v[i].name, name) == 0)
			return &d->v[i];
	return NULL;
}

static double value(enum detail_kind kind, const char *name, size_t measure)
{
	const struct devices_entry *e = entry(kind, name);

	assert_non_null(e);
	return cells[e->cell + measure];
}

/* One reading of the interfaces. */
static void interfaces(struct net *net, int64_t at, const char *text)
{
	devices_begin(d);
	net_update(net, text, strlen(text), NULL, NULL);
	devices_end(d, at, cells);
}

#define LINE(name, in, out) name ": " in " 0 0 0 0 0 0 0 " out " 0 0 0 0 0 0 0\n"

TEST_WITH(interfaces_come_and_go, set_up, tear_down)
{
	struct net *net = calloc(1, sizeof *net);

	net->devices = d;
	interfaces(net, 1 * S, LINE("lo", "9", "9") LINE("eth0", "100", "50"));
	assert_null(entry(DETAIL_INTERFACE, "lo"));
	assert_true(value(DETAIL_INTERFACE, "eth0", 0) == 0);
	interfaces(net, 2 * S, LINE("eth0", "130", "60") LINE("veth1", "1000", "1000"));
	assert_true(value(DETAIL_INTERFACE, "eth0", 0) == 30);
	assert_true(value(DETAIL_INTERFACE, "eth0", 1) == 10);
	assert_true(value(DETAIL_INTERFACE, "veth1", 0) == 0);
	interfaces(net, 3 * S, LINE("veth1", "1007", "1000"));
	assert_true(isnan(value(DETAIL_INTERFACE, "eth0", 0)));
	assert_true(value(DETAIL_INTERFACE, "veth1", 0) == 7);
	/* It is back, with new counters: what it had before counts once. */
	interfaces(net, 4 * S, LINE("eth0", "5", "5") LINE("veth1", "1007", "1000"));
	assert_true(value(DETAIL_INTERFACE, "eth0", 0) == 30);
	/* Its counters fell: they count from there. */
	interfaces(net, 5 * S, LINE("eth0", "2", "5") LINE("veth1", "1007", "1001"));
	assert_true(value(DETAIL_INTERFACE, "eth0", 0) == 30);
	interfaces(net, 6 * S, LINE("eth0", "4", "5") LINE("veth1", "1007", "1001"));
	assert_true(value(DETAIL_INTERFACE, "eth0", 0) == 32);
	assert_true(net->recv_b ==
	            value(DETAIL_INTERFACE, "eth0", 0) + value(DETAIL_INTERFACE, "veth1", 0));
	assert_true(net->sent_b ==
	            value(DETAIL_INTERFACE, "eth0", 1) + value(DETAIL_INTERFACE, "veth1", 1));
	assert_int_equal(d->n, 2);
	free(net);
}

TEST_WITH(stacked_disks_count_once, set_up, tear_down)
{
	static const char *const readings[] = {
	    "8 0 sda 1 0 100 0 1 0 200 0 0 0 0\n8 1 sda1 1 0 100 0 1 0 200 0 0 0 0\n"
	    "253 0 dm-0 1 0 100 0 1 0 200 0 0 0 0\n7 0 loop0 1 0 5 0 0 0 0 0 0 0 0\n"
	    "8 16 sdb 1 0 10 0 1 0 20 0 0 0 0\n",
	    "8 0 sda 1 0 110 0 1 0 203 0 0 0 0\n8 1 sda1 1 0 110 0 1 0 203 0 0 0 0\n"
	    "253 0 dm-0 1 0 110 0 1 0 203 0 0 0 0\n7 0 loop0 1 0 9 0 0 0 0 0 0 0 0\n"
	    "8 16 sdb 1 0 11 0 1 0 22 0 0 0 0\n"};
	struct disk *disk = calloc(1, sizeof *disk);

	disk->devices = d;
	for (size_t i = 0; i < 2; i++) {
		devices_begin(d);
		disk_update(disk, readings[i], strlen(readings[i]), disk_judge_name, NULL);
		devices_end(d, (int64_t)i * S, cells);
	}
	assert_int_equal(d->n, 2);
	assert_true(value(DETAIL_DISK, "sda", 0) == 10 * 512 &&
	            value(DETAIL_DISK, "sda", 1) == 3 * 512);
	assert_true(value(DETAIL_DISK, "sdb", 0) == 512 && value(DETAIL_DISK, "sdb", 1) == 2 * 512);
	assert_true(disk->read_b == 11 * 512 && disk->write_b == 5 * 512);
	free(disk);
}

TEST_WITH(bind_mounts_count_once, set_up, tear_down)
{
	static const char mountinfo[] = "1 0 0:30 / / rw - overlay overlay rw\n"
					"2 1 8:1 /hosts /etc/hosts rw - ext4 /dev/sda1 rw\n"
					"3 1 8:1 /x /etc/resolv.conf rw - ext4 /dev/sda1 rw\n"
					"4 1 8:17 / /mnt/a\\040b rw - xfs /dev/sdb1 rw\n"
					"5 1 0:40 / /tmp rw - tmpfs tmpfs rw\n";
	static const char space[] = "/ 4096 1000 400 300 7\n/etc/hosts 4096 1000 400 300 7\n"
				    "/mnt/a\\040b 1024 500 100 90 5\n";
	struct mounts *m = calloc(1, sizeof *m);
	struct mounts_space sum;

	m->devices = d;
	mounts_list(m, mountinfo, sizeof mountinfo - 1, NULL, NULL);
	devices_begin(d);
	assert_int_equal(mounts_space_text(m, space, sizeof space - 1, &sum), 0);
	devices_end(d, 0, cells);
	assert_int_equal(d->n, 2);
	/* What the container sees as /, by that name. */
	assert_true(value(DETAIL_FILE_SYSTEM, "/", 0) == 600 * 4096);
	assert_true(value(DETAIL_FILE_SYSTEM, "/", 1) == 300 * 4096);
	assert_true(value(DETAIL_FILE_SYSTEM, "/mnt/a b", 0) == 400 * 1024);
	assert_true(sum.used_b == 600 * 4096 + 400 * 1024 && sum.free_b == 300 * 4096 + 90 * 1024);
	/* Unmounted. */
	devices_begin(d);
	assert_int_equal(mounts_space_text(m, space, 24, &sum), 0);
	devices_end(d, S, cells);
	assert_true(isnan(value(DETAIL_FILE_SYSTEM, "/mnt/a b", 0)));
	free(m);
}

static void note_cpu(void *ctx, const char *number, uint64_t ticks)
{
	(void)ctx;
	devices_set(d, DETAIL_CPU, number, (double)ticks / 100, NAN);
}

static void cpus(int64_t at, const char *stat)
{
	devices_begin(d);
	procstat_each_cpu(stat, strlen(stat), note_cpu, NULL);
	devices_end(d, at, cells);
}

TEST_WITH(cpus_go_offline, set_up, tear_down)
{
	cpus(1 * S, "cpu 900 0 0 0\ncpu0 400 50 50 7 7\ncpu3 100 0 0 9\nintr 5 cpu9 1 1 1\n");
	assert_int_equal(d->n, 2);
	assert_true(value(DETAIL_CPU, "0", 0) == 5 && value(DETAIL_CPU, "3", 0) == 1);
	cpus(2 * S, "cpu 0 0 0 0\ncpu0 450 50 50 7\n");
	assert_true(value(DETAIL_CPU, "0", 0) == 5.5 && isnan(value(DETAIL_CPU, "3", 0)));
	cpus(3 * S, "cpu0 450 50 50 7\ncpu3 900 0 0 0\ncpu1 100 0");
	/* New counters are not usage, and a line that is cut off is not a CPU. */
	assert_true(value(DETAIL_CPU, "3", 0) == 9);
	assert_null(entry(DETAIL_CPU, "1"));
}

/* The kernel counts whole ticks: no CPU worked for longer than time has passed. */
TEST_WITH(a_cpu_has_one_core, set_up, tear_down)
{
	cpus(1 * S, "cpu0 100 0 0 0\n");
	cpus(2 * S, "cpu0 203 0 0 0\n");
	assert_true(value(DETAIL_CPU, "0", 0) == 2);
	cpus(3 * S, "cpu0 290 0 0 0\n");
	assert_true(fabs(value(DETAIL_CPU, "0", 0) - 2.9) < 1e-12);
	/* And never less than before. */
	cpus(4 * S, "cpu0 280 0 0 0\n");
	assert_true(fabs(value(DETAIL_CPU, "0", 0) - 2.9) < 1e-12);
}

TEST_WITH(no_room, set_up, tear_down)
{
	char name[DETAIL_NAME_MAX + 1];

	for (int reading = 0; reading < 2; reading++) {
		devices_begin(d);
		for (size_t i = 0; i < 70; i++) {
			snprintf(name, sizeof name, "if%zu", i);
			devices_add(d, DETAIL_INTERFACE, name, 1, 2);
		}
		memset(name, 'x', DETAIL_NAME_MAX);
		name[DETAIL_NAME_MAX] = '\0';
		devices_set(d, DETAIL_FILE_SYSTEM, name, 1, 2);
		name[DETAIL_NAME_MAX - 1] = '\0';
		devices_set(d, DETAIL_FILE_SYSTEM, name, 1, 2);
		devices_end(d, 0, cells);
	}
	assert_int_equal(d->n, 65);
	assert_int_equal(d->left[DETAIL_INTERFACE], 6);
	assert_int_equal(d->left[DETAIL_FILE_SYSTEM], 1);
	assert_true(value(DETAIL_INTERFACE, "if63", 1) == 4);
	devices_add(NULL, DETAIL_DISK, "sda", 1, 1);
	d->room = d->used + 1;
	devices_add(d, DETAIL_DISK, "sda", 1, 1);
	assert_null(entry(DETAIL_DISK, "sda"));
}

static double sum_kind(const struct devices *all, const double *of, enum detail_kind kind,
                       size_t measure)
{
	double sum = 0;

	for (size_t i = 0; i < all->n; i++)
		sum += all->v[i].kind == kind ? of[all->v[i].cell + measure] : 0;
	return sum;
}

/* Captured machines: the sums over the devices are the machine's. */
TEST_WITH(machines, set_up, tear_down)
{
	static const struct {
		const char *machine;
		size_t devices;
	} rows[] = {{"cpus-64", 64}, {"idle-vm", 1}, {"container", 4}, {"hostile", 0}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double values[METRIC_COUNT];
		struct root r = captured_root(rows[i].machine);
		struct machine *m;
		const struct devices *all;

		m = machine_open(&r, SCHEMA_1, NULL);
		machine_keep_devices(m);
		machine_read(m, values);
		machine_read_devices(m, S, cells);
		all = machine_devices(m);
		assert_true(all->n >= rows[i].devices);
		if (rows[i].devices)
			assert_true(fabs(sum_kind(all, cells, DETAIL_CPU, 0) -
			                 values[METRIC_SYSTEM_UTIME] -
			                 values[METRIC_SYSTEM_STIME]) < 0.02 * 64);
		if (rows[i].devices)
			assert_true(sum_kind(all, cells, DETAIL_FILE_SYSTEM, 0) ==
			            values[METRIC_SYSTEM_DISK_SPACE_USED]);
		for (size_t k = 0; k < all->room; k++)
			assert_true(isnan(cells[k]) || (isfinite(cells[k]) && cells[k] >= 0));
		machine_close(m);
		root_close(&r);
	}
}
