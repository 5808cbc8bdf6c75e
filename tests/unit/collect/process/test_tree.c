/* Tests of collect/process/tree.c and process_table.c, on a captured machine that changes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collect/process/process_table.h"
#include "collect/process/top_processes.h"
#include "collect/process/tree.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

/* Called when the processor time of this thread is asked, as around each reading of PSS. */
static void (*on_thread_clock)(void);

int clock_gettime(clockid_t clock, struct timespec *t)
{
	if (clock == CLOCK_THREAD_CPUTIME_ID && on_thread_clock)
		on_thread_clock();
	return (int)syscall(SYS_clock_gettime, clock, t);
}

/* -- a machine --------------------------------------------------------------------------------- */

struct machine {
	char dir[64];
	struct root root;
	struct tree *tree;
	struct tree_counters c;
};

static void put(const struct machine *m, const char *path, const char *text)
{
	char full[256];
	FILE *f;

	snprintf(full, sizeof full, "%s/%s", m->dir, path);
	for (char *p = full + strlen(m->dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(full, 0700);
		*p = '/';
	}
	f = fopen(full, "w"); /* the same file: a kept descriptor sees it */
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

struct process {
	int pid, ppid, threads;
	const char *comm;
	char state;
	long start;
	int utime, cutime; /* ticks: hundredths of a second */
	int cminflt;
	long pss_kb, rss_pages; /* pss 0: no such file */
	long anonymous_kb;      /* of it; the RSS is .rss_pages then */
	long stack;
	long written;
};

static void set(const struct machine *m, struct process p)
{
	char path[64], text[512];

	snprintf(path, sizeof path, "proc/%d/stat", p.pid);
	snprintf(text, sizeof text,
	         "%d (%s) %c %d 1 1 0 -1 4194304 10 %d 0 0 %d 0 %d 0 20 0 %d 0 %ld 1000000 %ld "
	         "18446744073709551615 1 1 %ld\n",
	         p.pid, p.comm ? p.comm : "x", p.state ? p.state : 'S', p.ppid, p.cminflt, p.utime,
	         p.cutime, p.threads ? p.threads : 1, p.start ? p.start : p.pid, p.rss_pages,
	         p.stack);
	put(m, path, text);
	snprintf(path, sizeof path, "proc/%d/io", p.pid);
	snprintf(text, sizeof text, "rchar: %ld\nwchar: 5\nread_bytes: 0\nwrite_bytes: %ld\n",
	         2 * p.written, p.written);
	put(m, path, text);
	snprintf(path, sizeof path, "proc/%d/smaps_rollup", p.pid);
	snprintf(text, sizeof text, "Rss: %ld kB\nPss: %ld kB\nAnonymous: %ld kB\n",
	         p.anonymous_kb ? p.anonymous_kb : p.pss_kb, p.pss_kb, p.anonymous_kb);
	if (p.pss_kb)
		put(m, path, text);
}

static void children(const struct machine *m, int pid, int tid, const char *list)
{
	char path[64];

	snprintf(path, sizeof path, "proc/%d/task/%d/children", pid, tid);
	put(m, path, list);
}

/* Ends a process, as far as plain files can show it: a kept descriptor reads nothing. */
static void end(const struct machine *m, int pid)
{
	static const char *const files[] = {"stat", "io", "smaps_rollup"};
	char path[256];

	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "proc/%d/%s", pid, files[i]);
		put(m, path, "");
		snprintf(path, sizeof path, "%s/proc/%d/%s", m->dir, pid, files[i]);
		unlink(path);
	}
}

static int setup(void **state)
{
	struct machine *m = calloc(1, sizeof *m);
	struct err e = {0};

	*state = m;
	if (!m)
		return -1;
	strcpy(m->dir, "/tmp/rtrack-tree-XXXXXX");
	if (!mkdtemp(m->dir) || root_open(&m->root, m->dir, &e))
		return -1;
	m->tree = tree_open(&m->root, false, &e);
	return m->tree ? 0 : -1;
}

static int teardown(void **state)
{
	struct machine *m = *state;
	char command[96];
	int failed;

	tree_close(m->tree);
	root_close(&m->root);
	snprintf(command, sizeof command, "rm -rf '%s'", m->dir);
	failed = system(command);
	free(m);
	return failed;
}

