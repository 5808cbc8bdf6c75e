/* discover_asked: finds what was asked for, from all sources. */
#include "collect/discover_asked.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/job/asked_schedulers.h"
#include "collect/job/asked_sources.h"
#include "collect/scontrol.h"
#include "core/base/alloc_failed.h"

#define FILE_MAX     65536 /* of an HTCondor ad or a list of hosts */
#define ECS_LIMIT_MS 1000

/* What the process finds out. NAN: unknown. */
struct answer {
	struct asked_text_job slurm;
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
                           enum asked_scheduler which, const struct snapshot *s)
{
	const char *path = asked_schedulers_file(env, which);
	struct asked_input in = {.env = env,
	                         .host = s->job.host,
	                         .memory_b = s->server.memory_b,
	                         .covers_task = d->tasks > 1};
	struct snapshot_asked asked;
	char *text = path ? read_job_file(path, &in.file_n) : NULL;

	in.file = text;
	asked_sources_clear(&asked);
	asked_schedulers_read(&in, &asked);
	asked_sources_merge(&d->told, &asked);
	free(text);
}

static bool is_unknown(const struct discover_asked *d, enum snapshot_asked_id id)
{
	return isnan(d->told.of[id].value);
}

/* Sets whom to ask for what is still unknown. */
static void plan_questions(struct discover_asked *d, const struct collect_options *o,
                           const struct job_env *env, enum asked_scheduler which)
{
	const char *job = job_env_get(env, "SLURM_JOB_ID");
	const char *uri = job_env_get(env, "ECS_CONTAINER_METADATA_URI_V4");
	bool time = is_unknown(d, SNAPSHOT_ASKED_TIME) && !job_env_get(env, "SLURM_JOB_END_TIME");

	if (!job)
		job = job_env_get(env, "SLURM_JOBID");
	if (which == ASKED_SLURM && (time || is_unknown(d, SNAPSHOT_ASKED_MEMORY)) && job &&
	    scontrol_is_job(job))
		snprintf(d->slurm_job, sizeof d->slurm_job, "%s", job);
	if (which == ASKED_AWS_BATCH && o->discover_cloud && uri && ecs_uri(uri) &&
	    (is_unknown(d, SNAPSHOT_ASKED_CPUS) || is_unknown(d, SNAPSHOT_ASKED_MEMORY)))
		snprintf(d->ecs_uri, sizeof d->ecs_uri, "%s", uri);
}

/* Adds limits and machine to what was told. */
static void set_asked(const struct discover_asked *d, const struct collect_options *o,
                      const struct limits *l, struct snapshot *s)
{
	/* A job without GPUs of a scheduler asked for none of the machine's, and --gpu leaves some
	 * out. */
	double gpus = d->scheduled || o->gpus ? NAN : s->server.gpu_count;
	const struct snapshot_limits limits = {.cpus = l->cpus,
	                                       .cpus_online = l->cpus_online,
	                                       .cpus_from = l->cpu_from,
	                                       .memory_b = l->memory_b,
	                                       .memory_from = l->memory_from};

	s->asked = d->told;
	asked_sources_put_rest(&s->asked, &limits, s->server.memory_b, gpus, d->tasks);
}

void discover_asked_open(struct discover_asked *d, const struct collect_options *o,
                         const struct job_env *env, bool covers_task, const struct limits *l,
                         struct snapshot *s, struct err *warning)
{
	const char *list = job_env_get(env, "RTRACK_ASKED");
	enum asked_scheduler which = asked_schedulers_find(env);

	*d = (struct discover_asked){.opened = true, .scheduled = which != ASKED_NONE};
	d->tasks = covers_task ? asked_schedulers_tasks(env) : 1;
	warning->msg[0] = '\0';
	asked_sources_clear(&d->told);
	if (o->asked) /* collect_options checked it */
		(void)asked_sources_put_list(&d->told, o->asked, SNAPSHOT_ASKED_OPTION, "--asked",
		                             NULL);
	if (list && asked_sources_put_list(&d->told, list, SNAPSHOT_ASKED_ENVIRONMENT,
	                                   "RTRACK_ASKED", warning))
		snapshot_note(s, "%s.", warning->msg);
	read_scheduler(d, env, which, s);
	plan_questions(d, o, env, which);
	/* Until ECS has answered, the limits would pass for what was asked. */
	if (*d->ecs_uri)
		s->asked = d->told;
	else
		set_asked(d, o, l, s);
}

/* -- the process ------------------------------------------------------------------------------- */

static void ask_in_background(const void *ctx)
{
	const struct discover_asked *d = ctx;
	struct answer a = {{NAN, NAN, NAN}, {NAN, NAN}};

	if (*d->slurm_job)
		a.slurm = scontrol_job(d->slurm_job, BACKGROUND_FD);
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

int discover_asked_pid(const struct discover_asked *d)
{
	return d->process.pid;
}

int discover_asked_fd(const struct discover_asked *d)
{
	return background_fd(&d->process);
}

/* The values may be anything: the process parsed hostile text. */
static void take_told(struct discover_asked *d, const struct answer *a)
{
	static const char ecs[] = "ECS task metadata", slurm[] = "scontrol show job";
	bool share = d->tasks > 1;

	asked_sources_put(&d->told, SNAPSHOT_ASKED_TIME, a->slurm.time_s, SNAPSHOT_ASKED_SCHEDULER,
	                  slurm, false);
	asked_sources_put(&d->told, SNAPSHOT_ASKED_MEMORY, a->slurm.memory_b / d->tasks,
	                  SNAPSHOT_ASKED_SCHEDULER, slurm, share);
	/* These CPUs are the task's share already. */
	asked_sources_put(&d->told, SNAPSHOT_ASKED_MEMORY,
	                  a->slurm.memory_per_cpu_b * d->told.of[SNAPSHOT_ASKED_CPUS].value,
	                  SNAPSHOT_ASKED_SCHEDULER, slurm, share);
	asked_sources_put(&d->told, SNAPSHOT_ASKED_CPUS, a->ecs.cpus / d->tasks,
	                  SNAPSHOT_ASKED_SCHEDULER, ecs, share);
	asked_sources_put(&d->told, SNAPSHOT_ASKED_MEMORY, a->ecs.memory_b / d->tasks,
	                  SNAPSHOT_ASKED_SCHEDULER, ecs, share);
}

void discover_asked_collect(struct discover_asked *d)
{
	struct answer a;

	if (background_read(&d->process, &a, sizeof a))
		take_told(d, &a);
}

/* -- the end ----------------------------------------------------------------------------------- */

void discover_asked_finish(struct discover_asked *d, const struct collect_options *o,
                           const struct limits *l, int64_t deadline_ns, struct snapshot *s)
{
	struct answer a;

	if (!d->opened)
		return;
	if (background_wait(&d->process, deadline_ns, &a, sizeof a))
		take_told(d, &a);
	set_asked(d, o, l, s);
	discover_asked_close(d);
}

void discover_asked_close(struct discover_asked *d)
{
	background_end(&d->process);
	*d = (struct discover_asked){.opened = false};
}
