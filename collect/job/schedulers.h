/*
 * schedulers: the schedulers, CI systems, workflow engines and launchers that a job may run under.
 *
 * schedulers.def has one row for each: how it is recognised, its labels, what was asked for, which
 * part of the job this is, and the number of a task on its node. No other variable of the job is
 * ever read. To add one, add its row, and its lines in docs/labels.md and docs/asked.md.
 */
#ifndef COLLECT_JOB_SCHEDULERS_H
#define COLLECT_JOB_SCHEDULERS_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/job/job_env.h"
#include "core/recording/snapshot.h"

#define SCHEDULERS_LABELS  20
#define SCHEDULERS_AMOUNTS 12
#define SCHEDULERS_NAMES   3

enum schedulers_kind {
	SCHEDULERS_CI,
	SCHEDULERS_SCHEDULER,
	SCHEDULERS_WORKFLOW,
	SCHEDULERS_LAUNCHER /* starts the tasks of a job: mpirun, torchrun */
};

struct schedulers_label {
	const char *label;
	const char *from; /* "{VARIABLE}" is replaced; if one is empty, there is no label */
};

/* The meaning of a variable with an amount that was asked for. */
enum schedulers_how {
	AMOUNT_NUMBER,
	AMOUNT_NUMBER_OR_ALL, /* 0: all memory of the machine */
	AMOUNT_PER_CPU,       /* for each CPU that the job got on this node */
	AMOUNT_PER_GPU,
	AMOUNT_SINCE,       /* a time, as is .other */
	AMOUNT_LIST,        /* numbers of GPUs */
	AMOUNT_ON_ONE_HOST, /* of the whole job: used only if .other lists no second host … */
	AMOUNT_ON_ONE_NODE, /* … or is not a number above 1 */
	AMOUNT_OF_HOST,     /* pairs of host and slots */
	AMOUNT_HOSTS,
	AMOUNT_OF_HOST_FILE, /* lines of such pairs, in the file */
	AMOUNT_OF_AD,        /* .name: an attribute in the file */
};

struct schedulers_amount {
	enum snapshot_asked_id id;
	enum schedulers_how how;
	const char *name, *other;
	double unit; /* 0: 1 */
};

/* The values that say which part of a job this is. */
enum part_value {
	PART_JOB, /* the scheduler's id of the job, or of the array's element */
	PART_JOB_NAME,
	PART_CLUSTER,     /* where the id is valid */
	PART_STEP,        /* of the job */
	PART_RESTART,     /* how often it was restarted */
	PART_NODE,        /* name of this node */
	PART_NODES,       /* how many the job has */
	PART_HOSTS,       /* the same as a list: "host slots host slots" */
	PART_RANK,        /* of this task */
	PART_TASKS,       /* how many the job has */
	PART_LOCAL_TASKS, /* of these, how many are on this node */
	PART_ARRAY,       /* id of the array; none: from the element's id */
	PART_INDEX,       /* of the array's element */
	PART_VALUES
};

struct scheduler {
	enum schedulers_kind kind;
	const char *name;
	const char
	    *proof[5]; /* recognised if one of these variables is set, a launcher if all are … */
	const char *value; /* … to this, ignoring case; NULL: to anything but "" */
	/* If a label has several rows, the first with a value counts. */
	struct schedulers_label labels[SCHEDULERS_LABELS];

	/* Amounts that were asked for: if one has several rows, the first with a value counts. */
	const char *asked_file; /* the variable that names a file */
	struct schedulers_amount asked[SCHEDULERS_AMOUNTS];
	enum {
		SCHEDULERS_ASKS_NOBODY,
		SCHEDULERS_ASKS_SCONTROL,
		SCHEDULERS_ASKS_ECS,
	} asks; /* who knows the rest */

	/* The part of the job: variables, the first that is set. */
	const char *of[PART_VALUES][SCHEDULERS_NAMES];
	double first_index; /* of an array: a lower index means that there is none */
	bool pods;   /* has parts only with an index; an array's elements may be one job's nodes */
	bool script; /* runs a batch script on one node: only a launcher reaches the others */

	/* Launchers only. */
	const char *id[SCHEDULERS_NAMES]; /* together equal in all tasks of a launch, only there */
	const char *unique[2]; /* if the first that is set is neither a plain number nor "none", the
	                          id makes a key without a scheduler's job */
	bool inherits;         /* passes on the environment of the node where it was started */
	bool guess; /* variables that users set too: not where the scheduler knows the rank */

	/* The tasks on this node. */
	const char *local_rank;        /* the number of this one … */
	const char *local_rank_with;   /* … if this is set as well; NULL: in any case */
	const char *tasks_of_nodes[2]; /* how many each node has: "2(x2),3" … */
	const char *node_index;        /* … the place of this one; else as of[PART_LOCAL_TASKS] */
	const char *task_cpus;         /* how many a task got; 1 without it */
};

extern const struct scheduler schedulers[];
extern const size_t schedulers_n;

/* Whether the job runs under it. */
bool schedulers_runs(const struct scheduler *s, const struct job_env *env);

/* The first of this kind that the job runs under, or NULL. */
const struct scheduler *schedulers_find(enum schedulers_kind kind, const struct job_env *env);

/* The variable that has this task's number on the node, or NULL: no launcher started it. */
const char *schedulers_local_rank(const struct job_env *env);

#endif
