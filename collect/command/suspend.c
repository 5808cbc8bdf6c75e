/* suspend: stops rtrack-collect when the command is stopped. */
#include "collect/command/suspend.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/machine/clocks.h"
#include "collect/procfs/proc_pid.h"

#define POLL_MIN_MS 5 /* the watcher's interval doubles from this */
#define POLL_MAX_MS 100
#define WAKE_TRIES  5 /* ms */

static bool has_terminal(void)
{
	int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static bool is_stopped(int stat_fd)
{
	struct proc_pid_stat stat;

	return proc_pid_stat_read(stat_fd, &stat) == 0 && (stat.state == 'T' || stat.state == 't');
}

/* -- the watcher ------------------------------------------------------------------------------- */

/* Closes all other descriptors: a pipe of the user must get its end of file although the watcher
 * lives. */
static void keep_two(int stat_fd, int pidfd)
{
	dup2(stat_fd, 0);
	if (pidfd >= 0)
		dup2(pidfd, 1);
	/* Before Linux 5.9 there is no close_range(2), and they stay open during the stop. */
	(void)syscall(SYS_close_range, pidfd >= 0 ? 2U : 1U, ~0U, 0U);
}

/* Sends SIGCONT repeatedly until the parent kills the watcher: at the first time the parent may not
 * have stopped yet, and a stop discards a SIGCONT that is pending. */
static void watch_command(int stat_fd, int pidfd, pid_t parent)
{
	struct pollfd end = {.fd = pidfd >= 0 ? 1 : -1, .events = POLLIN};
	int pause_ms = POLL_MIN_MS;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(0);
	(void)prctl(PR_SET_NAME, "rtrack-watch", 0, 0, 0);
	(void)setsid();
	keep_two(stat_fd, pidfd);
	for (;;) {
		if (!is_stopped(0))
			kill(parent, SIGCONT);
		if (poll(&end, 1, pause_ms) > 0)
			end.fd = -1;
		pause_ms = pause_ms * 2 < POLL_MAX_MS ? pause_ms * 2 : POLL_MAX_MS;
	}
}

/* Returns its process ID; 0: it could not be started, or /proc does not show the command. */
static int start_watcher(const struct root *r, int pid)
{
	pid_t parent = getpid();
	int stat_fd = proc_pid_open(r, pid, "stat"), pidfd;
	long watcher;

	if (stat_fd < 0)
		return 0;
	pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	/* A fork(2) without an exit signal: neither SIGCHLD nor a plain wait(2) reports it. */
	watcher = syscall(SYS_clone, 0UL, 0UL, 0UL, 0UL, 0UL);
	if (watcher == 0)
		watch_command(stat_fd, pidfd, parent);
	close(stat_fd);
	if (pidfd >= 0)
		close(pidfd);
	return watcher > 0 ? (int)watcher : 0;
}

/* -- stopping with the command ----------------------------------------------------------------- */

static bool is_pending(int signal)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && sigismember(&pending, signal) == 1;
}

/* Stops rtrack-collect by the same signal as the command, so that a shell reports the same. The
 * kernel does not stop a process that no shell could continue: in an orphaned process group, or the
 * first of a PID namespace. */
static void stop_by(int signal)
{
	const struct sigaction plain = {.sa_handler = SIG_DFL};
	struct sigaction before = {.sa_handler = SIG_DFL};
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, signal);
	(void)sigaction(signal, &plain, &before);
	kill(getpid(), signal);
	(void)sigprocmask(SIG_UNBLOCK, &only, NULL);
	(void)sigprocmask(SIG_BLOCK, &only, NULL);
	(void)sigaction(signal, &before, NULL);
}

/* Returns false if rtrack-collect could not be stopped: then the recording goes on, and the command
 * stays stopped. */
static bool stop_too(struct suspend *s, const struct root *r, int pid)
{
	int watcher;

	/* Pass that one on first: a stop would discard it. */
	if (is_pending(SIGCONT))
		return false;
	watcher = start_watcher(r, pid);
	/* Without a watcher only a shell that knows of rtrack-collect can continue it. */
	if (!watcher && !has_terminal())
		return false;
	s->watcher = watcher;
	stop_by(s->by);
	if (watcher) {
		kill(watcher, SIGKILL);
		while (waitpid(watcher, NULL, (int)__WCLONE) < 0 && errno == EINTR)
			;
	}
	/* Only a SIGCONT ends a stop; without one there was none. */
	return is_pending(SIGCONT);
}

bool suspend_follow(struct suspend *s, const struct root *r, int pid)
{
	siginfo_t info = {.si_pid = 0};
	const int changes = WSTOPPED | WCONTINUED | WNOHANG;

	if (waitid(P_PID, (id_t)pid, &info, changes) || !info.si_pid)
		return false;
	/* If this is another stop, the command ran in between. */
	if (s->by)
		s->total += clocks_now(CLOCK_MONOTONIC) - s->since;
	s->by = 0;
	if (info.si_code != CLD_STOPPED)
		return false;
	s->since = clocks_now(CLOCK_MONOTONIC);
	s->times++;
	s->by = info.si_status;
	s->following = stop_too(s, r, pid);
	s->followed |= s->following;
	return s->following;
}

/* Whether the command has continued, stopped again or ended since suspend_follow(). */
static bool has_news(int pid)
{
	siginfo_t info = {.si_pid = 0};
	const int changes = WSTOPPED | WCONTINUED | WEXITED | WNOHANG | WNOWAIT;

	return waitid(P_PID, (id_t)pid, &info, changes) == 0 && info.si_pid;
}

/* A shell continues the processes of a group one after the other, so wait a few milliseconds: the
 * command may be next, and must not get a second SIGCONT. */
static void wake_command(struct suspend *s, int pid)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	bool same = getpgid(pid) == getpgrp();

	for (int i = 0; same && i < WAKE_TRIES && !has_news(pid); i++)
		nanosleep(&moment, NULL);
	if (!has_news(pid))
		kill(s->group ? -pid : pid, SIGCONT);
	s->group = false;
}

bool suspend_continue(struct suspend *s, int pid, const struct signalfd_siginfo *info)
{
	if (s->watcher && info->ssi_pid == (uint32_t)s->watcher) {
		s->following = false;
		return true;
	}
	if (!s->following)
		return false;
	s->following = false;
	wake_command(s, pid);
	return true;
}

void suspend_notes(const struct suspend *s, struct snapshot *out)
{
	int64_t total = s->total;

	if (s->by)
		total += clocks_now(CLOCK_MONOTONIC) - s->since;
	if (s->times)
		snapshot_note(out, "The command was stopped %u time%s, for %.1f s in all%s.",
		              s->times, s->times == 1 ? "" : "s", (double)total / 1e9,
		              s->followed ? "; no samples were taken meanwhile" : "");
}
