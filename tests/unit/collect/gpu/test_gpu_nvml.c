/* Tests of collect/gpu/gpu_nvml.c, with the library of tests/fake/nvml.c. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/gpu/gpu_nvml.h"
#include "tests/unit/unit.h"

#define MIB (1024.0 * 1024)

static struct gpu_reading t;

/* Beside this program's own folder: BUILD/tests/fake. */
static const char *library(const char *name)
{
	static char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);

	assert_true(n > 0);
	path[n] = '\0';
	for (int i = 0; i < 4; i++)
		*strrchr(path, '/') = '\0';
	snprintf(path + strlen(path), 64, "/fake/%s", name);
	return path;
}

static struct gpu_nvml *open_as(const char *name, bool nested, const char *settings, struct err *e)
{
	t = (struct gpu_reading){.at = 0};
	setenv("FAKE_NVML", settings, 1);
	return gpu_nvml_open(library(name), nested, &t, e);
}

/* One reading of a machine. */
static void read_as(const char *name, bool nested, const char *settings)
{
	struct err e;
	struct gpu_nvml *n = open_as(name, nested, settings, &e);

	assert_non_null(n);
	gpu_nvml_read(n, &t);
	gpu_nvml_close(n);
}

static void read_settings(const char *settings)
{
	read_as("libnvidia-ml-fake.so", false, settings);
}

static const struct gpu_process *process(int device, int pid)
{
	for (size_t i = 0; i < t.processes; i++)
		if (t.process[i].device == device && t.process[i].pid == pid)
			return &t.process[i];
	fail_msg("no process %d on %d", pid, device);
	return NULL;
}

TEST(several)
{
	read_settings("gpus 3; name 1 Tesla T4; util 0 37; util 2 100; used 0 2000; power 2 250500;"
	              "temp 2 71; proc 0 10 1500 30; proc 0 11 400 7; proc 2 10 64 100");
	assert_int_equal(t.devices, 3);
	assert_string_equal(t.device[0].uuid, "GPU-0");
	assert_string_equal(t.device[1].name, "Tesla T4");
	assert_true(t.device[0].memory_b == 16384 * MIB);
	assert_true(t.device[0].used_b == 2000 * MIB);
	assert_true(t.device[0].utilisation == 0.37);
	assert_true(t.device[1].utilisation == 0);
	assert_true(t.device[2].utilisation == 1);
	assert_true(t.device[2].power_w == 250.5);
	assert_true(t.device[2].temperature_c == 71);
	assert_true(t.device[0].by_process && t.device[1].by_process);
	assert_int_equal(t.processes, 3);
	assert_true(process(0, 10)->used_b == 1500 * MIB);
	assert_true(process(0, 11)->utilisation == 0.07);
	assert_true(process(2, 10)->utilisation == 1);
}

TEST(lists)
{
	/* In both lists; memory not told; only in the list of the busy. */
	read_settings("proc 0 10 500 -1; draw 0 10 500; proc 0 11 -1 20; draw 0 12 30;"
	              "junk 0 13 50; junk 0 0 10");
	assert_int_equal(t.processes, 3);
	assert_true(process(0, 10)->used_b == 500 * MIB);
	assert_true(process(0, 10)->utilisation == 0);
	assert_true(isnan(process(0, 11)->used_b));
	assert_true(process(0, 11)->utilisation == 0.2);
	assert_true(process(0, 12)->used_b == 30 * MIB);
	read_settings("entry 32; proc 0 10 500 -1; proc 0 11 40 20");
	assert_int_equal(t.processes, 2);
	assert_true(process(0, 11)->used_b == 40 * MIB);
}

TEST(old_driver)
{
	read_as("libnvidia-ml-old.so", false,
	        "used 0 900; util 0 50; proc 0 10 500 9; proc 0 11 40 9");
	assert_true(t.device[0].used_b == 1000 * MIB);
	assert_false(t.device[0].by_process);
	assert_int_equal(t.processes, 2);
	assert_true(process(0, 11)->used_b == 40 * MIB);
	assert_true(process(0, 11)->utilisation == 0);
}

TEST(slices)
{
	read_settings("gpus 2; mig 0 2; util 1 20; used 0 300; proc 0 10 200 5; power 0 99000");
	assert_int_equal(t.devices, 3);
	assert_string_equal(t.device[0].uuid, "MIG-0-0");
	assert_string_equal(t.device[1].name, "Fake GPU MIG 1g.5gb");
	assert_string_equal(t.device[2].uuid, "GPU-1");
	assert_true(isnan(t.device[0].utilisation));
	assert_false(t.device[0].by_process);
	assert_true(t.device[0].used_b == 300 * MIB);
	assert_true(t.device[0].power_w == 99);
	assert_true(process(0, 10)->used_b == 200 * MIB);
	assert_true(t.device[2].utilisation == 0.2);
}

