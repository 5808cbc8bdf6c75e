/* Tests of collect/cgroup/cgroup_outside.c, on trees like those that Slurm makes in v1 and v2. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_outside.h"
#include "collect/cgroup/limits.h"
#include "tests/unit/tree.h"

TEST(steps)
{
	static const struct {
		const char *path, *step; /* NULL: none */
		bool is_step;
	} cases[] = {
	    {"m/slurm/uid_0/job_1/step_batch/task_0", "m/slurm/uid_0/job_1/step_batch", false},
	    {"m/slurm/uid_0/job_12/step_3", "m/slurm/uid_0/job_12/step_3", true},
	    {"c/s.scope/job_7/step_0/slurm", "c/s.scope/job_7/step_0", false},
	    {"c/s.scope/job_7/step_0/user/task_1", "c/s.scope/job_7/step_0", false},
	    {"c/s.scope/job_7/step_0/user", "c/s.scope/job_7/step_0", true},
	    {"a/job_x/step_0/job_5/step_1/z", "a/job_x/step_0/job_5/step_1", false},
	    {"c/slurmstepd.scope/s8FXKTA79XAR00/step_batch/user",
	     "c/slurmstepd.scope/s8FXKTA79XAR00/step_batch", true},
	    {"c/slurmstepd.scope/s8FXKTA79XAR0I/step_batch", NULL, false},
	    {"c/slurmstepd.scope/s8FXKTA79XAR000/step_batch", NULL, false},
	    {"a/job_1", NULL, false},
	    {"a/job_/step_0", NULL, false},
	    {"a/job_1x/step_0", NULL, false},
	    {"job_1/step_0", NULL, false},
	    {"", NULL, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n = cases[i].step ? strlen(cases[i].step) : 0;
		assert_int_equal(cgroup_outside_step(cases[i].path), n);
		assert_int_equal(cgroup_outside_is_step(cases[i].path), cases[i].is_step);
	}
}

#define EVENTS(kills) "low 0\nhigh 0\nmax 9\noom 3\noom_kill " kills "\n"
#define V1(kills)     "oom_kill_disable 0\nunder_oom 0\noom_kill " kills "\n"

static void find(struct root *r, struct cgroup *c, struct cgroup_outside *o)
{
	assert_int_equal(root_open(r, tree, NULL), 0);
	cgroup_find(c, r, 7);
	cgroup_outside_widen(c, r);
	cgroup_outside_open(o, r, c);
}

static void put_in(const char *step, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof path, "sys/fs/cgroup/%s/%s", step, name);
	tree_put(path, text);
}

/* The steps of each version of Slurm that docs/slurm.md names. */
static const char *const steps_of_versions[] = {
    "system.slice/slurmstepd.scope/job_7/step_0",         /* 22.05, 23.11, 24.11, 25.11; and
                                                             26.05 with CgroupJobIdPaths=yes */
    "system.slice/n1_slurmstepd.scope/job_7/step_batch",  /* several slurmd on a host */
    "system.slice/slurmstepd.scope/sEKNKTV3WPV500/step_0" /* 26.05 */
};

