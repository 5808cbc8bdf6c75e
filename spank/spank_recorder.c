/* spank_recorder: the process that records a step: how it comes to be, and what it gives up. */
#include "spank/spank_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/spank.h>

#include "collect/procfs/fd_limit.h"

#include "collect/cgroup/cgroup_outside.h"

#define TASK_MS  60000 /* until the first task becomes its command: nothing is to be seen before */
#define NO_GROUP 65534 /* nogroup, which owns nothing */

/* struct clone_args up to .cgroup (Linux 5.7): an older kernel may refuse a longer one. */
#define CLONE_ARGS_SIZE 88

/* -- the file ---------------------------------------------------------------------------------- */

/* Appends text to a pattern of --output, in which % begins a letter. */
static void append_literally(char *out, size_t size, const char *text)
{
	size_t n = strlen(out);

	for (; *text && n + 3 < size; text++) {
		if (*text == '%')
			out[n++] = '%';
		out[n++] = *text;
	}
	out[n] = '\0';
}

static const char *step_name(uint32_t step, char out[16])
{
	if (step == SLURM_BATCH_SCRIPT)
		return "batch";
	if (step == SLURM_INTERACTIVE_STEP)
		return "interactive";
	snprintf(out, 16, "%u", step);
	return out;
}

/* DIR/UID/rtrack-JOB.STEP-NODE.json.gz; a job that Slurm starts again adds ".rN" to JOB. */
static void set_file(struct recorder *r, uint32_t restarts)
{
	const char *node = *r->node ? strchr(r->node, '=') + 1 : "node";
	char text[128], number[16];

	append_literally(r->file, sizeof r->file, r->folder);
	snprintf(text, sizeof text, restarts ? "/%s/rtrack-%u.r%u.%s-" : "/%s/rtrack-%u%.0u.%s-",
	         r->user, r->job, restarts, step_name(r->step, number));
	append_literally(r->file, sizeof r->file, text);
	append_literally(r->file, sizeof r->file, node);
	append_literally(r->file, sizeof r->file, ".json.gz");
}

/* -- in the recorder --------------------------------------------------------------------------- */

/* The first task says how often the job was started again, before it becomes its command: a line of
 * a number. 0 if it ends before that. */
static uint32_t read_restarts(int fd)
{
	struct pollfd said = {.fd = fd, .events = POLLIN};
	uint32_t n = 0;
	char c = 0;

	if (poll(&said, 1, TASK_MS) != 1 || recv(fd, &c, 1, MSG_PEEK) != 1 || c < '0' || c > '9')
		return 0;
	while (recv(fd, &c, 1, 0) == 1 && c >= '0' && c <= '9')
		n = n * 10 + (uint32_t)(c - '0');
	return n;
}

static void set_restarts(struct recorder *r, uint32_t n)
{
	char **last = r->env;

	while (*last != r->restarts)
		last++;
	snprintf(r->restarts, sizeof r->restarts, "SLURM_RESTART_COUNT=%u", n);
	last[n != 0] = NULL;
	set_file(r, n);
}

/* Opens what the recorder needs to leave the cgroups of the step: in v1 the root of each hierarchy,
 * to which slurmstepd itself goes at the end; in v2 the cgroup beside those of the jobs, where
 * Slurm has one, or the root. */
