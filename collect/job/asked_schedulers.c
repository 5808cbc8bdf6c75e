/* asked_schedulers: what a job asked its scheduler for. */
#include "collect/job/asked_schedulers.h"

#include <math.h>
#include <string.h>

#include "collect/job/asked_sources.h"
#include "collect/job/asked_text.h"

#define MIB        0x1p20
#define ROWS_MAX   12
#define SLURM_YEAR 31536000.0 /* Slurm's end of a job without a time limit, after its start */

/* What the row's variable has. */
enum row_kind {
	NUMBER,
	MEMORY_OR_0, /* 0: all memory of the machine */
	PER_CPU,     /* for each CPU that the job got on this node */
	PER_GPU,
	SINCE,       /* a time, as is .other */
	LIST,        /* numbers of GPUs */
	ON_ONE_HOST, /* of the whole job: used only if .other lists no second host … */
	ON_ONE_NODE, /* … or is no number above 1 */
	HOSTS,       /* pairs of host and slots */
	HOSTS_COUNT,
	HOSTS_FILE, /* lines of them, in the file */
	AD,         /* an attribute in the file */
};

struct asked_row {
	enum snapshot_asked_id id;
	enum row_kind kind;
	const char *name, *other;
	double unit; /* 0: 1 */
};

#define CPUS   SNAPSHOT_ASKED_CPUS
#define MEMORY SNAPSHOT_ASKED_MEMORY
#define GPUS   SNAPSHOT_ASKED_GPUS
#define TIME   SNAPSHOT_ASKED_TIME
#define NODES  SNAPSHOT_ASKED_NODES
#define TASKS  SNAPSHOT_ASKED_TASKS

/* HTCondor first: its execute nodes may themselves be jobs of another scheduler. The rows of CPUs
 * and GPUs stand before those that multiply by them. */
static const struct {
	const char *proof[2], *file;
	struct asked_row rows[ROWS_MAX];
} schedulers[ASKED_SCHEDULERS] = {
    [ASKED_CONDOR] = {{"_CONDOR_JOB_AD"},
                      "_CONDOR_JOB_AD",
                      {{CPUS, AD, "RequestCpus"},
                       {MEMORY, AD, "RequestMemory", NULL, MIB},
                       {GPUS, AD, "RequestGPUs"}}},
    [ASKED_SLURM] = {{"SLURM_JOB_ID", "SLURM_JOBID"},
                     NULL,
                     {{CPUS, NUMBER, "SLURM_CPUS_ON_NODE"},
                      {GPUS, NUMBER, "SLURM_GPUS_ON_NODE"},
                      {GPUS, LIST, "SLURM_JOB_GPUS"},
                      {MEMORY, MEMORY_OR_0, "SLURM_MEM_PER_NODE", NULL, MIB},
                      {MEMORY, PER_CPU, "SLURM_MEM_PER_CPU", NULL, MIB},
                      {MEMORY, PER_GPU, "SLURM_MEM_PER_GPU", NULL, MIB},
                      {TIME, SINCE, "SLURM_JOB_END_TIME", "SLURM_JOB_START_TIME"},
                      {NODES, NUMBER, "SLURM_JOB_NUM_NODES"},
                      {NODES, NUMBER, "SLURM_NNODES"},
                      {TASKS, NUMBER, "SLURM_NTASKS"},
                      {TASKS, NUMBER, "SLURM_STEP_NUM_TASKS"},
                      {TASKS, NUMBER, "SLURM_NPROCS"}}},
    [ASKED_PBS] = {{"PBS_JOBID"},
                   NULL,
                   {{CPUS, NUMBER, "NCPUS"},
                    {CPUS, NUMBER, "PBS_NUM_PPN"},
                    {TIME, NUMBER, "PBS_WALLTIME"},
                    {NODES, NUMBER, "PBS_NUM_NODES"}}},
    [ASKED_LSF] = {{"LSB_JOBID"},
                   NULL,
                   {{CPUS, ON_ONE_HOST, "LSB_DJOB_NUMPROC", "LSB_MCPU_HOSTS"},
                    {CPUS, HOSTS, "LSB_MCPU_HOSTS"},
                    {NODES, HOSTS_COUNT, "LSB_MCPU_HOSTS"}}},
    [ASKED_SGE] = {{"SGE_TASK_ID"},
                   "PE_HOSTFILE",
                   {{CPUS, ON_ONE_NODE, "NSLOTS", "NHOSTS"},
                    {CPUS, HOSTS_FILE, "PE_HOSTFILE"},
                    {NODES, NUMBER, "NHOSTS"}}},
    [ASKED_AWS_BATCH] = {{"AWS_BATCH_JOB_ID", "ECS_CONTAINER_METADATA_URI_V4"},
                         NULL,
                         {{NODES, NUMBER, "AWS_BATCH_JOB_NUM_NODES"}}},
};

/* The variables that say how many tasks were started on this node, and those that every task has.
 * Slurm's counts, too, in the environment of a batch script: only a step has an ID. */
