/*
 * rtrack_spank: records every step of a Slurm cluster, without a change to any job. docs/slurm.md
 * says how an administrator installs it.
 *
 *   optional rtrack_spank.so [dir=DIR] [journal=DIR[:DIR…]] [interval=SECONDS] [min=TIME]
 *                            [what=steps|jobs] [sync=TIME] [default=on|off]
 *                            [collect=PROGRAM] [scontrol=PROGRAM]
 *
 * On each node slurmstepd, the daemon of a step, loads it. When the tasks are forked and before
 * they may run, it starts one rtrack-collect as the job's user, which follows slurmstepd's
 * descendants from outside. The recorder is not a child of slurmstepd (forked twice, in its own
 * session) and leaves the cgroups of the step, so that Slurm neither waits for it, nor kills or
 * counts it, and can remove the cgroups while it still runs.
 *
 * When the last task has ended, slurmstepd says through a socket what the recorder cannot find out
 * for certain: the exit status, what the tasks used in all, and what their cgroup counted
 * (collect/command/job_end.h). Nothing waits for the recorder.
 *
 * The recorder has the user's rights and runs outside of the job's cgroup, so no process of the
 * user may control it: its real group differs from its effective one, for which the kernel lets
 * nobody attach to it, nor to what it starts (execve(2), ptrace(2)). What it knows of the job's
 * environment is a fixed list of variables.
 *
 * Nothing here may disturb a job: every hook returns ESPANK_SUCCESS, and what fails is said at
 * slurmd's log level debug. Messages of a higher level would reach the job's standard error.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/spank.h>

#include "collect/cgroup/cgroup.h"
#include "collect/cgroup/cgroup_outside.h"
#include "collect/command/job_end.h"
#include "collect/output/job_file.h"
#include "collect/procfs/fd_limit.h"

#define ENVIRON_MAX     65536 /* variables of a job that are looked at */
#define BLOCK           512   /* bytes of ru_inblock and ru_oublock */
#define RECORDER_SOCKET 3     /* the recorder's descriptor of our socket */
#define TASK_MS         60000 /* until the first task becomes its command */
#define NO_GROUP        65534 /* nogroup, which owns nothing */
#define JOURNALS        "/var/spool/rtrack:/dev/shm"
#define ROOM            ((uint64_t)64 << 20) /* bytes that must be free where journals are */
#define DAYS            31                   /* a job's file is looked for so many days back */
#define ANSWER_S        10                   /* then a folder is said not to answer */
/* struct clone_args up to .cgroup (Linux 5.7): an older kernel may refuse a longer one. */
#define CLONE_ARGS_SIZE 88

/* -- the recorder: how it comes to be, and what it gives up ------------------------------------ */

/* It is forked twice by slurmstepd, as root; leaves the cgroups of the step; makes the folder of
 * its user on a disk of the node; and becomes rtrack-collect as that user. Another process makes
 * the user's folder in DIR, which may be on a server that does not answer: only the end of a
 * recording needs it. */

/* slurmstepd's own, which it has read already. Weak: a Slurm that does not export it has no
 * OverMemoryKill, and logs to syslog. */
extern slurm_conf_t slurm_conf __attribute__((weak));

/* The caller sets what is above .tasks. */
struct recorder {
	const char *program, *dir, *folder, *journals;
	char *argv[24];
	char file[4096], to[4096], spool[1024], pid[16], name[1024], user[16];
	char closed[1024]; /* a folder for journals that this user may not enter; "": none */
	char *env[64];     /* the last is .restarts, then NULL */
	char node[64], cpus[64], memory[64], node_id[32], path[4096], conf[4096], restarts[40];
	uint32_t job, step;
	uid_t uid;
	gid_t gid;
	gid_t *groups;
	int n_groups;
	int tasks[16]; /* v1: files by which a process moves into the root of a hierarchy */
	size_t n_tasks;
	int group; /* v2: the cgroup to be born in; -1: none */
};

/* -- the recorder: its file -------------------------------------------------------------------- */

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

/* The UTC day, "2026-11-29". gmtime_r(3) takes a lock, which another thread may have had at the
 * fork. */
static void day_of(time_t t, char out[16])
{
	/* Days since 0000-03-01, in eras of 400 years. */
	long z = t / 86400 + 719468, era = z / 146097, doe = z - era * 146097;
	long yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	long doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
	int day = (int)(doy - (153 * mp + 2) / 5 + 1), month = (int)(mp < 10 ? mp + 3 : mp - 9);

	snprintf(out, 16, "%04d-%02d-%02d", (int)(yoe + era * 400) + (month <= 2), month, day);
}

