/* discover_asked: finds what was asked for, from all sources. */
#include "collect/discover_asked.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/job/asked_schedulers.h"
#include "collect/machine/clocks.h"
#include "core/base/alloc_failed.h"

#define FILE_MAX     65536 /* of an HTCondor ad or a list of hosts */
#define ECS_LIMIT_MS 1000
#define SCONTROL_MAX 16384 /* of scontrol's line; long paths come after what is read of it */
#define ID_MAX       20
#define REAP_TRIES   1000 /* of 1 ms each; what cannot be killed is not waited for longer */
#define SCONTROL_MS  1000

/* The answer of the process. NAN: unknown. */
struct answer {
	struct asked_job slurm;
	struct ecs_limits ecs;
};

/* -- the start --------------------------------------------------------------------------------- */

/* Reads the beginning of the file that describes the job. *n: 0 if it cannot be read. */
static char *read_job_file(const char *path, size_t *n)
{
	char *text = alloc_failed_note(malloc(FILE_MAX));
	int fd = text ? open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
	struct stat st;
	ssize_t got = -1;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		got = pread(fd, text, FILE_MAX, 0);
	if (fd >= 0)
		close(fd);
	*n = got > 0 ? (size_t)got : 0;
	return text;
}

static void read_scheduler(struct discover_asked *d, const struct job_env *env,
                           const struct snapshot *s)
{
	const char *file = d->scheduler ? d->scheduler->asked_file : NULL;
	const char *path = job_env_has(env, file) ? job_env_get(env, file) : NULL;
	struct asked_input in = {.env = env,
	                         .host = s->job.host,
	                         .memory_b = s->server.memory_b,
	                         .covers_task = d->tasks > 1};
	struct snapshot_asked asked;
	char *text = path ? read_job_file(path, &in.file_n) : NULL;

	in.file = text;
	asked_sources_clear(&asked);
	asked_schedulers_read(&in, &asked);
	asked_sources_merge(&d->known, &asked);
	free(text);
}

/* Whether this is the number of a job, which is all that scontrol is ever asked about. */
static bool is_job_number(const char *id)
{
	size_t n = strspn(id, "0123456789");

	return n > 0 && n <= ID_MAX && !id[n];
}

static bool is_unknown(const struct discover_asked *d, enum snapshot_asked_id id)
{
	return isnan(d->known.of[id].value);
}

/* Sets whom to ask for what is still unknown. */
static void plan_questions(struct discover_asked *d, const struct collect_options *o,
                           const struct job_env *env)
{
	int asks = d->scheduler ? (int)d->scheduler->asks : SCHEDULERS_ASKS_NOBODY;
	const char *job = job_env_get(env, "SLURM_JOB_ID");
	const char *uri = job_env_get(env, "ECS_CONTAINER_METADATA_URI_V4");
	bool time = is_unknown(d, SNAPSHOT_ASKED_TIME) && !job_env_get(env, "SLURM_JOB_END_TIME");

	if (!job)
		job = job_env_get(env, "SLURM_JOBID");
	if (asks == SCHEDULERS_ASKS_SCONTROL && (time || is_unknown(d, SNAPSHOT_ASKED_MEMORY)) &&
	    job && is_job_number(job))
		snprintf(d->slurm_job, sizeof d->slurm_job, "%s", job);
	if (asks == SCHEDULERS_ASKS_ECS && o->discover_cloud && uri && ecs_uri(uri) &&
	    (is_unknown(d, SNAPSHOT_ASKED_CPUS) || is_unknown(d, SNAPSHOT_ASKED_MEMORY)))
		snprintf(d->ecs_uri, sizeof d->ecs_uri, "%s", uri);
}

