/* command: starts the command, follows its stops, passes signals to it, and reaps it. */
#include "collect/command/command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/command/phase_fifo.h"
#include "collect/procfs/proc_pid.h"

/* -- exit statuses ----------------------------------------------------------------------------- */

int command_status_of(int errnum)
{
	return errnum == ENOENT ? COMMAND_NOT_FOUND : COMMAND_NOT_RUNNABLE;
}

/* -- exec -------------------------------------------------------------------------------------- */

/* Same test as in bash: a NUL byte at the start of the first line means that it is not a script. */
static bool is_binary(const char *path)
{
	char head[80];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t n;
	const char *nul;

	if (fd < 0)
		return false;
	n = read(fd, head, sizeof head);
	close(fd);
	nul = n > 0 ? memchr(head, '\0', (size_t)n) : NULL;
	return nul && !memchr(head, '\n', (size_t)(nul - head));
}

/* Returns only on failure, with errno. */
static void exec_path(const char *path, char *const *argv)
{
	execv(path, argv);
	if (errno != ENOEXEC)
		return;
	/* A script without "#!". execvp(3) hands any such file to /bin/sh, even an executable for
	 * another kind of CPU; shells refuse that one. */
	if (is_binary(path))
		errno = ENOEXEC;
	else
		execvp(path, argv);
}

static bool is_regular_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Takes the next directory of PATH off *dirs, and sets path (PATH_MAX bytes) to that of the name
 * there. False after the last. */
static bool next_place(const char **dirs, const char *name, char *path)
{
	while (*dirs) {
		const char *dir = *dirs, *end = dir + strcspn(dir, ":");
		*dirs = *end ? end + 1 : NULL;
		if (snprintf(path, PATH_MAX, "%.*s%s%s", (int)(end - dir), dir,
		             end > dir ? "/" : "./", name) < PATH_MAX)
			return true;
	}
	return false;
}

static const char *path_variable(void)
{
	const char *dirs = getenv("PATH");

	return dirs ? dirs : "/bin:/usr/bin";
}

int command_exec(char *const *argv)
{
	const char *dirs = path_variable(), *name = argv[0];
	char path[PATH_MAX];
	bool denied = false;

	if (!*name)
		return ENOENT;
	if (strchr(name, '/')) {
		exec_path(name, argv);
		return errno;
	}
	while (next_place(&dirs, name, path)) {
		exec_path(path, argv);
		switch (errno) {
		case EACCES:
			/* execvp(3) takes a directory that may not be searched for a command that
			 * may not be executed. Shells do not, nor do they take a directory for
			 * a command. */
			denied = denied || is_regular_file(path);
			break;
		case ENOENT:
		case ENOTDIR:
		case ELOOP:
		case ENAMETOOLONG:
		case ESTALE:
		case ENODEV:
		case ETIMEDOUT:
			break;
		default:
			return errno;
		}
	}
	return denied ? EACCES : ENOENT;
}

/* -- why it cannot be executed ----------------------------------------------------------------- */

/* Opens the file that may be executed, which is there although execve(2) says otherwise; -1: there
 * is none. */
static int open_program(const char *name)
{
	const char *dirs = path_variable();
	char path[PATH_MAX] = "";
	bool found = false;

	if (strchr(name, '/'))
		found = snprintf(path, sizeof path, "%s", name) < PATH_MAX &&
		        is_regular_file(path) && access(path, X_OK) == 0;
	else
		while (!found && *name && next_place(&dirs, name, path))
			found = is_regular_file(path) && access(path, X_OK) == 0;
	return found ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : -1;
}

/* The path after "#!" as the kernel takes it; NULL: it is no script. head: its beginning. */
static const char *find_interpreter(char *head)
{
	char *path = head + 2;

	if (head[0] != '#' || head[1] != '!')
		return NULL;
	path += strspn(path, " \t");
	path[strcspn(path, " \t\n")] = '\0';
	return path;
}

