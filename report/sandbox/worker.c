/* worker: a child process that serves requests, for rights that this process drops. */
#include "report/sandbox/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/sandbox/landlock.h"
#include "report/sandbox/seccomp.h"

/* Replaces standard input and output with /dev/null: a reader of our output must not wait until the
 * worker ends. */
static void detach_stdio(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0)
		return;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

#define OLD_KERNEL_FDS 1024 /* before Linux 5.9, which has close_range(2) */

/* A worker that a hostile recording has taken over must not reach another worker's socket: that one
 * has the network, or a password. */
static void close_all_but(int fd)
{
#ifdef SYS_close_range
	if (fd == STDERR_FILENO + 1 || !syscall(SYS_close_range, STDERR_FILENO + 1, fd - 1, 0))
		if (!syscall(SYS_close_range, fd + 1, ~0U, 0))
			return;
#endif
	for (int other = STDERR_FILENO + 1; other < OLD_KERNEL_FDS; other++)
		if (other != fd)
			close(other);
}

int worker_start(struct worker *a, worker_serve *serve, const void *ctx, struct err *e)
{
	pid_t us = getpid();
	int ends[2];

	*a = (struct worker){0};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return err_set(e, "cannot start a worker process: %s", strerror(errno));
	a->pid = fork();
	if (a->pid == 0) {
		close_all_but(ends[1]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == us) {
			detach_stdio();
			serve(ends[1], ctx);
		}
		_exit(0);
	}
	close(ends[1]);
	if (a->pid < 0) {
		err_set(e, "cannot start a worker process: %s", strerror(errno));
		close(ends[0]);
		*a = (struct worker){0};
		return -1;
	}
	a->fd = ends[0];
	return 0;
}

/* -- messages ---------------------------------------------------------------------------------- */

/* Ignores SIGPIPE in case the other side has ended. send() with MSG_NOSIGNAL is not an option:
 * SECCOMP_FILES denies socket calls. */
static bool put_all(int fd, struct iovec *v, int n)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;

	sigaction(SIGPIPE, &ignore, &before);
	while (n) {
		ssize_t put = v->iov_len ? writev(fd, v, n) : 0;
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0 || (!put && v->iov_len))
			break;
		for (; n && (size_t)put >= v->iov_len; v++, n--)
			put -= (ssize_t)v->iov_len;
		if (n) {
			v->iov_base = (char *)v->iov_base + put;
			v->iov_len -= (size_t)put;
		}
	}
	sigaction(SIGPIPE, &before, NULL);
	return n == 0;
}

static bool take_all(int fd, void *p, size_t n)
{
	char *c = p;

	while (n) {
		ssize_t got = read(fd, c, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		c += got;
		n -= (size_t)got;
	}
	return true;
}

/* The header of a message. */
struct frame {
	size_t n;             /* bytes after the fields */
	unsigned char failed; /* they are a sentence; no bool here: any byte may come */
};

bool worker_send(int fd, const void *fields, size_t n_fields, const void *bytes, size_t n,
                 const struct err *why)
{
	bool failed = why && *why->msg;
	struct frame f = {.n = failed ? strlen(why->msg) : n, .failed = failed};
	struct iovec v[] = {
	    {&f, sizeof f}, {(void *)fields, n_fields}, {(void *)(failed ? why->msg : bytes), f.n}};

	return put_all(fd, v, 3);
}

bool worker_receive(int fd, void *fields, size_t n_fields, void *bytes, size_t max, size_t *n,
                    struct err *why)
{
	struct err said = {0};
	struct frame f;

	if (n)
		*n = 0;
	if (why)
		*why = said;
	if (!take_all(fd, &f, sizeof f) || !take_all(fd, fields, n_fields) ||
	    f.n > (f.failed ? sizeof said.msg - 1 : max) || (f.failed && (!why || !f.n)) ||
	    !take_all(fd, f.failed ? said.msg : bytes, f.n))
		return false;
	if (f.failed) /* again, as any bytes may come */
		err_set(why, "%s", said.msg);
	else if (n)
		*n = f.n;
	return !f.failed || *why->msg;
}

int worker_say_lost(const struct worker *a, const char *about, const char *does, struct err *e)
{
	return err_set(e, "%s%sthe process that %s %s", about, *about ? ": " : "", does,
	               a->pid ? "has ended" : "is not running");
}

void worker_stop(struct worker *a)
{
	if (!a->pid)
		return;
	close(a->fd);
	while (waitpid(a->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*a = (struct worker){0};
}

void worker_abandon(struct worker *a)
{
	if (a->pid)
		close(a->fd);
	*a = (struct worker){0};
}

void worker_keep_network(void)
{
	struct landlock r;

	landlock_begin(&r, LANDLOCK_WRITING);
	landlock_end(&r);
	seccomp_enter(SECCOMP_NETWORK);
}
