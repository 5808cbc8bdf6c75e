/* part: which part of a job this is, from the environments of schedulers and launchers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/job/part.h"
#include "tests/unit/unit.h"

/* Reads an environment whose variables are separated by ';'. */
static struct part read_of(const char *variables)
{
	char *text = strdup(variables);
	struct job_env env = {.text = text, .n = strlen(variables) + 1};
	struct part p;

	for (char *c = text; *c; c++)
		if (*c == ';')
			*c = '\0';
	part_read(&p, &env);
	free(text);
	return p;
}

static void add_number(struct buf *b, double v)
{
	if (isnan(v))
		buf_str(b, " -");
	else
		buf_printf(b, " %.0f", v);
}

/* Replaces the 16 digits that identify a launch by HASH. */
static void mask_hash(char *text)
{
	for (char *dash = text; (dash = strchr(dash, '-')); dash++)
		if (strspn(dash + 1, "0123456789abcdef") == 16) {
			memcpy(dash + 1, "HASH", 4);
			memmove(dash + 5, dash + 17, strlen(dash + 17) + 1);
		}
}

/* "KEY NODE COVERS NODES TASK TASKS ARRAY INDEX", "-" where unknown; "" where there is no part. */
static const char *spelled(const struct snapshot_part *p, char out[1024])
{
	struct buf b = {0};

	if (p->known) {
		buf_printf(&b, "%s %s %s", *p->job ? p->job : "-", p->node, p->covers);
		add_number(&b, p->nodes);
		add_number(&b, p->task);
		add_number(&b, p->tasks);
		buf_printf(&b, " %s", *p->array_job ? p->array_job : "-");
		add_number(&b, p->array_index);
	}
	snprintf(out, 1024, "%s", buf_cstr(&b));
	buf_free(&b);
	mask_hash(out);
	return out;
}

#define SLURM                                                                                      \
	"SLURM_JOB_ID=1;SLURM_CLUSTER_NAME=t;SLURM_JOB_NAME=my job;SLURM_JOB_NUM_NODES=2;"         \
	"SLURM_NNODES=2;SLURM_NTASKS=4;SLURM_PROCID=0;SLURMD_NODENAME=n1;"
#define STEP(nodes, tasks, rank, node)                                                             \
	"SLURM_JOB_ID=1;SLURM_CLUSTER_NAME=t;SLURM_JOB_NUM_NODES=2;SLURM_STEP_ID=0;"               \
	"SLURM_STEP_NUM_NODES=" nodes ";SLURM_STEP_NUM_TASKS=" tasks ";SLURM_NTASKS=" tasks        \
	";SLURM_PROCID=" rank ";SLURMD_NODENAME=" node ";"
#define OPENMPI                                                                                    \
	"OMPI_COMM_WORLD_RANK=3;OMPI_COMM_WORLD_SIZE=4;OMPI_COMM_WORLD_LOCAL_SIZE=2;"              \
	"PMIX_NAMESPACE=522584065;"
#define KEY "OMPI_MCA_orte_precondition_transports=3fe5cee95f84a366-743427673ab26d14;"
#define TORCH(run, rank)                                                                           \
	"TORCHELASTIC_RUN_ID=" run ";TORCHELASTIC_RESTART_COUNT=0;RANK=" rank                      \
	";WORLD_SIZE=8;LOCAL_WORLD_SIZE=4;GROUP_WORLD_SIZE=2;MASTER_ADDR=node017;"                 \
	"MASTER_PORT=29500;"
#define HYDRA "PMI_RANK=3;PMI_SIZE=4;MPI_LOCALNRANKS=2;MPIR_CVAR_CH3_INTERFACE_HOSTNAME=n2;"