static void start(struct machine *m, int pid)
{
	assert_int_equal(tree_set_root(m->tree, pid, NULL), 0);
	tree_read(m->tree, &m->c);
}

/* -- which processes --------------------------------------------------------------------------- */

TEST_WITH(no_such_process, setup, teardown)
{
	struct machine *m = *state;
	struct err e = {0};

	assert_int_equal(tree_set_root(m->tree, 5, &e), -1);
	assert_non_null(strstr(e.msg, "5"));
}

TEST_WITH(children_of_every_thread, setup, teardown)
{
	struct machine *m = *state;

	set(m, (struct process){.pid = 10, .ppid = 1, .threads = 3, .pss_kb = 100});
	children(m, 10, 10, "11 ");
	children(m, 10, 15, "");
	children(m, 10, 16, "12 13 ");
	set(m, (struct process){.pid = 11, .ppid = 10, .pss_kb = 10, .comm = "a) S 99 (b"});
	children(m, 11, 11, "");
	set(m, (struct process){.pid = 12, .ppid = 10, .pss_kb = 20});
	children(m, 12, 12, "14 ");
	set(m, (struct process){.pid = 13, .ppid = 10, .pss_kb = 30});
	children(m, 13, 13, "");
	set(m, (struct process){.pid = 14, .ppid = 12, .pss_kb = 40});
	children(m, 14, 14, "");
	set(m, (struct process){.pid = 20, .ppid = 1, .pss_kb = 1000});
	start(m, 10);
	assert_int_equal(m->c.alive, 5);
	assert_int_equal(m->c.children, 4);
	assert_near(m->c.all.memory_b, 200 * 1024, 1e-9);
	assert_true(tree_has_root(m->tree));
}

TEST_WITH(a_kernel_without_children_files, setup, teardown)
{
	struct machine *m = *state;

	/* The child's pid is below its parent's. */
	set(m, (struct process){.pid = 30, .ppid = 1, .pss_kb = 1});
	set(m, (struct process){.pid = 9, .ppid = 30, .pss_kb = 1});
	set(m, (struct process){.pid = 8, .ppid = 9, .pss_kb = 1});
	set(m, (struct process){.pid = 7, .ppid = 1, .pss_kb = 1});
	start(m, 30);
	assert_int_equal(m->c.children, 2);
	set(m, (struct process){.pid = 6, .ppid = 8, .pss_kb = 1});
	tree_read(m->tree, &m->c);
	assert_int_equal(m->c.children, 3);
}

TEST_WITH(a_zombie_is_no_child_but_its_time_counts, setup, teardown)
{
	struct machine *m = *state;

	set(m, (struct process){.pid = 10, .ppid = 1, .pss_kb = 100});
	children(m, 10, 10, "11 12 ");
	set(m, (struct process){.pid = 11, .ppid = 10, .state = 'Z', .utime = 300});
	/* Its first thread has ended, others run. */
	set(m, (struct process){.pid = 12, .ppid = 10, .state = 'Z', .threads = 2, .utime = 100});
	children(m, 12, 12, "");
	start(m, 10);
	assert_int_equal(m->c.children, 1);
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME], 4, 1e-9);
}

/* Its usage is counted once, whatever its files contain between two good readings. */
TEST_WITH(a_stat_that_cannot_be_read, setup, teardown)
{
	struct machine *m = *state;

	set(m, (struct process){.pid = 10, .ppid = 1, .utime = 100});
	children(m, 10, 10, "11 ");
	set(m, (struct process){.pid = 11, .ppid = 10, .utime = 200});
	children(m, 11, 11, "");
	start(m, 10);
	assert_near(m->c.sum[CPU_ACCOUNTING_CPU], 3, 1e-9);
	put(m, "proc/11/stat", "11 (x");
	for (int i = 0; i < 8; i++) {
		tree_read(m->tree, &m->c);
		assert_int_equal(m->c.alive, 2);
		assert_near(m->c.sum[CPU_ACCOUNTING_CPU], 3, 1e-9);
	}
	set(m, (struct process){.pid = 11, .ppid = 10, .utime = 250});
	tree_read(m->tree, &m->c);
	assert_near(m->c.sum[CPU_ACCOUNTING_CPU], 3.5, 1e-9);
	put(m, "proc/11/stat", "");
	for (int i = 0; i < 9; i++)
		tree_read(m->tree, &m->c);
	assert_int_equal(m->c.alive, 1);
	assert_near(m->c.sum[CPU_ACCOUNTING_CPU], 3.5, 1e-9);
}