/* The folder of the job on this node, SPOOL/UID/DAY/JOB-NODE, says on which day it began here. 0,
 * or -1: it cannot be made. A job that Slurm starts again has ".rN" after JOB. */
static int set_file(struct recorder *r, uint32_t restarts)
{
	const char *node = *r->node ? strchr(r->node, '=') + 1 : "node";
	char day[16], job[128], path[2048], number[16];
	time_t now = time(NULL);
	struct stat st;
	int back;

	snprintf(job, sizeof job, restarts ? "%u.r%u-%s" : "%u%.0u-%s", r->job, restarts, node);
	for (back = 0; back < DAYS; back++) {
		day_of(now - (time_t)back * 86400, day);
		snprintf(path, sizeof path, "%s/%s/%s/%s", r->spool, r->user, day, job);
		if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
			break;
	}
	if (back == DAYS) {
		day_of(now, day);
		snprintf(path, sizeof path, "%s/%s/%s", r->spool, r->user, day);
		(void)mkdir(path, 0700);
		snprintf(path, sizeof path, "%s/%s/%s/%s", r->spool, r->user, day, job);
		if (mkdir(path, 0700) && errno != EEXIST)
			return -1;
	}
	append_literally(r->file, sizeof r->file, path);
	append_literally(r->file, sizeof r->file, "/");
	append_literally(r->file, sizeof r->file, step_name(r->step, number));
	append_literally(r->file, sizeof r->file, ".json.gz");
	return snprintf(r->to, sizeof r->to, "%s/%s/%s/%s.json.gz", r->folder, r->user, day, job) <
	               (int)sizeof r->to
	           ? 0
	           : -1;
}

#ifdef SYS_setgroups32
#define SETGROUPS SYS_setgroups32
#else
#define SETGROUPS SYS_setgroups
#endif

/* Whether the user may enter SPOOL/UID, which is theirs: the folders above it may be closed to
 * them. Without the C library's functions, which take a lock and change all threads. */
