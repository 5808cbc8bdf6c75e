/* Tests of collect/procfs/proc_pid.c. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "tests/unit/root.h"
#include "tests/unit/unit.h"

#define REST " 0 -1 4194304 10 20 30 40 50 60 70 80 20 0 3 0 999 4096 7 184467440737095"

TEST(names_of_processes)
{
	static const struct {
		const char *text, *comm;
		char s;
	} rows[] = {
	    {"5 (sh) S 1 5 5" REST, "sh", 'S'},
	    {"5 (a b) R 1 5 5" REST, "a b", 'R'},
	    {"5 (x) Z 99 (y) D 1 5 5" REST, "x) Z 99 (y", 'D'},
	    {"5 ()) S 1 5 5" REST, ")", 'S'},
	    {"5 () S 1 5 5" REST, "", 'S'},
	    {"5 (\\n) S 1 5 5" REST, "\\n", 'S'},
	    {"5 (a\nb) S 1 5 5" REST, "a\nb", 'S'},
	    {"5 (0123456789012345678901234567890123456789012345678901234567890123456789) S 1 5 "
	     "5" REST,
	     "012345678901234567890123456789012345678901234567890123456789012", 'S'},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct proc_pid_stat p;

		assert_int_equal(proc_pid_stat_parse(rows[i].text, strlen(rows[i].text), &p), 0);
		assert_string_equal(p.comm, rows[i].comm);
		assert_int_equal(p.state, rows[i].s);
		assert_int_equal(p.pid, 5);
		assert_int_equal(p.ppid, 1);
		assert_int_equal(p.group, 5);
		assert_int_equal(p.session, 5);
		assert_int_equal(p.minflt, 10);
		assert_int_equal(p.cminflt, 20);
		assert_int_equal(p.majflt, 30);
		assert_int_equal(p.cmajflt, 40);
		assert_int_equal(p.utime, 50);
		assert_int_equal(p.stime, 60);
		assert_int_equal(p.cutime, 70);
		assert_int_equal(p.cstime, 80);
		assert_int_equal(p.num_threads, 3);
		assert_int_equal(p.starttime, 999);
		assert_int_equal(p.vsize, 4096);
		assert_int_equal(p.rss_pages, 7);
	}
}

TEST(terminal_of_a_stat)
{
	static const char without[] = "5 (sh) S 1 5 5" REST;
	static const char with[] = "5 (sh) S 1 6 7 34816 6 4194304 1 2 3 4 5 6 7 8 20 0 3 0 9 1 7";
	struct proc_pid_stat p;

	assert_int_equal(proc_pid_stat_parse(without, strlen(without), &p), 0);
	assert_false(p.terminal);
	assert_int_equal(proc_pid_stat_parse(with, strlen(with), &p), 0);
	assert_true(p.terminal);
	assert_int_equal(p.group, 6);
	assert_int_equal(p.session, 7);
}

TEST(broken_stats)
{
	static const char *const texts[] = {
	    "",
	    "5",
	    "5 sh S 1",
	    ")(",
	    "5 )( S 1 5 5" REST,
	    "5 (sh",
	    "5 (sh)",
	    "5 (sh) S",
	    "5 (sh) S -1 5 5" REST,
	    "(sh) S 1 5 5" REST,
	    "5 (sh) S 1 5 5 0 -1 0 1 2 3 4 5 6 7 8 20 0 3 0 999 4096",
	};
	struct proc_pid_stat p;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		errno = 0;
		assert_int_equal(proc_pid_stat_parse(texts[i], strlen(texts[i]), &p), -1);
		assert_int_equal(errno, EBADMSG);
	}
}

#define PARSE(what, text, out) proc_pid_##what##_parse(text, strlen(text), out)

TEST(other_files)
{
	struct proc_pid_io io;
	struct proc_pid_smaps m;
	struct proc_pid_status st;
	struct proc_pid_schedstat sched;

	assert_int_equal(PARSE(io,
	                       "rchar: 9\nwchar: 7\nread_bytes: 4096\nwrite_bytes: 8192\n"
	                       "cancelled_write_bytes: 1\n",
	                       &io),
	                 0);
	assert_int_equal(io.read_bytes, 4096);
	assert_int_equal(io.write_bytes, 8192);
	assert_int_equal(io.rchar, 9);
	assert_int_equal(io.wchar, 7);
	assert_int_equal(io.cancelled_write_bytes, 1);
	assert_int_equal(PARSE(io, "read_bytes: 4096\n", &io), -1);
	assert_int_equal(
	    PARSE(smaps,
	          "x [rollup]\nRss: 100 kB\nPss: 50 kB\nPss_Anon: 9 kB\n"
	          "Shared_Clean: 1 kB\nShared_Dirty: 2 kB\nPrivate_Clean: 4 kB\n"
	          "Private_Dirty: 8 kB\nAnonymous: 20 kB\nSwap: 16 kB\nSwapPss: 3 kB\n",
	          &m),
	    0);
	assert_int_equal(m.rss_b, 100 * 1024);
	assert_int_equal(m.pss_b, 50 * 1024);
	assert_int_equal(m.private_b, 12 * 1024);
	assert_int_equal(m.anonymous_b, 20 * 1024);
	assert_int_equal(m.swap_pss_b, 3 * 1024);
	assert_int_equal(PARSE(smaps, "Rss: 100 kB\n", &m), -1);
	assert_int_equal(
	    PARSE(status,
	          "Name:\tVmHWM: 5\nUid:\t1000\t0\t0\t0\nVmPeak:\t  15 kB\nVmHWM:\t  12 kB\n"
	          "VmRSS:\t  11 kB\nRssAnon:\t 5 kB\nRssFile:\t 4 kB\nRssShmem:\t 2 kB\n"
	          "HugetlbPages:\t 2048 kB\n"
	          "voluntary_ctxt_switches:\t7\nnonvoluntary_ctxt_switches:\t8\n",
	          &st),
	    0);
	assert_true(st.has_split && st.rss_b == 11 * 1024);
	assert_true(st.mapped_b == 6 * 1024 && st.shmem_b == 2 * 1024);
	assert_int_equal(st.hugetlb_b, 2048 * 1024);
	assert_int_equal(st.hwm_b, 12 * 1024);
	assert_int_equal(st.vm_peak_b, 15 * 1024);
	assert_int_equal(st.uid, 1000);
	assert_int_equal(st.euid, 0);
	assert_int_equal(st.ctx_voluntary, 7);
	assert_int_equal(st.ctx_involuntary, 8);
	assert_false(st.ignores_children);
	assert_int_equal(PARSE(status, "VmHWM: 12 kB\n", &st), -1);
	assert_int_equal(PARSE(status, "Uid:\t1\t1\nSigIgn:\t0000000000010000\n", &st), 0);
	assert_true(st.ignores_children); /* signal 17 */
	assert_false(st.has_split);
	assert_int_equal(PARSE(status, "Uid:\t1\t1\nSigIgn:\tfffffffffffeffff\n", &st), 0);
	assert_false(st.ignores_children);
	assert_int_equal(PARSE(status, "Uid:\t1\t1\nSigIgn:\t1\nSigIgn:\n", &st), 0);
	assert_false(st.ignores_children);
	assert_int_equal(PARSE(schedstat, "123456789012 5 6\n", &sched), 0);
	assert_true(sched.run_ns == 123456789012 && sched.wait_ns == 5 && sched.slices == 6);
	/* Without the other numbers, the CPU time is known all the same. */
	assert_int_equal(PARSE(schedstat, "7\n", &sched), 0);
	assert_true(sched.run_ns == 7 && sched.wait_ns == 0 && sched.slices == 0);
	assert_int_equal(PARSE(schedstat, "7 8\n", &sched), 0);
	assert_true(sched.run_ns == 7 && sched.wait_ns == 0 && sched.slices == 0);
	assert_int_equal(PARSE(schedstat, "-1 5 6\n", &sched), -1);
}

