/* background: a process that finds something out while the command runs. */
#include "collect/command/background.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/machine/clocks.h"
#include "collect/procfs/fd_limit.h"

#define END_TRIES   10 /* of 1 ms each, for a process that ends itself */
#define MILLISECOND INT64_C(1000000)

/* -- in the process ---------------------------------------------------------------------------- */

/* Closes all file descriptors but the pipe, which becomes BACKGROUND_FD, and in (-1: none), which
 * becomes standard input. The other standard files become /dev/null: an open end of the command's
 * pipes would keep their readers waiting. */
static void close_all_but_pipe(int pipe_fd, int in)
{
	int null;

	if (in >= 0)
		(void)dup2(in, STDIN_FILENO);
	if (pipe_fd != BACKGROUND_FD)
		(void)dup2(pipe_fd, BACKGROUND_FD);
	(void)fcntl(BACKGROUND_FD, F_SETFD, FD_CLOEXEC);
	fd_limit_close_from(BACKGROUND_FD + 1);
	null = open("/dev/null", O_RDWR);
	for (int fd = in >= 0; fd < BACKGROUND_FD; fd++)
		if (null < 0 || dup2(null, fd) < 0)
			close(fd);
	if (null > BACKGROUND_FD)
		close(null);
}

static void default_signals(void)
{
	const struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &plain, NULL);
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void detach_background(const char *name, bool ends_itself, int pipe_fd, int in, pid_t parent)
{
	const struct rlimit none = {0};

	if (!ends_itself)
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(0);
	(void)prctl(PR_SET_NAME, name, 0, 0, 0);
	(void)setsid();
	(void)setrlimit(RLIMIT_CORE, &none);
	close_all_but_pipe(pipe_fd, in);
	default_signals();
	if (!ends_itself)
		(void)alarm(BACKGROUND_LIFE_S);
}

/* -- in the recorder --------------------------------------------------------------------------- */

int background_start(struct background *b, const char *name, bool ends_itself, int in,
                     void (*work)(const void *ctx), const void *ctx)
{
	pid_t parent = getpid();
	int ends[2], why;
	long pid;

	*b = (struct background){.ends_itself = ends_itself};
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	/* fork(2) with exit signal 0. The order of the arguments depends on the architecture,
	 * but all are 0. */
	pid = syscall(SYS_clone, 0UL, 0UL, 0UL, 0UL, 0UL);
	if (pid == 0) {
		detach_background(name, ends_itself, ends[1], in, parent);
		work(ctx);
		_exit(0);
	}
	why = errno;
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		errno = why;
		return -1;
	}
	b->pid = (int)pid;
	b->fd = ends[0];
	return 0;
}

int background_fd(const struct background *b)
{
	return b->pid > 0 ? b->fd : -1;
}

/* Whether the process ended by itself and is reaped. */
static bool ended_itself(const struct background *b)
{
	const struct timespec pause = {.tv_nsec = MILLISECOND};

	for (int i = 0; b->ends_itself && i < END_TRIES; i++) {
		if (waitpid(b->pid, NULL, (int)__WCLONE | WNOHANG))
			return true;
		(void)nanosleep(&pause, NULL);
	}
	return false;
}

void background_end(struct background *b)
{
	if (b->pid <= 0)
		return;
	close(b->fd);
	/* A slow one that ends itself is left: if it were killed, its children would survive. */
	if (!ended_itself(b) && !b->ends_itself) {
		kill(b->pid, SIGKILL);
		while (waitpid(b->pid, NULL, (int)__WCLONE) < 0 && errno == EINTR)
			;
	}
	*b = (struct background){0};
}

bool background_read(struct background *b, void *answer, size_t n)
{
	ssize_t got;

	if (b->pid <= 0)
		return false;
	do
		got = read(b->fd, answer, n);
	while (got < 0 && errno == EINTR);
	background_end(b);
	return got == (ssize_t)n;
}

bool background_wait(struct background *b, int64_t deadline_ns, void *answer, size_t n)
{
	struct pollfd fd = {.fd = b->fd, .events = POLLIN};
	int64_t left;
	int got;

	if (b->pid <= 0)
		return false;
	do {
		left = deadline_ns - clocks_now(CLOCK_MONOTONIC);
		got = poll(&fd, 1, left > 0 ? (int)(left / MILLISECOND) : 0);
	} while (got < 0 && errno == EINTR && left > 0);
	if (got > 0)
		return background_read(b, answer, n);
	background_end(b);
	return false;
}
