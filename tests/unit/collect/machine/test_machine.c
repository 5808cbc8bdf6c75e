/* Tests of collect/machine/machine.c. */
#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/machine/machine.h"
#include "tests/unit/root.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static double ticks(double n)
{
	return n / (double)sysconf(_SC_CLK_TCK);
}

static int near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static void read_root(struct root r, double *c, struct snapshot *notes)
{
	struct machine *s = machine_open(&r, SCHEMA_1, NULL);

	assert_non_null(s);
	machine_read(s, c);
	machine_read(s, c);
	machine_notes(s, notes);
	machine_close(s);
	root_close(&r);
}

TEST(many_cpus)
{
	double c[METRIC_COUNT];
	struct snapshot notes = {0};

	read_root(captured_root("cpus-64"), c, &notes);
	assert_true(near(c[METRIC_SYSTEM_UTIME], ticks(64 * (810000.0 + 1250))));
	assert_true(near(c[METRIC_SYSTEM_STIME], ticks(64 * 96000.0)));
	assert_true(c[METRIC_SYSTEM_PROCESSES] == 8);
	assert_true(near(c[METRIC_SYSTEM_CPU_IOWAIT], ticks(64 * 5200.0)));
	assert_true(near(c[METRIC_SYSTEM_CPU_IRQ], ticks(64 * 1800.0)) &&
	            c[METRIC_SYSTEM_CPU_STEAL] == 0);
	assert_true(c[METRIC_SYSTEM_SWAP_USED] == 0);
	assert_true(near(c[METRIC_SYSTEM_LOAD1], 12.34));
	assert_true(c[METRIC_SYSTEM_PSI_CPU_SOME] == 561.138746 &&
	            c[METRIC_SYSTEM_PSI_MEMORY_SOME] == 1.5);
	assert_true(c[METRIC_SYSTEM_PSI_MEMORY_FULL] == 0.5 &&
	            c[METRIC_SYSTEM_PSI_IO_SOME] == 29.014262);
	assert_true(c[METRIC_SYSTEM_PSI_IO_FULL] == 14.052711);
	assert_true(c[METRIC_SYSTEM_MEMORY_FREE] == 210034112 * 1024.0);
	assert_true(c[METRIC_SYSTEM_MEMORY_AVAILABLE] == 401223344 * 1024.0);
	assert_true(c[METRIC_SYSTEM_MEMORY_BUFFERS] == 1048576 * 1024.0);
	assert_true(c[METRIC_SYSTEM_MEMORY_CACHED] == (180224000 + 9437184) * 1024.0);
	assert_true(c[METRIC_SYSTEM_MEMORY_ACTIVE] == 150223872 * 1024.0);
	assert_true(c[METRIC_SYSTEM_MEMORY_INACTIVE] == 120004608 * 1024.0);
	/* A captured machine stands still. */
	assert_true(c[METRIC_SYSTEM_DISK_READ_BYTES] == 0 &&
	            c[METRIC_SYSTEM_DISK_WRITE_BYTES] == 0);
	assert_true(c[METRIC_SYSTEM_NET_RECV_BYTES] == 0 && c[METRIC_SYSTEM_NET_SENT_BYTES] == 0);
	assert_true(c[METRIC_SYSTEM_DISK_SPACE_TOTAL] > 0 && c[METRIC_SYSTEM_DISK_SPACE_USED] > 0 &&
	            c[METRIC_SYSTEM_DISK_SPACE_FREE] > 0);
	assert_int_equal(notes.notes.n, 1);
	assert_string_equal(notes.notes.v[0],
	                    "Space on 2 network or FUSE file systems is not counted "
	                    "(nfs4 on /home): asking can block.");
	snapshot_free(&notes);
}

TEST(container)
{
	double c[METRIC_COUNT];
	struct snapshot notes = {0};

	read_root(captured_root("container"), c, &notes);
	assert_true(c[METRIC_SYSTEM_PROCESSES] == 5);
	assert_true(near(c[METRIC_SYSTEM_STIME], ticks(4 * 9100.0)));
	assert_true(c[METRIC_SYSTEM_DISK_SPACE_TOTAL] == 25000000 * 4096.0);
	assert_int_equal(notes.notes.n, 0);
	snapshot_free(&notes);
}

