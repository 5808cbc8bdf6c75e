/* Tests of collect/cgroup/cgroup_own.c, live where cgroups may be made. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_own.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

static bool has_memory(const struct cgroup_own *o)
{
	bool v2;

	return cgroup_own_memory(o, &v2) >= 0;
}

struct place {
	struct root r;
	struct cgroup where;
};

static struct place find(bool v1)
{
	struct place p;

	assert_int_equal(root_open(&p.r, NULL, NULL), 0);
	cgroup_find(&p.where, &p.r, 0);
	if (v1)
		p.where.v[CGROUP_V2] = (struct cgroup_dir){.known = false};
	return p;
}

static double cpu_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void burn(double s)
{
	while (cpu_clock() < s)
		;
}

static uint64_t pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? st.st_ino : 0;
}

static void path_of(const struct place *p, enum cgroup_kind kind, int pid, uint64_t space,
                    char *path, size_t size)
{
	snprintf(path, size, "/%s/rtrack-%d-%" PRIu64, p->where.v[kind].path, pid, space);
}

static bool is_there(const struct place *p, enum cgroup_kind kind, int pid)
{
	char path[CGROUP_PATH_MAX + 64];
	struct stat st;

	if (!p->where.v[kind].known)
		return false;
	path_of(p, kind, pid, pid_namespace(), path, sizeof path);
	return stat(path, &st) == 0;
}

static bool any_is_there(const struct place *p)
{
	bool any = false;

	for (int i = 0; i < CGROUP_KINDS; i++)
		any |= is_there(p, (enum cgroup_kind)i, getpid());
	return any;
}

#define CHILD_S 0.1

/* A child that burns CHILD_S of CPU time and adds it to *used_s. It shares our memory, so that it
 * has hardly anything left to do after it has read its clock. */
