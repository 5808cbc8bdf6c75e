/* wait_polled: the descriptors that a thread waits for in poll, select or epoll. */
#include "collect/waits/wait_polled.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "collect/procfs/scan.h"

#define WORK      (EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP)
#define BITS_MAX  512 /* of a set of select */
#define WORD_BITS (8 * sizeof(unsigned long))

static int add_fd(int fd, int found, int fds[WAIT_POLLED_MAX])
{
	if (found < 0 || found == WAIT_POLLED_MAX)
		return -1;
	fds[found] = fd;
	return found + 1;
}

static bool scan_hex_number(struct scan *s, unsigned long *out)
{
	int digits = 0;

	scan_blanks(s);
	for (*out = 0; s->p < s->end && scan_hex(*s->p) >= 0 && digits < 8; digits++)
		*out = *out << 4 | (unsigned long)scan_hex(*s->p++);
	return digits > 0;
}

int wait_polled_epoll(const char *text, size_t n, int fds[WAIT_POLLED_MAX])
{
	struct scan s = scan_text(text, n), line;
	unsigned long events;
	int found = 0, fd;

	while (found >= 0 && scan_line(&s, &line)) {
		if (!scan_literal(&line, "tfd:"))
			continue;
		scan_blanks(&line);
		if (!scan_int(&line, &fd) || fd < 0)
			return -1;
		scan_blanks(&line);
		if (!scan_literal(&line, "events:") || !scan_hex_number(&line, &events))
			return -1;
		/* Without events it is disarmed. */
		if (events & WORK)
			found = add_fd(fd, found, fds);
	}
	return found;
}

int wait_polled_poll(const struct pollfd *v, size_t n, int fds[WAIT_POLLED_MAX])
{
	int found = 0;

	for (size_t i = 0; i < n && found >= 0; i++)
		if (v[i].fd >= 0 && v[i].events)
			found = add_fd(v[i].fd, found, fds);
	return found;
}

int wait_polled_select(const unsigned long *set, size_t bits, int found, int fds[WAIT_POLLED_MAX])
{
	for (size_t i = 0; i < bits && found >= 0; i++)
		if (set[i / WORD_BITS] >> i % WORD_BITS & 1)
			found = add_fd((int)i, found, fds);
	return found;
}

/* -- reading ----------------------------------------------------------------------------------- */

static bool read_of_process(int pid, uint64_t at, void *out, size_t n)
{
	struct iovec here = {out, n}, there = {(void *)(uintptr_t)at, n};

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

static int of_epoll(const struct root *r, int pid, int fd, int fds[WAIT_POLLED_MAX])
{
	char path[48], text[4096];
	long n;

	snprintf(path, sizeof path, "proc/%d/fdinfo/%d", pid, fd);
	n = root_read(r, path, text, sizeof text);
	return n > 0 ? wait_polled_epoll(text, (size_t)n, fds) : -1;
}

static int of_poll(int pid, const uint64_t arg[6], int fds[WAIT_POLLED_MAX])
{
	struct pollfd v[WAIT_POLLED_MAX];

	if (arg[1] == 0 || arg[1] > WAIT_POLLED_MAX ||
	    !read_of_process(pid, arg[0], v, arg[1] * sizeof *v))
		return -1;
	return wait_polled_poll(v, arg[1], fds);
}

/* Sets to read from, to write to, of exceptions. */
static int of_select(int pid, const uint64_t arg[6], int fds[WAIT_POLLED_MAX])
{
	unsigned long set[BITS_MAX / WORD_BITS];
	size_t words = (arg[0] + WORD_BITS - 1) / WORD_BITS;
	int found = 0;

	if (arg[0] == 0 || arg[0] > BITS_MAX)
		return -1;
	for (int i = 1; i <= 3 && found >= 0; i++) {
		if (!arg[i])
			continue;
		if (!read_of_process(pid, arg[i], set, words * sizeof *set))
			return -1;
		found = wait_polled_select(set, arg[0], found, fds);
	}
	return found;
}

int wait_polled(const struct root *r, int pid, const struct wait_look_syscall *call,
                int fds[WAIT_POLLED_MAX])
{
	if (call->kind != WAIT_LOOK_IN_CALL || call->nr < 0)
		return -1;
	switch (call->nr) {
#ifdef SYS_epoll_wait
	case SYS_epoll_wait:
#endif
#ifdef SYS_epoll_pwait2
	case SYS_epoll_pwait2:
#endif
	case SYS_epoll_pwait:
		return call->fd < 0 ? -1 : of_epoll(r, pid, call->fd, fds);
#ifdef SYS_poll
	case SYS_poll:
#endif
	case SYS_ppoll:
		return r->replayed ? -1 : of_poll(pid, call->arg, fds);
#ifdef SYS_select
	case SYS_select:
#endif
	case SYS_pselect6:
		return r->replayed ? -1 : of_select(pid, call->arg, fds);
	default:
		return -1;
	}
}
