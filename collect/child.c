/* child: the command: how it starts, which signals reach it, how it ends. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "proc.h"

#define ANCESTORS_MAX 64

/* -- signals ---------------------------------------------------------------------------------- */

static bool is_ignored(int signal)
{
	struct sigaction now;

	return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* Which to read. Without a command, a nohup that we were given holds. */
static void choose(sigset_t *set, bool command)
{
	static const int passed[] = {SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGCHLD};

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	if (command || !is_ignored(SIGHUP))
		sigaddset(set, SIGHUP);
	if (command || !is_ignored(SIGQUIT))
		sigaddset(set, SIGQUIT);
	for (size_t i = 0; command && i < sizeof passed / sizeof *passed; i++)
		sigaddset(set, passed[i]);
}

int child_signals_open(struct child_signals *s, bool command, struct err *e)
{
	sigset_t set, blocked;

	s->fd = -1;
	choose(&set, command);
	blocked = set;
	/* A line of ours at the end must not stop us in the background. */
	sigaddset(&blocked, SIGTTOU);
	if (sigprocmask(SIG_BLOCK, &blocked, &s->mask))
		return err_set(e, "sigprocmask: %s", strerror(errno));
	/* Where it is ignored the kernel reaps our children, and their status is lost. */
	s->ignored_chld = is_ignored(SIGCHLD);
	if (s->ignored_chld)
		signal(SIGCHLD, SIG_DFL);
	s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->fd < 0 ? err_set(e, "signalfd: %s", strerror(errno)) : 0;
}

bool child_signals_next(const struct child_signals *s, struct signalfd_siginfo *out)
{
	return read(s->fd, out, sizeof *out) == sizeof *out;
}

void child_signals_close(struct child_signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* -- start ------------------------------------------------------------------------------------ */

/* In the child. Everything of ours closes on exec. */
static void become(const struct child *c, int go, int failure, char *const *argv,
                   const struct child_signals *s, const struct descriptors *files)
{
	ssize_t n;
	char byte;
	int why;

	close(c->go); /* our parent's end: without this its death would not end the wait */
	if (s->ignored_chld)
		signal(SIGCHLD, SIG_IGN);
	do
		n = read(go, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(125);
	descriptors_restore(files);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
	execvp(argv[0], argv);
	why = errno;
	while (write(failure, &why, sizeof why) < 0 && errno == EINTR)
		;
	_exit(127);
}

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int child_fork(struct child *c, const struct root *r, char *const *argv,
               const struct child_signals *s, const struct descriptors *files,
               struct cgroup_own *own, struct err *e)
{
	int go[2] = {-1, -1}, failure[2] = {-1, -1};

	*c = (struct child){.go = -1, .failure = -1, .self_io = -1};
	if (pipe2(go, O_CLOEXEC) || pipe2(failure, O_CLOEXEC))
		goto fail;
	c->root = r;
	c->orphans = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) ? errno : 0;
	c->go = go[1];
	c->failure = failure[0];
	c->pid = cgroup_own_fork(own);
	if (c->pid < 0)
		goto fail;
	if (c->pid == 0)
		become(c, go[0], failure[1], argv, s, files);
	close(go[0]);
	close(failure[1]);
	c->self_io = proc_open(r, getpid(), "io");
	return 0;
fail:
	err_set(e, "the command cannot be started: %s", strerror(errno));
	c->pid = 0;
	c->go = c->failure = -1;
	for (int i = 0; i < 2; i++) {
		shut(&go[i]);
		shut(&failure[i]);
	}
	return -1;
}

static void wait_for(struct child *c)
{
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
}

int child_start(struct child *c)
{
	int why = 0;
	ssize_t n;

	/* A child that was killed meanwhile has closed its end; it is reaped like any other. */
	while (write(c->go, "", 1) < 0 && errno == EINTR)
		;
	shut(&c->go);
	do
		n = read(c->failure, &why, sizeof why);
	while (n < 0 && errno == EINTR);
	shut(&c->failure);
	if (n != sizeof why)
		return 0;
	wait_for(c);
	return why ? why : EINVAL;
}

void child_cancel(struct child *c)
{
	if (c->pid <= 0)
		return;
	shut(&c->go);
	wait_for(c);
}

/* -- signals on their way --------------------------------------------------------------------- */

/* Whether a process is a descendant of ours. One that has gone is not known to be. */
static bool is_descendant(const struct root *r, int pid)
{
	int self = getpid();

	for (int i = 0; i < ANCESTORS_MAX && pid > 1 && pid != self; i++) {
		struct proc_stat stat;
		int fd = proc_open(r, pid, "stat"), failed;
		if (fd < 0)
			return false;
		failed = proc_stat_read(fd, &stat);
		close(fd);
		if (failed)
			return false;
		pid = stat.ppid;
	}
	return pid == self;
}

static char state_of(const struct root *r, int pid)
{
	struct proc_stat stat = {.state = 0};
	int fd = proc_open(r, pid, "stat");

	if (fd >= 0) {
		(void)proc_stat_read(fd, &stat);
		close(fd);
	}
	return stat.state;
}

static bool is_stopped(const struct root *r, int pid)
{
	return state_of(r, pid) == 'T';
}

/* A shell continues the whole group, one after the other: the command may be next. */
static void wake(const struct child *c, const struct root *r)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	for (int i = 0; i < 5 && is_stopped(r, c->pid); i++)
		nanosleep(&moment, NULL);
	if (is_stopped(r, c->pid))
		kill(c->pid, SIGCONT);
}

/* Whether the kernel sent it, on behalf of a terminal, to the command too. A hang-up it sends to
 * the leader of the session alone, in whose place the command would be. */
static bool came_to_both(const struct signalfd_siginfo *info)
{
	if (info->ssi_code != SI_KERNEL)
		return false;
	return info->ssi_signo != SIGHUP || getsid(0) != getpid();
}

void child_signal(struct child *c, const struct root *r, const struct signalfd_siginfo *info)
{
	int signal = (int)info->ssi_signo;

	if (c->pid <= 0)
		return;
	if (signal == SIGCONT) {
		bool followed = c->followed;
		c->terminal_stop = c->followed = false;
		c->stopped_by = 0;
		if (followed) {
			wake(c, r);
			return;
		}
	}
	if (came_to_both(info)) {
		c->terminal_stop |= signal == SIGTSTP;
		return;
	}
	if (info->ssi_pid && is_descendant(r, (int)info->ssi_pid)) {
		c->terminal_stop |= signal == SIGTSTP;
		return;
	}
	kill(c->pid, signal);
}

static bool has_terminal(void)
{
	int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

void child_follow_stop(struct child *c)
{
	siginfo_t info = {.si_pid = 0};
	const int changes = WSTOPPED | WCONTINUED | WNOHANG;

	if (c->pid <= 0)
		return;
	if (waitid(P_PID, (id_t)c->pid, &info, changes) == 0 && info.si_pid)
		c->stopped_by = info.si_code == CLD_STOPPED ? info.si_status : 0;
	if (!c->stopped_by)
		return;
	/* SIGSTOP that someone sent to the command alone is between the two: we must be there when
	 * it is continued. A program that answers the terminal's stop by SIGSTOP means job control.
	 */
	if (c->stopped_by == SIGSTOP && !c->terminal_stop)
		return;
	c->followed = has_terminal();
	if (c->followed)
		raise(SIGSTOP);
	c->terminal_stop = false;
	c->stopped_by = 0;
}

/* -- end -------------------------------------------------------------------------------------- */

static void read_io(const struct child *c, double out[2])
{
	struct proc_io io = {.read_bytes = 0};

	if (c->self_io >= 0)
		(void)proc_io_read(c->self_io, &io);
	out[0] = (double)io.read_bytes;
	out[1] = (double)io.write_bytes;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* The kernel adds a child's storage bytes to ours when we reap it: the difference is the child's.
 */
static int reap(struct child *c, int pid, struct child_end *out)
{
	double before[2], after[2];

	read_io(c, before);
	do
		out->pid = wait4(pid, &out->status, WNOHANG, &out->usage);
	while (out->pid < 0 && errno == EINTR);
	if (out->pid != pid)
		return -1;
	read_io(c, after);
	out->total[LEDGER_UTIME] = seconds(out->usage.ru_utime);
	out->total[LEDGER_STIME] = seconds(out->usage.ru_stime);
	out->total[LEDGER_READ] = after[0] - before[0];
	out->total[LEDGER_WRITE] = after[1] - before[1];
	return 0;
}

/* Where waitid(2) is forbidden, /proc tells of the command, and nobody of its orphans. */
static bool has_ended(const struct child *c)
{
	siginfo_t info = {.si_pid = 0};

	if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
		return info.si_pid != 0;
	return errno != ECHILD && state_of(c->root, c->pid) == 'Z';
}

int child_reap(struct child *c, struct child_end *out)
{
	siginfo_t info = {.si_pid = 0};

	if (c->pid > 0 && !c->ended)
		c->ended = has_ended(c);
	/* The command's end is seen before that of others, which it would stand before. */
	if (c->ended)
		return 0;
	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT))
		return errno != ECHILD && c->pid > 0 ? 0 : -1;
	if (!info.si_pid)
		return 0;
	if (info.si_pid == c->pid) {
		c->ended = true;
		return 0;
	}
	return reap(c, info.si_pid, out) == 0 ? 1 : 0;
}

int child_reap_command(struct child *c, struct child_end *out)
{
	int failed = reap(c, c->pid, out);

	c->pid = 0;
	c->ended = false;
	return failed;
}

void child_close(struct child *c)
{
	shut(&c->go);
	shut(&c->failure);
	shut(&c->self_io);
	c->pid = 0;
}