TEST(children_texts)
{
	static const struct {
		const char *first, *second;
		int n, pids[4];
	} rows[] = {
	    {"12 34 ", "", 2, {12, 34}},
	    {"12 3", "4 5 ", 3, {12, 34, 5}},
	    {"12", "", 1, {12}},
	    {"12", "34", 1, {1234}},
	    {"", "", 0, {0}},
	    {"-5 0 abc 99999999999999999999 7", "", 2, {5, 7}},
	    {"1 2 3 4 5", "", 4, {1, 2, 3, 4}},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int pids[4];
		struct proc_pid_list list = {.pids = pids, .max = 4};
		long partial = 0;

		proc_pid_children_parse(&list, rows[i].first, strlen(rows[i].first), &partial,
		                        false);
		proc_pid_children_parse(&list, rows[i].second, strlen(rows[i].second), &partial,
		                        true);
		assert_int_equal(list.n, rows[i].n);
		assert_int_equal(list.cut, i + 1 == sizeof rows / sizeof *rows);
		assert_memory_equal(pids, rows[i].pids, (size_t)rows[i].n * sizeof *pids);
	}
}

static bool has(const struct proc_pid_list *list, int pid)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->pids[i] == pid)
			return true;
	return false;
}

static int count_all(void *ctx, const struct proc_pid_stat *p)
{
	int *n = ctx;

	assert_true(p->pid > 0);
	return ++*n == 1000 ? 7 : 0;
}

