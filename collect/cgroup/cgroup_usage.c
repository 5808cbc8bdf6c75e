/* cgroup_usage: what a cgroup has used since it was made. */
#include "collect/cgroup/cgroup_usage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_text.h"
#include "collect/machine/disk.h"
#include "collect/machine/pressure.h"
#include "core/recording/snapshot_fields.h"

#define TEXT_MAX 16384

static void read_cgroup_cpu(const struct cgroup_usage_files *f, struct snapshot_totals *out)
{
	int v2 = f->v2, v1 = f->cpuacct;

	if (v2 >= 0) {
		out->cgroup_cpu_s = cgroup_key_in(v2, "cpu.stat", "usage_usec") / 1e6;
		out->cgroup_utime_s = cgroup_key_in(v2, "cpu.stat", "user_usec") / 1e6;
		out->cgroup_stime_s = cgroup_key_in(v2, "cpu.stat", "system_usec") / 1e6;
	} else if (v1 >= 0) {
		double user = cgroup_number_in(v1, "cpuacct.usage_user");
		double both = user + cgroup_number_in(v1, "cpuacct.usage_sys");

		/* cpuacct.usage is exact. The two parts are by ticks, so they give only the
		 * proportion. */
		out->cgroup_cpu_s = cgroup_number_in(v1, "cpuacct.usage") / 1e9;
		out->cgroup_utime_s = both > 0 ? out->cgroup_cpu_s * user / both : NAN;
		out->cgroup_stime_s = out->cgroup_cpu_s - out->cgroup_utime_s;
	}
	/* A command that ran used some: 0 means that it could not join the cgroup. */
	if (out->cgroup_cpu_s == 0)
		out->cgroup_cpu_s = out->cgroup_utime_s = out->cgroup_stime_s = NAN;
}

static void read_cgroup_memory(const struct cgroup_usage_files *f, struct snapshot_totals *out)
{
	bool v2 = f->memory_is_v2;
	int dir = f->memory;
	double used = cgroup_number_in(dir, v2 ? "memory.current" : "memory.usage_in_bytes");
	char stat[TEXT_MAX];
	long n = root_take_fd(root_open_in(dir, "memory.stat"), stat, sizeof stat);

	out->cgroup_memory_peak_b =
	    cgroup_number_in(dir, v2 ? "memory.peak" : "memory.max_usage_in_bytes");
	if (out->cgroup_memory_peak_b == 0 && !v2)
		out->cgroup_memory_peak_b = NAN;
	else
		out->cgroup_working_set_b =
		    cgroup_text_working_set(used, stat, n > 0 ? (size_t)n : 0, v2);
	out->oom_kills =
	    cgroup_key_in(dir, v2 ? "memory.events" : "memory.oom_control", "oom_kill");
}

/* Bytes of a loop device, or of one that has others below it (dm, md), are counted again in the
 * devices below; zram and RAM disks are memory. */
static bool is_lowest_device(const void *ctx, int major, int minor)
{
	char path[64], link[256];
	const char *slash;

	if (major == 7)
		return false;
	snprintf(path, sizeof path, "sys/dev/block/%d:%d", major, minor);
	slash = root_link(ctx, path, link, sizeof link) > 0 ? strrchr(link, '/') : NULL;
	if (slash && disk_name_repeats(slash + 1))
		return false;
	snprintf(path, sizeof path, "sys/dev/block/%d:%d/slaves", major, minor);
	return !root_has_entries(ctx, path);
}

struct snapshot_totals cgroup_usage_none(void)
{
	return (struct snapshot_totals){.cgroup_cpu_s = NAN,
	                                .cgroup_utime_s = NAN,
	                                .cgroup_stime_s = NAN,
	                                .cgroup_cpu_some_s = NAN,
	                                .cgroup_cpu_full_s = NAN,
	                                .cgroup_io_some_s = NAN,
	                                .cgroup_io_full_s = NAN,
	                                .cgroup_memory_some_s = NAN,
	                                .cgroup_memory_full_s = NAN,
	                                .cgroup_memory_peak_b = NAN,
	                                .cgroup_working_set_b = NAN,
	                                .cgroup_read_b = NAN,
	                                .cgroup_write_b = NAN,
	                                .oom_kills = NAN};
}

static void read_cgroup_pressure(const struct cgroup_usage_files *f, const char *file,
                                 double *some_s, double *full_s)
{
	char text[512];
	struct pressure_total total;
	long n = root_take_fd(root_open_in(f->v2, file), text, sizeof text);

	if (n > 0 && pressure_parse(text, (size_t)n, &total) == 0) {
		*some_s = total.some_s;
		*full_s = total.full_s;
	}
}

void cgroup_usage_read(const struct cgroup_usage_files *f, struct snapshot_totals *out)
{
	char text[TEXT_MAX];
	long n;

	*out = cgroup_usage_none();
	read_cgroup_cpu(f, out);
	read_cgroup_memory(f, out);
	/* Unlike cpu_wait.h, this includes tasks that no sample saw. */
	read_cgroup_pressure(f, "cpu.pressure", &out->cgroup_cpu_some_s, &out->cgroup_cpu_full_s);
	read_cgroup_pressure(f, "io.pressure", &out->cgroup_io_some_s, &out->cgroup_io_full_s);
	read_cgroup_pressure(f, "memory.pressure", &out->cgroup_memory_some_s,
	                     &out->cgroup_memory_full_s);
	n = root_take_fd(root_open_in(f->v2, "io.stat"), text, sizeof text);
	if (n >= 0)
		(void)cgroup_text_io(text, (size_t)n, is_lowest_device, f->r, &out->cgroup_read_b,
		                     &out->cgroup_write_b);
}

void cgroup_usage_write(const struct snapshot_totals *u, struct json_write *j)
{
	if (isnan(u->cgroup_cpu_s) && isnan(u->cgroup_memory_peak_b) && isnan(u->oom_kills))
		json_write_null(j, snapshot_fields_key(SNAPSHOT_TOTALS_CGROUP));
	else
		snapshot_fields_object(j, SNAPSHOT_TOTALS_CGROUP, SCHEMA_1, u);
}