static bool user_may_enter(const struct recorder *r)
{
	char path[sizeof r->spool + sizeof r->user];
	int fd = -1;

	snprintf(path, sizeof path, "%s/%s", r->spool, r->user);
	if (syscall(SETGROUPS, (size_t)r->n_groups, r->groups) == 0) {
		(void)setfsgid(r->gid);
		(void)setfsuid(r->uid);
		fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		(void)setfsuid(0);
		(void)setfsgid(0);
	}
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Finds the first of the folders for journals that is there, is root's alone, has room, and lets
 * the user in; in one that all may write to, as /dev/shm, its folder rtrack. As root: makes the
 * user's folder in it. */
static int choose_spool(struct recorder *r)
{
	for (const char *at = r->journals; *at;) {
		size_t n = strcspn(at, ":");
		struct statvfs fs;
		struct stat st;
		bool ok = *at == '/' && n < sizeof r->spool - 8;
		snprintf(r->spool, sizeof r->spool, "%.*s", ok ? (int)n : 0, at);
		ok = ok && stat(r->spool, &st) == 0;
		if (ok && st.st_uid == 0 && (st.st_mode & S_ISVTX) && (st.st_mode & S_IWOTH)) {
			snprintf(r->spool, sizeof r->spool, "%.*s/rtrack", (int)n, at);
			(void)mkdir(r->spool, 0755);
			/* Whatever the umask is, users must find their folders in it. */
			ok = lstat(r->spool, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == 0 &&
			     chmod(r->spool, 0755) == 0 && lstat(r->spool, &st) == 0;
		}
		ok = ok && S_ISDIR(st.st_mode) && st.st_uid == 0 &&
		     !(st.st_mode & (S_IWGRP | S_IWOTH));
		if (ok && statvfs(r->spool, &fs) == 0 &&
		    (uint64_t)fs.f_bavail * fs.f_frsize >= ROOM &&
		    job_file_make_folder(r->spool, r->uid, r->gid) == 0) {
			if (user_may_enter(r))
				return 0;
			if (!*r->closed)
				memcpy(r->closed, r->spool, sizeof r->closed);
		}
		at += n + (at[n] == ':');
	}
	return -1;
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

/* slurmstepd blocks SIGALRM, among others. */
static void take_usual_signals(void)
{
	const struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t nothing;

	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &usual, NULL);
	sigemptyset(&nothing);
	sigprocmask(SIG_SETMASK, &nothing, NULL);
}

/* -- what slurmd's log says -------------------------------------------------------------------- */

/* Slurm's own functions need locks that another thread may have had at the fork, so the file is
 * written as it is. */
static void say_in_log(const struct recorder *r, const char *what)
{
	const char *pattern = &slurm_conf ? slurm_conf.slurmd_logfile : NULL;
	const char *node = *r->node ? strchr(r->node, '=') + 1 : "";
	char path[1024] = "", line[2500], day[16];
	long now = (long)time(NULL), s = now % 86400;
	int fd, n;

	for (const char *p = pattern; p && *p; p++) {
		size_t at = strlen(path);
		bool name = *p == '%' && (p[1] == 'n' || p[1] == 'h');
		snprintf(path + at, sizeof path - at, name ? "%s" : "%.1s", name ? node : p);
		p += name;
	}
	day_of(now, day);
	n = snprintf(line, sizeof line, "[%sT%02ld:%02ld:%02ldZ] rtrack: %s\n", day, s / 3600,
	             s / 60 % 60, s % 60, what);
	fd = *path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
	if (fd < 0)
		syslog(LOG_DAEMON | LOG_WARNING, "rtrack: %s", what);
	else if (write(fd, line, (size_t)n) < 0)
		_exit(1);
}

enum { FOLDER_OK, FOLDER_NO, FOLDER_READ_ONLY, FOLDER_FULL, FOLDER_SILENT, FOLDER_OF_USER };

static int try_folder(const struct recorder *r)
{
	struct statvfs fs;
	int made = job_file_make_folder(r->folder, r->uid, r->gid);

	if (statvfs(r->folder, &fs))
		return FOLDER_NO;
	if (fs.f_flag & ST_RDONLY)
		return FOLDER_READ_ONLY;
	if ((fs.f_blocks && !fs.f_bavail) || (fs.f_files && !fs.f_favail))
		return FOLDER_FULL;
	return made == 0 ? FOLDER_OK : FOLDER_OF_USER;
}

/* The file that is there while a folder fails; of: for this user alone, NULL: for all. */
static void name_mark(const char *folder, const char *of, char out[256])
{
	snprintf(out, 256, "/run/rtrack-failed%.200s%s%s", folder, of ? "." : "", of ? of : "");
	for (char *p = out + sizeof "/run/" - 1; *p; p++)
		*p = *p == '/' ? '-' : *p;
}

/* Another process tries: a call to a server that is gone may last for ever, and not even SIGKILL
 * need end it. So the processes of a node try one after the other, and only one can be left. */
static int ask_folder(const struct recorder *r)
{
	const struct timespec pause = {0, 20000000};
	int pid = fork_into(-1), status = 0;

	if (pid == 0) {
		char turn[256];
		name_mark(r->folder, "turn", turn);
		(void)flock(open(turn, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600), LOCK_EX);
		_exit(try_folder(r));
	}
	for (int i = 0; pid > 0 && i < ANSWER_S * 50; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : FOLDER_NO;
		nanosleep(&pause, NULL);
	}
	if (pid > 0)
		(void)kill(pid, SIGKILL);
	return FOLDER_SILENT;
}

static void say_once(const struct recorder *r, const char *mark, const char *what)
{
	if (open(mark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600) >= 0)
		say_in_log(r, what);
}

/* Makes the user's folder in DIR, and says if that cannot be. Recordings then wait in the spool. */
static void prepare_folder(const struct recorder *r, bool spool)
{
	static const char *const why[] = {
	    [FOLDER_NO] = "is not there",
	    [FOLDER_READ_ONLY] = "is read-only",
	    [FOLDER_FULL] = "is full",
	    [FOLDER_SILENT] = "does not answer",
	    [FOLDER_OF_USER] = "can have no folder of user ",
	};
	char what[2400], mark[256];
	int state = FOLDER_NO;

	take_usual_signals();
	fd_limit_close_from(0);
	if (spool)
		state = ask_folder(r);
	alarm(ANSWER_S); /* the log may be on that server, too */
	if (*r->closed) {
		snprintf(what, sizeof what, "user %s may not enter %s: journals are in %s", r->user,
		         r->closed, spool ? r->spool : "no other folder");
		name_mark(r->closed, NULL, mark);
		say_once(r, mark, what);
	}
	for (int with_user = 0; state == FOLDER_OK && with_user < 2; with_user++) {
		name_mark(r->folder, with_user ? r->user : NULL, mark);
		if (unlink(mark) == 0)
			say_in_log(r, "recordings can be written again");
	}
	if (state == FOLDER_OK)
		return;
	if (!spool)
		snprintf(what, sizeof what,
		         "no folder of journal=%s is root's alone, has room and lets users in: "
		         "steps are not recorded",
		         r->journals);
	else if (state == FOLDER_OF_USER && r->uid == 0)
		snprintf(what, sizeof what,
		         "%s can have no folder of root (root_squash?): recordings of root's jobs "
		         "stay in %s; sbatch --rtrack=no makes none",
		         r->folder, r->spool);
	else
		snprintf(what, sizeof what,
		         "%s %s%s: recordings wait in %s for rtrack-spool.service", r->folder,
		         why[state], state == FOLDER_OF_USER ? r->user : "", r->spool);
	name_mark(r->folder, state == FOLDER_OF_USER ? r->user : NULL, mark);
	say_once(r, mark, what);
}

/* -- the recorder: its process ----------------------------------------------------------------- */

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

static int set_restarts(struct recorder *r, uint32_t n)
{
	char **last = r->env;

	while (*last != r->restarts)
		last++;
	snprintf(r->restarts, sizeof r->restarts, "SLURM_RESTART_COUNT=%u", n);
	last[n != 0] = NULL;
	return set_file(r, n);
}

/* Opens what the recorder needs to leave the cgroups of the step: in v1 the root of each hierarchy,
 * to which slurmstepd itself goes at the end; in v2 the cgroup beside those of the jobs, where
 * Slurm has one, or the root. */
static void find_way_out(struct recorder *r, const struct cgroup *where)
{
	const struct cgroup_dir *d = &where->v[CGROUP_V2];
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[4096], path[CGROUP_PATH_MAX + 64];
	size_t above;

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
	above = d->known ? cgroup_outside_step(d->path) : 0;
	if (!above)
		return;
	/* Above the step and the job, whose folder may be named by its SLUID. */
	for (int levels = 0; levels < 2 && above > 0;)
		levels += d->path[--above] == '/';
	snprintf(path, sizeof path, "/%.*s/system", (int)above, d->path);
	r->group = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	snprintf(path, sizeof path, "/%.*s", (int)d->mount_len, d->path);
	if (r->group < 0)
		r->group = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* slurmstepd protects itself from the OOM killer. */
static void leave_step(const struct recorder *r)
{
	int oom = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (oom >= 0 && write(oom, "0", 1) < 0)
		_exit(1);
	/* "0": the process itself, which has one thread. */
	for (size_t i = 0; i < r->n_tasks; i++)
		if (write(r->tasks[i], "0", 1) < 0)
			_exit(1);
	umask(077);
}

/* Runs in a child of a process with threads: only calls that are safe there. Gives up everything
 * that slurmstepd has and a process of the user does not. */
static void become_recorder(struct recorder *r, int fd)
{
	const struct rlimit none = {0, 0};
	int null = open("/dev/null", O_RDWR);

	if (setgroups((size_t)r->n_groups, r->groups) ||
	    setresgid(r->gid == NO_GROUP ? NO_GROUP - 1 : NO_GROUP, r->gid, r->gid) ||
	    setresuid(r->uid, r->uid, r->uid))
		_exit(1);
	setrlimit(RLIMIT_CORE, &none);
	take_usual_signals();
	if (null < 0 || fd <= RECORDER_SOCKET || ((!r->dir || chdir(r->dir)) && chdir("/")) ||
	    dup2(null, 0) || dup2(null, 1) != 1 || dup2(null, 2) != 2 ||
	    dup2(fd, RECORDER_SOCKET) != RECORDER_SOCKET)
		_exit(1);
	fd_limit_close_from(RECORDER_SOCKET + 1);
	if (set_restarts(r, read_restarts(RECORDER_SOCKET)))
		_exit(1);
	execve(r->program, r->argv, r->env);
	_exit(127);
}

/* -- the recorder: its start by slurmstepd ----------------------------------------------------- */

/* A socket of the recorder and us, before the tasks are forked, so that they have our end too. 0,
 * or -1. */
static int open_socket(int *ours, int *other)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -1;
	*ours = ends[0];
	/* Above the numbers that the recorder gives to others. */
	*other = fcntl(ends[1], F_DUPFD_CLOEXEC, RECORDER_SOCKET + 1);
	close(ends[1]);
	return 0;
}

/* Starts it. where: the cgroups of slurmstepd. It waits until the first task says how often its job
 * was started again: a line of a number on our end. */
static void start_recorder(struct recorder *r, const struct cgroup *where, int ours, int other)
{
	int pid;

	find_way_out(r, where);
	pid = other < 0 ? -1 : fork_into(r->group);
	if (pid == 0) {
		bool spool;
		close(ours);
		if (setsid() < 0)
			_exit(0);
		leave_step(r);
		spool = choose_spool(r) == 0;
		if (fork_into(-1) == 0) {
			prepare_folder(r, spool);
			_exit(0);
		}
		if (!spool || fork_into(-1) != 0)
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

/* -- the plugin -------------------------------------------------------------------------------- */

SPANK_PLUGIN(rtrack, 1);

static struct {
	int fd;     /* to the recorder; 0: none */
	int other;  /* its end, until it is started; 0: no more */
	int status; /* wait status of the first task that failed */
	int option; /* --rtrack: 1 yes, -1 no, 0 not given */
	uint32_t tasks, ended;
	bool reported;
	double memory_b; /* that the job may use; 0: all */
	struct timespec start;
	struct rusage before; /* of children that are not tasks */
	struct root root;
	struct cgroup cgroup;
	struct cgroup_outside outside;
} state;

/* alloc_failed.h: a plugin writes no recording that would have to say so. */
void *alloc_failed_note(void *p);
void *alloc_failed_note(void *p)
{
	return p;
}

/* -- options ----------------------------------------------------------------------------------- */

static int on_option(int val, const char *text, int remote)
{
	(void)val;
	/* Slurm 22.05 passes a missing argument on as "" to a batch script and as "(null)"
	 * to srun. */
	if (!text || !*text || strcmp(text, "yes") == 0 || strcmp(text, "(null)") == 0)
		state.option = 1;
	else if (strcmp(text, "no") == 0)
		state.option = -1;
	else if (!remote) {
		slurm_error("--rtrack: \"%s\" is neither yes nor no", text);
		return -1;
	}
	return 0;
}

int slurm_spank_init(spank_t sp, int ac, char **av)
{
	static struct spank_option option = {
	    "rtrack",
	    "yes|no",
	    "record what the job uses, or do not (default: as the cluster is set up)",
	    2,
	    0,
	    on_option};

	(void)ac;
	(void)av;
	if (spank_option_register(sp, &option) != ESPANK_SUCCESS)
		slurm_debug("rtrack: --rtrack cannot be registered");
	return ESPANK_SUCCESS;
}

/* The value of an argument of plugstack.conf. */
static const char *argument(int ac, char **av, const char *name, const char *otherwise)
{
	size_t n = strlen(name);

	for (int i = 0; i < ac; i++)
		if (strncmp(av[i], name, n) == 0 && av[i][n] == '=')
			return av[i] + n + 1;
	return otherwise;
}

/* -- what the recorder gets to know ------------------------------------------------------------ */

static void set_arguments(struct recorder *r, int ac, char **av)
{
	static char number[8];
	const char *min = argument(ac, av, "min", NULL), *sync = argument(ac, av, "sync", NULL);
	size_t n = 0;

	snprintf(number, sizeof number, "%d", RECORDER_SOCKET);
	snprintf(r->pid, sizeof r->pid, "%d", (int)getpid());
	r->argv[n++] = (char *)r->program;
	r->argv[n++] = (char *)"--quiet";
	r->argv[n++] = (char *)"--per-node";
	r->argv[n++] = (char *)"--pid";
	r->argv[n++] = r->pid;
	r->argv[n++] = (char *)"--end-fd";
	r->argv[n++] = number;
	r->argv[n++] = (char *)"--interval";
	r->argv[n++] = (char *)argument(ac, av, "interval", "10");
	/* The script has a recording in any case: it is the job's. */
	if (r->step != SLURM_BATCH_SCRIPT && r->step != SLURM_INTERACTIVE_STEP &&
	    (min || strcmp(argument(ac, av, "what", "steps"), "jobs") == 0)) {
		r->argv[n++] = (char *)"--min";
		r->argv[n++] =
		    (char *)(strcmp(argument(ac, av, "what", "steps"), "jobs") == 0 ? "1000000000"
		                                                                    : min);
	}
	if (sync) {
		r->argv[n++] = (char *)"--sync";
		r->argv[n++] = (char *)sync;
	}
	if (*r->name) {
		r->argv[n++] = (char *)"--name";
		r->argv[n++] = r->name;
	}
	r->argv[n++] = (char *)"--output";
	r->argv[n++] = r->file;
	r->argv[n++] = (char *)"--append-to";
	r->argv[n++] = r->to;
	r->argv[n] = NULL;
}

/* Slurm sets these for each task only, and after it was forked. */
static size_t add_task_variables(struct recorder *r, spank_t sp, size_t n)
{
	uint32_t node_id = 0;
	uint16_t cpus = 0;
	uint64_t memory = 0;
	const char *node = getenv("SLURMD_NODENAME");

	if (node && snprintf(r->node, sizeof r->node, "SLURMD_NODENAME=%s", node) > 0)
		r->env[n++] = r->node;
	if (spank_get_item(sp, S_JOB_NCPUS, &cpus) == ESPANK_SUCCESS && cpus) {
		snprintf(r->cpus, sizeof r->cpus, "SLURM_CPUS_ON_NODE=%u", cpus);
		r->env[n++] = r->cpus;
	}
	if (spank_get_item(sp, S_JOB_ALLOC_MEM, &memory) == ESPANK_SUCCESS && memory) {
		snprintf(r->memory, sizeof r->memory, "SLURM_MEM_PER_NODE=%llu",
		         (unsigned long long)memory);
		r->env[n++] = r->memory;
		state.memory_b = (double)memory * 0x1p20;
	}
	if (spank_get_item(sp, S_JOB_NODEID, &node_id) == ESPANK_SUCCESS) {
		snprintf(r->node_id, sizeof r->node_id, "SLURM_NODEID=%u", node_id);
		r->env[n++] = r->node_id;
	}
	return n;
}

/* For scontrol: where it is, and the configuration of this slurmstepd. The job's own variables
 * could name a file that makes scontrol load any plugin. */
static size_t add_scontrol(struct recorder *r, const char *scontrol, size_t n)
{
	const char *conf = getenv("SLURM_CONF"), *slash = strrchr(scontrol, '/');

	if (!conf && &slurm_conf)
		conf = slurm_conf.slurm_conf;
	snprintf(r->path, sizeof r->path, "PATH=%.*s", (int)(slash ? slash - scontrol : 0),
	         scontrol);
	r->env[n++] = r->path;
	if (conf && snprintf(r->conf, sizeof r->conf, "SLURM_CONF=%s", conf) > 0)
		r->env[n++] = r->conf;
	return n;
}

/* The value, if a variable has this name. */
static char *value_of(char *variable, const char *name)
{
	size_t n = strlen(name);

	return strncmp(variable, name, n) == 0 && variable[n] == '=' ? variable + n + 1 : NULL;
}

/* Only what describes the job, and is the job's and not a task's: the recorder must not load a
 * library that the job preloads. */
static void set_environment(struct recorder *r, spank_t sp, const char *scontrol)
{
	static const char *const names[] = {
	    "SLURM_JOB_ID",         "SLURM_JOBID",         "SLURM_JOB_NAME",
	    "SLURM_ARRAY_JOB_ID",   "SLURM_ARRAY_TASK_ID", "SLURM_STEP_ID",
	    "SLURM_CLUSTER_NAME",   "SLURM_JOB_PARTITION", "SLURM_JOB_ACCOUNT",
	    "SLURM_JOB_QOS",        "SLURM_JOB_NUM_NODES", "SLURM_NNODES",
	    "SLURM_STEP_NUM_NODES", "SLURM_NTASKS",        "SLURM_STEP_NUM_TASKS",
	    "SLURM_NPROCS",         "SLURM_CPUS_PER_TASK", "SLURM_MEM_PER_CPU",
	    "SLURM_MEM_PER_GPU",    "SLURM_GPUS_ON_NODE",  "SLURM_JOB_GPUS",
	    "SLURM_JOB_START_TIME", "SLURM_JOB_END_TIME",  "SLURM_STEP_TASKS_PER_NODE",
	    "SLURM_TASKS_PER_NODE", "RTRACK_ASKED"};
	char **env = NULL, *value;
	bool has[sizeof names / sizeof *names] = {false};
	size_t n = 0;

	if (spank_get_item(sp, S_JOB_ENV, &env) != ESPANK_SUCCESS)
		env = NULL;
	for (size_t i = 0; env && env[i] && i < ENVIRON_MAX; i++) {
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (!has[k] && value_of(env[i], names[k])) {
				r->env[n++] = env[i];
				has[k] = true;
			}
		if ((value = value_of(env[i], "SLURM_SUBMIT_DIR")))
			r->dir = value;
		if ((value = value_of(env[i], "SLURM_JOB_NAME")))
			snprintf(r->name, sizeof r->name, "%s", value);
	}
	n = add_task_variables(r, sp, n);
	n = add_scontrol(r, scontrol, n);
	r->env[n] = r->restarts; /* set_restarts */
}

/* A batch script has the job's name, a step its command's, as with srun rtrack-collect: else the
 * script's runs and its steps' would be compared with each other. */
static void set_name(struct recorder *r, spank_t sp, uint32_t step)
{
	char **argv = NULL;
	const char *slash;
	int argc = 0;

	if (step == SLURM_BATCH_SCRIPT || step == SLURM_INTERACTIVE_STEP ||
	    spank_get_item(sp, S_JOB_ARGV, &argc, &argv) != ESPANK_SUCCESS || argc < 1)
		return;
	slash = strrchr(argv[0], '/');
	snprintf(r->name, sizeof r->name, "%s", slash && slash[1] ? slash + 1 : argv[0]);
}

/* -- the end ----------------------------------------------------------------------------------- */

static double us(struct timeval v)
{
	return (double)v.tv_sec + (double)v.tv_usec / 1e6;
}

/* The usage of the tasks: all children that slurmstepd has waited for, less those before them. */
static void take_usage(struct job_end *e)
{
	const struct rusage *then = &state.before;
	struct rusage now;

	if (getrusage(RUSAGE_CHILDREN, &now))
		return;
	e->of[JOB_END_UTIME] = us(now.ru_utime) - us(then->ru_utime);
	e->of[JOB_END_STIME] = us(now.ru_stime) - us(then->ru_stime);
	/* The largest so far, which may be no task. */
	if (now.ru_maxrss > then->ru_maxrss)
		e->of[JOB_END_MAX_RSS] = (double)now.ru_maxrss * 1024;
	e->of[JOB_END_READ] = (double)(now.ru_inblock - then->ru_inblock) * BLOCK;
	e->of[JOB_END_WRITE] = (double)(now.ru_oublock - then->ru_oublock) * BLOCK;
	e->of[JOB_END_MINOR_FAULTS] = (double)(now.ru_minflt - then->ru_minflt);
	e->of[JOB_END_MAJOR_FAULTS] = (double)(now.ru_majflt - then->ru_majflt);
	e->of[JOB_END_CTX_VOLUNTARY] = (double)(now.ru_nvcsw - then->ru_nvcsw);
	e->of[JOB_END_CTX_INVOLUNTARY] = (double)(now.ru_nivcsw - then->ru_nivcsw);
}

/* The cgroups of the tasks are still there when the last has ended, and gone at
 * slurm_spank_exit. */
static void take_cgroup(struct job_end *e)
{
	const char *gathers = &slurm_conf ? slurm_conf.job_acct_gather_params : NULL;

	cgroup_outside_read(&state.outside);
	e->of[JOB_END_OOM_KILLS] = state.outside.kills;
	e->of[JOB_END_MEMORY_PEAK] = state.outside.peak_b;
	e->of[JOB_END_CPU_SOME] = state.outside.some_s;
	if (gathers && strcasestr(gathers, "OverMemoryKill") && state.memory_b > 0)
		e->of[JOB_END_KILL_ABOVE] = state.memory_b;
}

/* Tells the recorder, and does not wait for it. */
static void report_end(void)
{
	struct job_end e = job_end_none();
	char line[JOB_END_MAX];
	struct timespec now;
	size_t n;

	if (!state.fd || state.reported)
		return;
	state.reported = true;
	clock_gettime(CLOCK_MONOTONIC, &now);
	e.of[JOB_END_STATUS] = state.status;
	e.of[JOB_END_WALL] = (double)(now.tv_sec - state.start.tv_sec) +
	                     (double)(now.tv_nsec - state.start.tv_nsec) / 1e9;
	take_usage(&e);
	take_cgroup(&e);
	n = job_end_write(&e, line, sizeof line);
	if (send(state.fd, line, n, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)n)
		slurm_debug("rtrack: the recorder ended early");
	(void)shutdown(state.fd, SHUT_WR);
}

static void watch_cgroup(void)
{
	struct err e;

	if (root_open(&state.root, NULL, &e))
		return;
	cgroup_find(&state.cgroup, &state.root, 0);
	cgroup_outside_widen(&state.cgroup, &state.root);
	cgroup_outside_open(&state.outside, &state.root, &state.cgroup);
}

/* -- hooks of slurmstepd ----------------------------------------------------------------------- */

/* Before the tasks are forked. */
int slurm_spank_user_init(spank_t sp, int ac, char **av)
{
	const char *on = argument(ac, av, "default", "on");
	uint32_t step;

	if (spank_remote(sp) == 1 && state.option >= 0 &&
	    (state.option || strcmp(on, "off") != 0) &&
	    spank_get_item(sp, S_JOB_STEPID, &step) == ESPANK_SUCCESS &&
	    step != SLURM_EXTERN_CONT && open_socket(&state.fd, &state.other))
		slurm_debug("rtrack: no socket: %m");
	return ESPANK_SUCCESS;
}

/* For each task: all are forked, and none runs yet. */
int slurm_spank_task_post_fork(spank_t sp, int ac, char **av)
{
	struct recorder *r;

	if (!state.fd || !state.other)
		return ESPANK_SUCCESS;
	r = calloc(1, sizeof *r);
	if (!r || spank_get_item(sp, S_JOB_ID, &r->job) != ESPANK_SUCCESS ||
	    spank_get_item(sp, S_JOB_STEPID, &r->step) != ESPANK_SUCCESS ||
	    spank_get_item(sp, S_JOB_UID, &r->uid) != ESPANK_SUCCESS ||
	    spank_get_item(sp, S_JOB_GID, &r->gid) != ESPANK_SUCCESS ||
	    spank_get_item(sp, S_JOB_SUPPLEMENTARY_GIDS, &r->groups, &r->n_groups) !=
	        ESPANK_SUCCESS) {
		slurm_debug("rtrack: the job's user is unknown");
	} else {
		r->program = argument(ac, av, "collect", RTRACK_COLLECT);
		r->folder = argument(ac, av, "dir", "/var/rtrack");
		r->journals = argument(ac, av, "journal", JOURNALS);
		snprintf(r->user, sizeof r->user, "%u", (unsigned)r->uid);
		if (spank_get_item(sp, S_JOB_LOCAL_TASK_COUNT, &state.tasks) != ESPANK_SUCCESS)
			state.tasks = UINT32_MAX;
		set_environment(r, sp, argument(ac, av, "scontrol", RTRACK_SCONTROL));
		set_name(r, sp, r->step);
		set_arguments(r, ac, av);
		watch_cgroup();
		start_recorder(r, &state.cgroup, state.fd, state.other);
		clock_gettime(CLOCK_MONOTONIC, &state.start);
		(void)getrusage(RUSAGE_CHILDREN, &state.before);
	}
	free(r);
	close(state.other);
	state.other = 0;
	return ESPANK_SUCCESS;
}

/* In each task. Slurm puts the restart count into the environment of the task only: for slurmstepd,
 * S_SLURM_RESTART_COUNT is 0, and S_JOB_ENV of a batch script has none. */
int slurm_spank_task_init(spank_t sp, int ac, char **av)
{
	char count[16] = "";
	int task = -1, n;

	(void)ac;
	(void)av;
	if (!state.fd || spank_get_item(sp, S_TASK_ID, &task) != ESPANK_SUCCESS || task != 0)
		return ESPANK_SUCCESS;
	(void)spank_getenv(sp, "SLURM_RESTART_COUNT", count, sizeof count - 1);
	n = (int)strspn(count, "0123456789");
	count[n] = '\n';
	if (n == 0)
		memcpy(count, "0\n", sizeof "0\n");
	(void)!send(state.fd, count, n ? (size_t)n + 1 : 2, MSG_NOSIGNAL | MSG_DONTWAIT);
	return ESPANK_SUCCESS;
}

int slurm_spank_task_exit(spank_t sp, int ac, char **av)
{
	int status = 0;

	(void)ac;
	(void)av;
	if (spank_get_item(sp, S_TASK_EXIT_STATUS, &status) == ESPANK_SUCCESS && !state.status)
		state.status = status;
	if (++state.ended >= state.tasks)
		report_end();
	return ESPANK_SUCCESS;
}

int slurm_spank_exit(spank_t sp, int ac, char **av)
{
	(void)sp;
	(void)ac;
	(void)av;
	if (!state.fd)
		return ESPANK_SUCCESS;
	report_end(); /* unless all tasks have ended in order */
	close(state.fd);
	cgroup_outside_close(&state.outside);
	root_close(&state.root);
	state.fd = 0;
	return ESPANK_SUCCESS;
}
