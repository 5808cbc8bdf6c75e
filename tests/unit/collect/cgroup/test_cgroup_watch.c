/* Tests of collect/cgroup/cgroup_watch.c: the pressure of the job's own cgroup. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_usage.h"
#include "collect/cgroup/cgroup_watch.h"
#include "tests/unit/unit.h"

#define STEP "cg/job_7/step_0/user"

static void put(const char *dir, const char *file, double some_s, double full_s)
{
	char path[160];
	FILE *f;

	snprintf(path, sizeof path, "%s/" STEP "/%s", dir, file);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "some avg10=0.00 avg60=0.00 avg300=0.00 total=%.0f\n", some_s * 1e6);
	if (full_s >= 0)
		fprintf(f, "full avg10=0.00 avg60=0.00 avg300=0.00 total=%.0f\n", full_s * 1e6);
	fclose(f);
}

static void put_text(const char *dir, const char *file, const char *text)
{
	char path[160];
	FILE *f;

	snprintf(path, sizeof path, "%s/" STEP "/%s", dir, file);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

/* A step of Slurm has one of its own; before Linux 5.13 that of the CPU has no "full". */
TEST(pressure_of_a_step)
{
	static const char *const made[] = {"cg", "cg/job_7", "cg/job_7/step_0", STEP};
	static const char *const files[] = {"cpu.pressure", "io.pressure", "memory.pressure",
	                                    "memory.current", "memory.stat"};
	static struct cgroup where;
	char dir[] = "/tmp/cgroup_watch_XXXXXX", path[160];
	struct snapshot_totals t = cgroup_usage_none();
	struct limits limits = {.quota_len = 0};
	struct cgroup_gauges now;
	struct cgroup_watch w;
	struct root r;
	struct err e;

	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, made[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	put(dir, "cpu.pressure", 10, -1);
	put(dir, "io.pressure", 2, 1);
	put(dir, "memory.pressure", 0.5, 0.25);
	put_text(dir, "memory.current", "900\n");
	put_text(dir, "memory.stat", "anon 100\nfile 700\nshmem 50\ninactive_file 300\n");
	assert_int_equal(root_open(&r, dir, &e), 0);
	where.v[CGROUP_V2].known = true;
	memcpy(where.v[CGROUP_V2].path, STEP, sizeof STEP);
	cgroup_watch_open(&w, &r, &where, NULL, &limits);
	put(dir, "cpu.pressure", 14, -1);
	put(dir, "io.pressure", 5, 3);
	put_text(dir, "memory.stat", "anon 170\nfile 700\nshmem 650\ninactive_file 300\n");
	cgroup_watch_read(&w, &now);
	/* what was there before is not the job's */
	assert_true(near(now.memory_b, 600) && near(now.anonymous_b, 70) && near(now.shmem_b, 600));
	assert_true(cgroup_watch_alone(&w));
	assert_true(isnan(now.cpu_full_s) && near(now.io_full_s, 3));
	assert_true(near(now.memory_full_s, 0.25));
	cgroup_watch_totals(&w, &t);
	assert_true(near(t.cgroup_cpu_some_s, 4) && isnan(t.cgroup_cpu_full_s));
	assert_true(near(t.cgroup_io_some_s, 3) && near(t.cgroup_io_full_s, 2));
	assert_true(near(t.cgroup_memory_some_s, 0) && near(t.cgroup_memory_full_s, 0));
	cgroup_watch_close(&w);
	/* A cgroup that others are in too says nothing of the job. */
	where.v[CGROUP_V2].path[sizeof "cg" - 1] = '\0';
	cgroup_watch_open(&w, &r, &where, NULL, &limits);
	cgroup_watch_read(&w, &now);
	assert_true(isnan(now.io_full_s) && isnan(now.anonymous_b) && isnan(now.shmem_b));
	assert_false(cgroup_watch_alone(&w));
	t = cgroup_usage_none();
	cgroup_watch_totals(&w, &t);
	assert_true(isnan(t.cgroup_io_full_s));
	cgroup_watch_close(&w);
	root_close(&r);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "%s/" STEP "/%s", dir, files[i]);
		unlink(path);
	}
	for (size_t i = sizeof made / sizeof *made; i-- > 0;) {
		snprintf(path, sizeof path, "%s/%s", dir, made[i]);
		rmdir(path);
	}
	rmdir(dir);
}

static void write_file(const char *dir, const char *file, const char *text)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, file);
	for (char *p = path + strlen(dir) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		(void)mkdir(path, 0700);
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* A command that writes itself into a cgroup with a quota. */
TEST(joined_quota)
{
	static struct cgroup where;
	char dir[] = "/tmp/cgroup_watch_XXXXXX", command[64];
	struct limits limits = {.of = {.cpus = 8,
	                               .cpus_quota = NAN,
	                               .cpus_cpuset = NAN,
	                               .cpus_affinity = NAN,
	                               .cpus_online = 8}};
	struct cgroup_gauges now;
	struct cgroup_watch w;
	struct root r;
	struct err e;

	assert_non_null(mkdtemp(dir));
	write_file(dir, "proc/7/cgroup", "0::/\n");
	write_file(dir, "proc/self/mountinfo",
	           "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	write_file(dir, "sys/fs/cgroup/cgroup.controllers", "cpu\n");
	write_file(dir, "sys/fs/cgroup/slow/cpu.max", "20000 100000\n");
	write_file(dir, "sys/fs/cgroup/slow/cpu.stat", "nr_throttled 9\nthrottled_usec 5000000\n");
	assert_int_equal(root_open(&r, dir, &e), 0);
	cgroup_find(&where, &r, 7);
	cgroup_watch_open(&w, &r, &where, NULL, &limits);
	cgroup_watch_read(&w, &now);
	assert_true(!(now.throttled_s > 0));
	cgroup_watch_follow(&w, &r, 7, &limits);
	assert_true(isnan(limits.of.cpus_quota) && limits.of.cpus == 8);
	write_file(dir, "proc/7/cgroup", "0::/slow\n");
	cgroup_watch_follow(&w, &r, 7, &limits);
	assert_true(near(limits.of.cpus_quota, 0.2) && near(limits.of.cpus, 0.2));
	/* What the cgroup had counted before is not the job's. */
	cgroup_watch_read(&w, &now);
	assert_true(near(now.throttled_s, 0));
	write_file(dir, "sys/fs/cgroup/slow/cpu.stat", "nr_throttled 9\nthrottled_usec 5800000\n");
	cgroup_watch_read(&w, &now);
	assert_true(near(now.throttled_s, 0.8));
	/* Seen already, and gone. */
	cgroup_watch_follow(&w, &r, 7, &limits);
	cgroup_watch_follow(&w, &r, 8, &limits);
	cgroup_watch_read(&w, &now);
	assert_true(near(now.throttled_s, 0.8));
	cgroup_watch_close(&w);
	root_close(&r);
	snprintf(command, sizeof command, "rm -r %s", dir);
	assert_int_equal(system(command), 0);
}