/* A pid is given to another process between two readings. */
TEST_WITH(a_number_that_is_given_again, setup, teardown)
{
	struct machine *m = *state;

	set(m, (struct process){.pid = 10, .ppid = 1, .utime = 100});
	children(m, 10, 10, "11 12 ");
	set(m, (struct process){.pid = 11, .ppid = 10, .utime = 200, .start = 50});
	children(m, 11, 11, "");
	set(m, (struct process){.pid = 12, .ppid = 10, .utime = 400, .start = 51});
	children(m, 12, 12, "");
	start(m, 10);
	assert_near(m->c.sum[CPU_ACCOUNTING_CPU], 7, 1e-9);
	/* One has the same parent, which inherited from the first; the other is a stranger. */
	set(m, (struct process){.pid = 10, .ppid = 1, .utime = 100, .cutime = 600});
	set(m, (struct process){.pid = 11, .ppid = 10, .utime = 30, .start = 60});
	set(m, (struct process){.pid = 12, .ppid = 1, .utime = 90000, .start = 61});
	tree_read(m->tree, &m->c);
	assert_int_equal(m->c.alive, 2);
	assert_near(m->c.sum[CPU_ACCOUNTING_CPU], 7.3, 1e-9);
	set(m, (struct process){.pid = 11, .ppid = 10, .utime = 40, .start = 60});
	tree_read(m->tree, &m->c);
	assert_near(m->c.sum[CPU_ACCOUNTING_CPU], 7.4, 1e-9);
}

TEST_WITH(a_listed_number_that_is_another_process, setup, teardown)
{
	struct machine *m = *state;

	set(m, (struct process){.pid = 10, .ppid = 1, .pss_kb = 100});
	children(m, 10, 10, "11 ");
	set(m, (struct process){.pid = 11, .ppid = 1, .pss_kb = 100, .utime = 500});
	start(m, 10);
	assert_int_equal(m->c.children, 0);
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME], 0, 1e-9);
}

TEST_WITH(an_orphan_stays, setup, teardown)
{
	struct machine *m = *state;

	set(m, (struct process){.pid = 10, .ppid = 1, .pss_kb = 100});
	children(m, 10, 10, "11 ");
	set(m, (struct process){.pid = 11, .ppid = 10, .utime = 100, .pss_kb = 50});
	children(m, 11, 11, "");
	start(m, 10);
	children(m, 10, 10, "");
	set(m, (struct process){.pid = 11, .ppid = 1, .utime = 250, .pss_kb = 50});
	set(m, (struct process){.pid = 12, .ppid = 11, .utime = 50, .pss_kb = 50});
	children(m, 11, 11, "12 ");
	children(m, 12, 12, "");
	tree_read(m->tree, &m->c);
	assert_int_equal(m->c.children, 2);
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME], 3, 1e-9);
}

TEST_WITH(the_root_goes, setup, teardown)
{
	struct machine *m = *state;

	set(m, (struct process){.pid = 10, .ppid = 1, .utime = 100, .pss_kb = 100});
	children(m, 10, 10, "");
	start(m, 10);
	end(m, 10);
	tree_read(m->tree, &m->c);
	assert_false(tree_has_root(m->tree));
	assert_int_equal(m->c.alive, 0);
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME], 1, 1e-9);
	/* Its pid is given to a stranger. */
	set(m, (struct process){.pid = 10, .ppid = 1, .start = 999, .utime = 100, .pss_kb = 100});
	tree_read(m->tree, &m->c);
	assert_false(tree_has_root(m->tree));
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME], 1, 1e-9);
}

/* -- accounts ---------------------------------------------------------------------------------- */