/* Adds limits and machine to what was asked for. */
static void set_asked(const struct discover_asked *d, const struct collect_options *o,
                      const struct limits *l, struct snapshot *s)
{
	/* A job without GPUs of a scheduler asked for none of the machine's, and --gpu leaves some
	 * out. */
	bool scheduled = d->scheduler && (d->scheduler->asked[0].name || d->scheduler->asks);
	double gpus = scheduled || o->gpus ? NAN : s->server.gpu_count;

	s->asked = d->known;
	asked_sources_put_rest(&s->asked, &l->of, s->server.memory_b, gpus, d->tasks);
}

void discover_asked_open(struct discover_asked *d, const struct collect_options *o,
                         const struct job_env *env, bool covers_task, struct snapshot *s,
                         struct err *warning)
{
	const char *list = job_env_get(env, "RTRACK_ASKED");

	*d = (struct discover_asked){.opened = true,
	                             .scheduler = schedulers_find(SCHEDULERS_SCHEDULER, env)};
	d->tasks = covers_task ? asked_schedulers_tasks(env) : 1;
	warning->msg[0] = '\0';
	asked_sources_clear(&d->known);
	if (o->asked) /* collect_options checked it */
		(void)asked_sources_put_list(&d->known, o->asked, SNAPSHOT_ASKED_OPTION, "--asked",
		                             NULL);
	if (list && asked_sources_put_list(&d->known, list, SNAPSHOT_ASKED_ENVIRONMENT,
	                                   "RTRACK_ASKED", warning))
		snapshot_note(s, "%s.", warning->msg);
	read_scheduler(d, env, s);
	plan_questions(d, o, env);
	s->asked = d->known;
}

void discover_asked_machine(const struct discover_asked *d, const struct collect_options *o,
                            const struct limits *l, struct snapshot *s)
{
	/* Until ECS has answered, the limits would pass for what was asked. */
	if (d->opened && !*d->ecs_uri)
		set_asked(d, o, l, s);
}

/* -- scontrol ---------------------------------------------------------------------------------- */

static void exec_scontrol(const char *id, int out)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	(void)setpgid(0, 0);
	if (dup2(out, STDOUT_FILENO) >= 0)
		(void)execlp("scontrol", "scontrol", "show", "job", "-o", id, (char *)NULL);
	_exit(127);
}

/* Reads until scontrol closes its output. Returns the length, or 0 if the time is up or nobody
 * waits for the answer. */
static size_t read_line(int from, int answer, char text[SCONTROL_MAX])
{
	int64_t deadline = clocks_now(CLOCK_MONOTONIC) + SCONTROL_MS * INT64_C(1000000);
	size_t n = 0;
	ssize_t got = 1;

	while (got > 0 && n < SCONTROL_MAX) {
		struct pollfd fds[] = {{.fd = from, .events = POLLIN}, {.fd = answer}};
		int64_t left = (deadline - clocks_now(CLOCK_MONOTONIC)) / 1000000;
		if (left <= 0 || (poll(fds, 2, (int)left) < 0 && errno != EINTR) || fds[1].revents)
			return 0;
		if (!fds[0].revents)
			continue;
		got = read(from, text + n, SCONTROL_MAX - n);
		if (got > 0)
			n += (size_t)got;
	}
	return n;
}

/* Kills scontrol with all that it started, and adopts and reaps them: otherwise they would become
 * children of the recorder, and be counted as the job's. */