int command_explain(const char *name, int errnum, struct err *e)
{
	int fd = errnum == ENOENT || errnum == EACCES ? open_program(name) : -1;
	const char *interpreter, *why = strerror(errnum);
	char head[256]; /* as much as the kernel reads */
	ssize_t n = 0;

	if (fd >= 0) {
		n = read(fd, head, sizeof head - 1);
		close(fd);
	}
	head[n > 0 ? n : 0] = '\0';
	interpreter = find_interpreter(head);
	if (interpreter)
		return err_set(e, "%s: its interpreter %s: %s%s", name, interpreter, why,
		               strchr(interpreter, '\r') ? " (the script's lines end in CR LF)"
		                                         : "");
	if (n > 3 && errnum == ENOENT && memcmp(head, "\177ELF", 4) == 0)
		return err_set(e, "%s: its loader, the interpreter of ELF: %s", name, why);
	if (errnum == ENOENT && !strchr(name, '/'))
		why = "command not found";
	return err_set(e, "%s: %s", name, why);
}

/* -- start ------------------------------------------------------------------------------------- */

/* Runs in the child. All other descriptors of rtrack-collect are close-on-exec. */
static void exec_in_child(const struct command *c, int go, int failure, char *const *argv,
                          const struct signals *s, const struct fd_limit *files)
{
	ssize_t n;
	char byte;
	int why;

	close(c->go); /* the write end: if it stayed open, read() would outlast a dead parent */
	do
		n = read(go, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(COMMAND_NOT_STARTED);
	fd_limit_restore(files);
	signals_restore(s);
	why = command_exec(argv);
	while (write(failure, &why, sizeof why) < 0 && errno == EINTR)
		;
	_exit(COMMAND_NOT_FOUND);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int command_fork(struct command *c, const struct root *r, char *const *argv,
                 const struct signals *s, const struct fd_limit *files, struct cgroup_own *own,
                 struct err *e)
{
	int go[2] = {-1, -1}, failure[2] = {-1, -1};

	*c = (struct command){.go = -1, .failure = -1, .self_io = -1};
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
		exec_in_child(c, go[0], failure[1], argv, s, files);
	close(go[0]);
	close(failure[1]);
	c->self_io = proc_pid_open(r, getpid(), "io");
	return 0;
fail:
	err_set(e, "the command cannot be started: %s", strerror(errno));
	c->pid = 0;
	c->go = c->failure = -1;
	for (int i = 0; i < 2; i++) {
		close_fd(&go[i]);
		close_fd(&failure[i]);
	}
	return -1;
}

static void reap_unstarted(struct command *c)
{
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
}

int command_start(struct command *c)
{
	int why = 0;
	ssize_t n;

	/* EPIPE means that the child was killed meanwhile: it is reaped like any other. */
	while (write(c->go, "", 1) < 0 && errno == EINTR)
		;
	close_fd(&c->go);
	do
		n = read(c->failure, &why, sizeof why);
	while (n < 0 && errno == EINTR);
	close_fd(&c->failure);
	if (n != sizeof why)
		return 0;
	reap_unstarted(c);
	return why ? why : EINVAL;
}

void command_cancel(struct command *c)
{
	if (c->pid <= 0)
		return;
	close_fd(&c->go);
	reap_unstarted(c);
}

/* -- while it runs ----------------------------------------------------------------------------- */

void command_signal(struct command *c, const struct signalfd_siginfo *info)
{
	enum signals_route route;

	if (c->pid <= 0 ||
	    (info->ssi_signo == SIGCONT && suspend_continue(&c->suspend, c->pid, info)))
		return;
	route = signals_route(c->root, c->pid, info);
	c->suspend.group |= route == SIGNALS_GROUP && info->ssi_signo == SIGTSTP;
	signals_send(c->pid, route, info);
}

bool command_follow_stop(struct command *c)
{
	return c->pid > 0 && suspend_follow(&c->suspend, c->root, c->pid);
}

/* -- end --------------------------------------------------------------------------------------- */

static struct proc_pid_io read_self_io(const struct command *c)
{
	struct proc_pid_io io = {.read_bytes = 0};

	if (c->self_io >= 0)
		(void)proc_pid_io_read(c->self_io, &io);
	return io;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* On reaping, the kernel adds the child's bytes to the parent's /proc/PID/io, so the difference is
 * the child's; but for what the first reading of that file read itself. */
static int reap_process(struct command *c, int pid, bool killed, struct command_end *out)
{
	struct proc_pid_stat stat;
	struct proc_pid_io before = read_self_io(c), after;
	double rchar;

	out->session = (int)getsid(pid);
	*out->name = '\0';
	if (killed && proc_pid_stat_of(c->root, pid, &stat) == 0)
		memcpy(out->name, stat.comm, sizeof stat.comm);
	do
		out->pid = wait4(pid, &out->status, WNOHANG, &out->usage);
	while (out->pid < 0 && errno == EINTR);
	if (out->pid != pid)
		return -1;
	after = read_self_io(c);
	rchar = (double)after.rchar - (double)before.rchar - (double)before.text_n;
	out->total[CPU_ACCOUNTING_UTIME] = seconds(out->usage.ru_utime);
	out->total[CPU_ACCOUNTING_STIME] = seconds(out->usage.ru_stime);
	out->total[CPU_ACCOUNTING_READ] = (double)after.read_bytes - (double)before.read_bytes;
	out->total[CPU_ACCOUNTING_WRITE] = (double)after.write_bytes - (double)before.write_bytes;
	out->total[CPU_ACCOUNTING_RCHAR] = rchar > 0 ? rchar : 0;
	out->total[CPU_ACCOUNTING_WCHAR] = (double)after.wchar - (double)before.wchar;
	out->total[CPU_ACCOUNTING_CANCELLED] =
	    (double)after.cancelled_write_bytes - (double)before.cancelled_write_bytes;
	return 0;
}

/* Falls back to /proc if a seccomp filter forbids waitid(2). Orphans stay unnoticed then. */
static bool command_has_ended(const struct command *c)
{
	siginfo_t info = {.si_pid = 0};
	struct proc_pid_stat stat;

	if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
		return info.si_pid != 0;
	return errno != ECHILD && proc_pid_stat_of(c->root, c->pid, &stat) == 0 &&
	       stat.state == 'Z';
}

int command_reap(struct command *c, struct command_end *out)
{
	siginfo_t info = {.si_pid = 0};
	bool killed;

	if (c->pid > 0 && !c->ended)
		c->ended = command_has_ended(c);
	/* waitid(P_ALL) keeps returning the unreaped command, so no other child can be found. */
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
	killed = info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED;
	return reap_process(c, info.si_pid, killed, out) == 0 ? 1 : 0;
}

int command_reap_command(struct command *c, struct command_end *out)
{
	int failed = reap_process(c, c->pid, false, out);

	c->pid = 0;
	c->ended = false;
	return failed;
}

void command_close(struct command *c)
{
	close_fd(&c->go);
	close_fd(&c->failure);
	close_fd(&c->self_io);
	c->pid = 0;
}

/* -- without a recording ----------------------------------------------------------------------- */

void command_save(struct command_before *b)
{
	sigprocmask(SIG_SETMASK, NULL, &b->mask);
	(void)sigaction(SIGCHLD, NULL, &b->child);
	if (getrlimit(RLIMIT_NOFILE, &b->files))
		b->files.rlim_max = 0;
	b->mark = getenv(PHASE_FIFO_VARIABLE);
}

int command_run_unrecorded(const struct command_before *b, char *const *command, struct err *e)
{
	int why;

	(void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0); /* execve(2) would keep it */
	if (b->files.rlim_max)
		(void)setrlimit(RLIMIT_NOFILE, &b->files);
	if (!b->mark || setenv(PHASE_FIFO_VARIABLE, b->mark, 1))
		unsetenv(PHASE_FIFO_VARIABLE);
	(void)sigaction(SIGCHLD, &b->child, NULL);
	sigprocmask(SIG_SETMASK, &b->mask, NULL);
	why = command_exec(command);
	command_explain(command[0], why, e);
	return command_status_of(why);
}