TEST_WITH(a_reaped_child_is_counted_once, setup, teardown)
{
	struct machine *m = *state;

	set(m, (struct process){.pid = 10, .ppid = 1, .pss_kb = 100});
	children(m, 10, 10, "11 ");
	set(m,
	    (struct process){.pid = 11, .ppid = 10, .utime = 900, .written = 4096, .pss_kb = 50});
	children(m, 11, 11, "");
	start(m, 10);
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME], 9, 1e-9);
	assert_near(m->c.sum[CPU_ACCOUNTING_WRITE], 4096, 1e-9);
	end(m, 11);
	children(m, 10, 10, "");
	set(m,
	    (struct process){
		.pid = 10, .ppid = 1, .cutime = 910, .cminflt = 5, .written = 8192, .pss_kb = 100});
	tree_read(m->tree, &m->c);
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME], 9.1, 1e-9);
	assert_near(m->c.sum[CPU_ACCOUNTING_WRITE], 8192, 1e-9);
	assert_near(m->c.all.memory_b, 100 * 1024, 1e-9);
}

/* A child writes a file; its parent, which has reaped it, deletes most of it before it is written
 * back. */
TEST_WITH(deleted_files_are_not_written, setup, teardown)
{
	struct machine *m = *state;
	struct snapshot_totals totals;

	set(m, (struct process){.pid = 10, .ppid = 1, .written = 8192, .pss_kb = 100});
	children(m, 10, 10, "");
	start(m, 10);
	put(m, "proc/10/io", "read_bytes: 0\nwrite_bytes: 12288\ncancelled_write_bytes: 8192\n");
	tree_read(m->tree, &m->c);
	assert_near(m->c.sum[CPU_ACCOUNTING_WRITE], 12288, 1e-9);
	assert_near(m->c.sum[CPU_ACCOUNTING_CANCELLED], 8192, 1e-9);
	tree_totals(m->tree, &totals);
	assert_near(totals.write_b, 4096, 1e-9);
	/* It deletes what others had made dirty, too. */
	put(m, "proc/10/io", "read_bytes: 0\nwrite_bytes: 12288\ncancelled_write_bytes: 99999\n");
	tree_read(m->tree, &m->c);
	tree_totals(m->tree, &totals);
	assert_near(totals.write_b, 0, 1e-9);
}

TEST_WITH(a_launcher_counts_by_what_it_reaps, setup, teardown)
{
	struct machine *m = *state;
	struct process launcher = {
	    .pid = 10, .ppid = 1, .utime = 700, .cutime = 300, .written = 999, .pss_kb = 100};

	set(m, launcher);
	children(m, 10, 10, "11 12 ");
	set(m, (struct process){.pid = 11, .ppid = 10, .utime = 40, .written = 512, .pss_kb = 50});
	children(m, 11, 11, "");
	set(m, (struct process){.pid = 12, .ppid = 10, .utime = 60, .pss_kb = 30});
	children(m, 12, 12, "");
	assert_int_equal(tree_set_launcher(m->tree, 10, NULL), 0);
	tree_read(m->tree, &m->c);
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME], 1, 1e-9);
	assert_near(m->c.sum[CPU_ACCOUNTING_WRITE], 512, 1e-9);
	assert_near(m->c.all.memory_b, 80 * 1024, 1e-9);
	assert_true(m->c.alive == 2 && isnan(m->c.main.memory_b) && isnan(m->c.main_cpu_s));
	/* 11 is reaped with 0.9 s; another that was never seen with 0.2 s. */
	end(m, 11);
	children(m, 10, 10, "12 ");
	launcher.utime = 900, launcher.cutime = 410, launcher.cminflt = 5, launcher.written = 9999;
	set(m, launcher);
	tree_read(m->tree, &m->c);
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME], 1.7, 1e-9);
	assert_near(m->c.sum[CPU_ACCOUNTING_WRITE], 512, 1e-9);
	assert_true(tree_has_root(m->tree) && m->c.alive == 1);
	end(m, 10);
	tree_read(m->tree, &m->c);
	assert_false(tree_has_root(m->tree));
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME], 1.7, 1e-9);
}

