/* schedulers: the table, and which rows apply to a job. */
#include "collect/job/schedulers.h"

#include <string.h>
#include <strings.h>

#include "core/base/quantity.h"

#define CPUS   SNAPSHOT_ASKED_CPUS
#define MEMORY SNAPSHOT_ASKED_MEMORY
#define GPUS   SNAPSHOT_ASKED_GPUS
#define TIME   SNAPSHOT_ASKED_TIME
#define NODES  SNAPSHOT_ASKED_NODES
#define TASKS  SNAPSHOT_ASKED_TASKS

const struct scheduler schedulers[] = {
#include "collect/job/schedulers.def"
};

const size_t schedulers_n = sizeof schedulers / sizeof *schedulers;

bool schedulers_runs(const struct scheduler *s, const struct job_env *env)
{
	bool all = s->kind == SCHEDULERS_LAUNCHER;

	for (size_t i = 0; s->proof[i]; i++) {
		bool set = job_env_has(env, s->proof[i]);
		if (set && s->value)
			set = strcasecmp(job_env_get(env, s->proof[i]), s->value) == 0;
		if (set != all)
			return set;
	}
	return all;
}

const struct scheduler *schedulers_find(enum schedulers_kind kind, const struct job_env *env)
{
	for (size_t i = 0; i < schedulers_n; i++)
		if (schedulers[i].kind == kind && schedulers_runs(&schedulers[i], env))
			return &schedulers[i];
	return NULL;
}

/* Whether it started this process as a task of the node: its local rank is set. */
static bool started_task(const struct scheduler *s, const struct job_env *env)
{
	return job_env_has(env, s->local_rank) &&
	       (!s->local_rank_with || job_env_has(env, s->local_rank_with));
}

const char *schedulers_local_rank(const struct job_env *env)
{
	/* The scheduler is the last: its batch script or a task of its own launcher may have
	 * started another launcher, whose tasks inherit the scheduler's variables. */
	static const enum schedulers_kind kinds[] = {SCHEDULERS_LAUNCHER, SCHEDULERS_SCHEDULER};

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (size_t i = 0; i < schedulers_n; i++)
			if (schedulers[i].kind == kinds[k] && !schedulers[i].guess &&
			    started_task(&schedulers[i], env))
				return schedulers[i].local_rank;
	return NULL;
}