static const struct {
	const char *tasks, *proof;
} launchers[] = {{"SLURM_STEP_TASKS_PER_NODE", "SLURM_STEP_ID"},
                 {"OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
                 {"MPI_LOCALNRANKS", "MPI_LOCALRANKID"},
                 {"LOCAL_WORLD_SIZE", "LOCAL_RANK"}};

static bool is_set(const struct job_env *env, const char *name)
{
	const char *value = name ? job_env_get(env, name) : NULL;

	return value && *value;
}

static double env_number(const struct job_env *env, const char *name)
{
	const char *value = job_env_get(env, name);

	return value ? asked_text_number(value, strlen(value)) : NAN;
}

enum asked_scheduler asked_schedulers_find(const struct job_env *env)
{
	for (int i = ASKED_NONE + 1; i < ASKED_SCHEDULERS; i++)
		if (is_set(env, schedulers[i].proof[0]) || is_set(env, schedulers[i].proof[1]))
			return (enum asked_scheduler)i;
	return ASKED_NONE;
}

const char *asked_schedulers_file(const struct job_env *env, enum asked_scheduler which)
{
	const char *name = schedulers[which].file;

	return is_set(env, name) ? job_env_get(env, name) : NULL;
}

/* -- tasks ------------------------------------------------------------------------------------- */

/* "2(x2),3" has the tasks of each node of the step; the other launchers give one number. */
static double step_tasks(const struct job_env *env)
{
	const char *list = job_env_get(env, "SLURM_STEP_TASKS_PER_NODE");
	double node = env_number(env, "SLURM_NODEID");

	if (!list)
		list = job_env_get(env, "SLURM_TASKS_PER_NODE");
	if (!is_set(env, "SLURM_STEP_ID") || !list || !(node >= 0 && node < 1e7))
		return NAN;
	return asked_text_item(list, strlen(list), (size_t)node);
}

double asked_schedulers_tasks(const struct job_env *env)
{
	double most = 1;

	/* The most: Open MPI's daemons are a step of Slurm with one task on each node. */
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		double n = i == 0 ? step_tasks(env) : env_number(env, launchers[i].tasks);
		if (is_set(env, launchers[i].proof) &&
		    asked_grammar_plausible(SNAPSHOT_ASKED_TASKS, n) && n > most)
			most = n;
	}
	return most;
}

/* -- rows -------------------------------------------------------------------------------------- */

/* The recording's part of the node. */
struct node_share {
	double tasks;     /* that share the node; 1: the recording covers all */
	double task_cpus; /* what Slurm gave each task; NAN: an equal part */
};

static struct node_share find_share(const struct asked_input *in, enum asked_scheduler which)
{
	struct node_share share = {1, NAN};
	double cpus;

	if (in->covers_task)
		share.tasks = asked_schedulers_tasks(in->env);
	if (share.tasks > 1 && which == ASKED_SLURM && step_tasks(in->env) == share.tasks) {
		cpus = env_number(in->env, "SLURM_CPUS_PER_TASK");
		share.task_cpus = asked_grammar_plausible(CPUS, cpus) ? cpus : 1;
	}
	return share;
}

/* Whether no second host is listed. */
static bool is_single_host(const char *list)
{
	double hosts = 1;

	if (list)
		(void)asked_text_hosts(list, strlen(list), false, "", &hosts);
	return hosts <= 1;
}

/* The value of a row, in the unit of its variable. share: whether it is already that of a task. */
static double row_value(const struct asked_row *row, const struct asked_input *in,
                        const struct snapshot_asked *so_far, bool *share)
{
	const char *text = job_env_get(in->env, row->name);
	size_t n = text ? strlen(text) : 0;
	double v = text ? asked_text_number(text, n) : NAN, hosts;

	switch (row->kind) {
	case NUMBER:
		return v;
	case MEMORY_OR_0:
		return v == 0 ? in->memory_b / row->unit : v;
	case PER_CPU:
	case PER_GPU:
		*share = true;
		return v * so_far->of[row->kind == PER_CPU ? CPUS : GPUS].value;
	case SINCE:
		v -= env_number(in->env, row->other);
		return v == SLURM_YEAR ? NAN : v;
	case LIST:
		return text ? asked_text_count(text, n) : NAN;
	case ON_ONE_HOST:
		return is_single_host(job_env_get(in->env, row->other)) ? v : NAN;
	case ON_ONE_NODE:
		return env_number(in->env, row->other) > 1 ? NAN : v;
	case HOSTS:
		return text ? asked_text_hosts(text, n, false, in->host, &hosts) : NAN;
	case HOSTS_COUNT:
		hosts = NAN;
		if (text)
			(void)asked_text_hosts(text, n, false, in->host, &hosts);
		return hosts;
	case HOSTS_FILE:
		return asked_text_hosts(in->file, in->file_n, true, in->host, &hosts);
	case AD:
		return asked_text_ad(in->file, in->file_n, row->name);
	}
	return NAN;
}

void asked_schedulers_read(const struct asked_input *in, struct snapshot_asked *out)
{
	enum asked_scheduler which = asked_schedulers_find(in->env);
	struct node_share share = find_share(in, which);

	if (!isnan(share.task_cpus))
		asked_sources_put(out, CPUS, share.task_cpus, SNAPSHOT_ASKED_SCHEDULER,
		                  "SLURM_CPUS_PER_TASK", true);
	for (size_t i = 0; i < ROWS_MAX && schedulers[which].rows[i].name; i++) {
		const struct asked_row *row = &schedulers[which].rows[i];
		bool is_share = false;
		double v = row_value(row, in, out, &is_share) * (row->unit ? row->unit : 1);
		asked_sources_put(out, row->id,
		                  asked_sources_shared(row->id) && !is_share ? v / share.tasks : v,
		                  SNAPSHOT_ASKED_SCHEDULER, row->name,
		                  asked_sources_shared(row->id) && share.tasks > 1);
	}
}
