/* cgroup_usage: what a cgroup has used since it was made. */
#include "collect/cgroup/cgroup_usage.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_text.h"
#include "collect/machine/pressure.h"
#include "core/recording/snapshot_fields.h"

#define TEXT_MAX 16384

long cgroup_usage_file(int dir, const char *file, char *text, size_t size)
{
	int fd = dir < 0 ? -1 : openat(dir, file, O_RDONLY | O_CLOEXEC);
	long n;

	text[0] = '\0';
	if (fd < 0)
		return -1;
	n = root_read_fd(fd, text, size);
	close(fd);
	return n;
}

static double read_number_at(int dir, const char *file)
{
	char text[64];
	long n = cgroup_usage_file(dir, file, text, sizeof text);

	return n > 0 ? cgroup_text_number(text, (size_t)n) : NAN;
}

static double read_key_at(int dir, const char *file, const char *key)
{
	char text[TEXT_MAX];
	long n = cgroup_usage_file(dir, file, text, sizeof text);

	return n > 0 ? cgroup_text_key(text, (size_t)n, key) : NAN;
}

static void read_cgroup_cpu(const struct cgroup_usage_files *f, struct cgroup_usage *out)
{
	int v2 = f->v2, v1 = f->cpuacct;

	if (v2 >= 0) {
		out->cpu_s = read_key_at(v2, "cpu.stat", "usage_usec") / 1e6;
		out->utime_s = read_key_at(v2, "cpu.stat", "user_usec") / 1e6;
		out->stime_s = read_key_at(v2, "cpu.stat", "system_usec") / 1e6;
	} else if (v1 >= 0) {
		double user = read_number_at(v1, "cpuacct.usage_user");
		double both = user + read_number_at(v1, "cpuacct.usage_sys");

		/* cpuacct.usage is exact. The two parts are by ticks, so they give only the
		 * proportion. */
		out->cpu_s = read_number_at(v1, "cpuacct.usage") / 1e9;
		out->utime_s = both > 0 ? out->cpu_s * user / both : NAN;
		out->stime_s = out->cpu_s - out->utime_s;
	}
	/* A command that ran used some: 0 means that it could not join the cgroup. */
	if (out->cpu_s == 0)
		out->cpu_s = out->utime_s = out->stime_s = NAN;
}

/* Unlike cpu_wait.h, this includes tasks that no sample saw. */
static void read_cgroup_pressure(const struct cgroup_usage_files *f, struct cgroup_usage *out)
{
	char text[512];
	struct pressure_total total;
	long n = cgroup_usage_file(f->v2, "cpu.pressure", text, sizeof text);

	if (n > 0 && pressure_parse(text, (size_t)n, &total) == 0)
		out->cpu_some_s = total.some_s;
}

static void read_cgroup_memory(const struct cgroup_usage_files *f, struct cgroup_usage *out)
{
	bool v2 = f->memory_is_v2;
	int dir = f->memory;
	double used = read_number_at(dir, v2 ? "memory.current" : "memory.usage_in_bytes");
	char stat[TEXT_MAX];
	long n = cgroup_usage_file(dir, "memory.stat", stat, sizeof stat);

	out->memory_peak_b = read_number_at(dir, v2 ? "memory.peak" : "memory.max_usage_in_bytes");
	if (out->memory_peak_b == 0 && !v2)
		out->memory_peak_b = NAN;
	else
		out->working_set_b = cgroup_text_working_set(used, stat, n > 0 ? (size_t)n : 0, v2);
	out->oom_kills = read_key_at(dir, v2 ? "memory.events" : "memory.oom_control", "oom_kill");
}

static int stop_at_first(void *ctx, const char *name, bool is_dir)
{
	(void)ctx;
	(void)name;
	(void)is_dir;
	return 1;
}

/* Bytes of a loop device, or of one that has others below it (dm, md), are counted again in the
 * devices below. */
static bool is_lowest_device(const void *ctx, int major, int minor)
{
	char path[64];

	if (major == 7)
		return false;
	snprintf(path, sizeof path, "sys/dev/block/%d:%d/slaves", major, minor);
	return root_list(ctx, path, stop_at_first, NULL) != 1;
}

static void read_cgroup_io(const struct cgroup_usage_files *f, struct cgroup_usage *out)
{
	char text[TEXT_MAX];
	long n = cgroup_usage_file(f->v2, "io.stat", text, sizeof text);

	if (n >= 0)
		(void)cgroup_text_io(text, (size_t)n, is_lowest_device, f->r, &out->read_b,
		                     &out->write_b);
}

struct cgroup_usage cgroup_usage_none(void)
{
	return (struct cgroup_usage){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

void cgroup_usage_read(const struct cgroup_usage_files *f, struct cgroup_usage *out)
{
	*out = cgroup_usage_none();
	read_cgroup_cpu(f, out);
	read_cgroup_pressure(f, out);
	read_cgroup_memory(f, out);
	read_cgroup_io(f, out);
}

void cgroup_usage_write(const struct cgroup_usage *u, struct json_write *j)
{
	if (isnan(u->cpu_s) && isnan(u->memory_peak_b) && isnan(u->oom_kills)) {
		json_write_null(j, snapshot_block_key(SNAPSHOT_TOTALS_CGROUP));
		return;
	}
	snapshot_fields_object(j, SNAPSHOT_TOTALS_CGROUP, SCHEMA_1,
	                       &(struct snapshot_totals){
				   .cgroup_cpu_s = u->cpu_s,
				   .cgroup_utime_s = u->utime_s,
				   .cgroup_stime_s = u->stime_s,
				   .cgroup_memory_peak_b = u->memory_peak_b,
				   .cgroup_working_set_b = u->working_set_b,
				   .cgroup_read_b = u->read_b,
				   .cgroup_write_b = u->write_b,
				   .cgroup_cpu_some_s = u->cpu_some_s,
				   .oom_kills = u->oom_kills,
			       });
}