/* Its page faults are in its parent's account, with those of others that no reading saw. */
TEST_WITH(processes_that_lived_between_two_readings, setup, teardown)
{
	struct machine *m = *state;
	struct process root = {.pid = 10, .ppid = 1, .cminflt = 70000, .pss_kb = 102400};
	struct snapshot_memory memory;

	put(m, "proc/vmstat", "thp_fault_alloc 5\nthp_file_alloc 0\nthp_file_mapped 7\n");
	put(m, "proc/10/status", "Uid:\t0\t0\t0\t0\nVmHWM:\t102400 kB\n");
	set(m, root);
	children(m, 10, 10, "11 ");
	set(m, (struct process){.pid = 11, .ppid = 10, .cminflt = 500, .pss_kb = 50});
	children(m, 11, 11, "");
	start(m, 10); /* what it had reaped before is not the run's */
	end(m, 11);
	children(m, 10, 10, "");
	root.cminflt += 510; /* all of 11, with its 10 */
	set(m, root);
	tree_read(m->tree, &m->c);
	assert_true(tree_memory(m->tree, &memory));
	assert_near(memory.peak_most_b, 102450 * 1024, 10e6);
	root.cminflt += 1; /* the first that is counted sees /proc/vmstat */
	set(m, root);
	tree_read(m->tree, &m->c);
	root.cminflt += 200; /* of others */
	set(m, root);
	tree_read(m->tree, &m->c);
	assert_false(tree_memory(m->tree, &memory));
	assert_near(memory.peak_most_b, 102400.0 * 1024 + 200 * 65536, 1);
	root.cminflt += 50000;
	set(m, root);
	tree_read(m->tree, &m->c);
	assert_false(tree_memory(m->tree, &memory));
	assert_true(isinf(memory.peak_most_b));
	assert_near(memory.peak_b, 102450 * 1024, 1);
}

TEST_WITH(one_that_we_reaped_is_exact, setup, teardown)
{
	struct machine *m = *state;
	const struct rusage usage = {.ru_utime = {1, 234500}, .ru_stime = {0, 500000}};
	const struct rusage other = {.ru_utime = {1, 0}};
	const double total[CPU_ACCOUNTING_COUNT] = {0, 0, 0, 512}, none[CPU_ACCOUNTING_COUNT] = {0};
	struct snapshot_totals totals;

	set(m, (struct process){.pid = 10, .ppid = 1, .utime = 123, .pss_kb = 100});
	children(m, 10, 10, "");
	start(m, 10);
	tree_reaped(m->tree, 10, 0, &usage, total);
	tree_settle(m->tree, &m->c);
	assert_near(m->c.late_s, 0.5045, 1e-9);     /* 1.23 had been seen */
	tree_reaped(m->tree, 999, 0, &other, none); /* never seen */
	tree_settle(m->tree, &m->c);
	assert_near(m->c.sum[CPU_ACCOUNTING_CPU], 2.7345, 1e-9);
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME], 2.2345, 1e-9);
	assert_near(m->c.sum[CPU_ACCOUNTING_STIME], 0.5, 1e-9);
	assert_near(m->c.sum[CPU_ACCOUNTING_WRITE], 512, 1e-9);
	tree_totals(m->tree, &totals);
	assert_near(totals.utime_s + totals.stime_s, 2.7345, 1e-9);
	assert_near(totals.write_b, 512, 1e-9);
	assert_near(totals.rchar_b, 0, 1e-9); /* as told, in place of what was read */
}

TEST_WITH(memory_that_may_not_be_read_is_rss, setup, teardown)
{
	struct machine *m = *state;
	struct snapshot s = {.schema = SCHEMA_1};

	set(m, (struct process){.pid = 10, .ppid = 1, .rss_pages = 10});
	children(m, 10, 10, "");
	start(m, 10);
	assert_near(m->c.all.memory_b, 10.0 * (double)sysconf(_SC_PAGESIZE), 1e-9);
	tree_notes(m->tree, &(struct snapshot_totals){0}, &s);
	assert_int_equal(s.notes.n, 1);
	assert_non_null(strstr(s.notes.v[0], "PSS of 1 process "));
	snapshot_free(&s);
}

