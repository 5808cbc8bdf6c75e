/* Tests of collect/cgroup/oom.c and collect/cgroup/cgroup_watch.c, with a real limit where one may
 * be set. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_watch.h"
#include "collect/cgroup/oom.h"
#include "core/end/end_cause.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

#define NOT_ALLOWED 77
#define MIB         ((size_t)1 << 20)

TEST(captured)
{
	struct cgroup_watch w = {.open = false};
	struct cgroup_gauges g;
	struct limits l;
	struct cgroup c;
	struct root r;
	struct oom o = {.open = false};

	oom_read(&o);
	oom_close(&o);
	cgroup_watch_read(&w, &g);
	assert_true(isnan(g.memory_b) && isnan(g.throttled_s));
	cgroup_watch_close(&w);

	r = captured_root("container-v2");
	cgroup_find(&c, &r, 0);
	limits_read(&l, &r, &c, 0);
	cgroup_watch_open(&w, &r, &c, NULL, &l);
	cgroup_watch_read(&w, &g);
	assert_true(g.memory_b == 734003200 - 104857600);
	assert_true(g.throttled_s == 0.75 && g.throttled_count == 12);
	assert_true(w.shared);
	cgroup_watch_close(&w);
	oom_open(&o, &r, &c, NULL);
	assert_true(o.before == 1);
	oom_read(&o);
	assert_true(o.kills == 0 && o.kills_all == 0);
	oom_close(&o);
	root_close(&r);

	r = captured_root("container-v1");
	cgroup_find(&c, &r, 0);
	limits_read(&l, &r, &c, 0);
	cgroup_watch_open(&w, &r, &c, NULL, &l);
	cgroup_watch_read(&w, &g);
	assert_true(g.memory_b == 240000000);
	assert_true(g.throttled_s == 2.5 && g.throttled_count == 45);
	cgroup_watch_close(&w);
	root_close(&r);

	/* The quota is the job's, two levels above. More file pages than usage: memory is 0. */
	r = captured_root("slurm-v1");
	cgroup_find(&c, &r, 0);
	limits_read(&l, &r, &c, 0);
	cgroup_watch_open(&w, &r, &c, NULL, &l);
	cgroup_watch_read(&w, &g);
	assert_true(g.memory_b == 0);
	assert_true(g.throttled_s == 1.5);
	cgroup_watch_close(&w);
	root_close(&r);
}

static int write_in(const char *dir, const char *file, const char *text)
{
	char path[CGROUP_PATH_MAX + 128];
	int fd, failed;

	snprintf(path, sizeof path, "%s/%s", dir, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	failed = write(fd, text, strlen(text)) < 0;
	close(fd);
	return failed ? -1 : 0;
}

/* The command: allocates more than its limit. */
static void devour(void)
{
	for (size_t i = 0; i < 200; i++) {
		char *m = mmap(NULL, MIB, PROT_READ | PROT_WRITE,
		               MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		if (m == MAP_FAILED)
			_exit(1);
		memset(m, 1, MIB);
	}
	_exit(0);
}

/* A collector below the limit. Its exit status says which expectation failed. */
static int collector(bool own_cgroup)
{
	struct root r;
	struct cgroup c;
	struct limits l;
	struct oom o;
	struct snapshot_evidence e = end_cause_none();
	struct snapshot s = {0};
	struct cgroup_watch w;
	struct cgroup_gauges g;
	struct snapshot_totals u;
	struct cgroup_own *own;
	bool v2, counts;
	int status, pid;

	if (root_open(&r, NULL, NULL))
		return 1;
	cgroup_find(&c, &r, 0);
	limits_read(&l, &r, &c, 0);
	if (l.of.memory_b != 64.0 * MIB)
		return 2;
	own = cgroup_own_open(&r, &c, own_cgroup, NULL);
	pid = cgroup_own_fork(own);
	if (pid == 0)
		devour();
	oom_open(&o, &r, &c, own);
	cgroup_watch_open(&w, &r, &c, own, &l);
	if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status))
		return 3;
	oom_read(&o);
	cgroup_watch_read(&w, &g);
	cgroup_own_read(own, &u);
	if (WTERMSIG(status) != SIGKILL || o.kills < 1 || !o.own || oom_count(&o) != o.kills)
		return 4;
	/* In v2 it has no memory controller: its parent has processes, so it cannot pass it on. */
	counts = cgroup_own_memory(own, &v2) >= 0;
	if (own_cgroup && !v2 && !counts)
		return 8;
	if (counts && (!(u.oom_kills >= 1) || !(u.cgroup_memory_peak_b > 32.0 * MIB) ||
	               u.cgroup_memory_peak_b > 64.0 * MIB))
		return 5;
	if (!(g.memory_b >= 0 && g.memory_b < 64.0 * MIB) || w.shared == counts)
		return 6;
	s.end.evidence = &e;
	oom_fill(&o, 0, &s);
	if (e.oom_kills != 1 || !isnan(e.oom_kills_shared))
		return 7;
	snapshot_free(&s);
	oom_close(&o);
	cgroup_watch_close(&w);
	cgroup_own_close(own);
	root_close(&r);
	return 0;
}

/* A cgroup below the test's, limited to 64 MiB, for one of the test's children. */
static int limited(bool own_cgroup)
{
	char dir[CGROUP_PATH_MAX + 64];
	const struct cgroup_dir *d;
	struct cgroup c;
	struct root r;
	bool v2;
	int status = NOT_ALLOWED;
	pid_t pid;

	assert_int_equal(root_open(&r, NULL, NULL), 0);
	cgroup_find(&c, &r, 0);
	d = cgroup_of(&c, CGROUP_MEMORY, &v2);
	snprintf(dir, sizeof dir, "/%s/rtrack_test-%d", d ? d->path : "", getpid());
	root_close(&r);
	if (!d || !d->known || mkdir(dir, 0755))
		return NOT_ALLOWED;
	if (write_in(dir, v2 ? "memory.max" : "memory.limit_in_bytes", "67108864") == 0) {
		(void)write_in(dir, v2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes",
		               v2 ? "0" : "67108864");
		pid = fork();
		if (pid == 0)
			_exit(write_in(dir, "cgroup.procs", "0") ? NOT_ALLOWED
			                                         : collector(own_cgroup));
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status));
		status = WEXITSTATUS(status);
	}
	for (int i = 0; i < 5000 && rmdir(dir) && errno == EBUSY; i++)
		usleep(2000);
	return status;
}

TEST(killed_in_own)
{
	int status = limited(true);

	if (status == NOT_ALLOWED)
		skip();
	assert_int_equal(status, 0);
}

TEST(killed_in_given)
{
	int status = limited(false);

	if (status == NOT_ALLOWED)
		skip();
	assert_int_equal(status, 0);
}