/* slurmstepd is in step_0/slurm; the limit, the counters and the tasks are in step_0/user. */
TEST_WITH(version_2, tree_make, tree_remove)
{
	for (size_t i = 0; i < sizeof steps_of_versions / sizeof *steps_of_versions; i++) {
		const char *step = steps_of_versions[i];
		char line[128];
		struct cgroup_outside o;
		struct cgroup c;
		struct limits l;
		struct root r;

		snprintf(line, sizeof line, "0::/%s/slurm\n", step);
		tree_put("proc/7/cgroup", line);
		tree_put("proc/self/mountinfo",
		         "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
		tree_put("proc/vmstat", "pgfault 5\noom_kill 4\n");
		tree_put("sys/fs/cgroup/cgroup.procs", "");
		put_in(step, "slurm/memory.events", EVENTS("0"));
		put_in(step, "user/memory.events", EVENTS("2"));
		put_in(step, "user/task_0/memory.events", EVENTS("2"));
		put_in(step, "user/memory.max", "157286400\n");
		put_in(step, "user/memory.peak", "1000\n");
		put_in(step, "user/cpu.pressure", "some avg10=0 avg60=0 avg300=0 total=1000000\n");
		find(&r, &c, &o);
		assert_true(o.slurm && o.v2 && o.kills == 0 && isnan(o.peak_b));
		limits_read(&l, &r, &c, 7);
		assert_true(l.of.memory_b == 157286400);

		/* A look reads the events only if the machine had a kill. */
		put_in(step, "user/memory.events", EVENTS("3"));
		cgroup_outside_look(&o);
		assert_true(o.kills == 0);
		tree_put("proc/vmstat", "pgfault 5\noom_kill 5\n");
		put_in(step, "user/memory.peak", "5000\n");
		cgroup_outside_look(&o);
		assert_true(o.kills == 1 && o.peak_b == 5000);

		put_in(step, "user/cpu.pressure", "some avg10=0 avg60=0 avg300=0 total=3500000\n");
		cgroup_outside_read(&o);
		assert_true(o.kills == 1 && o.some_s == 2.5);
		/* The step is over: what was read stays. */
		assert_int_equal(tree_remove(NULL), 0);
		cgroup_outside_read(&o);
		assert_true(o.kills == 1 && o.peak_b == 5000);
		cgroup_outside_close(&o);
		root_close(&r);
		assert_int_equal(mkdir(tree, 0755), 0);
	}
}

/* v1 counts a kill in the victim's task_N only, which comes and goes. */
TEST_WITH(version_1, tree_make, tree_remove)
{
	struct cgroup_outside o;
	struct cgroup c;
	struct root r;

#define S "sys/fs/cgroup/memory/slurm_n1/uid_9/job_7/step_batch/"
	tree_put("proc/7/cgroup", "6:freezer:/slurm_n1/uid_9/job_7\n"
	                          "4:memory:/slurm_n1/uid_9/job_7/step_batch/task_0\n0::/\n");
	tree_put("proc/self/mountinfo",
	         "31 20 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
	tree_put("proc/vmstat", "oom_kill 0\n");
	tree_put("sys/fs/cgroup/memory/cgroup.procs", "");
	tree_put("sys/fs/cgroup/memory/release_agent", "");
	tree_put(S "memory.oom_control", V1("0"));
	tree_put(S "memory.max_usage_in_bytes", "4096\n");
	find(&r, &c, &o);
	assert_true(o.slurm && !o.v2 && o.kills == 0);
	tree_put(S "task_0/memory.oom_control", V1("1"));
	tree_put(S "task_1/memory.oom_control", V1("2"));
	tree_put(S "task_1/inner/memory.oom_control", V1("4"));
	cgroup_outside_look(&o);
	assert_true(o.kills == 0);
	tree_put("proc/vmstat", "oom_kill 7\n");
	cgroup_outside_look(&o);
	assert_true(o.kills == 7 && isnan(o.peak_b));
	tree_put(S "task_1/inner/memory.oom_control", V1("0"));
	tree_put(S "memory.max_usage_in_bytes", "8192\n");
	cgroup_outside_read(&o);
	assert_true(o.kills == 7 && o.peak_b == 8192 && isnan(o.some_s));
	cgroup_outside_close(&o);
	root_close(&r);
#undef S
}

/* The machine's own cgroup is not a job's. */
TEST_WITH(none, tree_make, tree_remove)
{
	struct cgroup_outside o = {.open = false};
	struct cgroup c;
	struct root r;

	cgroup_outside_look(&o);
	cgroup_outside_read(&o);
	cgroup_outside_close(&o);
	tree_put("proc/7/cgroup", "0::/\n");
	tree_put("proc/self/mountinfo", "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	tree_put("sys/fs/cgroup/cgroup.procs", "");
	tree_put("sys/fs/cgroup/memory.events", EVENTS("2"));
	find(&r, &c, &o);
	cgroup_outside_look(&o);
	cgroup_outside_read(&o);
	assert_true(!o.slurm && isnan(o.kills) && isnan(o.peak_b));
	cgroup_outside_close(&o);
	root_close(&r);
}