/* The note names the account that has what is missing only if there is one. */
TEST_WITH(usage_that_no_process_got, setup, teardown)
{
	static const struct {
		double cpu_s, read_b, counted_s;
		const char *end;
	} cases[] = {
	    {NAN, NAN, NAN, " between two samples, is missing."},
	    {NAN, NAN, 2, "is missing, but for the CPU time, which the kernel's events counted."},
	    {2, NAN, 2,
	     "is missing, but for the CPU time, which is in the total of the command's cgroup."},
	    {2, 0, NAN, " between two samples, is only in the totals of the command's cgroup."},
	};
	struct machine *m = *state;

	/* A parent that ignores SIGCHLD. */
	set(m, (struct process){.pid = 10, .ppid = 1, .rss_pages = 10, .pss_kb = 100});
	put(m, "proc/10/status", "Uid:\t0\t0\t0\t0\nSigIgn:\t0000000000010000\n");
	children(m, 10, 10, "11 ");
	set(m, (struct process){.pid = 11, .ppid = 10, .rss_pages = 10, .pss_kb = 100});
	children(m, 11, 11, "");
	start(m, 10);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct snapshot_totals cgroup = {.cgroup_cpu_s = cases[i].cpu_s,
		                                       .cgroup_read_b = cases[i].read_b,
		                                       .counted_cpu_s = cases[i].counted_s};
		struct snapshot s = {.schema = SCHEMA_1};

		tree_notes(m->tree, &cgroup, &s);
		assert_int_equal(s.notes.n, 1);
		assert_non_null(strstr(s.notes.v[0], cases[i].end));
		snapshot_free(&s);
	}
}

TEST_WITH(a_child_of_vfork_has_no_memory_of_its_own, setup, teardown)
{
	struct machine *m = *state;

	set(m,
	    (struct process){.pid = 10, .ppid = 1, .state = 'D', .rss_pages = 10, .pss_kb = 100});
	children(m, 10, 10, "11 ");
	set(m, (struct process){.pid = 11, .ppid = 10, .rss_pages = 10, .pss_kb = 100});
	children(m, 11, 11, "");
	start(m, 10);
	assert_int_equal(m->c.children, 1);
	assert_near(m->c.all.memory_b, 100 * 1024, 1e-9);
}

/* -- CPU time, memory, totals ------------------------------------------------------------------ */

TEST_WITH(cpu_time_of_one_thread_is_exact, setup, teardown)
{
	struct machine *m = *state;

	set(m, (struct process){.pid = 10, .ppid = 1, .utime = 100, .pss_kb = 1});
	children(m, 10, 10, "11 ");
	put(m, "proc/10/schedstat", "1013000000 7 8\n");
	/* The usage of ended threads is only in the ticks. */
	set(m, (struct process){.pid = 11, .ppid = 10, .threads = 2, .utime = 300, .pss_kb = 1});
	put(m, "proc/11/schedstat", "5000000 7 8\n");
	children(m, 11, 11, "");
	start(m, 10);
	assert_near(m->c.sum[CPU_ACCOUNTING_CPU], 4.013, 1e-9);
	assert_near(m->c.sum[CPU_ACCOUNTING_UTIME] + m->c.sum[CPU_ACCOUNTING_STIME], 4.013, 1e-9);
	assert_near(m->c.main_cpu_s, 1.013, 1e-9);
	/* Far above the ticks: schedstat counts something else. */
	put(m, "proc/10/schedstat", "99000000000 7 8\n");
	tree_read(m->tree, &m->c);
	assert_near(m->c.sum[CPU_ACCOUNTING_CPU], 4.013, 1e-9);
}

