/* Tests of collect/machine/machine.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/machine/machine.h"

static double ticks(double n)
{
	return n / (double)sysconf(_SC_CLK_TCK);
}

static int near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static void read_root(const char *dir, struct machine_counters *c, struct snapshot *notes)
{
	struct root r;
	struct machine *s;

	assert_int_equal(root_open(&r, dir, NULL), 0);
	s = machine_open(&r, NULL);
	assert_non_null(s);
	machine_read(s, c);
	machine_read(s, c);
	machine_notes(s, notes);
	machine_close(s);
	root_close(&r);
}

static void many_cpus(void **state)
{
	struct machine_counters c;
	struct snapshot notes = {0};

	(void)state;
	read_root("tests/fixtures/root/cpus-64", &c, &notes);
	assert_true(near(c.utime_s, ticks(64 * (810000.0 + 1250))));
	assert_true(near(c.stime_s, ticks(64 * 96000.0)));
	assert_true(c.processes == 8);
	assert_true(near(c.iowait_s, ticks(64 * 5200.0)));
	assert_true(near(c.irq_s, ticks(64 * 1800.0)) && c.steal_s == 0);
	assert_true(c.swap_used_b == 0);
	assert_true(near(c.load1, 12.34));
	assert_true(c.psi_cpu_some_s == 561.138746 && c.psi_memory_some_s == 1.5);
	assert_true(c.psi_memory_full_s == 0.5 && c.psi_io_some_s == 29.014262);
	assert_true(c.psi_io_full_s == 14.052711);
	assert_true(c.mem_total_b == 527876184 * 1024.0);
	assert_true(c.mem_available_b == 401223344 * 1024.0);
	assert_true(c.buffers_b == 1048576 * 1024.0);
	assert_true(c.cached_b == (180224000 + 9437184) * 1024.0);
	assert_true(c.active_b == 150223872 * 1024.0);
	assert_true(c.inactive_b == 120004608 * 1024.0);
	/* A captured machine stands still. */
	assert_true(c.disk_read_b == 0 && c.disk_write_b == 0);
	assert_true(c.net_recv_b == 0 && c.net_sent_b == 0);
	assert_true(c.space_total_b > 0 && c.space_used_b > 0 && c.space_free_b > 0);
	assert_int_equal(notes.notes.n, 1);
	assert_string_equal(notes.notes.v[0],
	                    "Space on 2 network or FUSE file systems is not counted "
	                    "(nfs4 on /home): asking can block.");
	snapshot_free(&notes);
}

static void container(void **state)
{
	struct machine_counters c;
	struct snapshot notes = {0};

	(void)state;
	read_root("tests/fixtures/root/container", &c, &notes);
	assert_true(c.processes == 5);
	assert_true(near(c.stime_s, ticks(4 * 9100.0)));
	assert_true(c.space_total_b == 25000000 * 4096.0);
	assert_int_equal(notes.notes.n, 0);
	snapshot_free(&notes);
}

static void hostile(void **state)
{
	struct machine_counters c;
	struct snapshot notes = {0};
	const double *cell = (const double *)(const void *)&c;

	(void)state;
	read_root("tests/fixtures/root/hostile", &c, &notes);
	for (size_t i = 0; i < sizeof c / sizeof *cell; i++)
		assert_true(isnan(cell[i]) || (isfinite(cell[i]) && cell[i] >= 0));
	assert_true(isnan(c.utime_s));
	assert_true(c.mem_total_b > 0);
	snapshot_free(&notes);
}

/* An empty directory: nothing is known, each is said once, nothing fails. */
static void nothing(void **state)
{
	char dir[] = "/tmp/rtrack-test-system-XXXXXX";
	struct machine_counters c;
	struct snapshot notes = {0};
	const double *cell = (const double *)(const void *)&c;

	(void)state;
	assert_non_null(mkdtemp(dir));
	read_root(dir, &c, &notes);
	for (size_t i = 0; i < sizeof c / sizeof *cell; i++)
		assert_true(isnan(cell[i]));
	assert_int_equal(notes.notes.n, 7);
	assert_string_equal(
	    notes.notes.v[0],
	    "The machine's CPU time is not known: /proc/stat: No such file or directory.");
	rmdir(dir);
	machine_close(NULL);
	snapshot_free(&notes);
}

static long listed(void)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	long n = 0;

	assert_non_null(d);
	while ((e = readdir(d)))
		n += e->d_name[0] >= '0' && e->d_name[0] <= '9';
	closedir(d);
	return n;
}

static void live(void **state)
{
	struct root r;
	struct machine *s;
	struct machine_counters a, b;
	volatile double x = 0;
	long before, after;

	(void)state;
	assert_int_equal(root_open(&r, NULL, NULL), 0);
	s = machine_open(&r, NULL);
	assert_non_null(s);
	machine_read(s, &a);
	for (long i = 0; i < 30000000; i++)
		x = x + (double)i;
	assert_true(x > 0);
	before = listed();
	machine_read(s, &b);
	after = listed();
	assert_true(b.utime_s >= a.utime_s && b.stime_s >= a.stime_s);
	assert_true(b.utime_s + b.stime_s > a.utime_s + a.stime_s);
	assert_true(b.mem_total_b >= b.mem_free_b && b.mem_available_b <= b.mem_total_b);
	assert_true(b.processes >= (double)(before < after ? before : after) - 20);
	assert_true(b.processes <= (double)(before > after ? before : after) + 20);
	assert_false(b.iowait_s < a.iowait_s || b.steal_s < a.steal_s || b.irq_s < a.irq_s);
	assert_true(b.swap_used_b >= 0 && b.load1 >= 0);
	assert_false(b.psi_cpu_some_s < a.psi_cpu_some_s || b.psi_io_some_s < a.psi_io_some_s);
	assert_false(b.disk_read_b < a.disk_read_b || b.disk_write_b < a.disk_write_b);
	assert_false(b.net_recv_b < a.net_recv_b || b.net_sent_b < a.net_sent_b);
	machine_close(s);
	root_close(&r);
}

#define NOT_ALLOWED 77

/* In a pid namespace of its own, where the links of /proc count the whole machine's processes. */
static int alone(void)
{
	struct root r;
	struct machine *s;
	struct machine_counters c;

	if (mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("proc", "/proc", "proc", 0, NULL) < 0)
		return NOT_ALLOWED;
	if (root_open(&r, NULL, NULL) < 0 || !(s = machine_open(&r, NULL)))
		return 1;
	machine_read(s, &c);
	if (c.processes != 1)
		return 2;
	machine_read(s, &c);
	return c.processes == 1 ? 0 : 3;
}

static int status_of(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 1;
	return WEXITSTATUS(status);
}

static void pid_namespace(void **state)
{
	pid_t outer = fork(), inner;
	int status;

	(void)state;
	if (outer == 0) {
		if (unshare(CLONE_NEWPID | CLONE_NEWNS) < 0 &&
		    unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) < 0)
			_exit(NOT_ALLOWED);
		inner = fork();
		if (inner == 0)
			_exit(alone());
		_exit(status_of(inner));
	}
	status = status_of(outer);
	if (status == NOT_ALLOWED)
		skip();
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(many_cpus), cmocka_unit_test(container),
	    cmocka_unit_test(hostile),   cmocka_unit_test(nothing),
	    cmocka_unit_test(live),      cmocka_unit_test(pid_namespace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