TEST(parts_of_environments)
{
	static const struct {
		const char *env, *part, *per_node; /* per_node NULL: as part */
	} cases[] = {
	    {"", "", NULL},
	    {"HOME=/root;RANK=3;WORLD_SIZE=4", "", NULL},
	    /* Slurm 22.05: batch script, which runs on one node; srun, one task a node, one task. */
	    {SLURM, "", NULL},
	    {STEP("2", "4", "2", "n2"), "slurm/t/1/0/0 n2 task 2 2 4 - -",
	     "slurm/t/1/0/0 n2 node 2 - 4 - -"},
	    {STEP("2", "3", "2", "n2"), "slurm/t/1/0/0 n2 task 2 2 3 - -", NULL},
	    {STEP("2", "2", "1", "n2"), "slurm/t/1/0/0 n2 node 2 - 2 - -", NULL},
	    {STEP("1", "2", "1", "n1"), "slurm/t/1/0/0 n1 task 1 1 2 - -",
	     "slurm/t/1/0/0 n1 node 1 - 2 - -"},
	    {STEP("1", "1", "0", "n1"), "", NULL},
	    {STEP("2", "4", "2", "n2") "SLURM_RESTART_COUNT=1", "slurm/t/1/0/1 n2 task 2 2 4 - -",
	     NULL},
	    {"SLURM_JOB_ID=1;SLURM_JOB_NUM_NODES=1;SLURM_NTASKS=4;SLURM_PROCID=0", "", NULL},
	    {"SLURM_JOB_ID=4;SLURM_CLUSTER_NAME=t;SLURM_ARRAY_JOB_ID=2;SLURM_ARRAY_TASK_ID=0;"
	     "SLURM_JOB_NUM_NODES=1;SLURM_PROCID=0;SLURMD_NODENAME=n1",
	     "slurm/t/4/batch/0 n1 node 1 - - slurm/t/2 0", NULL},
	    /* The last element of a Slurm array has the array's own id. */
	    {"SLURM_JOB_ID=2;SLURM_CLUSTER_NAME=t;SLURM_ARRAY_JOB_ID=2;SLURM_ARRAY_TASK_ID=7",
	     "slurm/t/2[7]/batch/0 host node 1 - - slurm/t/2 7", NULL},
	    {"PBS_JOBID=1234.pbs01;PBS_NODENUM=0", "", NULL},
	    {"PBS_JOBID=1234[7].pbs01;PBS_ARRAY_INDEX=7",
	     "pbs//1234[7].pbs01/batch/0 host node 1 - - pbs//1234[].pbs01 7", NULL},
	    {"PBS_JOBID=881[3].head;PBS_ARRAYID=3;PBS_NUM_NODES=2",
	     "pbs//881[3].head/batch/0 host node 1 - - pbs//881[].head 3", NULL},
	    {"LSB_JOBID=2007;LSB_JOBINDEX=0;LSB_MCPU_HOSTS=hosta 8", "", NULL},
	    {"LSB_JOBID=2008;LSB_JOBINDEX=5;LSB_MCPU_HOSTS=hosta 4 hostb 2 ;LSB_EXEC_CLUSTER=c",
	     "lsf/c/2008[5]/batch/0 host node 1 - - lsf/c/2008 5", NULL},
	    {"JOB_ID=5012;SGE_TASK_ID=undefined;NHOSTS=1;RESTARTED=0", "", NULL},
	    {"JOB_ID=5012", "", NULL},
	    {"JOB_ID=5012;SGE_TASK_ID=4;NHOSTS=2;RESTARTED=1;SGE_CELL=default",
	     "sge/default/5012[4]/batch/1 host node 1 - - sge/default/5012 4", NULL},
	    {"AWS_BATCH_JOB_ID=6ba7b810-9dad-11d1-80b4-00c04fd430c8:2;"
	     "AWS_BATCH_JOB_ARRAY_INDEX=2;AWS_BATCH_JOB_ATTEMPT=1",
	     "aws-batch//6ba7b810-9dad-11d1-80b4-00c04fd430c8:2/batch/1 host node - - - "
	     "aws-batch//6ba7b810-9dad-11d1-80b4-00c04fd430c8 2",
	     NULL},
	    {"AWS_BATCH_JOB_ID=7c9e6679-7425-40de-944b-e07fc1f90ae7#1;AWS_BATCH_JOB_NUM_NODES=4;"
	     "AWS_BATCH_JOB_NODE_INDEX=1;AWS_BATCH_JOB_ATTEMPT=2",
	     "aws-batch//7c9e6679-7425-40de-944b-e07fc1f90ae7/batch/2 host node 4 - - - -", NULL},
	    {"JOB_COMPLETION_INDEX=3;POD_NAME=align-3-x7k2p;POD_NAMESPACE=g;K8S_NODE_NAME=k1",
	     "kubernetes/g/align-3-x7k2p/batch/0 k1 node - - - kubernetes/g/align 3", NULL},
	    {"JOB_COMPLETION_INDEX=3;HOSTNAME=a-3-b-3", "- host node - - - kubernetes//a-3-b 3",
	     NULL},
	    /* Launchers: alone, without an id, and inside a scheduler's job. */
	    {OPENMPI, "", NULL},
	    {KEY OPENMPI, "openmpi-HASH host task - 3 4 - -", "openmpi-HASH host node - - 4 - -"},
	    {OPENMPI "OMPI_MCA_orte_num_nodes=2;PBS_JOBID=1234.pbs01",
	     "pbs//1234.pbs01/openmpi-HASH/0 host task 2 3 4 - -", NULL},
	    {STEP("2", "2", "1", "n2") KEY OPENMPI, "slurm/t/1/openmpi-HASH/0 n2 task 2 3 4 - -",
	     NULL},
	    {STEP("2", "2", "1", "n1") HYDRA, "slurm/t/1/0/0 n2 task 2 3 4 - -", NULL},
	    {HYDRA, "", NULL},
	    {STEP("2", "4", "3", "n2") "PMI_RANK=3;PMI_SIZE=4", "slurm/t/1/0/0 n2 task 2 3 4 - -",
	     NULL},
	    {"PBS_JOBID=9.s;MV2_COMM_WORLD_RANK=3;MV2_COMM_WORLD_SIZE=4;"
	     "MV2_COMM_WORLD_LOCAL_SIZE=2;PMI_RANK=3;PMI_SIZE=4",
	     "pbs//9.s/batch/0 host task - 3 4 - -", NULL},
	    {"PBS_JOBID=9.s;PALS_RANKID=3;PALS_APID=0b9b-4e;PALS_LOCAL_SIZE=2;PMI_SIZE=4",
	     "pbs//9.s/pals-HASH/0 host task - 3 4 - -",
	     "pbs//9.s/pals-HASH/0 host node - - 4 - -"},
	    /* A job of HTCondor on a node that is itself a job of Slurm: not a part of that. */
	    {"_CONDOR_JOB_AD=/x/.job.ad;" STEP("2", "4", "2", "n2"), "", NULL},
	    {"SLURM_JOBID=4;SLURM_ARRAY_JOB_ID=2;SLURM_ARRAY_TASK_ID=0",
	     "slurm//4/batch/0 host node 1 - - slurm//2 0", NULL},
	    {TORCH("none", "5"), "", NULL},
	    {TORCH("481516", "5"), "", NULL},
	    {TORCH("run-7", "5"), "torchrun-HASH host task 2 5 8 - -",
	     "torchrun-HASH host node 2 - 8 - -"},
	    {TORCH("481516", "5") "JOB_COMPLETION_INDEX=1;POD_NAME=a-1-x7k2p",
	     "kubernetes//a/torchrun-HASH/0 host task 2 5 8 - -", NULL},
	    {STEP("2", "4", "2", "n2") "RANK=0;WORLD_SIZE=4;MASTER_ADDR=n1;MASTER_PORT=1",
	     "slurm/t/1/0/0 n2 task 2 2 4 - -", NULL},
	    /* Nonsense. */
	    {STEP("0", "99999999999", "-1", "n1"), "", NULL},
	    {STEP("2", "1e9", "2x", "n/1\x1b[2J"), "slurm/t/1/0/0 n/1 node 2 - - - -", NULL},
	    {"SLURM_JOB_ID=a/../b c;SLURM_STEP_ID=0;SLURM_JOB_NUM_NODES=2",
	     "slurm//a_.._b c/0/0 host node "
	     "2 - - - -",
	     NULL},
	};
	char got[1024];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct part p = read_of(cases[i].env);
		struct snapshot_part part = part_describe(&p, "host", false);
		assert_string_equal(spelled(&part, got), cases[i].part);
		part = part_describe(&p, "host", true);
		if (cases[i].per_node)
			assert_string_equal(spelled(&part, got), cases[i].per_node);
	}
}

