/* line_writer: writes whole lines, and never waits for their reader. */
#include "collect/output/line_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

#include "collect/machine/clocks.h"
#include "core/base/same_file.h"

#define MS      1000000
#define STEP_MS 10 /* between two tries at the end: a FIFO without a reader cannot be polled */

/* -- opening ----------------------------------------------------------------------------------- */

static bool is_terminal(int fd)
{
	int number;

	/* Opening the master side again would create another terminal. */
	return isatty(fd) && ioctl(fd, TIOCGPTN, &number) != 0;
}

/* Opens the same pipe or terminal with an open file description of our own; -1: not permitted. */
static int open_again(int fd, const struct stat *same)
{
	char path[48];
	struct stat st;
	int own;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (own >= 0 && (fstat(own, &st) || !same_file(&st, same) || st.st_rdev != same->st_rdev)) {
		close(own);
		own = -1;
	}
	return own;
}

static int open_standard_output(struct line_writer *l)
{
	struct stat st;
	int own = -1;

	l->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (l->fd < 0 || fstat(l->fd, &st))
		return -1;
	if (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode))
		l->how = LINE_WRITER_FILE;
	else if (S_ISSOCK(st.st_mode))
		l->how = LINE_WRITER_SOCKET;
	else
		l->how = LINE_WRITER_SHARED;
	if (S_ISFIFO(st.st_mode) || is_terminal(l->fd))
		own = open_again(l->fd, &st);
	/* The terminal of another user can be opened by this name only. */
	if (own < 0 && tcgetsid(l->fd) == getsid(0))
		own = open("/dev/tty", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (own >= 0) {
		close(l->fd);
		l->fd = own;
		l->how = LINE_WRITER_OWN;
	}
	return 0;
}

