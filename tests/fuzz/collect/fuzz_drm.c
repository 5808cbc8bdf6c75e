/* gpu_drm: the files of GPUs and of the processes that use them, as folder.h has it; a byte 0xff
 * lets a second pass. */
#include <math.h>

#include "collect/gpu/gpu_drm.h"
#include "tests/fuzz/folder.h"

#define CARD "sys/class/drm/card"

static const char *const paths[] = {
    CARD "0/device/uevent",
    CARD "0/device/product_name",
    CARD "0/device/unique_id",
    CARD "0/device/gpu_busy_percent",
    CARD "0/device/mem_info_vram_total",
    CARD "0/device/mem_info_vram_used",
    CARD "0/device/hwmon/hwmon3/power1_average",
    CARD "0/device/hwmon/hwmon3/power1_input",
    CARD "0/device/hwmon/hwmon3/temp1_input",
    CARD "1/device/uevent",
    CARD "1/power/rc6_residency_ms",
    CARD "1/device/tile0/gt0/gtidle/idle_residency_ms",
    CARD "1/device/hwmon/hwmon1/energy1_input",
    CARD "1/gt/gt0/rc6_residency_ms",
    CARD "0-DP-1/status",
    "proc/7/fdinfo/3",
    "proc/7/fdinfo/4",
    "proc/8/fdinfo/0",
    NULL,
};

static void is_amount(double v)
{
	must(isnan(v) || (v >= 0 && isfinite(v)));
}

static void check(const struct gpu_reading *t)
{
	must(t->devices <= GPU_MAX && t->processes <= GPU_PROCESSES_MAX);
	for (size_t i = 0; i < t->devices; i++) {
		const struct gpu_device *d = &t->device[i];
		must(strlen(d->uuid) < sizeof d->uuid && strlen(d->name) < sizeof d->name);
		is_amount(d->memory_b);
		is_amount(d->used_b);
		is_amount(d->power_w);
		must(isnan(d->utilisation) || (d->utilisation >= 0 && d->utilisation <= 1));
		must(!isinf(d->temperature_c));
	}
	for (size_t i = 0; i < t->processes; i++) {
		const struct gpu_process *p = &t->process[i];
		must(p->device >= 0 && (size_t)p->device < t->devices);
		must(p->pid == 7 || p->pid == 8);
		is_amount(p->used_b);
		must(p->utilisation >= 0 && p->utilisation <= 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int pids[] = {7, 8, 9};
	struct gpu_reading *t = calloc(1, sizeof *t);
	struct root r;
	struct gpu_drm *d;
	int64_t now = 1000000000;
	size_t at;

	must(t != NULL);
	fuzz_folder_begin(paths);
	at = fuzz_folder_put(data, size);
	must(root_open(&r, fuzz_folder.top, NULL) == 0);
	(void)gpu_drm_present(&r);
	d = gpu_drm_open(&r, t);
	do {
		t->processes = 0;
		if (d)
			gpu_drm_read(d, pids, 3, now, t);
		check(t);
		now += 1000000000;
		at += fuzz_folder_put(data + at, size - at);
	} while (d && at < size);
	gpu_drm_close(d);
	root_close(&r);
	fuzz_folder_clear();
	free(t);
	return 0;
}
