/* signals: receives the signals of rtrack-collect and decides which the command gets. */
#include "collect/command/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"

#define ANCESTORS_MAX 64
#define KERNEL_NSIG   ((size_t)_NSIG / 8) /* bytes of a signal set in the kernel */

static bool is_ignored(int signal)
{
	struct sigaction now;

	return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* Without a command, signals that nohup(1) made us ignore stay ignored. */
static void choose_signals(sigset_t *set, bool command)
{
	if (command) {
		/* sigfillset(3) would omit the C library's own. The kernel ignores KILL and
		 * STOP in the set. */
		memset(set, 0xff, sizeof *set);
		return;
	}
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	if (!is_ignored(SIGHUP))
		sigaddset(set, SIGHUP);
	if (!is_ignored(SIGQUIT))
		sigaddset(set, SIGQUIT);
}

/* A direct system call, because the C library's wrapper skips its own signals. */
static int change_mask(int how, const sigset_t *set, sigset_t *before)
{
	return (int)syscall(SYS_rt_sigprocmask, how, set, before, KERNEL_NSIG);
}

int signals_open(struct signals *s, bool command, struct err *e)
{
	sigset_t set, blocked;

	s->fd = -1;
	choose_signals(&set, command);
	blocked = set;
	/* In the background, the summary that main.c prints would stop us (tostop). */
	sigaddset(&blocked, SIGTTOU);
	sigemptyset(&s->mask);
	if (change_mask(SIG_BLOCK, &blocked, &s->mask))
		return err_set(e, "sigprocmask: %s", strerror(errno));
	/* If it is ignored, the kernel reaps our children and their status is lost. */
	s->ignored_chld = is_ignored(SIGCHLD);
	if (s->ignored_chld)
		signal(SIGCHLD, SIG_DFL);
	s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->fd < 0 ? err_set(e, "signalfd: %s", strerror(errno)) : 0;
}

bool signals_next(const struct signals *s, struct signalfd_siginfo *out)
{
	return read(s->fd, out, sizeof *out) == sizeof *out;
}

void signals_restore(const struct signals *s)
{
	if (s->ignored_chld)
		signal(SIGCHLD, SIG_IGN);
	(void)change_mask(SIG_SETMASK, &s->mask, NULL);
}

void signals_close(struct signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* -- routing ----------------------------------------------------------------------------------- */

/* Whether a process is a descendant of rtrack-collect; false if it is gone. */
static bool is_descendant(const struct root *r, int pid)
{
	int self = getpid();

	for (int i = 0; i < ANCESTORS_MAX && pid > 1 && pid != self; i++) {
		struct proc_pid_stat stat;
		if (proc_pid_stat_of(r, pid, &stat))
			return false;
		pid = stat.ppid;
	}
	return pid == self;
}

/* Whether the kernel raised the signal for something that rtrack-collect itself did: a write
 * without a reader or beyond a limit (marked as sent by ourselves), CPU time, a child's change of
 * state. */
static bool is_our_own(const struct signalfd_siginfo *info)
{
	switch (info->ssi_signo) {
	case SIGPIPE:
	case SIGXFSZ:
		return info->ssi_code > 0 || info->ssi_pid == (uint32_t)getpid();
	case SIGXCPU:
	case SIGCHLD:
		return info->ssi_code > 0;
	default:
		return false;
	}
}

/* A terminal sends signals to its foreground process group, which the command is in. Only a hang-up
 * goes to the session leader alone, which would be the command if rtrack-collect were not there. */
static bool is_of_terminal(const struct signalfd_siginfo *info)
{
	if (info->ssi_code != SI_KERNEL)
		return false;
	switch (info->ssi_signo) {
	case SIGHUP:
		return getsid(0) != getpid();
	case SIGINT:
	case SIGQUIT:
	case SIGTSTP:
	case SIGTTIN:
	case SIGTTOU:
	case SIGCONT:
	case SIGWINCH:
		return true;
	default:
		/* For example SIGALRM of a timer that was set before exec. */
		return false;
	}
}

enum signals_route signals_route(const struct root *r, int pid, const struct signalfd_siginfo *info)
{
	int group;

	if (is_our_own(info))
		return SIGNALS_NOBODY;
	if (is_of_terminal(info)) {
		/* A command such as timeout(1) makes its own group, which is not the terminal's
		 * foreground group. Without rtrack-collect it would be. */
		group = getpgid(pid);
		if (group == getpgrp())
			return SIGNALS_NOBODY;
		return group == pid ? SIGNALS_GROUP : SIGNALS_COMMAND;
	}
	/* A process of the command may have sent it to its whole group, or to all processes, so
	 * the command has it already. */
	if (info->ssi_code == SI_USER && info->ssi_pid && is_descendant(r, (int)info->ssi_pid))
		return SIGNALS_NOBODY;
	return SIGNALS_COMMAND;
}

void signals_send(int pid, enum signals_route route, const struct signalfd_siginfo *info)
{
	int signal = (int)info->ssi_signo;
	siginfo_t with;

	if (route == SIGNALS_NOBODY)
		return;
	if (info->ssi_code < 0 && info->ssi_code != SI_TKILL) {
		memset(&with, 0, sizeof with);
		with.si_signo = signal;
		with.si_code = info->ssi_code;
		with.si_pid = (pid_t)info->ssi_pid;
		with.si_uid = info->ssi_uid;
		with.si_value.sival_ptr = (void *)(uintptr_t)info->ssi_ptr;
		if (syscall(SYS_rt_sigqueueinfo, pid, signal, &with) == 0)
			return;
		/* The queue is full: send it without the payload. */
	}
	kill(route == SIGNALS_GROUP ? -pid : pid, signal);
}