/* All tasks of a launch have one key, the next launch has another. */
TEST(keys_differ)
{
	struct part a = read_of(TORCH("run-7", "5")), b = read_of(TORCH("run-7", "6")),
		    c = read_of(TORCH("run-8", "5"));
	struct part d = read_of(TORCH("run-7", "5") "TORCHELASTIC_RESTART_COUNT=1");

	assert_true(*a.key);
	assert_string_equal(a.key, b.key);
	assert_string_not_equal(a.key, c.key);
	assert_string_equal(a.key, d.key); /* the first of two variables counts */
	d = read_of("TORCHELASTIC_RESTART_COUNT=1;" TORCH("run-7", "5"));
	assert_string_not_equal(a.key, d.key);
}

TEST(long_and_secret_values)
{
	static char env[9000];
	char got[1024];
	struct part p, q;
	struct snapshot_part part;

	snprintf(env, sizeof env,
	         "SLURM_JOB_NUM_NODES=2;SLURMD_NODENAME=%04000d;SLURM_JOB_ID=%04000d1", 7, 7);
	p = read_of(env);
	env[strlen(env) - 1] = '2';
	q = read_of(env);
	assert_int_equal(strlen(p.text[PART_NODE]), PART_TEXT_MAX - 1);
	assert_string_not_equal(p.key, q.key);
	part = part_describe(&p, "host", false);
	assert_true(strlen(spelled(&part, got)) < 400);
	p = read_of("SLURM_JOB_NUM_NODES=2;SLURM_JOB_ID=ghp_0123456789abcdefghijABCDEFGHIJ012345;"
	            "SLURM_JOB_NAME=run --password=hunter2");
	assert_null(strstr(p.key, "0123456789abcdefghij"));
	assert_string_equal(p.text[PART_JOB_NAME], "run --password=***");
}

