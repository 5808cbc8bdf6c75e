/*
 * rtrack_spank: records every step of a Slurm cluster, without a change to any job. docs/slurm.md tells an
 * administrator how to install it.
 *
 *   optional rtrack_spank.so [dir=DIR] [interval=SECONDS] [default=on|off] [collect=PROGRAM]
 *
 * On each node slurmstepd, the daemon of a step, loads it. When the tasks are forked and before they may run, it
 * starts one rtrack-collect as the job's user, which follows slurmstepd's descendants from outside. The
 * recorder is no child of slurmstepd (forked twice, in its own session), so that Slurm neither waits for it,
 * nor kills or counts it. A socket between the two tells it the end and the exit status of the step.
 *
 * Nothing here may disturb a job: every hook returns ESPANK_SUCCESS, and what fails is said at slurmd's log
 * level debug. Messages of a higher level would reach the job's standard error.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
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

#define ENVIRON_MAX 1024 /* variables of a job that are looked at */
#define ENDS_IN_MS  100 /* how long the end of a step may be delayed so that the recorder sees it */
#define SOCKET      3   /* the recorder's descriptor of our socket */
#define FILES_MAX   65536 /* descriptors to close where close_range(2) is missing */

SPANK_PLUGIN(rtrack, 1);

static struct {
	int fd;     /* to the recorder; 0: none */
	int status; /* wait status of the first task that failed */
	int option; /* --rtrack: 1 yes, -1 no, 0 not given */
} state;

/* -- options ----------------------------------------------------------------------------------- */

static int on_option(int val, const char *text, int remote)
{
	(void)val;
	/* Slurm 22.05 passes a missing argument on as "" to a batch script and as "(null)" to srun. */
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

/* -- what the recorder is told ----------------------------------------------------------------- */

struct recorder {
	const char *program, *dir;
	char *argv[20];
	char file[4096], pid[16], name[1024];
	char *env[ENVIRON_MAX + 8];
	char node[64], cpus[64], memory[64], restarts[64], node_id[32];
	uid_t uid;
	gid_t gid;
	gid_t *groups;
	int n_groups;
};

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

/* DIR/rtrack-JOB.STEP-NODE.json.gz; a job that Slurm starts again adds ".rN" to JOB. */
static void set_file(struct recorder *r, const char *dir, uint32_t job, uint32_t step,
                     uint32_t restarts)
{
	char text[128], number[16];
	const char *node = getenv("SLURMD_NODENAME");

	append_literally(r->file, sizeof r->file, dir);
	snprintf(text, sizeof text, restarts ? "/rtrack-%u.r%u.%s-" : "/rtrack-%u%.0u.%s-", job,
	         restarts, step_name(step, number));
	append_literally(r->file, sizeof r->file, text);
	append_literally(r->file, sizeof r->file, node ? node : "node");
	append_literally(r->file, sizeof r->file, ".json.gz");
}

static void set_arguments(struct recorder *r, int ac, char **av)
{
	static char number[8];
	size_t n = 0;

	snprintf(number, sizeof number, "%d", SOCKET);
	snprintf(r->pid, sizeof r->pid, "%d", (int)getpid());
	r->argv[n++] = (char *)r->program;
	r->argv[n++] = (char *)"--quiet";
	r->argv[n++] = (char *)"--per-node";
	r->argv[n++] = (char *)"--pid";
	r->argv[n++] = r->pid;
	r->argv[n++] = (char *)"--end-fd";
	r->argv[n++] = number;
	r->argv[n++] = (char *)"--interval";
	r->argv[n++] = (char *)argument(ac, av, "interval", "1");
	if (*r->name) {
		r->argv[n++] = (char *)"--name";
		r->argv[n++] = r->name;
	}
	r->argv[n++] = (char *)"--output";
	r->argv[n++] = r->file;
	r->argv[n] = NULL;
}

/* Slurm sets these for each task only, and after it was forked. */
static void add_task_variables(struct recorder *r, spank_t sp, size_t n)
{
	uint32_t node_id = 0, restarts = 0;
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
	}
	if (spank_get_item(sp, S_SLURM_RESTART_COUNT, &restarts) == ESPANK_SUCCESS && restarts) {
		snprintf(r->restarts, sizeof r->restarts, "SLURM_RESTART_COUNT=%u", restarts);
		r->env[n++] = r->restarts;
	}
	if (spank_get_item(sp, S_JOB_NODEID, &node_id) == ESPANK_SUCCESS) {
		snprintf(r->node_id, sizeof r->node_id, "SLURM_NODEID=%u", node_id);
		r->env[n++] = r->node_id;
	}
	r->env[n] = NULL;
}

/* Only what describes the job: the recorder must not load a library that the job preloads. */
static void set_environment(struct recorder *r, spank_t sp)
{
	static const char *const ours[] = {
	    "SLURMD_NODENAME=", "SLURM_CPUS_ON_NODE=", "SLURM_MEM_PER_NODE=",
	    "SLURM_RESTART_COUNT=", "SLURM_NODEID="};
	char **env = NULL;
	size_t n = 0;

	if (spank_get_item(sp, S_JOB_ENV, &env) != ESPANK_SUCCESS)
		env = NULL;
	for (size_t i = 0; env && env[i] && n < ENVIRON_MAX; i++) {
		bool is_ours = false;
		for (size_t k = 0; k < sizeof ours / sizeof *ours; k++)
			is_ours |= strncmp(env[i], ours[k], strlen(ours[k])) == 0;
		if (!is_ours && (strncmp(env[i], "SLURM_", 6) == 0 ||
		                 strncmp(env[i], "RTRACK_ASKED=", 13) == 0))
			r->env[n++] = env[i];
		if (strncmp(env[i], "SLURM_SUBMIT_DIR=", 17) == 0)
			r->dir = env[i] + 17;
		if (strncmp(env[i], "SLURM_JOB_NAME=", 15) == 0)
			snprintf(r->name, sizeof r->name, "%s", env[i] + 15);
	}
	add_task_variables(r, sp, n);
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

/* -- the recorder ------------------------------------------------------------------------------ */

static void close_from(int first)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0)
		return;
