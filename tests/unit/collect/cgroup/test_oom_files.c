/* Tests of collect/cgroup/oom.c and pids_limit.c on trees of files as the kernel documents them
 * (Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/). On such a tree nobody is known to be
 * alone in a cgroup. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/cgroup/oom.h"
#include "collect/cgroup/pids_limit.h"
#include "core/end/end_cause.h"
#include "tests/unit/tree.h"

#define V2_MOUNT "30 1 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
#define V1_MOUNT "30 1 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
#define TOP      "sys/fs/cgroup/"
#define MIB      1048576.0

/* All keys of Linux 6.18. */
static void events(const char *cgroup, const char *suffix, int oom, int kills)
{
	char file[256], text[256];

	snprintf(file, sizeof file, TOP "%s/memory.events%s", cgroup, suffix);
	snprintf(
	    text, sizeof text,
	    "low 0\nhigh 3\nmax 190\noom %d\noom_kill %d\noom_group_kill 0\nsock_throttled 0\n",
	    oom, kills);
	tree_put(file, text);
}

struct got {
	struct root root;
	struct cgroup where;
	struct oom oom;
	struct snapshot snapshot;
	struct snapshot_evidence evidence;
};

static void begin(struct got *g)
{
	*g = (struct got){.evidence = end_cause_none()};
	assert_int_equal(root_open(&g->root, tree, NULL), 0);
	cgroup_find(&g->where, &g->root, 0);
	oom_open(&g->oom, &g->root, &g->where, NULL);
}

static const struct snapshot_evidence *end(struct got *g)
{
	oom_read(&g->oom);
	g->snapshot.end.evidence = &g->evidence;
	oom_fill(&g->oom, 0, &g->snapshot);
	return &g->evidence;
}

static void finish(struct got *g)
{
	oom_close(&g->oom);
	snapshot_free(&g->snapshot);
	root_close(&g->root);
}

static void v2(const char *cgroup)
{
	char line[256];

	snprintf(line, sizeof line, "0::/%s\n", cgroup);
	tree_put("proc/self/cgroup", line);
	tree_put("proc/self/mountinfo", V2_MOUNT);
	tree_put("proc/vmstat", "oom_kill 7\nallocstall_normal 0\n");
}

/* The limit of the parent was reached; the kill is counted below, and in all above. */
TEST_WITH(v2_limit_of_the_parent, tree_make, tree_remove)
{
	const struct snapshot_evidence *e;
	struct got g;

	v2("pod/box");
	tree_put(TOP "pod/memory.max", "52428800\n");
	tree_put(TOP "pod/box/memory.max", "max\n");
	events("pod", "", 2, 2);
	events("pod", ".local", 2, 0);
	events("pod/box", "", 2, 2);
	events("pod/box", ".local", 0, 2);
	begin(&g);
	assert_true(oom_count(&g.oom) == 0);
	events("pod", "", 3, 3);
	events("pod", ".local", 3, 0);
	events("pod/box", "", 3, 3);
	events("pod/box", ".local", 0, 3);
	tree_put("proc/vmstat", "oom_kill 8\nallocstall_normal 0\n");
	assert_true(oom_count(&g.oom) == 1);
	e = end(&g);
	assert_true(isnan(e->oom_kills) && e->oom_kills_shared == 1 && e->oom_kills_machine == 1);
	assert_string_equal(e->oom_of, SNAPSHOT_OOM_CGROUP);
	assert_string_equal(e->oom_cgroup, "/pod");
	assert_true(e->oom_limit_b == 50 * MIB);
	finish(&g);
}

/* A kill of a process in a cgroup below, which may have a limit of its own: whose is not known. */
TEST_WITH(v2_kill_below, tree_make, tree_remove)
{
	const struct snapshot_evidence *e;
	struct got g;

	v2("box");
	tree_put(TOP "box/memory.max", "52428800\n");
	events("box", "", 0, 0);
	events("box", ".local", 0, 0);
	begin(&g);
	events("box", "", 1, 1);
	e = end(&g);
	assert_true(e->oom_kills_shared == 1);
	assert_string_equal(e->oom_of, "");
	finish(&g);
}