static bool is_fifo(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

static int open_line_file(struct line_writer *l, const char *path)
{
	struct stat st;

	l->fd = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
	if (l->fd < 0 && errno == ENXIO && is_fifo(path)) {
		l->path = path;
		l->how = LINE_WRITER_OWN;
		return 0;
	}
	if (l->fd < 0 || fstat(l->fd, &st))
		return -1;
	l->how = S_ISREG(st.st_mode) || S_ISBLK(st.st_mode) ? LINE_WRITER_FILE : LINE_WRITER_OWN;
	return 0;
}

int line_writer_open(struct line_writer *l, const char *path)
{
	*l = (struct line_writer){.fd = -1, .alone = path != NULL};
	/* Only pages in use become resident. */
	l->queue = malloc(LINE_WRITER_QUEUE);
	if (!l->queue || (path ? open_line_file(l, path) : open_standard_output(l))) {
		int why = errno;
		(void)line_writer_close(l, 0);
		errno = why;
		return -1;
	}
	return 0;
}

int line_writer_begin(struct line_writer *l)
{
	struct stat st, standard;

	if (!l->alone || l->fd < 0 || fstat(l->fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (fstat(fd, &standard) == 0 && same_file(&standard, &st)) {
			close(l->fd);
			l->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
			l->alone = false;
			return l->fd < 0 ? -1 : 0;
		}
	return ftruncate(l->fd, 0);
}

/* -- writing ----------------------------------------------------------------------------------- */

/* Removes the written part of a line from the file. */
static void undo_part(const struct line_writer *l, size_t part)
{
	off_t at = l->alone && part ? lseek(l->fd, 0, SEEK_CUR) : -1;

	/* If that fails, the incomplete line stays. */
	if (at >= (off_t)part && ftruncate(l->fd, at - (off_t)part) == 0)
		(void)lseek(l->fd, at - (off_t)part, SEEK_SET);
}

static int put_file(const struct line_writer *l, const char *line, size_t n)
{
	size_t done = 0;

	while (done < n) {
		ssize_t part = write(l->fd, line + done, n - done);
		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0) {
			int why = part ? errno : EIO;
			undo_part(l, done);
			errno = why;
			return -1;
		}
		done += (size_t)part;
	}
	return 0;
}

static bool is_ready(int fd)
{
	struct pollfd room = {.fd = fd, .events = POLLOUT};

	return poll(&room, 1, 0) > 0;
}

/* poll(2) promises room for PIPE_BUF bytes in a pipe (unless another writer is quicker), but for
 * one byte only on a terminal. */
static ssize_t write_when_ready(int fd, const char *p, size_t n)
{
	size_t most = isatty(fd) ? 1 : n, done = 0;
	ssize_t part = 0;

	while (done < n && part >= 0 && is_ready(fd)) {
		part = write(fd, p + done, most);
		done += part > 0 ? (size_t)part : 0;
	}
	if (part >= 0)
		errno = EAGAIN;
	return done > 0 ? (ssize_t)done : -1;
}

static ssize_t write_shared(int fd, const char *p, size_t n)
{
	struct iovec v = {.iov_base = (void *)(uintptr_t)p, .iov_len = n};
	ssize_t done = pwritev2(fd, &v, 1, -1, RWF_NOWAIT);

	if (done >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL))
		return done;
	return write_when_ready(fd, p, n);
}

/* write(2) that never waits: -1 and EAGAIN instead. */
static ssize_t write_some(const struct line_writer *l, const char *p, size_t n)
{
	ssize_t done;

	do {
		if (l->how == LINE_WRITER_SOCKET)
			done = send(l->fd, p, n, MSG_DONTWAIT | MSG_NOSIGNAL);
		else if (l->how == LINE_WRITER_SHARED)
			done = write_shared(l->fd, p, n);
		else
			done = write(l->fd, p, n);
	} while (done < 0 && errno == EINTR);
	if (done == 0)
		errno = EAGAIN;
	return done > 0 ? done : -1;
}

/* Opens the FIFO if it has a reader by now. Returns false with errno if not. */
static bool has_reader(struct line_writer *l)
{
	if (l->fd < 0)
		l->fd = open(l->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	return l->fd >= 0;
}

static size_t first_line(const char *p, size_t n)
{
	const char *end = memchr(p, '\n', n);

	return end ? (size_t)(end - p) + 1 : n;
}

/* One write for each line, so that a pipe never mixes it with the lines of other writers. */
int line_writer_flush(struct line_writer *l)
{
	size_t at = l->part;
	ssize_t done = 0;

	if (l->used == 0)
		return 0;
	if (!has_reader(l))
		return errno == ENXIO || errno == EINTR ? 0 : -1;
	while (at < l->used && done >= 0) {
		done = write_some(l, l->queue + at, first_line(l->queue + at, l->used - at));
		at += done > 0 ? (size_t)done : 0;
	}
	l->refused = at == l->part;
	/* The rest begins at the start of the line that was being written. */
	l->part = at;
	while (l->part > 0 && l->queue[l->part - 1] != '\n')
		l->part--;
	l->used -= l->part;
	memmove(l->queue, l->queue + l->part, l->used);
	l->part = at - l->part;
	if (done < 0 && errno != EAGAIN)
		return -1;
	return 0;
}

int line_writer_put(struct line_writer *l, const char *line, size_t n)
{
	int failed;

	if (l->how == LINE_WRITER_FILE)
		return put_file(l, line, n);
	failed = LINE_WRITER_QUEUE - l->used < n ? line_writer_flush(l) : 0;
	if (LINE_WRITER_QUEUE - l->used >= n) {
		memcpy(l->queue + l->used, line, n);
		l->used += n;
		if (!failed)
			failed = line_writer_flush(l);
	} else {
		l->lost++;
	}
	/* From now on, trust poll(2) again. */
	l->refused = false;
	return failed;
}

int line_writer_fd(const struct line_writer *l)
{
	return l->used > 0 && !l->refused ? l->fd : -1;
}

/* -- the end ----------------------------------------------------------------------------------- */

static int wait_for_reader(struct line_writer *l, int limit_ms)
{
	int64_t deadline = clocks_now(CLOCK_MONOTONIC) + (int64_t)limit_ms * MS, left;

	while (l->used > 0) {
		if (line_writer_flush(l))
			return -1;
		left = (deadline - clocks_now(CLOCK_MONOTONIC)) / MS;
		if (left <= 0)
			break;
		(void)poll(NULL, 0, left < STEP_MS ? (int)left : STEP_MS);
	}
	return 0;
}

static size_t count_lines(const struct line_writer *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->used; i++)
		n += l->queue[i] == '\n';
	return n;
}

int line_writer_close(struct line_writer *l, int limit_ms)
{
	int fd, failed, why;

	failed = wait_for_reader(l, limit_ms);
	why = errno;
	l->lost += count_lines(l);
	fd = l->fd;
	free(l->queue);
	l->queue = NULL;
	l->used = l->part = 0;
	l->fd = -1;
	/* After EINTR the descriptor is closed all the same. */
	if (fd >= 0 && close(fd) && errno != EINTR && !failed)
		return -1;
	errno = why;
	return failed;
}