TEST(machines)
{
	static const struct {
		const char *machine;
		int root;
		long threads;
		int children, processes, parsed;
		int one; /* a child that the main thread did not fork, or 0 */
	} rows[] = {
	    {"idle-vm", 1200, 2, 3, 6, 6, 1203},   {"cpus-64", 4000, 4, 4, 8, 8, 4030},
	    {"container", 7, 1, -ENOSYS, 5, 5, 0}, {"hostile", 100, 2, 4, 9, 3, 103},
	    {"hostile", 99, 1, -ESRCH, 9, 3, 0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int pids[16], n = 0, fd;
		struct proc_pid_list list = {.pids = pids, .max = 16};
		struct root r = captured_root(rows[i].machine);

		if (rows[i].children < 0) {
			assert_int_equal(
			    proc_pid_children(&r, rows[i].root, rows[i].threads, &list), -1);
			assert_int_equal(errno, -rows[i].children);
		} else {
			assert_int_equal(
			    proc_pid_children(&r, rows[i].root, rows[i].threads, &list), 0);
			assert_int_equal(list.n, rows[i].children);
			assert_true(has(&list, rows[i].one));
		}
		assert_int_equal(proc_pid_scan(&r, count_all, &n), 0);
		assert_int_equal(n, rows[i].parsed);
		fd = root_openat(&r, "proc");
		assert_int_equal(proc_pid_count(fd, NULL), rows[i].processes);
		close(fd);
		root_close(&r);
	}
}

/* All process files of the captured machines are read without harm; hostile ones fail. */
static void read_machine(const char *name, int pid, int rc)
{
	struct root r;
	struct proc_pid_stat stat;
	struct proc_pid_io io;
	struct proc_pid_smaps smaps;
	struct proc_pid_status status;
	int fd[4];
	static const char *const file[] = {"stat", "io", "smaps_rollup", "status"};

	r = captured_root(name);
	for (int i = 0; i < 4; i++) {
		fd[i] = proc_pid_open(&r, pid, file[i]);
		assert_true(fd[i] >= 0);
	}
	assert_int_equal(proc_pid_stat_read(fd[0], &stat), rc);
	assert_int_equal(proc_pid_io_read(fd[1], &io), rc);
	assert_int_equal(proc_pid_smaps_read(fd[2], &smaps), rc);
	assert_int_equal(proc_pid_status_read(fd[3], &status), rc);
	for (int i = 0; i < 4; i++)
		close(fd[i]);
	assert_int_equal(proc_pid_open(&r, pid, "nothing"), -1);
	root_close(&r);
}

TEST(files)
{
	read_machine("idle-vm", 1200, 0);
	read_machine("cpus-64", 4021, 0);
	read_machine("hostile", 100, 0);
	read_machine("hostile", 102, -1);
}

/* -- live -------------------------------------------------------------------------------------- */

struct forked {
	int pid, gate[2];
};

static void *fork_in_thread(void *ctx)
{
	struct forked *f = ctx;
	char c;

	f->pid = fork();
	if (f->pid == 0) {
		close(f->gate[1]);
		if (read(f->gate[0], &c, 1) < 0)
			_exit(1);
		_exit(0);
	}
	/* The thread must live: its children go to another one when it ends. */
	pause();
	return NULL;
}

TEST(own_children_of_threads)
{
	struct forked f = {0};
	struct root r;
	struct proc_pid_stat me, child;
	int pids[64], fd;
	struct proc_pid_list list = {.pids = pids, .max = 64};
	pthread_t thread;

	assert_int_equal(root_open(&r, NULL, NULL), 0);
	assert_int_equal(pipe(f.gate), 0);
	assert_int_equal(pthread_create(&thread, NULL, fork_in_thread, &f), 0);
	for (int i = 0; i < 60000 && __atomic_load_n(&f.pid, __ATOMIC_SEQ_CST) == 0; i++)
		usleep(1000);
	assert_true(f.pid > 0);
	fd = proc_pid_open(&r, getpid(), "stat");
	assert_int_equal(proc_pid_stat_read(fd, &me), 0);
	close(fd);
	assert_int_equal(me.pid, getpid());
	assert_int_equal(me.ppid, getppid());
	assert_true(me.num_threads >= 2);
	if (proc_pid_children(&r, getpid(), me.num_threads, &list) == 0)
		assert_true(has(&list, f.pid));
	else
		assert_int_equal(errno, ENOSYS);
	fd = proc_pid_open(&r, f.pid, "stat");
	assert_int_equal(proc_pid_stat_read(fd, &child), 0);
	assert_int_equal(child.ppid, getpid());
	close(f.gate[1]);
	assert_int_equal(waitpid(f.pid, NULL, 0), f.pid);
	assert_int_equal(proc_pid_stat_read(fd, &child), -1);
	assert_int_equal(errno, ESRCH);
	close(fd);
	assert_int_equal(proc_pid_children(&r, f.pid, 1, &list), -1);
	assert_int_equal(errno, ESRCH);
	assert_int_equal(pthread_cancel(thread), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	close(f.gate[0]);
	root_close(&r);
}