TEST(missing_values)
{
	static const struct {
		const char *env;
		enum part_value value;
		const char *sentence;
	} cases[] = {
	    {"SLURM_JOB_ID=1", PART_INDEX, "SLURM_ARRAY_TASK_ID is not set"},
	    {"LSB_JOBID=1;LSB_JOBINDEX=0", PART_INDEX, "LSB_JOBINDEX gives none"},
	    {"JOB_ID=1;SGE_TASK_ID=undefined", PART_INDEX, "SGE_TASK_ID gives none"},
	    {"HOSTNAME=h", PART_JOB,
	     "none of SLURM_JOB_ID, PBS_JOBID, LSB_JOBID, SGE_TASK_ID, AWS_BATCH_JOB_ID, "
	     "JOB_COMPLETION_INDEX is set"},
	    {"PBS_JOBID=1", PART_RANK,
	     "none of SLURM_PROCID, RANK, OMPI_COMM_WORLD_RANK, PMI_RANK, MV2_COMM_WORLD_RANK, "
	     "PALS_RANKID is set"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct part p = read_of(cases[i].env);
		struct err e = {0};
		assert_string_equal(p.text[cases[i].value], "");
		assert_int_equal(part_missing(&p, cases[i].value, &e), -1);
		assert_string_equal(e.msg, cases[i].sentence);
	}
}
