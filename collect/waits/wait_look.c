/* wait_look: what a thread waits for at one moment. */
#include "collect/waits/wait_look.h"

#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "collect/procfs/scan.h"

#define SP_32   UINT64_C(0x100000000) /* the stack of a program of 32 bits is below */
#define NO_CALL (-1)

/* Not in the tables of all architectures, or of older headers. */
#ifndef SYS_poll
#define SYS_poll NO_CALL
#endif
#ifndef SYS_select
#define SYS_select NO_CALL
#endif
#ifndef SYS_pause
#define SYS_pause NO_CALL
#endif
#ifndef SYS_vfork
#define SYS_vfork NO_CALL
#endif
#ifndef SYS_clone3
#define SYS_clone3 NO_CALL
#endif
#ifndef SYS_epoll_wait
#define SYS_epoll_wait NO_CALL
#endif
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 NO_CALL
#endif
#ifndef SYS_io_uring_enter
#define SYS_io_uring_enter NO_CALL
#endif
#ifndef SYS_futex_wait
#define SYS_futex_wait NO_CALL
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv NO_CALL
#endif
#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif
#ifndef SYS_io_pgetevents
#define SYS_io_pgetevents NO_CALL
#endif
#ifndef SYS_preadv2
#define SYS_preadv2 NO_CALL
#endif
#ifndef SYS_pwritev2
#define SYS_pwritev2 NO_CALL
#endif
#ifndef SYS_copy_file_range
#define SYS_copy_file_range NO_CALL
#endif

#define STATES_CHILD     WAIT_LOOK_CHILD
#define STATES_SIGNAL    WAIT_LOOK_SIGNAL
#define STATES_FILE_LOCK WAIT_LOOK_FILE_LOCK
#define STATES_FUTEX     WAIT_LOOK_FUTEX
#define STATES_OF_FILE   WAIT_LOOK_OF_FILE

static const struct {
	const char *prefix;
	unsigned char state;
} functions[] = {
#define WCHAN(prefix, state) {prefix, STATES_##state},
#include "collect/waits/wait_tables.def"
};

static const struct {
	long nr;
	unsigned char state;
	bool takes_fd;
} calls[] = {
#define SYSCALL(name, state)    {SYS_##name, STATES_##state, false},
#define SYSCALL_OF(name, state) {SYS_##name, STATES_##state, true},
#include "collect/waits/wait_tables.def"
};

int wait_look_by_wchan(const char *text, size_t n)
{
	while (n > 0 && text[n - 1] == '\n')
		n--;
	if (n == 0 || (n == 1 && *text == '0'))
		return WAIT_LOOK_RUNNING;
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		size_t len = strlen(functions[i].prefix);
		if (len <= n && memcmp(text, functions[i].prefix, len) == 0)
			return functions[i].state;
	}
	return WAIT_LOOK_NOTHING;
}

static bool scan_hex64(struct scan *s, uint64_t *out)
{
	uint64_t v = 0;
	size_t n = 0;

	scan_blanks(s);
	if (!scan_literal(s, "0x"))
		return false;
	for (; n < 16 && s->p < s->end && scan_hex(*s->p) >= 0; n++)
		v = v << 4 | (uint64_t)scan_hex(*s->p++);
	*out = v;
	return n > 0;
}

int wait_look_syscall_parse(const char *text, size_t n, struct wait_look_syscall *out)
{
	struct scan s = scan_text(text, n);
	uint64_t stack;
	int64_t nr;

	*out = (struct wait_look_syscall){.kind = WAIT_LOOK_ON_CPU, .nr = -1, .fd = -1};
	if (scan_literal(&s, "running"))
		return 0;
	if (!scan_i64(&s, &nr))
		return -1;
	out->kind = WAIT_LOOK_IN_FAULT;
	if (nr < 0)
		return 0;
	for (size_t i = 0; i < 6; i++)
		if (!scan_hex64(&s, &out->arg[i]))
			return -1;
	if (!scan_hex64(&s, &stack))
		return -1;
	out->kind = WAIT_LOOK_IN_CALL;
	if (nr <= 4095 && (sizeof(long) < 8 || stack >= SP_32))
		out->nr = (int)nr;
	if (out->arg[0] <= INT32_MAX)
		out->fd = (int)out->arg[0];
	return 0;
}