#endif
	for (int fd = first; fd < FILES_MAX; fd++)
		close(fd);
}

/* Runs in a child of a process with threads: only calls that are safe there. Gives up everything that
 * slurmstepd has and a process of the user does not. */
static void become_recorder(const struct recorder *r, int fd)
{
	const struct rlimit none = {0, 0};
	const struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t nothing;
	int null = open("/dev/null", O_RDWR), oom = open("/proc/self/oom_score_adj", O_WRONLY);

	/* slurmstepd protects itself from the OOM killer. */
	if (oom >= 0 && write(oom, "0", 1) < 0)
		_exit(1);
	if (setgroups((size_t)r->n_groups, r->groups) || setresgid(r->gid, r->gid, r->gid) ||
	    setresuid(r->uid, r->uid, r->uid))
		_exit(1);
	umask(077);
	setrlimit(RLIMIT_CORE, &none);
	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &usual, NULL);
	sigemptyset(&nothing);
	sigprocmask(SIG_SETMASK, &nothing, NULL);
	if (null < 0 || fd <= SOCKET || ((!r->dir || chdir(r->dir)) && chdir("/")) ||
	    dup2(null, 0) || dup2(null, 1) != 1 || dup2(null, 2) != 2 || dup2(fd, SOCKET) != SOCKET)
		_exit(1);
	close_from(SOCKET + 1);
	execve(r->program, r->argv, r->env);
	_exit(127);
}

static void start_recorder(const struct recorder *r)
{
	int ends[2], high, pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		slurm_debug("rtrack: no socket: %m");
		return;
	}
	/* Above the numbers that the child gives to others. */
	high = fcntl(ends[1], F_DUPFD_CLOEXEC, SOCKET + 1);
	pid = high < 0 ? -1 : fork();
	if (pid == 0) {
		close(ends[0]);
		if (setsid() < 0 || fork() != 0)
			_exit(0);
		become_recorder(r, high);
	}
	close(ends[1]);
	if (high >= 0)
		close(high);
	if (pid < 0) {
		slurm_debug("rtrack: no recorder: %m");
		close(ends[0]);
		return;
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	state.fd = ends[0];
}

/* -- hooks of slurmstepd ----------------------------------------------------------------------- */

/* For each task: all are forked, and none runs yet. */
int slurm_spank_task_post_fork(spank_t sp, int ac, char **av)
{
	const char *on = argument(ac, av, "default", "on");
	uint32_t job, step, restarts = 0;
	struct recorder *r;

	if (state.fd || state.option < 0 || (state.option == 0 && strcmp(on, "off") == 0) ||
	    spank_remote(sp) != 1 || spank_get_item(sp, S_JOB_ID, &job) != ESPANK_SUCCESS ||
	    spank_get_item(sp, S_JOB_STEPID, &step) != ESPANK_SUCCESS || step == SLURM_EXTERN_CONT)
		return ESPANK_SUCCESS;
	r = calloc(1, sizeof *r);
	if (!r || spank_get_item(sp, S_JOB_UID, &r->uid) != ESPANK_SUCCESS ||
	    spank_get_item(sp, S_JOB_GID, &r->gid) != ESPANK_SUCCESS ||
	    spank_get_item(sp, S_JOB_SUPPLEMENTARY_GIDS, &r->groups, &r->n_groups) !=
	        ESPANK_SUCCESS) {
		slurm_debug("rtrack: the job's user is unknown");
	} else {
		(void)spank_get_item(sp, S_SLURM_RESTART_COUNT, &restarts);
		r->program = argument(ac, av, "collect", RTRACK_COLLECT);
		set_environment(r, sp);
		set_name(r, sp, step);
		set_file(r, argument(ac, av, "dir", "/var/rtrack"), job, step, restarts);
		set_arguments(r, ac, av);
		start_recorder(r);
	}
	free(r);
	return ESPANK_SUCCESS;
}

int slurm_spank_task_exit(spank_t sp, int ac, char **av)
{
	int status = 0;

	(void)ac;
	(void)av;
	if (spank_get_item(sp, S_TASK_EXIT_STATUS, &status) == ESPANK_SUCCESS && !state.status)
		state.status = status;
	return ESPANK_SUCCESS;
}

/* All tasks have ended. The recorder reads what they used from slurmstepd's own accounts, so slurmstepd
 * lives until then, but not longer than ENDS_IN_MS. */
int slurm_spank_exit(spank_t sp, int ac, char **av)
{
	struct pollfd end = {.fd = state.fd, .events = POLLIN};
	char text[16];
	int n = snprintf(text, sizeof text, "%d\n", state.status);

	(void)sp;
	(void)ac;
	(void)av;
	if (!state.fd)
		return ESPANK_SUCCESS;
	if (send(state.fd, text, (size_t)n, MSG_NOSIGNAL | MSG_DONTWAIT) != n)
		slurm_debug("rtrack: the recorder ended early");
	(void)shutdown(state.fd, SHUT_WR);
	if (poll(&end, 1, ENDS_IN_MS) == 0)
		slurm_debug("rtrack: the recorder is late");
	close(state.fd);
	state.fd = 0;
	return ESPANK_SUCCESS;
}