static void one_child(volatile double *used_s)
{
	pid_t pid = vfork();

	if (pid == 0) {
		burn(CHILD_S);
		*used_s += cpu_clock();
		_exit(0);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

static void storm(int n, volatile double *used_s)
{
	for (int i = 0; i < n; i++)
		one_child(used_s);
}

static double rusage_s(const struct rusage *u)
{
	return (double)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) +
	       (double)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
}

struct measured {
	bool has_cpu, was_there, is_there;
	double cgroup_s, split_s, waited_s, children_s;
};

/* Runs n short children in a cgroup of their own. */
static struct measured measure(bool v1, bool auto_reaped, int n)
{
	struct place p = find(v1);
	struct cgroup_own *o = cgroup_own_open(&p.r, &p.where, true, NULL);
	struct measured m = {.has_cpu = false};
	double *used_s =
	    mmap(NULL, sizeof *used_s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct snapshot_totals u;
	struct rusage usage;
	int status;
	pid_t pid;

	assert_non_null(o);
	assert_true(used_s != MAP_FAILED);
	pid = cgroup_own_fork(o);
	if (pid == 0) {
		if (auto_reaped)
			signal(SIGCHLD, SIG_IGN);
		storm(n, used_s);
		_exit(7);
	}
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	cgroup_own_read(o, &u);
	m.has_cpu = cgroup_own_has_cpu(o);
	m.was_there = any_is_there(&p);
	cgroup_own_close(o);
	m.is_there = any_is_there(&p);
	root_close(&p.r);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	m.cgroup_s = u.cgroup_cpu_s;
	m.split_s = u.cgroup_utime_s + u.cgroup_stime_s;
	m.waited_s = rusage_s(&usage);
	m.children_s = *used_s;
	munmap(used_s, sizeof *used_s);
	return m;
}

/* If all children are waited for, wait4(2) has the same CPU time as the cgroup. If nobody waits, it
 * has the parent's alone, and the truth is what the children measured themselves. */
static void storms(bool v1)
{
	struct measured waited = measure(v1, false, 10), lost;
	double truth;

	if (!waited.has_cpu)
		skip();
	assert_true(waited.was_there && !waited.is_there);
	assert_true(waited.waited_s >= waited.children_s);
	assert_true(fabs(waited.cgroup_s - waited.waited_s) <= 0.01 * waited.waited_s);
	assert_true(fabs(waited.split_s - waited.cgroup_s) <= 1e-4);
	lost = measure(v1, true, 20);
	truth = lost.children_s + lost.waited_s;
	print_message("auto-reaped: %.4f s, wait4 %.4f s, the children %.4f s\n", lost.cgroup_s,
	              lost.waited_s, lost.children_s);
	assert_false(lost.is_there);
	assert_true(lost.children_s >= 20 * CHILD_S);
	assert_true(lost.waited_s < 0.5 * lost.cgroup_s);
	assert_true(fabs(lost.cgroup_s - truth) <= 0.01 * truth);
}

TEST(storms_v2)
{
	storms(false);
}

TEST(storms_v1)
{
	storms(true);
}

#define MIB ((size_t)1 << 20)

TEST(memory)
{
	struct place p = find(false);
	struct cgroup_own *o = cgroup_own_open(&p.r, &p.where, true, NULL);
	struct snapshot_totals u;
	pid_t pid = cgroup_own_fork(o);

	if (pid == 0) {
		char *m = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE,
		               MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		_exit(m == MAP_FAILED);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	cgroup_own_read(o, &u);
	if (has_memory(o)) {
		assert_true(u.cgroup_memory_peak_b >= 64.0 * MIB &&
		            u.cgroup_memory_peak_b < 96.0 * MIB);
		assert_true(u.cgroup_working_set_b < 32.0 * MIB);
		assert_true(u.oom_kills == 0);
	} else {
		assert_true(isnan(u.cgroup_memory_peak_b));
	}
	cgroup_own_close(o);
	root_close(&p.r);
}

/* A process that outlives the command does not keep the cgroup. */
TEST(daemon_left)
{
	struct place p = find(false);
	struct cgroup_own *o = cgroup_own_open(&p.r, &p.where, true, NULL);
	char text[8192], name[64];
	pid_t pid, left = 0;
	int told[2], alive;
	long n;

	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	assert_int_equal(pipe(told), 0);
	pid = cgroup_own_fork(o);
	if (pid == 0) {
		left = fork();
		if (left == 0) {
			alarm(30);
			pause();
		}
		_exit(write(told[1], &left, sizeof left) != sizeof left);
	}
	assert_int_equal(read(told[0], &left, sizeof left), sizeof left);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	cgroup_own_close(o);
	snprintf(name, sizeof name, "proc/%d/cgroup", left);
	n = root_read(&p.r, name, text, sizeof text);
	alive = kill(left, 0);
	kill(left, SIGKILL);
	waitpid(left, NULL, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	close(told[0]);
	close(told[1]);
	assert_int_equal(alive, 0);
	assert_true(n > 0);
	assert_null(strstr(text, "rtrack-"));
	assert_false(any_is_there(&p));
	root_close(&p.r);
}

static void open_and_sweep(const struct place *p)
{
	struct cgroup_own *o = cgroup_own_open(&p->r, &p->where, true, NULL);

	cgroup_own_sweep(o);
	cgroup_own_close(o);
}

/* The next collector removes what a killed one left, but not what a live one has. */
TEST(stale)
{
	struct place p = find(false);
	struct cgroup_own *o;
	int ready[2];
	char byte;
	pid_t dead, alive;

	assert_int_equal(pipe(ready), 0);
	dead = fork();
	if (dead == 0) {
		(void)!cgroup_own_open(&p.r, &p.where, true, NULL);
		_exit(0);
	}
	waitpid(dead, NULL, 0);
	alive = fork();
	if (alive == 0) {
		cgroup_own_sweep(cgroup_own_open(&p.r, &p.where, true, NULL));
		alarm(30);
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	for (int i = 0; i < CGROUP_KINDS; i++)
		assert_false(is_there(&p, (enum cgroup_kind)i, dead));
	o = cgroup_own_open(&p.r, &p.where, true, NULL);
	cgroup_own_sweep(o);
	if (cgroup_own_has_cpu(o))
		assert_true(is_there(&p, CGROUP_V2, alive) || is_there(&p, CGROUP_CPUACCT, alive));
	kill(alive, SIGKILL);
	waitpid(alive, NULL, 0);
	cgroup_own_close(o);
	open_and_sweep(&p);
	for (int i = 0; i < CGROUP_KINDS; i++)
		assert_false(is_there(&p, (enum cgroup_kind)i, alive));
	close(ready[0]);
	close(ready[1]);
	root_close(&p.r);
}

/* Makes a cgroup by hand wherever the test may make one; returns how many. */
static int make_groups(const struct place *p, int pid, uint64_t space, int dirs[CGROUP_KINDS])
{
	char path[CGROUP_PATH_MAX + 64];
	int n = 0;

	for (int i = 0; i < CGROUP_KINDS; i++) {
		dirs[i] = -1;
		if (!p->where.v[i].known)
			continue;
		path_of(p, (enum cgroup_kind)i, pid, space, path, sizeof path);
		if (mkdir(path, 0755) == 0) {
			dirs[i] = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
			n++;
		}
	}
	return n;
}

static int count_groups(const struct place *p, int pid, uint64_t space)
{
	char path[CGROUP_PATH_MAX + 64];
	struct stat st;
	int n = 0;

	for (int i = 0; i < CGROUP_KINDS; i++)
		if (p->where.v[i].known) {
			path_of(p, (enum cgroup_kind)i, pid, space, path, sizeof path);
			n += stat(path, &st) == 0;
		}
	return n;
}

static void remove_groups(const struct place *p, int pid, uint64_t space, int dirs[CGROUP_KINDS])
{
	char path[CGROUP_PATH_MAX + 64];

	for (int i = 0; i < CGROUP_KINDS; i++) {
		if (!p->where.v[i].known)
			continue;
		path_of(p, (enum cgroup_kind)i, pid, space, path, sizeof path);
		(void)rmdir(path);
		if (dirs[i] >= 0)
			close(dirs[i]);
	}
}

/* Left by a killed process with our PID, and not empty. */
TEST(a_name_that_is_taken)
{
	struct place p = find(false);
	int dirs[CGROUP_KINDS], n = make_groups(&p, getpid(), pid_namespace(), dirs);
	struct cgroup_own *o = cgroup_own_open(&p.r, &p.where, true, NULL);

	assert_int_equal(cgroup_own_has_cpu(o) || has_memory(o), n > 0);
	cgroup_own_close(o);
	assert_int_equal(count_groups(&p, getpid(), pid_namespace()), n);
	remove_groups(&p, getpid(), pid_namespace(), dirs);
	root_close(&p.r);
}

/* PID 1 of another namespace: only the lock says whether its collector is alive. */
TEST(a_group_of_another_namespace)
{
	struct place p = find(false);
	uint64_t other = pid_namespace() + 1;
	int dirs[CGROUP_KINDS], n = make_groups(&p, 1, other, dirs);

	for (int i = 0; i < CGROUP_KINDS; i++)
		if (dirs[i] >= 0)
			assert_int_equal(flock(dirs[i], LOCK_EX | LOCK_NB), 0);
	open_and_sweep(&p);
	assert_int_equal(count_groups(&p, 1, other), n);
	for (int i = 0; i < CGROUP_KINDS; i++)
		if (dirs[i] >= 0)
			assert_int_equal(flock(dirs[i], LOCK_UN), 0);
	open_and_sweep(&p);
	/* Nothing is removed in a hierarchy in which we make no cgroup. */
	assert_true(n == 0 || count_groups(&p, 1, other) < n);
	remove_groups(&p, 1, other, dirs);
	root_close(&p.r);
}

static int open_fds(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0 && !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	return n;
}

/* The command is born in it, without a descriptor that exec leaves open, and fast. */
TEST(birth)
{
	struct place p = find(false);
	int before = open_fds(), status;
	struct timespec a, b;
	struct cgroup_own *o;
	double ms, best = INFINITY;
	pid_t pid;

	/* On a busy machine, at least one of many is as fast as it can be. */
	for (int i = 0; i < 5 || (i < 50 && best >= 20); i++) {
		clock_gettime(CLOCK_MONOTONIC, &a);
		o = cgroup_own_open(&p.r, &p.where, true, NULL);
		pid = cgroup_own_fork(o);
		if (pid == 0) {
			char text[8192] = "";

			(void)root_read(&p.r, "proc/self/cgroup", text, sizeof text);
			_exit((strstr(text, "/rtrack-") ? 1 : 0) | (open_fds() == before ? 0 : 2) |
			      (getppid() > 0 ? 0 : 4));
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		clock_gettime(CLOCK_MONOTONIC, &b);
		ms = (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6;
		best = ms < best ? ms : best;
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status),
		                 cgroup_own_has_cpu(o) || has_memory(o) ? 1 : 0);
		cgroup_own_close(o);
	}
	print_message("made, forked, joined in %.2f ms\n", best);
	assert_true(best < 20);
	root_close(&p.r);
}

TEST(none)
{
	struct place p = find(false);
	struct root captured;
	struct snapshot s = {0};
	struct snapshot_totals u;
	struct cgroup_own *o;
	struct json_write j = {0};
	pid_t pid;

	/* Not wanted. */
	o = cgroup_own_open(&p.r, &p.where, false, NULL);
	assert_false(cgroup_own_has_cpu(o) || has_memory(o) || any_is_there(&p));
	pid = cgroup_own_fork(o);
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	cgroup_own_notes(o, &s);
	assert_int_equal(s.notes.n, 0);
	cgroup_own_read(o, &u);
	assert_true(isnan(u.cgroup_cpu_s) && isnan(u.cgroup_memory_peak_b) &&
	            isnan(u.cgroup_write_b));
	cgroup_own_close(o);
	/* Not possible. */
	p.where = (struct cgroup){.v = {{.known = false}}};
	o = cgroup_own_open(&p.r, &p.where, true, NULL);
	cgroup_own_notes(o, &s);
	assert_int_equal(s.notes.n, 1);
	assert_non_null(strstr(s.notes.v[0], "none is mounted"));
	cgroup_own_close(o);
	/* A captured machine is not touched. */
	captured = captured_root("container-v2");
	cgroup_find(&p.where, &captured, 0);
	o = cgroup_own_open(&captured, &p.where, true, NULL);
	assert_false(cgroup_own_has_cpu(o) || has_memory(o));
	cgroup_own_close(o);
	root_close(&captured);
	/* None at all. */
	cgroup_own_close(NULL);
	cgroup_own_read(NULL, &u);
	json_write_object(&j, NULL);
	cgroup_usage_write(&u, &j);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	assert_string_equal(buf_cstr(&j.b), "{\"cgroup\":null}");
	json_write_free(&j);
	snapshot_free(&s);
	root_close(&p.r);
}