int wait_look_by_syscall(const struct wait_look_syscall *c, bool *takes_fd)
{
	*takes_fd = false;
	if (c->kind == WAIT_LOOK_ON_CPU)
		return WAIT_LOOK_RUNNING;
	if (c->kind == WAIT_LOOK_IN_FAULT || c->nr < 0)
		return WAIT_LOOK_NOTHING;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i].nr == c->nr) {
			*takes_fd = calls[i].takes_fd;
			return calls[i].state;
		}
	return WAIT_LOOK_NOTHING;
}

bool wait_look_has_timeout(const struct wait_look_syscall *c)
{
	if (c->kind != WAIT_LOOK_IN_CALL || c->nr < 0)
		return false;
	if (c->nr == SYS_futex_wait)
		return c->arg[4] != 0;
	if (c->nr == SYS_futex_waitv)
		return c->arg[3] != 0;
	if (c->nr != SYS_futex)
		return false;
	switch (c->arg[1] & (uint64_t)FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return c->arg[3] != 0;
	default:
		return false;
	}
}

int wait_look_by_link(const char *link)
{
	static const struct {
		const char *prefix;
		unsigned char state;
	} kinds[] = {{"socket:", STATES_NET},
	             {"pipe:", STATES_PIPE},
	             {"anon_inode:[timerfd]", STATES_SLEEP},
	             {"anon_inode:", STATES_EVENT},
	             {"/dev/sd", STATES_DISK},
	             {"/dev/nvme", STATES_DISK},
	             {"/dev/vd", STATES_DISK},
	             {"/dev/dm-", STATES_DISK},
	             {"/dev/md", STATES_DISK},
	             {"/dev/loop", STATES_DISK},
	             {"/dev/", STATES_EVENT},
	             {"/", STATES_DISK}};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strncmp(link, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
			return kinds[i].state;
	return WAIT_LOOK_NOTHING;
}

int wait_look_by_letter(char letter)
{
	switch (letter) {
	case 'R':
		return WAIT_LOOK_RUNNING;
	case 'D':
		return STATES_DISK;
	case 'T':
	case 't':
		return STATES_STOPPED;
	case 'Z':
	case 'X':
		return WAIT_LOOK_CHILD;
	default:
		return WAIT_LOOK_NOTHING;
	}
}

size_t wait_look_link(const struct root *r, int pid, int fd, char *out, size_t size)
{
	char path[48];
	long n;

	snprintf(path, sizeof path, "proc/%d/fd/%d", pid, fd);
	n = root_link(r, path, out, size);
	return n > 0 ? (size_t)n : 0;
}

static long read_of_thread(const struct root *r, int pid, int tid, const char *file, char *out,
                           size_t size)
{
	char path[48];
	int fd;
	long n;

	snprintf(path, sizeof path, "task/%d/%s", tid, file);
	fd = proc_pid_open(r, pid, path);
	if (fd < 0)
		return -1;
	n = root_head_fd(fd, out, size);
	close(fd);
	return n;
}

/* Whether a state has something that its descriptor names. */
static bool may_have_name(int state)
{
	return state == STATES_DISK || state == STATES_NET_DISK || state == STATES_NET ||
	       state == STATES_PIPE || state == STATES_EVENT;
}

static int by_link_of(const struct root *r, int pid, int fd)
{
	char link[256];

	return wait_look_link(r, pid, fd, link, sizeof link) ? wait_look_by_link(link)
	                                                     : WAIT_LOOK_NOTHING;
}

static int by_stat_of(const struct root *r, int pid, int tid)
{
	struct proc_pid_stat stat;
	char text[1024];
	long n = read_of_thread(r, pid, tid, "stat", text, sizeof text);

	if (n <= 0 || proc_pid_stat_parse(text, (size_t)n, &stat))
		return WAIT_LOOK_NOTHING;
	return wait_look_by_letter(stat.state);
}

/* How often a thread gave up its CPU in order to wait, and once more; 0: not known. */
static uint64_t read_switches(const struct root *r, int pid, int tid)
{
	struct proc_pid_status status;
	char text[4096];
	long n = read_of_thread(r, pid, tid, "status", text, sizeof text);

	/* The counts are at its end. */
	if (n <= 0 || (size_t)n >= sizeof text - 1 ||
	    proc_pid_status_parse(text, (size_t)n, &status) ||
	    status.ctx_voluntary + status.ctx_involuntary == 0)
		return 0;
	return status.ctx_voluntary + 1;
}

/* Refines by_wchan, which wchan has said, by its system call. */
static void look_at_call(const struct root *r, int pid, int tid, int by_wchan,
                         struct wait_look *out)
{
	struct wait_look_syscall call;
	int state = WAIT_LOOK_NOTHING;
	bool takes_fd = false, timed = false;
	char text[256];
	long n = read_of_thread(r, pid, tid, "syscall", text, sizeof text);

	if (n > 0 && wait_look_syscall_parse(text, (size_t)n, &call) == 0) {
		state = wait_look_by_syscall(&call, &takes_fd);
		out->fd = takes_fd ? call.fd : -1;
		timed = wait_look_has_timeout(&call);
		out->call = call;
	}
	if (by_wchan == WAIT_LOOK_FUTEX || (by_wchan >= STATES_N && state == WAIT_LOOK_FUTEX)) {
		out->state = timed ? STATES_SLEEP : STATES_LOCK;
		out->futex = !timed;
		out->fd = -1;
	}
	if (by_wchan < STATES_N || out->state < STATES_N)
		return;
	if (state == WAIT_LOOK_OF_FILE)
		state = by_link_of(r, pid, call.fd);
	if (state == WAIT_LOOK_NOTHING)
		state = by_stat_of(r, pid, tid);
	out->state = (unsigned char)state;
}

static void look(const struct root *r, int pid, int tid, int tries, bool *wchan_works,
                 struct wait_look *out)
{
	char text[256];
	int by_wchan;
	bool named;
	long n;

	/* Short waits are over before the second file is read. A thread that blocks at all is met
	 * in one of several tries. */
	for (int i = 0; i < tries; i++) {
		*out = (struct wait_look){.state = WAIT_LOOK_NOTHING, .fd = -1, .call = {.nr = -1}};
		n = read_of_thread(r, pid, tid, "wchan", text, sizeof text);
		by_wchan = n > 0 ? wait_look_by_wchan(text, (size_t)n) : WAIT_LOOK_RUNNING;
		*wchan_works |= by_wchan != WAIT_LOOK_RUNNING;
		named = by_wchan == WAIT_LOOK_FILE_LOCK || may_have_name(by_wchan);
		if (by_wchan == WAIT_LOOK_FILE_LOCK)
			by_wchan = STATES_LOCK;
		out->state = (unsigned char)by_wchan;
		/* It did not run since the last look: it may have ended before. */
		if (by_wchan == WAIT_LOOK_RUNNING && *wchan_works && tries == 1) {
			out->state = (unsigned char)by_stat_of(r, pid, tid);
			return;
		}
		if (by_wchan >= WAIT_LOOK_FUTEX || named)
			look_at_call(r, pid, tid, by_wchan, out);
		if (out->state != WAIT_LOOK_RUNNING)
			return;
	}
}

/* The count is read before it is seen to run: then it cannot be in a wait that the count has. So if
 * the next count is the same, it waited for nothing in between. */
void wait_look(const struct root *r, int pid, int tid, int tries, bool *wchan_works,
               uint64_t *switches, struct wait_look *out)
{
	uint64_t before = switches ? *switches : 0, now = 0;

	if (switches)
		now = read_switches(r, pid, tid);
	look(r, pid, tid, tries, wchan_works, out);
	if (!switches)
		return;
	*switches = out->state == WAIT_LOOK_RUNNING ? now : 0;
	if (*switches && (now == before || now == 1))
		out->state = WAIT_LOOK_RAN_ON;
}