static void kill_group(pid_t pid)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	pid_t got = 0;

	(void)kill(-pid, SIGKILL);
	(void)kill(pid, SIGKILL);
	for (int i = 0; i < REAP_TRIES && got >= 0; i++) {
		while ((got = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (got == 0)
			(void)nanosleep(&pause, NULL);
	}
}

/* Runs `scontrol show job -o ID`: Slurm up to 22.05 has the time limit in no variable, and memory
 * only where the user asked sbatch or salloc for it: not after `srun --mem`, nor where the
 * cluster's DefMemPerCPU or DefMemPerNode decides. Whatever scontrol does, neither it nor a child
 * of it is left behind: all are killed after SCONTROL_MS, or as soon as nobody reads the pipe
 * `answer` any more. */
static struct asked_job ask_scontrol(const char *id, int answer)
{
	char text[SCONTROL_MAX];
	struct asked_job job = {NAN, NAN, NAN, NAN};
	int ends[2];
	pid_t pid;

	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	if (pipe2(ends, O_CLOEXEC))
		return job;
	pid = fork();
	if (pid == 0)
		exec_scontrol(id, ends[1]);
	close(ends[1]);
	if (pid > 0) {
		(void)setpgid(pid, pid);
		job = asked_schedulers_scontrol(text, read_line(ends[0], answer, text));
		kill_group(pid);
	}
	close(ends[0]);
	return job;
}

/* -- the process ------------------------------------------------------------------------------- */

static void ask_in_background(const void *ctx)
{
	const struct discover_asked *d = ctx;
	struct answer a = {{NAN, NAN, NAN, NAN}, {NAN, NAN}};

	if (*d->slurm_job)
		a.slurm = ask_scontrol(d->slurm_job, BACKGROUND_FD);
	if (*d->ecs_uri)
		ecs_ask(d->ecs_uri, ECS_LIMIT_MS, &a.ecs);
	if (write(BACKGROUND_FD, &a, sizeof a) < 0)
		return; /* nobody reads it any more */
}

void discover_asked_start(struct discover_asked *d)
{
	if (*d->slurm_job || *d->ecs_uri)
		(void)background_start(&d->process, "rtrack-asked", *d->slurm_job != '\0', -1,
		                       ask_in_background, d);
}

/* The values may be anything: the process parsed hostile text. */
static void take_scheduler_answer(struct discover_asked *d, const struct answer *a)
{
	static const char ecs[] = "ECS task metadata", slurm[] = "scontrol show job";
	bool share = d->tasks > 1;

	if (asked_sources_plausible(SNAPSHOT_ASKED_TIME, a->slurm.ran_s))
		d->ran_s = a->slurm.ran_s;
	asked_sources_put(&d->known, SNAPSHOT_ASKED_TIME, a->slurm.time_s, SNAPSHOT_ASKED_SCHEDULER,
	                  slurm, false);
	asked_sources_put(&d->known, SNAPSHOT_ASKED_MEMORY, a->slurm.memory_b / d->tasks,
	                  SNAPSHOT_ASKED_SCHEDULER, slurm, share);
	/* These CPUs are the task's share already. */
	asked_sources_put(&d->known, SNAPSHOT_ASKED_MEMORY,
	                  a->slurm.memory_per_cpu_b * d->known.of[SNAPSHOT_ASKED_CPUS].value,
	                  SNAPSHOT_ASKED_SCHEDULER, slurm, share);
	asked_sources_put(&d->known, SNAPSHOT_ASKED_CPUS, a->ecs.cpus / d->tasks,
	                  SNAPSHOT_ASKED_SCHEDULER, ecs, share);
	asked_sources_put(&d->known, SNAPSHOT_ASKED_MEMORY, a->ecs.memory_b / d->tasks,
	                  SNAPSHOT_ASKED_SCHEDULER, ecs, share);
}

void discover_asked_collect(struct discover_asked *d)
{
	struct answer a;

	if (background_read(&d->process, &a, sizeof a))
		take_scheduler_answer(d, &a);
}

/* -- the end ----------------------------------------------------------------------------------- */

void discover_asked_finish(struct discover_asked *d, const struct collect_options *o,
                           const struct limits *l, int64_t deadline_ns, struct snapshot *s)
{
	struct answer a;

	if (!d->opened)
		return;
	if (background_wait(&d->process, deadline_ns, &a, sizeof a))
		take_scheduler_answer(d, &a);
	set_asked(d, o, l, s);
	discover_asked_close(d);
}

void discover_asked_close(struct discover_asked *d)
{
	background_end(&d->process);
	*d = (struct discover_asked){.opened = false, .ran_s = d->ran_s};
}
