/* Tests of collect/cgroup/cgroup.c. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/cgroup/cgroup.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

static void parse(struct cgroup *c, const char *cgroup, const char *mountinfo)
{
	cgroup_parse(c, cgroup, strlen(cgroup), mountinfo, strlen(mountinfo));
}

#define V2 "1 1 0:1 / /sys/fs/cgroup rw shared:1 master:2 - cgroup2 cgroup2 rw\n"

/* One v2 hierarchy: the two files combined. */
TEST(places)
{
	static const struct {
		const char *own, *mounts, *path; /* NULL: unknown */
		bool above;
	} cases[] = {
	    {"0::/\n", V2, "sys/fs/cgroup", false},
	    {"0::/a/b\n", V2, "sys/fs/cgroup/a/b", false},
	    {"0::/a b:c\n", V2, "sys/fs/cgroup/a b:c", false},
	    /* the host's path, and a mount of the container's own cgroup */
	    {"0::/d/1\n", "1 1 0:1 /d/1 /cg rw - cgroup2 c rw\n", "cg", false},
	    {"0::/d/1/x\n", "1 1 0:1 /d/1 /cg rw - cgroup2 c rw\n", "cg/x", false},
	    {"0::/d/12\n", "1 1 0:1 /d/1 /cg rw - cgroup2 c rw\n", NULL, true},
	    {"0::/\n", "1 1 0:1 /d/1 /cg rw - cgroup2 c rw\n", NULL, true},
	    /* mounted before the namespace was entered */
	    {"0::/\n", "1 1 0:1 /.. /cg rw - cgroup2 c rw\n", NULL, true},
	    {"0::/../x\n", "1 1 0:1 /.. /cg rw - cgroup2 c rw\n", "cg/x", false},
	    {"0::/../x\n", V2, NULL, true},
	    {"0::/a/../b\n", V2, NULL, true},
	    {"0::/a (deleted)\n", V2, NULL, true},
	    {"0::/..a\n", V2, "sys/fs/cgroup/..a", false},
	    /* the mount that shows the most */
	    {"0::/a/b\n", "1 1 0:1 /a/b /n rw - cgroup2 c rw\n" V2, "sys/fs/cgroup/a/b", false},
	    {"0::/a/b\n", V2 "1 1 0:1 /a/b /n rw - cgroup2 c rw\n", "sys/fs/cgroup/a/b", false},
	    {"0::/a\n", "1 1 0:1 /z /n rw - cgroup2 c rw\n" V2, "sys/fs/cgroup/a", false},
	    {"0::/a\n", "1 1 0:1 / /c\\040g rw - cgroup2 c rw\n", "c g/a", false},
	    /* none */
	    {"0::/a\n", "1 1 0:1 / /c rw - tmpfs c rw\n", NULL, false},
	    {"0::/a\n", "1 1 0:1 / /c rw -", NULL, false},
	    {"0::/a\n", "1 1 0:1 / / rw - cgroup2 c rw\n", NULL, false},
	    {"0::a\n", V2, NULL, false},
	    {"1::/a\n", V2, NULL, false},
	    {"0:x:/a\n", V2, NULL, false},
	    {"", V2, NULL, false},
	    {"0::/a\n", "", NULL, false},
	};
	struct cgroup c;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct cgroup_dir *d = &c.v[CGROUP_V2];

		parse(&c, cases[i].own, cases[i].mounts);
		assert_int_equal(d->known, cases[i].path != NULL);
		assert_int_equal(d->mount_only, cases[i].above);
		if (cases[i].path)
			assert_string_equal(d->path, cases[i].path);
	}
}

