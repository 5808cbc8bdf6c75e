/* Tests of collect/gpu/gpu_drm.c: captured machines, and one that moves. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/gpu/gpu_drm.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

#define MIB    (1024.0 * 1024)
#define SECOND INT64_C(1000000000)

static struct gpu_reading t;

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

TEST(amd)
{
	static const int pids[] = {5000, 5001, 5002};
	struct root r = captured_root("gpu-amd");
	struct gpu_drm *g;

	t = (struct gpu_reading){.at = 0};
	assert_true(gpu_drm_present(&r));
	g = gpu_drm_open(&r, &t);
	assert_non_null(g);
	/* By their places, without the server's display. */
	assert_int_equal(t.devices, 2);
	assert_string_equal(t.device[0].uuid, "PCI-0000:03:00.0");
	assert_string_equal(t.device[0].name, "AMD GPU 1002:744C");
	assert_string_equal(t.device[1].uuid, "GPU-cd2b5f9a1c7e4d03");
	assert_string_equal(t.device[1].name, "AMD INSTINCT MI250X");
	assert_true(t.device[1].memory_b == 68702699520.0);
	gpu_drm_read(g, pids, 3, SECOND, &t);
	assert_true(near(t.device[1].utilisation, 0.75));
	assert_true(t.device[1].used_b == 4294967296.0);
	assert_true(near(t.device[1].power_w, 210));
	assert_true(near(t.device[0].power_w, 18));
	assert_true(near(t.device[0].temperature_c, 39));
	/* One client in two descriptors, and in a child that inherited it: once. */
	assert_int_equal(t.processes, 2);
	assert_int_equal(t.process[0].pid, 5000);
	assert_true(t.process[0].used_b == 1024 * MIB);
	assert_true(t.process[1].used_b == 512 * MIB);
	assert_true(t.process[0].utilisation == 0);
	gpu_drm_close(g);
	root_close(&r);
}

TEST(intel)
{
	static const int pids[] = {600};
	struct root r = captured_root("gpu-intel");
	struct gpu_drm *g;

	t = (struct gpu_reading){.at = 0};
	g = gpu_drm_open(&r, &t);
	assert_non_null(g);
	assert_int_equal(t.devices, 2);
	assert_string_equal(t.device[0].name, "Intel GPU 8086:46A6");
	assert_true(t.device[0].awake_only && t.device[1].awake_only);
	gpu_drm_read(g, pids, 1, SECOND, &t);
	assert_true(isnan(t.device[0].utilisation));
	/* The built-in one has no memory of its own; the card does not say. */
	assert_true(t.device[0].used_b == 0);
	assert_true(isnan(t.device[1].used_b));
	assert_true(near(t.device[1].temperature_c, 44));
	assert_int_equal(t.processes, 2);
	assert_true(t.process[0].used_b + t.process[1].used_b == 20 * MIB);
	/* Nothing slept in the next second. */
	t.processes = 0;
	gpu_drm_read(g, pids, 1, 2 * SECOND, &t);
	assert_true(t.device[0].utilisation == 1 && t.device[1].utilisation == 1);
	gpu_drm_close(g);
	root_close(&r);
}

TEST(none)
{
	static const char *const dirs[] = {"idle-vm", "hostile"};

	for (size_t i = 0; i < 2; i++) {
		struct root r = captured_root(dirs[i]);
		t = (struct gpu_reading){.at = 0};
		assert_false(gpu_drm_present(&r));
		assert_null(gpu_drm_open(&r, &t));
		assert_int_equal(t.devices, 0);
		root_close(&r);
	}
}

/* -- a machine that moves ---------------------------------------------------------------------- */

static char dir[64];