/* A cgroup without the memory controller: the one above counts. */
TEST_WITH(v2_without_the_controller, tree_make, tree_remove)
{
	struct got g;

	v2("user.slice/app/rest");
	tree_put(TOP "user.slice/app/rest/cgroup.procs", "1\n");
	tree_put(TOP "user.slice/app/cgroup.procs", "");
	tree_put(TOP "user.slice/memory.max", "52428800\n");
	events("user.slice", "", 5, 5);
	events("user.slice", ".local", 5, 5);
	begin(&g);
	events("user.slice", "", 6, 6);
	events("user.slice", ".local", 6, 6);
	assert_true(end(&g)->oom_kills_shared == 1);
	assert_true(g.evidence.oom_limit_b == 50 * MIB);
	finish(&g);
}

/* The root of the hierarchy has no memory.events; nor have kernels before 5.2 the local counters. */
TEST_WITH(v2_root_and_old, tree_make, tree_remove)
{
	struct got g;

	v2("");
	begin(&g);
	tree_put("proc/vmstat", "oom_kill 9\nallocstall_normal 0\n");
	assert_true(isnan(end(&g)->oom_kills) && isnan(g.evidence.oom_kills_shared));
	assert_true(g.evidence.oom_kills_machine == 2);
	finish(&g);
	v2("box");
	tree_put(TOP "box/memory.max", "52428800\n");
	events("box", "", 0, 0);
	begin(&g);
	events("box", "", 1, 1);
	assert_true(end(&g)->oom_kills_shared == 1);
	assert_string_equal(g.evidence.oom_of, "");
	finish(&g);
}

static void v1_box(int failures, int kills)
{
	char text[64];

	snprintf(text, sizeof text, "oom_kill_disable 0\nunder_oom 0\noom_kill %d\n", kills);
	tree_put(TOP "memory/uid_0/job_7/step_0/task_0/memory.oom_control", text);
	snprintf(text, sizeof text, "%d\n", failures);
	tree_put(TOP "memory/uid_0/job_7/memory.failcnt", text);
	tree_put(TOP "memory/uid_0/job_7/step_0/memory.failcnt", "0\n");
}

/* Of Slurm's job, whose limit and that of the step are the same. */
TEST_WITH(v1_of_a_job_of_slurm, tree_make, tree_remove)
{
	const struct snapshot_evidence *e;
	struct got g;

	tree_put("proc/self/cgroup", "4:memory:/uid_0/job_7/step_0/task_0\n");
	tree_put("proc/self/mountinfo", V1_MOUNT);
	tree_put("proc/vmstat", "oom_kill 7\nallocstall_normal 0\n");
	tree_put(TOP "memory/memory.limit_in_bytes", "9223372036854771712\n");
	tree_put(TOP "memory/uid_0/job_7/memory.limit_in_bytes", "157286400\n");
	tree_put(TOP "memory/uid_0/job_7/step_0/memory.limit_in_bytes", "157286400\n");
	v1_box(4, 0);
	begin(&g);
	v1_box(200, 1);
	e = end(&g);
	assert_true(e->oom_kills_shared == 1 && e->slurm_step);
	assert_string_equal(e->oom_of, SNAPSHOT_OOM_JOB);
	assert_true(e->oom_limit_b == 150 * MIB);
	finish(&g);
}

/* Files that are empty, or of another kind. */
TEST_WITH(hostile_files, tree_make, tree_remove)
{
	struct got g;

	v2("box");
	tree_put(TOP "box/memory.events", "");
	tree_put(TOP "box/memory.events.local", "oom_kill -1\noom_kill x\n");
	tree_put(TOP "box/memory.max", "\n");
	begin(&g);
	tree_put(TOP "box/memory.events", "oom_kill 99999999999999999999999999\n");
	assert_false(end(&g)->oom_kills >= 1);
	assert_string_equal(g.evidence.oom_victim, "");
	finish(&g);
}

TEST_WITH(pids, tree_make, tree_remove)
{
	struct pids_limit p = {.open = false};
	struct got g;

	assert_true(isnan(pids_limit_refused(&p)));
	pids_limit_close(&p);
	v2("box");
	tree_put(TOP "box/pids.max", "64\n");
	tree_put(TOP "box/pids.events", "max 3\n");
	begin(&g);
	pids_limit_open(&p, &g.root, &g.where, NULL);
	tree_put(TOP "box/pids.events", "max 9\n");
	assert_true(isnan(pids_limit_refused(&p))); /* it may be others' */
	pids_limit_close(&p);
	finish(&g);
}