TEST(nested)
{
	char settings[128];

	/* One that is here, and numbers of a process that is not. */
	snprintf(settings, sizeof settings, "proc 0 %d 100 50", getpid());
	read_as("libnvidia-ml-fake.so", true, settings);
	assert_false(t.device[0].foreign);
	assert_false(t.device[0].by_process);
	read_as("libnvidia-ml-fake.so", true, "proc 0 2147483600 100 50");
	assert_true(t.device[0].foreign);
	read_as("libnvidia-ml-fake.so", false, "proc 0 2147483600 100 50");
	assert_false(t.device[0].foreign);
}

TEST(errors_of_a_call)
{
	read_settings("gpus 2; util 0 50; proc 0 10 100 50; error nvmlDeviceGetUtilizationRates 3;"
	              "error nvmlDeviceGetPowerUsage 3; error nvmlDeviceGetTemperature 999;"
	              "error nvmlDeviceGetMemoryInfo_v2 3; error nvmlDeviceGetMemoryInfo 4;"
	              "error nvmlDeviceGetComputeRunningProcesses_v3 4;"
	              "error nvmlDeviceGetProcessUtilization 3; error nvmlDeviceGetName 999;"
	              "error nvmlDeviceGetUUID 999; error nvmlDeviceGetMigMode 3");
	assert_int_equal(t.devices, 2);
	assert_int_equal(t.processes, 0);
	assert_string_equal(t.device[1].name, "NVIDIA GPU");
	assert_string_equal(t.device[1].uuid, "");
	for (int i = 0; i < 2; i++) {
		assert_true(isnan(t.device[i].utilisation) && isnan(t.device[i].power_w));
		assert_true(isnan(t.device[i].temperature_c) && isnan(t.device[i].used_b));
		assert_false(t.device[i].by_process);
	}
}

TEST(does_not_serve)
{
	static const struct {
		const char *library, *settings, *why; /* "" where there is just no GPU */
	} rows[] = {
	    {"libnvidia-ml-fake.so", "error nvmlInit_v2 9", ""},
	    {"libnvidia-ml-fake.so", "gpus 0", ""},
	    {"libnvidia-ml-fake.so", "error nvmlInit_v2 18",
	     "nvmlInit: Driver/library version mismatch (error 18)"},
	    {"libnvidia-ml-old.so", "error nvmlInit_v2 18", "nvmlInit: NVML failed (error 18)"},
	    {"libnvidia-ml-fake.so", "error nvmlDeviceGetCount_v2 999",
	     "nvmlDeviceGetCount: Some Error (error 999)"},
	    {"libnvidia-ml-fake.so", "error nvmlDeviceGetHandleByIndex_v2 15",
	     "nvmlDeviceGetHandleByIndex: Some Error (error 15)"},
	    {"libnvidia-ml-none.so", "", "/libnvidia-ml-none.so could not be loaded"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err e;
		assert_null(open_as(rows[i].library, false, rows[i].settings, &e));
		if (!*rows[i].why)
			assert_string_equal(e.msg, "");
		else
			assert_non_null(strstr(e.msg, rows[i].why));
		assert_int_equal(t.devices, 0);
	}
}

TEST(lost_on_the_way)
{
	struct err e;
	struct gpu_nvml *n = open_as("libnvidia-ml-fake.so", false, "util 0 50; lost 1", &e);

	assert_non_null(n);
	gpu_nvml_read(n, &t);
	assert_true(t.device[0].utilisation == 0.5);
	gpu_nvml_read(n, &t);
	gpu_nvml_read(n, &t);
	assert_true(isnan(t.device[0].utilisation) && isnan(t.device[0].used_b));
	gpu_nvml_close(n);
}

TEST(more_than_there_is_room_for)
{
	static char settings[8192] = "gpus 200; ";

	read_settings(settings);
	assert_int_equal(t.devices, GPU_MAX);
	assert_true(t.cut);
	strcpy(settings, "gpus 1;");
	for (int i = 1; i <= 300; i++)
		snprintf(settings + strlen(settings), 32, "proc 0 %d 1 1;", i);
	read_settings(settings);
	assert_int_equal(t.processes, 0);
	assert_true(t.cut);
}
