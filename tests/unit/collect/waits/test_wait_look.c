/* Tests of collect/waits/wait_look.c. */
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/waits/wait_look.h"
#include "tests/unit/unit.h"

TEST(functions)
{
	static const struct {
		const char *name;
		int state;
	} cases[] = {
	    {"0", WAIT_LOOK_RUNNING},
	    {"", WAIT_LOOK_RUNNING},
	    {"0\n", WAIT_LOOK_RUNNING},
	    {"do_wait", WAIT_LOOK_CHILD},
	    {"sigsuspend.isra.0", WAIT_LOOK_SIGNAL},
	    {"do_signal_stop", STATES_STOPPED},
	    {"mem_cgroup_handle_over_high", STATES_MEMORY},
	    {"folio_wait_bit_common", STATES_DISK},
	    {"__iomap_dio_rw", STATES_DISK},
	    {"jbd2_log_wait_commit", STATES_DISK},
	    {"balance_dirty_pages", STATES_DISK},
	    {"rpc_wait_bit_killable", STATES_NET_DISK},
	    {"request_wait_answer", STATES_NET_DISK},
	    {"cl_sync_io_wait", STATES_NET_DISK},
	    {"sk_wait_data", STATES_NET},
	    {"unix_stream_read_generic", STATES_NET},
	    {"inet_csk_accept", STATES_EVENT},
	    {"futex_do_wait", WAIT_LOOK_FUTEX},
	    {"futex_wait_queue_me\n", WAIT_LOOK_FUTEX},
	    {"locks_lock_inode_wait", WAIT_LOOK_FILE_LOCK},
	    {"anon_pipe_read", STATES_PIPE},
	    {"pipe_wait", STATES_PIPE},
	    {"poll_schedule_timeout.constprop.0", STATES_EVENT},
	    {"do_epoll_wait", STATES_EVENT},
	    {"hrtimer_nanosleep", STATES_SLEEP},
	    {"wait_woken", WAIT_LOOK_NOTHING},
	    {"some_new_function", WAIT_LOOK_NOTHING},
	    {"fute", WAIT_LOOK_NOTHING},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(wait_look_by_wchan(cases[i].name, strlen(cases[i].name)),
		                 cases[i].state);
}

#define REST " 0x1 0x2 0x3 0x4 0x5 0x7ffd716c8388 0x7f5c9d3ba503\n"

TEST(calls)
{
	static const struct {
		const char *arguments;
		long nr;
		int state, fd;
		bool takes_fd;
	} cases[] = {
	    {"0x3" REST, SYS_read, WAIT_LOOK_OF_FILE, 3, true},
	    {"0x4" REST, SYS_fsync, STATES_DISK, 4, true},
	    {"0x4" REST, SYS_accept, STATES_EVENT, 4, true},
	    {"0x4" REST, SYS_recvfrom, STATES_NET, 4, true},
	    {"0x7ffd716c8388" REST, SYS_futex, WAIT_LOOK_FUTEX, -1, false},
	    {"0x0" REST, SYS_clock_nanosleep, STATES_SLEEP, 0, false},
	    {"0xffffffff" REST, SYS_wait4, WAIT_LOOK_CHILD, -1, false},
	    {"0x1" REST, SYS_getpid, WAIT_LOOK_NOTHING, 1, false},
	    /* a program of 32 bits has other numbers */
	    {"0x3 0x1 0x2 0x3 0x4 0x5 0xffc8388 0x8048000\n", SYS_read, WAIT_LOOK_NOTHING, 3,
	     false},
	};
	struct wait_look_syscall c;
	char text[256];
	bool takes_fd;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(text, sizeof text, "%ld %s", cases[i].nr, cases[i].arguments);
		assert_int_equal(wait_look_syscall_parse(text, strlen(text), &c), 0);
		assert_int_equal(c.kind, WAIT_LOOK_IN_CALL);
		assert_int_equal(c.fd, cases[i].fd);
		assert_int_equal(wait_look_by_syscall(&c, &takes_fd), cases[i].state);
		assert_int_equal(takes_fd, cases[i].takes_fd);
	}
	assert_int_equal(wait_look_syscall_parse("running\n", 8, &c), 0);
	assert_int_equal(wait_look_by_syscall(&c, &takes_fd), WAIT_LOOK_RUNNING);
	assert_int_equal(wait_look_syscall_parse("-1 0x7ffd 0x7f5c\n", 17, &c), 0);
	assert_int_equal(c.kind, WAIT_LOOK_IN_FAULT);
	assert_int_equal(wait_look_syscall_parse("0 0x1 0x2\n", 10, &c), -1);
	assert_int_equal(wait_look_syscall_parse("x", 1, &c), -1);
	assert_int_equal(wait_look_syscall_parse("", 0, &c), -1);
}