TEST(controllers)
{
	struct cgroup c;
	bool v2;

	parse(&c, "4:cpu,cpuacct:/j\n3:name=cpuset:/x\n2:memory:/m\n0::/u\n",
	      "1 1 0:1 / /c/cpu rw - cgroup cgroup rw,cpuacct,cpu\n"
	      "1 1 0:1 / /c/mem rw - cgroup cgroup rw,memory\n"
	      "1 1 0:1 / /c/u rw - cgroup2 cgroup rw\n");
	assert_string_equal(c.v[CGROUP_CPU].path, "c/cpu/j");
	assert_string_equal(c.v[CGROUP_CPUACCT].path, "c/cpu/j");
	assert_string_equal(cgroup_of(&c, CGROUP_MEMORY, &v2)->path, "c/mem/m");
	assert_false(v2);
	/* A named hierarchy has no controller; a controller that is not in v1 may be in v2. */
	assert_false(c.v[CGROUP_CPUSET].known);
	assert_string_equal(cgroup_of(&c, CGROUP_CPUSET, &v2)->path, "c/u/u");
	assert_true(v2);
	parse(&c, "", "");
	assert_null(cgroup_of(&c, CGROUP_CPU, &v2));
}

TEST(upward)
{
	struct cgroup c;
	const struct cgroup_dir *d = &c.v[CGROUP_V2];
	size_t len;

	parse(&c, "0::/a/bc\n", V2);
	len = strlen(d->path);
	len = cgroup_parent(d, len);
	assert_int_equal(len, strlen("sys/fs/cgroup/a"));
	len = cgroup_parent(d, len);
	assert_int_equal(len, strlen("sys/fs/cgroup"));
	assert_int_equal(cgroup_parent(d, len), 0);
}

TEST(long_paths)
{
	static char own[3 * CGROUP_PATH_MAX], mounts[3 * CGROUP_PATH_MAX];
	struct cgroup c;

	for (size_t n = CGROUP_PATH_MAX - 64; n < CGROUP_PATH_MAX + 64; n++) {
		memset(own, 'a', sizeof own);
		memcpy(own, "0::/", 4);
		own[n] = '\0';
		parse(&c, own, V2);
		assert_true(strlen(c.v[CGROUP_V2].path) < CGROUP_PATH_MAX);
	}
	memset(mounts, 'b', sizeof mounts - 1);
	memcpy(mounts, "1 1 0:1 / /", 11);
	parse(&c, "0::/a\n", mounts);
	assert_false(c.v[CGROUP_V2].known);
}

static void find(struct cgroup *c, const char *name)
{
	struct root r = captured_root(name);

	cgroup_find(c, &r, 0);
	root_close(&r);
}

TEST(captured)
{
	struct cgroup c;

	find(&c, "container-v1");
	assert_string_equal(c.v[CGROUP_MEMORY].path, "sys/fs/cgroup/memory");
	assert_true(c.v[CGROUP_MEMORY].known && !c.v[CGROUP_MEMORY].mount_is_root);
	assert_false(cgroup_is_machine(&c.v[CGROUP_MEMORY]));
	find(&c, "container-v2");
	assert_true(c.v[CGROUP_V2].known && !c.v[CGROUP_V2].mount_is_root);
	find(&c, "slurm-v1");
	assert_true(c.v[CGROUP_MEMORY].known && c.v[CGROUP_MEMORY].mount_is_root);
	assert_string_equal(c.v[CGROUP_MEMORY].path + c.v[CGROUP_MEMORY].mount_len,
	                    "/slurm/uid_1000/job_42/step_batch/task_0");
	find(&c, "hostile");
	for (int i = 0; i < CGROUP_KINDS; i++)
		assert_false(c.v[i].known);
}

/* Our own pid is in the cgroup that was found. */
TEST(live)
{
	static char text[1 << 16];
	struct root r;
	struct cgroup c, by_pid;
	int found = 0;

	assert_int_equal(root_open(&r, NULL, NULL), 0);
	cgroup_find(&c, &r, 0);
	cgroup_find(&by_pid, &r, getpid());
	for (int i = 0; i < CGROUP_KINDS; i++) {
		const struct cgroup_dir *d = &c.v[i];
		char *line, *save = NULL;
		int in = 0;

		assert_string_equal(d->path, by_pid.v[i].path);
		if (!d->known ||
		    cgroup_read(&r, d, strlen(d->path), "cgroup.procs", text, sizeof text) < 0)
			continue;
		for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
			in |= strtol(line, NULL, 10) == getpid();
		assert_true(in);
		found++;
	}
	root_close(&r);
	if (!found)
		skip();
}
