/* worker_process: a child process that serves requests, for rights that this process drops. */
#include "report/sandbox/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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

int worker_process_start(struct worker_process *a, worker_process_serve *serve, const void *ctx,
                         struct err *e)
{
	pid_t us = getpid();
	int ends[2];

	*a = (struct worker_process){0};
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
		*a = (struct worker_process){0};
		return -1;
	}
	a->fd = ends[0];
	return 0;
}

/* Ignores SIGPIPE in case the other side has ended. send() with MSG_NOSIGNAL is no option:
 * SECCOMP_FILES denies socket calls. */
bool worker_process_put(int fd, const void *p, size_t n)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	const char *c = p;

	sigaction(SIGPIPE, &ignore, &before);
	while (n) {
		ssize_t put = write(fd, c, n);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			break;
		c += put;
		n -= (size_t)put;
	}
	sigaction(SIGPIPE, &before, NULL);
	return n == 0;
}

bool worker_process_take(int fd, void *p, size_t n)
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

void worker_process_stop(struct worker_process *a)
{
	if (!a->pid)
		return;
	close(a->fd);
	while (waitpid(a->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*a = (struct worker_process){0};
}