TEST(links_and_letters)
{
	assert_int_equal(wait_look_by_link("socket:[7]"), STATES_NET);
	assert_int_equal(wait_look_by_link("pipe:[7]"), STATES_PIPE);
	assert_int_equal(wait_look_by_link("anon_inode:[timerfd]"), STATES_SLEEP);
	assert_int_equal(wait_look_by_link("anon_inode:[eventfd]"), STATES_EVENT);
	assert_int_equal(wait_look_by_link("/data/x.bam"), STATES_DISK);
	assert_int_equal(wait_look_by_link("/dev/pts/3"), STATES_EVENT);
	assert_int_equal(wait_look_by_link("/dev/nvme0n1"), STATES_DISK);
	assert_int_equal(wait_look_by_link(""), WAIT_LOOK_NOTHING);
	assert_int_equal(wait_look_by_letter('D'), STATES_DISK);
	assert_int_equal(wait_look_by_letter('t'), STATES_STOPPED);
	assert_int_equal(wait_look_by_letter('R'), WAIT_LOOK_RUNNING);
	assert_int_equal(wait_look_by_letter('S'), WAIT_LOOK_NOTHING);
	assert_int_equal(wait_look_by_letter('Z'), WAIT_LOOK_CHILD);
}

TEST(time_outs)
{
	static const struct {
		long nr;
		uint64_t arg[6];
		bool timed;
	} cases[] = {
	    {SYS_futex, {1, FUTEX_WAIT, 0, 0, 0, 0}, false},
	    {SYS_futex, {1, FUTEX_WAIT_PRIVATE, 0, 0x7ffe, 0, 0}, true},
	    {SYS_futex,
	     {1, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0, 0x7ffe, 0, 0},
	     true},
	    {SYS_futex, {1, FUTEX_LOCK_PI_PRIVATE, 0, 0x7ffe, 0, 0}, true},
	    {SYS_futex, {1, FUTEX_WAKE_OP, 0, 1, 0, 0}, false},
	    {SYS_read, {1, FUTEX_WAIT, 0, 1, 1, 0}, false},
	    {-1, {1, FUTEX_WAIT, 0, 1, 1, 0}, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wait_look_syscall c = {.kind = WAIT_LOOK_IN_CALL, .nr = (int)cases[i].nr};
		memcpy(c.arg, cases[i].arg, sizeof c.arg);
		assert_int_equal(wait_look_has_timeout(&c), cases[i].timed);
	}
}

/* A captured machine with one thread: what its files say, in this order. */
static void put(const char *dir, const char *file, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof path, "%s/proc/7/%s", dir, file);
	remove(path);
	f = text ? fopen(path, "w") : NULL;
	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

/* Ends in the words of the call: FUTEX_WAIT_BITSET, with a time-out. */
#define FUTEX(timeout) "f 0xffffffff80 0x189 0x0 " timeout " 0x0 0xffffffff 0x7ffd716c8388 0x7f0\n"

#define STAT(letter) "7 (x) " letter " 1 1 1 0 -1 0 10 0 0 0 1 0 0 0 20 0 1 0 5 1000000 10 0\n"

TEST(captured)
{
	static const struct {
		const char *wchan, *call, *stat;
		int state, fd;
	} cases[] = {
	    {"hrtimer_nanosleep", NULL, NULL, STATES_SLEEP, -1},
	    {"anon_pipe_read", "0x3" REST, NULL, STATES_PIPE, 3},
	    {"wait_woken", "0x3" REST, NULL, STATES_NET, 3},
	    {"locks_lock_inode_wait", "0x3" REST, NULL, STATES_LOCK, 3},
	    {"futex_do_wait", "0x3" REST, NULL, STATES_LOCK, -1},
	    {"futex_do_wait", NULL, NULL, STATES_LOCK, -1},
	    {"futex_do_wait", FUTEX("0x0"), NULL, STATES_LOCK, -1},
	    {"futex_do_wait", FUTEX("0x7ffe"), NULL, STATES_SLEEP, -1},
	    {"0", FUTEX("0x0"), NULL, STATES_LOCK, -1},
	    {"0", FUTEX("0x7ffe"), NULL, STATES_SLEEP, -1},
	    {"0", "0x3" REST, NULL, STATES_NET, 3},
	    {"0", "running", STAT("R"), WAIT_LOOK_RUNNING, -1},
	    {"0", NULL, STAT("D"), STATES_DISK, -1},
	    {"0", NULL, STAT("S"), WAIT_LOOK_NOTHING, -1},
	    {"new_function", NULL, STAT("S"), WAIT_LOOK_NOTHING, -1},
	    {NULL, NULL, NULL, WAIT_LOOK_NOTHING, -1},
	};
#define COUNTS(n) "Uid:\t1 1 1 1\nvoluntary_ctxt_switches:\t" n "\nnonvoluntary_ctxt_switches:\t9\n"
	static const struct {
		const char *status;
		bool waits;
		uint64_t before, after;
		int state;
	} counts[] = {
	    {COUNTS("0"), false, 0, 1, WAIT_LOOK_RAN_ON},
	    {COUNTS("5"), false, 0, 6, WAIT_LOOK_RUNNING},
	    {COUNTS("5"), false, 6, 6, WAIT_LOOK_RAN_ON},
	    {COUNTS("6"), false, 6, 7, WAIT_LOOK_RUNNING},
	    {COUNTS("5"), true, 6, 0, STATES_LOCK},
	    {"Uid:\t1 1 1 1\n", false, 1, 0, WAIT_LOOK_RUNNING},
	    {NULL, false, 6, 0, WAIT_LOOK_RUNNING},
	};
	char dir[] = "/tmp/wait_look_XXXXXX", path[128], call[128], link[16];
	static const char *const made[] = {"proc", "proc/7", "proc/7/task", "proc/7/task/7",
	                                   "proc/7/fd"};
	struct wait_look look;
	struct root r;
	struct err e;

	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, made[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	snprintf(path, sizeof path, "%s/proc/7/fd/3", dir);
	assert_int_equal(symlink("socket:[99]", path), 0);
	assert_int_equal(root_open(&r, dir, &e), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool works = false;
		const char *rest = cases[i].call ? cases[i].call : "";
		if (*rest == 'r')
			snprintf(call, sizeof call, "%s", rest);
		else if (*rest == 'f')
			snprintf(call, sizeof call, "%d%s", (int)SYS_futex, rest + 1);
		else
			snprintf(call, sizeof call, "%d %s", (int)SYS_read, rest);
		put(dir, "task/7/wchan", cases[i].wchan);
		put(dir, "task/7/syscall", cases[i].call ? call : NULL);
		put(dir, "task/7/stat", cases[i].stat);
		wait_look(&r, 7, 7, 3, &works, NULL, &look);
		assert_int_equal(look.state, cases[i].state);
		assert_int_equal(look.fd, cases[i].fd);
		/* The lock of a file has a descriptor. */
		assert_int_equal(look.futex, look.state == STATES_LOCK && look.fd < 0);
	}
	/* It did not run since it was seen running: it waits for a CPU, or has ended. */
	for (int ended = 0; ended < 2; ended++) {
		bool works = true;
		put(dir, "task/7/wchan", "0");
		put(dir, "task/7/stat", ended ? STAT("Z") : STAT("R"));
		wait_look(&r, 7, 7, 1, &works, NULL, &look);
		assert_int_equal(look.state, ended ? WAIT_LOOK_CHILD : WAIT_LOOK_RUNNING);
	}
	/* It ran on if it never waited, or not since the last look, which saw it run. */
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		bool works = true;
		uint64_t switches = counts[i].before;
		put(dir, "task/7/wchan", counts[i].waits ? "futex_do_wait" : "0");
		put(dir, "task/7/stat", STAT("R"));
		put(dir, "task/7/status", counts[i].status);
		wait_look(&r, 7, 7, 1, &works, &switches, &look);
		assert_int_equal(look.state, counts[i].state);
		assert_int_equal(switches, counts[i].after);
	}
	assert_int_equal(wait_look_link(&r, 7, 3, link, sizeof link), 11);
	assert_string_equal(link, "socket:[99]");
	assert_int_equal(wait_look_link(&r, 7, 3, link, 11), 0);
	assert_int_equal(wait_look_link(&r, 7, 4, link, sizeof link), 0);
	root_close(&r);
	put(dir, "task/7/wchan", NULL);
	put(dir, "task/7/status", NULL);
	put(dir, "task/7/syscall", NULL);
	put(dir, "task/7/stat", NULL);
	put(dir, "fd/3", NULL);
	for (size_t i = sizeof made / sizeof *made; i-- > 0;) {
		snprintf(path, sizeof path, "%s/%s", dir, made[i]);
		rmdir(path);
	}
	rmdir(dir);
}
