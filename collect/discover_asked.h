/*
 * discover_asked: finds what was asked for, from all sources (docs/asked.md).
 *
 * The option, the environment, limits and the machine are read at the start. What only Slurm's
 * scontrol or the metadata service of ECS knows is asked by a process in the background while the
 * command runs.
 */
#ifndef COLLECT_DISCOVER_ASKED_H
#define COLLECT_DISCOVER_ASKED_H

#include "collect/cgroup/limits.h"
#include "collect/cloud/ecs.h"
#include "collect/collect_options.h"
#include "collect/command/background.h"
#include "collect/job/schedulers.h"
#include "core/recording/snapshot.h"

/* Valid when zero: nothing is found, and the snapshot has null. */
struct discover_asked {
	struct snapshot_asked known; /* by the option, the environment and the scheduler */
	bool opened;
	double ran_s; /* how long the job had run when scontrol was asked; 0: it was not. Stays. */
	const struct scheduler *scheduler;
	double tasks; /* that share the node, if the recording is of one; else 1 */
	char slurm_job[32], ecs_uri[ECS_URI_MAX]; /* whom to ask in the background; "": not */
	struct background process;                /* does not belong to the job */
};

/* Call before the command starts: sets s->asked to what the option, the environment and the
 * scheduler say. env: of the job. covers_task: if env is of one of several tasks on the node, only
 * this task is recorded; false: all of the node's tasks are. In *warning: why RTRACK_ASKED cannot
 * be read, or "". */
void discover_asked_open(struct discover_asked *d, const struct collect_options *o,
                         const struct job_env *env, bool covers_task, struct snapshot *s,
                         struct err *warning);

/* Call once limits and s->server are known: adds them to s->asked, unless ECS is still to be asked.
 * Does nothing if d is not open. */
void discover_asked_machine(const struct discover_asked *d, const struct collect_options *o,
                            const struct limits *l, struct snapshot *s);

/* Call once the command runs: asks scontrol or ECS if needed. Takes well under a millisecond. */
void discover_asked_start(struct discover_asked *d);

/* Once .process has an answer: takes it. */
void discover_asked_collect(struct discover_asked *d);

/* Call at the end, once s->server has the GPUs: waits for a missing answer until a time of
 * CLOCK_MONOTONIC, ends the process, and sets s->asked. */
void discover_asked_finish(struct discover_asked *d, const struct collect_options *o,
                           const struct limits *l, int64_t deadline_ns, struct snapshot *s);

/* Ends without waiting and without a snapshot. */
void discover_asked_close(struct discover_asked *d);

#endif