TEST(hostile)
{
	double c[METRIC_COUNT];
	struct snapshot notes = {0};

	read_root(captured_root("hostile"), c, &notes);
	for (size_t i = 0; i < METRIC_COUNT; i++)
		assert_true(isnan(c[i]) || (isfinite(c[i]) && c[i] >= 0));
	assert_true(isnan(c[METRIC_SYSTEM_UTIME]));
	assert_true(c[METRIC_SYSTEM_MEMORY_BUFFERS] > 0);
	snapshot_free(&notes);
}

/* gVisor's /proc/stat has only zeros: no CPU time is no measurement. */
TEST(only_zeros)
{
	char dir[] = "/tmp/rtrack-test-zeros-XXXXXX", path[96];
	double c[METRIC_COUNT];
	struct snapshot notes = {0};
	FILE *f;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/proc", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/proc/stat", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n", f);
	fclose(f);
	read_root(open_root(dir), c, &notes);
	assert_true(isnan(c[METRIC_SYSTEM_UTIME]) && isnan(c[METRIC_SYSTEM_STIME]));
	assert_string_equal(notes.notes.v[0],
	                    "The machine's CPU time is not known: /proc/stat: only zeros.");
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	rmdir(dir);
	snapshot_free(&notes);
}

/* An empty directory: nothing is known, each is said once, nothing fails. */
TEST(nothing)
{
	char dir[] = "/tmp/rtrack-test-system-XXXXXX";
	double c[METRIC_COUNT];
	struct snapshot notes = {0};

	assert_non_null(mkdtemp(dir));
	read_root(open_root(dir), c, &notes);
	for (size_t i = 0; i < METRIC_COUNT; i++)
		assert_true(isnan(c[i]));
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

TEST(live)
{
	struct root r;
	struct machine *s;
	double a[METRIC_COUNT], b[METRIC_COUNT];
	volatile double x = 0;
	long before, after;

	assert_int_equal(root_open(&r, NULL, NULL), 0);
	s = machine_open(&r, SCHEMA_1, NULL);
	assert_non_null(s);
	machine_read(s, a);
	for (long i = 0; i < 30000000; i++)
		x = x + (double)i;
	assert_true(x > 0);
	before = listed();
	machine_read(s, b);
	after = listed();
	assert_true(b[METRIC_SYSTEM_UTIME] >= a[METRIC_SYSTEM_UTIME] &&
	            b[METRIC_SYSTEM_STIME] >= a[METRIC_SYSTEM_STIME]);
	assert_true(b[METRIC_SYSTEM_UTIME] + b[METRIC_SYSTEM_STIME] >
	            a[METRIC_SYSTEM_UTIME] + a[METRIC_SYSTEM_STIME]);
	assert_true(b[METRIC_SYSTEM_MEMORY_FREE] > 0 && b[METRIC_SYSTEM_MEMORY_AVAILABLE] > 0);
	assert_true(b[METRIC_SYSTEM_PROCESSES] >= (double)(before < after ? before : after) - 20);
	assert_true(b[METRIC_SYSTEM_PROCESSES] <= (double)(before > after ? before : after) + 20);
	assert_false(b[METRIC_SYSTEM_CPU_IOWAIT] < a[METRIC_SYSTEM_CPU_IOWAIT] ||
	             b[METRIC_SYSTEM_CPU_STEAL] < a[METRIC_SYSTEM_CPU_STEAL] ||
	             b[METRIC_SYSTEM_CPU_IRQ] < a[METRIC_SYSTEM_CPU_IRQ]);
	assert_true(b[METRIC_SYSTEM_SWAP_USED] >= 0 && b[METRIC_SYSTEM_LOAD1] >= 0);
	assert_false(b[METRIC_SYSTEM_PSI_CPU_SOME] < a[METRIC_SYSTEM_PSI_CPU_SOME] ||
	             b[METRIC_SYSTEM_PSI_IO_SOME] < a[METRIC_SYSTEM_PSI_IO_SOME]);
	assert_false(b[METRIC_SYSTEM_DISK_READ_BYTES] < a[METRIC_SYSTEM_DISK_READ_BYTES] ||
	             b[METRIC_SYSTEM_DISK_WRITE_BYTES] < a[METRIC_SYSTEM_DISK_WRITE_BYTES]);
	assert_false(b[METRIC_SYSTEM_NET_RECV_BYTES] < a[METRIC_SYSTEM_NET_RECV_BYTES] ||
	             b[METRIC_SYSTEM_NET_SENT_BYTES] < a[METRIC_SYSTEM_NET_SENT_BYTES]);
	machine_close(s);
	root_close(&r);
}

#define NOT_ALLOWED 77

static size_t open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* A command that is to be started need not wait for them. */
TEST(files_are_opened_by_the_first_reading)
{
	struct root r;
	struct machine *s;
	double c[METRIC_COUNT];
	size_t before;

	assert_int_equal(root_open(&r, NULL, NULL), 0);
	before = open_files();
	s = machine_open(&r, SCHEMA_1, NULL);
	assert_non_null(s);
	assert_int_equal(open_files(), before);
	machine_read(s, c);
	assert_true(open_files() > before);
	machine_close(s);
	assert_int_equal(open_files(), before);
	root_close(&r);
}

/* In a pid namespace of its own, where the links of /proc count the whole machine's processes. */
static int alone(void)
{
	struct root r;
	struct machine *s;
	double c[METRIC_COUNT];

	if (mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("proc", "/proc", "proc", 0, NULL) < 0)
		return NOT_ALLOWED;
	if (root_open(&r, NULL, NULL) < 0 || !(s = machine_open(&r, SCHEMA_1, NULL)))
		return 1;
	machine_read(s, c);
	if (c[METRIC_SYSTEM_PROCESSES] != 1)
		return 2;
	machine_read(s, c);
	return c[METRIC_SYSTEM_PROCESSES] == 1 ? 0 : 3;
}

static int status_of(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 1;
	return WEXITSTATUS(status);
}

TEST(pid_namespace)
{
	pid_t outer = fork(), inner;
	int status;

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

static void link_net(const char *of, const char *to)
{
	char path[300];

	snprintf(path, sizeof path, "%s/proc/%s/ns/net", tree, of);
	(void)unlink(path);
	assert_int_equal(symlink(to, path), 0);
}

/* What interfaces without a device count is not the traffic of a job in another network namespace. */
TEST_WITH(a_job_in_another_network_namespace, tree_make, tree_remove)
{
	static const struct {
		const char *device, *job;
		bool known;
		const char *note;
	} cases[] = {
	    {NULL, "net:[1]", true, NULL},
	    {NULL, "net:[2]", false,
	     "namespace than rtrack-collect: the network traffic is not known."},
	    {"sys/class/net/eth0/device/vendor", "net:[2]", true,
	     "its traffic is in the machine's only"},
	};

	tree_put("proc/net/dev", "eth0: 5 1 1 1 1 1 1 1 6\n");
	tree_put("proc/self/ns/x", "");
	tree_put("proc/7/ns/x", "");
	link_net("self", "net:[1]");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double c[METRIC_COUNT];
		struct snapshot notes = {0};
		struct machine *s;
		struct root r;
		bool found = false;

		if (cases[i].device)
			tree_put(cases[i].device, "");
		assert_int_equal(root_open(&r, tree, NULL), 0);
		s = machine_open(&r, SCHEMA_1, NULL);
		link_net("7", "net:[1]");
		machine_set_job(s, 7);
		machine_read(s, c);
		assert_true(c[METRIC_SYSTEM_NET_RECV_BYTES] == 0);
		link_net("7", cases[i].job);
		machine_read(s, c);
		assert_int_equal(!isnan(c[METRIC_SYSTEM_NET_RECV_BYTES]), cases[i].known);
		assert_int_equal(!isnan(c[METRIC_SYSTEM_NET_SENT_BYTES]), cases[i].known);
		machine_notes(s, &notes);
		for (size_t k = 0; k < notes.notes.n; k++)
			found |=
			    strstr(notes.notes.v[k],
			           cases[i].note ? cases[i].note : "network namespace") != NULL;
		assert_int_equal(found, cases[i].note != NULL);
		snapshot_free(&notes);
		machine_close(s);
		root_close(&r);
	}
}