static void find_way_out(struct recorder *r, const struct cgroup *where)
{
	const struct cgroup_dir *d = &where->v[CGROUP_V2];
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[4096], path[CGROUP_PATH_MAX + 64];

	while (f && fgets(line, sizeof line, f)) {
		char *names = strchr(line, ':'), *place = names ? strchr(names + 1, ':') : NULL;
		if (!place || !strstr(place, "/job_") || place == names + 1 ||
		    r->n_tasks == sizeof r->tasks / sizeof *r->tasks)
			continue;
		snprintf(path, sizeof path, "/sys/fs/cgroup/%.*s/tasks", (int)(place - names - 1),
		         names + 1);
		r->tasks[r->n_tasks] = open(path, O_WRONLY | O_CLOEXEC);
		r->n_tasks += r->tasks[r->n_tasks] >= 0;
	}
	if (f)
		fclose(f);
	r->group = -1;
	if (!d->known || !cgroup_outside_step(d->path))
		return;
	snprintf(path, sizeof path, "/%.*s/system", (int)(strstr(d->path, "/job_") - d->path),
	         d->path);
	r->group = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	snprintf(path, sizeof path, "/%.*s", (int)d->mount_len, d->path);
	if (r->group < 0)
		r->group = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* fork(2), which is born in the cgroup group, if it is not -1. Without the handlers of the C
 * library: their locks may be held by another thread. */
static int fork_into(int group)
{
	struct clone_args args = {.flags = group >= 0 ? CLONE_INTO_CGROUP : 0,
	                          .exit_signal = SIGCHLD,
	                          .cgroup = group >= 0 ? (unsigned)group : 0};
	long pid = syscall(SYS_clone3, &args, (size_t)CLONE_ARGS_SIZE);

	return pid < 0 ? fork() : (int)pid;
}

/* DIR/UID, which only this user may read. As root, so that nobody else can make it first; nothing
 * follows a link that a user might have put there. */
static int make_folder(const struct recorder *r)
{
	int dir = open(r->folder, O_PATH | O_DIRECTORY | O_CLOEXEC), folder;
	struct stat st;

	(void)mkdirat(dir, r->user, 0700);
	folder = openat(dir, r->user, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0 || fstat(folder, &st))
		return -1;
	if (st.st_uid == 0 && r->uid != 0)
		return fchownat(folder, "", r->uid, r->gid, AT_EMPTY_PATH);
	return st.st_uid == r->uid ? 0 : -1;
}

/* Runs in a child of a process with threads: only calls that are safe there. Gives up everything
 * that slurmstepd has and a process of the user does not. */
static void become_recorder(struct recorder *r, int fd)
{
	const struct rlimit none = {0, 0};
	const struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t nothing;
	int null = open("/dev/null", O_RDWR), oom = open("/proc/self/oom_score_adj", O_WRONLY);

	/* slurmstepd protects itself from the OOM killer. */
	if (oom >= 0 && write(oom, "0", 1) < 0)
		_exit(1);
	/* "0": the process itself, which has one thread. */
	for (size_t i = 0; i < r->n_tasks; i++)
		if (write(r->tasks[i], "0", 1) < 0)
			_exit(1);
	umask(077);
	if (make_folder(r))
		_exit(1);
	if (setgroups((size_t)r->n_groups, r->groups) ||
	    setresgid(r->gid == NO_GROUP ? NO_GROUP - 1 : NO_GROUP, r->gid, r->gid) ||
	    setresuid(r->uid, r->uid, r->uid))
		_exit(1);
	setrlimit(RLIMIT_CORE, &none);
	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &usual, NULL);
	sigemptyset(&nothing);
	sigprocmask(SIG_SETMASK, &nothing, NULL);
	if (null < 0 || fd <= SPANK_RECORDER_SOCKET || ((!r->dir || chdir(r->dir)) && chdir("/")) ||
	    dup2(null, 0) || dup2(null, 1) != 1 || dup2(null, 2) != 2 ||
	    dup2(fd, SPANK_RECORDER_SOCKET) != SPANK_RECORDER_SOCKET)
		_exit(1);
	fd_limit_close_from(SPANK_RECORDER_SOCKET + 1);
	set_restarts(r, read_restarts(SPANK_RECORDER_SOCKET));
	execve(r->program, r->argv, r->env);
	_exit(127);
}

/* -- in slurmstepd ----------------------------------------------------------------------------- */

int spank_recorder_socket(int *ours, int *other)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -1;
	*ours = ends[0];
	/* Above the numbers that the recorder gives to others. */
	*other = fcntl(ends[1], F_DUPFD_CLOEXEC, SPANK_RECORDER_SOCKET + 1);
	close(ends[1]);
	return 0;
}

void spank_recorder_start(struct recorder *r, const struct cgroup *where, int ours, int other)
{
	int pid;

	find_way_out(r, where);
	pid = other < 0 ? -1 : fork_into(r->group);
	if (pid == 0) {
		close(ours);
		if (setsid() < 0 || fork_into(-1) != 0)
			_exit(0);
		become_recorder(r, other);
	}
	if (pid < 0)
		slurm_debug("rtrack: no recorder: %m");
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	for (size_t i = 0; i < r->n_tasks; i++)
		close(r->tasks[i]);
	if (r->group >= 0)
		close(r->group);
}