static void put(const char *path, const char *text)
{
	char full[256];
	FILE *f;

	snprintf(full, sizeof full, "%s/%s", dir, path);
	for (char *at = full + strlen(dir) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		(void)mkdir(full, 0755);
		*at = '/';
	}
	f = fopen(full, "we");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void drop(const char *path)
{
	char full[256];

	snprintf(full, sizeof full, "%s/%s", dir, path);
	assert_int_equal(unlink(full), 0);
}

static void put_client(int pid, int fd, int client, unsigned long long busy_ns, int mib)
{
	char path[64], text[512];

	snprintf(path, sizeof path, "proc/%d/fdinfo/%d", pid, fd);
	snprintf(text, sizeof text,
	         "drm-driver:\tamdgpu\ndrm-pdev:\t0000:03:00.0\ndrm-client-id:\t%d\n"
	         "drm-engine-compute:\t%llu ns\ndrm-memory-vram:\t%d MiB\n",
	         client, busy_ns, mib);
	put(path, text);
}

/* The sum over the processes that are there. */
static double use_of(struct gpu_drm *g, const int *pids, size_t n, int second, double *mib)
{
	double sum = 0;

	*mib = 0;
	t.processes = 0;
	gpu_drm_read(g, pids, n, second * SECOND, &t);
	for (size_t i = 0; i < t.processes; i++) {
		sum += t.process[i].utilisation;
		*mib += t.process[i].used_b / MIB;
	}
	return sum;
}

static int make(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/test_gpu_drm.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	put("sys/class/drm/card0/device/uevent",
	    "DRIVER=amdgpu\nPCI_ID=1002:744C\nPCI_SLOT_NAME=0000:03:00.0\n");
	put("sys/class/drm/card0/device/gpu_busy_percent", "50\n");
	t = (struct gpu_reading){.at = 0};
	return 0;
}

static int unmake(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", dir);
	return system(command);
}

TEST_WITH(counters_move, make, unmake)
{
	const int pids[] = {40};
	struct root r = open_root(dir);
	struct gpu_drm *g = gpu_drm_open(&r, &t);
	double mib;

	put_client(40, 3, 7, 100000000000ull, 100);
	/* What it used before the recording began is not ours to count. */
	assert_true(use_of(g, pids, 1, 100, &mib) == 0 && mib == 100);
	put_client(40, 3, 7, 100250000000ull, 200);
	assert_true(near(use_of(g, pids, 1, 101, &mib), 0.25) && mib == 200);
	/* It falls back for a moment, and catches up. */
	put_client(40, 3, 7, 100100000000ull, 200);
	assert_true(use_of(g, pids, 1, 102, &mib) == 0);
	put_client(40, 3, 7, 100750000000ull, 200);
	assert_true(near(use_of(g, pids, 1, 103, &mib), 0.5));
	gpu_drm_close(g);
	root_close(&r);
}

TEST_WITH(clients_come_and_go, make, unmake)
{
	const int pids[] = {40, 41};
	struct root r = open_root(dir);
	struct gpu_drm *g = gpu_drm_open(&r, &t);
	double mib, sum = 0;

	put_client(40, 3, 7, 0, 10);
	assert_true(use_of(g, pids, 1, 10, &mib) == 0);
	/* A new process, and what it used since it began. */
	put_client(41, 5, 8, 300000000, 20);
	assert_true(near(use_of(g, pids, 2, 11, &mib), 0.3) && mib == 30);
	/* Its descriptor is another client's now. */
	put_client(41, 5, 9, 100000000, 40);
	for (int i = 12; i < 17; i++)
		sum += use_of(g, pids, 2, i, &mib);
	assert_true(near(sum, 0.1) && mib == 50);
	/* It is gone. */
	drop("proc/41/fdinfo/5");
	assert_true(use_of(g, pids, 2, 17, &mib) == 0 && mib == 10);
	gpu_drm_close(g);
	root_close(&r);
}

TEST_WITH(shared_client_goes_on, make, unmake)
{
	const int pids[] = {40, 41};
	struct root r = open_root(dir);
	struct gpu_drm *g = gpu_drm_open(&r, &t);
	double mib, sum = 0;

	put_client(40, 3, 7, 900000000000ull, 10);
	put_client(41, 3, 7, 900000000000ull, 10);
	assert_true(use_of(g, pids, 2, 10, &mib) == 0 && mib == 10);
	/* Who had it first is gone; the other did nothing since. */
	drop("proc/40/fdinfo/3");
	for (int i = 11; i < 16; i++)
		sum += use_of(g, pids + 1, 1, i, &mib);
	assert_true(sum == 0 && mib == 10);
	gpu_drm_close(g);
	root_close(&r);
}
