/* Tests of collect/cgroup/limits.c. */
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/cgroup/limits.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

static void read_root(struct root r, struct limits *l)
{
	struct cgroup c;

	cgroup_find(&c, &r, 0);
	limits_read(l, &r, &c, 0);
	root_close(&r);
}

TEST(container_v1)
{
	struct limits l;

	read_root(captured_root("container-v1"), &l);
	assert_true(l.of.cpus_quota == 1.5 && l.of.cpus_cpuset == 3 && l.of.cpus_online == 8);
	assert_true(l.of.cpus == 1.5);
	assert_string_equal(l.of.cpus_from, "cpu.cfs_quota_us");
	/* A lower limit above the container, which only memory.stat shows. */
	assert_true(l.of.memory_b == 536870912);
	assert_string_equal(l.of.memory_from, "memory.limit_in_bytes");
	assert_true(l.of.swap_b == 2147483648.0 - 536870912);
	assert_true(isnan(l.of.address_space_b) && isnan(l.of.cpus_affinity) &&
	            isnan(l.of.memory_high_b));
	assert_true(l.of.hidden);
}

TEST(container_v2)
{
	struct limits l;

	read_root(captured_root("container-v2"), &l);
	assert_true(l.of.cpus_quota == 2.5 && l.of.cpus_cpuset == 16 && l.of.cpus_online == 32);
	assert_true(l.of.cpus == 2.5);
	assert_string_equal(l.of.cpus_from, "cpu.max");
	assert_true(l.of.memory_b == 2147483648.0 && l.of.memory_high_b == 1932735283 &&
	            l.of.swap_b == 0);
	assert_string_equal(l.of.memory_from, "memory.max");
	assert_true(l.of.address_space_b == 8589934592.0);
	assert_true(l.of.hidden);
	assert_int_equal(l.quota_len, strlen("sys/fs/cgroup"));
}

TEST(slurm_v1)
{
	struct limits l;
	struct snapshot s = {0};

	read_root(captured_root("slurm-v1"), &l);
	/* The job has 4 CPUs of quota, the step 7 CPUs: 2-5, 7, 9-10. */
	assert_true(l.of.cpus_quota == 4 && l.of.cpus_cpuset == 7 && l.of.cpus == 4);
	assert_int_equal(l.quota_len, strlen("sys/fs/cgroup/cpu,cpuacct/slurm/uid_1000/job_42"));
	assert_true(l.of.memory_b == 34359738368.0);
	assert_true(l.of.swap_b == 68719476736.0 - 34359738368.0);
	assert_false(l.of.hidden);
	limits_notes(&l, &s);
	assert_int_equal(s.notes.n, 0);
	snapshot_free(&s);
}

/* What is above a cgroup that is gone is not a limit of the process that was in it. */
TEST(gone)
{
	struct root r = captured_root("slurm-v1");
	struct cgroup c;
	struct limits l;

	cgroup_find(&c, &r, 0);
	limits_read(&l, &r, &c, 1);
	assert_true(isfinite(l.of.memory_b) && isfinite(l.of.cpus_cpuset));
	for (int kind = 0; kind < CGROUP_KINDS; kind++)
		if (c.v[kind].known)
			strcat(c.v[kind].path, "/gone");
	limits_read(&l, &r, &c, 1);
	assert_true(isnan(l.of.memory_b) && isnan(l.of.cpus_cpuset));
	root_close(&r);
}

TEST(nothing)
{
	char dir[] = "/tmp/rtrack-test-limits-XXXXXX";
	struct limits l;
	struct json_write j = {0};

	assert_non_null(mkdtemp(dir));
	read_root(open_root(dir), &l);
	rmdir(dir);
	assert_true(isnan(l.of.cpus) && isnan(l.of.memory_b) && isnan(l.of.address_space_b));
	assert_null(l.of.cpus_from);
	read_root(captured_root("hostile"), &l);
	assert_true(isnan(l.of.memory_b) && isnan(l.of.address_space_b));
	json_write_object(&j, NULL);
	limits_write(&l, &j);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	assert_non_null(strstr(buf_cstr(&j.b), "\"memory_bytes\":null"));
	json_write_free(&j);
}

TEST(address_space)
{
	static const char two[] = "Max cpu time   unlimited unlimited seconds\n"
				  "Max address space    1048576   unlimited bytes\n";

	assert_true(limits_parse_as(two, sizeof two - 1) == 1048576);
	assert_true(isinf(limits_parse_as("Max address space unlimited x", 29)));
	assert_true(isnan(limits_parse_as("Max address space", 17)));
	assert_true(isnan(limits_parse_as("", 0)));
}

/* The limits of a child with fewer CPUs and less address space than ours. */
TEST(live)
{
	const struct rlimit limit = {(rlim_t)1 << 40, (rlim_t)1 << 40};
	struct root r;
	struct cgroup c;
	struct limits l, child;
	cpu_set_t one, all;
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
	assert_int_equal(root_open(&r, NULL, NULL), 0);
	cgroup_find(&c, &r, 0);
	limits_read(&l, &r, &c, 0);
	assert_true(l.of.cpus_affinity == CPU_COUNT(&all));
	assert_true(l.of.cpus > 0 && l.of.cpus <= l.of.cpus_affinity && l.of.cpus_online >= 1);
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		alarm(30);
		CPU_ZERO(&one);
		for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
			if (CPU_ISSET(i, &all))
				CPU_SET(i, &one);
		/* A sanitizer's own address space is larger than the limit; nothing maps after. */
		if (sched_setaffinity(0, sizeof one, &one) || setrlimit(RLIMIT_AS, &limit) ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	limits_read(&child, &r, &c, pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(ready[0]);
	close(ready[1]);
	assert_true(child.of.cpus_affinity == 1 && child.of.cpus <= 1);
	assert_true(child.of.address_space_b == 1099511627776.0);
	root_close(&r);
}
