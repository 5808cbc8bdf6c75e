/* wait_polled and wait_names: what poll, select and epoll wait for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/waits/wait_names.h"
#include "collect/waits/wait_polled.h"
#include "tests/unit/unit.h"

TEST(sets)
{
	static const struct pollfd polled[] = {
	    {3, POLLIN, 0}, {-1, POLLIN, 0}, {4, 0, 0}, {9, POLLOUT, 0}};
	static const struct pollfd many[WAIT_POLLED_MAX + 1] = {
	    [0 ... WAIT_POLLED_MAX] = {1, POLLIN, 0}};
	unsigned long set[2] = {0};
	int fds[WAIT_POLLED_MAX];

	assert_int_equal(wait_polled_poll(polled, 4, fds), 2);
	assert_true(fds[0] == 3 && fds[1] == 9);
	assert_int_equal(wait_polled_poll(many, WAIT_POLLED_MAX, fds), WAIT_POLLED_MAX);
	assert_int_equal(wait_polled_poll(many, WAIT_POLLED_MAX + 1, fds), -1);
	set[0] = 1UL << 5;
	set[1] = 1UL << 1;
	assert_int_equal(wait_polled_select(set, 8 * sizeof(long) + 2, 0, fds), 2);
	assert_true(fds[0] == 5 && fds[1] == (int)(8 * sizeof(long)) + 1);
	assert_int_equal(wait_polled_select(set, 5, 2, fds), 2);
	assert_int_equal(wait_polled_select(set, 6, -1, fds), -1);
}

TEST(fdinfo)
{
	static const char text[] =
	    "pos:\t0\nflags:\t02000002\nmnt_id:\t15\nino:\t2057\n"
	    "tfd:       12 events:       19 data:                c  pos:0 ino:809 sdev:f\n"
	    "tfd:        5 events: 40000000 data:                5  pos:0 ino:809 sdev:f\n"
	    "tfd:        7 events: 80000001 data: ffffffffffffffff  pos:0 ino:809 sdev:f\n";
	int fds[WAIT_POLLED_MAX];

	assert_int_equal(wait_polled_epoll(text, sizeof text - 1, fds), 2);
	assert_true(fds[0] == 12 && fds[1] == 7);
	assert_int_equal(wait_polled_epoll("", 0, fds), 0);
	assert_int_equal(wait_polled_epoll("tfd: x\n", 7, fds), -1);
	assert_int_equal(wait_polled_epoll("tfd: 4 data: 1\n", 15, fds), -1);
}

static void put(const char *dir, const char *file, const char *text)
{
	char path[160];
	FILE *f;

	snprintf(path, sizeof path, "%s/proc/7/%s", dir, file);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void point(const char *dir, int fd, const char *to)
{
	char path[160];

	snprintf(path, sizeof path, "%s/proc/7/fd/%d", dir, fd);
	unlink(path);
	assert_int_equal(symlink(to, path), 0);
}

#define LINE(n, local, remote, inode)                                                              \
	" " n ": 0100007F:" local " " remote " 01 0:0 00:0 0 0 0 " inode " 1 0 20 4\n"
#define EPOLL(fd) "tfd: " fd " events: 1 data: 1\n"

/* Descriptor 4 is the epoll: what it has decides. */
TEST(epoll)
{
	static const struct {
		const char *fdinfo;
		int state;
		bool named;
	} cases[] = {
	    {EPOLL("5"), STATES_NET, true},                       /* a peer */
	    {EPOLL("6") EPOLL("5") EPOLL("9"), STATES_NET, true}, /* and what wakes itself */
	    {EPOLL("5") EPOLL("7"), STATES_EVENT, false},         /* and a listening socket */
	    {EPOLL("5") EPOLL("11"), STATES_EVENT, false},        /* and a pipe from a child */
	    {EPOLL("5") EPOLL("12"), STATES_EVENT, false},        /* and inotify */
	    {EPOLL("5") EPOLL("99"), STATES_EVENT, false},        /* and what cannot be seen */
	    {EPOLL("8"), STATES_EVENT, false},                    /* a server's connection */
	    {EPOLL("6") EPOLL("9"), STATES_EVENT, false},         /* nothing from outside */
	    {EPOLL("6") EPOLL("13"), STATES_SLEEP, false},        /* but a timer */
	    {EPOLL("13") EPOLL("5"), STATES_NET, true},
	    {"", STATES_EVENT, false},
	};
	static const char *const made[] = {"proc", "proc/7", "proc/7/fd", "proc/7/fdinfo",
	                                   "proc/7/net"};
	char dir[] = "/tmp/wait_polled_XXXXXX", path[160];
	struct wait_names *n = wait_names_open();
	struct root r;
	struct err e;
	struct wait_names_asks asks = {.r = &r, .pid = 7};

	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, made[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	point(dir, 4, "anon_inode:[eventpoll]");
	point(dir, 5, "socket:[99]");
	point(dir, 6, "anon_inode:[eventfd]");
	point(dir, 7, "socket:[100]");
	point(dir, 8, "socket:[105]");
	point(dir, 9, "pipe:[200]");
	point(dir, 10, "pipe:[200]");
	point(dir, 11, "pipe:[300]");
	point(dir, 12, "anon_inode:inotify");
	point(dir, 13, "anon_inode:[timerfd]");
	put(dir, "net/tcp",
	    "  sl local rem st\n" LINE("0", "C350", "0500000A:1538", "99")
	        LINE("1", "5BA0", "00000000:0000", "107")
	            LINE("2", "1F90", "0500000A:1538", "105"));
	point(dir, 7, "socket:[107]");
	assert_int_equal(root_open(&r, dir, &e), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wait_look look = {.state = STATES_EVENT, .fd = -1};
		look.call = (struct wait_look_syscall){
		    .kind = WAIT_LOOK_IN_CALL, .nr = SYS_epoll_pwait, .fd = 4};
		put(dir, "fdinfo/4", cases[i].fdinfo);
		/* A second later, so that enough names may be found out. */
		short name = wait_names_find(n, &asks, &look, (int64_t)(i + 1) * 1000000000);
		if (look.state != cases[i].state || (name >= 0) != cases[i].named)
			fail_msg("case %zu: %d, %d", i, look.state, name);
	}
	wait_names_close(n);
	root_close(&r);
	snprintf(path, sizeof path, "rm -r %s", dir);
	assert_int_equal(system(path), 0);
}