TEST_WITH(memory_is_read_again_when_it_may_have_changed, setup, teardown)
{
	struct machine *m = *state;

	set(m, (struct process){.pid = 10, .ppid = 1, .pss_kb = 100, .rss_pages = 5});
	children(m, 10, 10, "");
	start(m, 10);
	assert_near(m->c.all.memory_b, 100 * 1024, 1e-9);
	set(m, (struct process){.pid = 10, .ppid = 1, .utime = 50, .pss_kb = 900, .rss_pages = 5});
	tree_read(m->tree, &m->c);
	assert_near(m->c.all.memory_b, 100 * 1024, 1e-9);
	set(m, (struct process){.pid = 10, .ppid = 1, .utime = 50, .pss_kb = 900, .rss_pages = 6});
	tree_read(m->tree, &m->c);
	assert_near(m->c.all.memory_b, 900 * 1024, 1e-9);
	/* A new child may share pages with it. */
	set(m, (struct process){.pid = 10, .ppid = 1, .utime = 50, .pss_kb = 450, .rss_pages = 6});
	set(m,
	    (struct process){.pid = 11, .ppid = 10, .pss_kb = 450, .rss_pages = 6, .threads = 3});
	children(m, 10, 10, "11 ");
	children(m, 11, 11, "");
	tree_read(m->tree, &m->c);
	assert_near(m->c.all.memory_b, 900 * 1024, 1e-9);
	assert_near(m->c.main.memory_b, 450 * 1024, 1e-9);
	assert_near(m->c.all.threads, 4, 1e-9);
	assert_near(m->c.main.threads, 1, 1e-9);
}

static struct machine *changing;
static int looks, ends_at; /* calls of the clock: the first is before any PSS is read */

static const struct process parent_of_one = {
    .pid = 10, .ppid = 1, .pss_kb = 51200, .anonymous_kb = 102400, .rss_pages = 25600, .stack = 7};

/* The pages that it shared are its parent's alone. */
static void end_child(void)
{
	struct process parent = parent_of_one;

	if (looks++ != ends_at)
		return;
	parent.pss_kb = parent.anonymous_kb;
	set(changing, parent);
	end(changing, 11);
}

/* A child of fork(2) ends between its own reading and that of its parent, or after that. */
static void end_while_pss_is_read(struct machine *m, int at, bool child_is_read)
{
	struct process parent = parent_of_one, child = parent_of_one;
	struct snapshot_memory memory;

	child.pid = 11, child.ppid = 10;
	set(m, parent);
	children(m, 10, 10, "11 ");
	set(m, child);
	children(m, 11, 11, "");
	start(m, 10);
	assert_near(m->c.all.memory_b, 102400 * 1024, 1);
	/* They were read before the first sample was over; now it is known what they share. */
	tree_read(m->tree, &m->c);
	assert_near(m->c.all.memory_b, 102400 * 1024, 1);
	/* Who has page faults is read again. */
	parent.rss_pages++;
	child.rss_pages += child_is_read;
	set(m, parent);
	set(m, child);
	changing = m, looks = 0, ends_at = at, on_thread_clock = end_child;
	tree_read(m->tree, &m->c);
	on_thread_clock = NULL;
	assert_true(looks > at);
	assert_near(m->c.all.memory_b, 102400 * 1024, 8192);
	assert_int_equal(m->c.alive, 2);
	(void)tree_memory(m->tree, &memory);
	assert_near(memory.peak_b, 102400 * 1024, 8192);
}

TEST_WITH(a_child_that_ends_before_its_parent_is_read, setup, teardown)
{
	end_while_pss_is_read(*state, 0, false);
}

TEST_WITH(a_child_that_ends_after_its_parent_was_read, setup, teardown)
{
	end_while_pss_is_read(*state, 1, true);
}

TEST_WITH(peaks_and_waits, setup, teardown)
{
	struct machine *m = *state;
	struct snapshot s = {.schema = SCHEMA_1};
	struct snapshot_totals totals;

	set(m, (struct process){.pid = 10, .ppid = 1, .utime = 1, .pss_kb = 100});
	children(m, 10, 10, "11 ");
	put(m, "proc/10/status",
	    "Uid:\t0\t0\nVmHWM:\t5000 kB\nSigIgn:\t0000000000010000\n"
	    "voluntary_ctxt_switches:\t7\nnonvoluntary_ctxt_switches:\t8\n");
	set(m, (struct process){.pid = 11, .ppid = 10, .pss_kb = 100});
	children(m, 11, 11, "");
	start(m, 10);
	assert_near(m->c.ctx_voluntary, 7, 1e-9);
	put(m, "proc/10/status",
	    "Uid:\t0\t0\nVmPeak:\t90000 kB\nVmHWM:\t9000 kB\nvoluntary_ctxt_switches:\t9\n"
	    "nonvoluntary_ctxt_switches:\t8\n");
	set(m, (struct process){.pid = 10, .ppid = 1, .utime = 2, .pss_kb = 100});
	tree_read(m->tree, &m->c);
	assert_near(m->c.ctx_voluntary, 9, 1e-9);
	assert_near(m->c.ctx_involuntary, 8, 1e-9);
	tree_totals(m->tree, &totals);
	assert_near(totals.peak_rss_b, 9000 * 1024, 1e-9);
	assert_near(totals.peak_virtual_b, 90000 * 1024, 1e-9);
	assert_near(totals.wchar_b, 10, 1e-9);
	tree_notes(m->tree, &(struct snapshot_totals){0}, &s);
	assert_int_equal(s.notes.n, 1);
	assert_non_null(strstr(s.notes.v[0], "SIGCHLD"));
	snapshot_free(&s);
}

TEST_WITH(who_it_was, setup, teardown)
{
	struct machine *m = *state;
	struct json_write j = {.b = {.s = NULL}};
	struct snapshot_wait waits[WAIT_NAMES_TOP];
	struct snapshot_process known;

	set(m,
	    (struct process){.pid = 10, .ppid = 1, .comm = "a b) R", .utime = 150, .pss_kb = 100});
	children(m, 10, 10, "11 12 ");
	put(m, "proc/10/cmdline", "");
	set(m, (struct process){.pid = 11, .ppid = 10, .utime = 50, .pss_kb = 10});
	children(m, 11, 11, "");
	set(m, (struct process){.pid = 12, .ppid = 10, .pss_kb = 10});
	tree_exclude(m->tree, 12);
	start(m, 10);
	assert_true(tree_has(m->tree, 11));
	assert_false(tree_has(m->tree, 12));
	assert_int_equal(process_table_pid(tree_table(m->tree), 0), 10);
	assert_int_equal(process_table_pid(tree_table(m->tree), 1), 11);
	assert_int_equal(process_table_pid(tree_table(m->tree), 2), 0);
	put(m, "proc/11/cmdline", "x\001y");
	tree_read(m->tree, &m->c);
	assert_string_equal(tree_top(m->tree, 1)->command, "x\001y");
	end(m, 11);
	children(m, 10, 10, "");
	tree_read(m->tree, &m->c);
	assert_string_equal(tree_top(m->tree, 0)->name, "a b) R");
	assert_true(tree_top(m->tree, 0)->cpu_s == 1.5);
	assert_true(tree_top(m->tree, 0)->peak_pss_b == 102400);
	json_write_object(&j, NULL);
	tree_write_states(m->tree, &j);
	json_write_object_end(&j);
	assert_true(json_write_finish(&j));
	/* In a captured machine it is not known when it began. */
	assert_false(tree_sampled(m->tree, 0, 10, 0, &known, waits));
	json_write_free(&j);
}

TEST_WITH(many_processes, setup, teardown)
{
	struct machine *m = *state;
	static char list[16384];
	size_t at = 0;

	set(m, (struct process){.pid = 10, .ppid = 1, .pss_kb = 1});
	for (int pid = 1000; pid < 3000; pid++) {
		set(m, (struct process){.pid = pid, .ppid = 10, .utime = 1, .pss_kb = 1});
		children(m, pid, pid, "");
		at += (size_t)snprintf(list + at, sizeof list - at, "%d ", pid);
	}
	children(m, 10, 10, list);
	start(m, 10);
	assert_int_equal(m->c.children, 2000);
	assert_near(m->c.all.memory_b, 2001 * 1024, 1e-9);
	assert_true(fabs(m->c.sum[CPU_ACCOUNTING_UTIME] - 20) < 1e-6);
	tree_read(m->tree, &m->c);
	assert_int_equal(m->c.children, 2000);
	assert_true(fabs(m->c.sum[CPU_ACCOUNTING_UTIME] - 20) < 1e-6);
}
