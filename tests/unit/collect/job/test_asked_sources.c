/* asked_sources: what was asked for, from lists, environments and files; every fixture has its row. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/job/asked_schedulers.h"
#include "collect/job/asked_sources.h"
#include "tests/unit/unit.h"

#define FIXTURES "tests/fixtures/environment/"
#define HOST     "hostb"
#define MEMORY   0x1p36 /* of the machine: 64 GiB */
#define MIB      0x1p20
#define GIB      0x1p30
#define NO       NAN

static char *read_text(const char *path, size_t *n)
{
	char *text = malloc(65536);
	FILE *f = fopen(path, "r");

	assert_non_null(text);
	assert_non_null(f);
	*n = fread(text, 1, 65536, f);
	fclose(f);
	return text;
}

static void assert_same(const char *what, double got, double expected)
{
	if (!(isnan(got) && isnan(expected)) && fabs(got - expected) > fabs(expected) * 1e-12)
		fail_msg("%s: %.17g, not %.17g", what, got, expected);
}

/* -- amounts ----------------------------------------------------------------------------------- */

TEST(amounts)
{
	static const struct {
		enum snapshot_asked_id id;
		const char *text;
		double expected;
	} cases[] = {
	    {SNAPSHOT_ASKED_CPUS, "8", 8},
	    {SNAPSHOT_ASKED_CPUS, "0.5", 0.5},
	    {SNAPSHOT_ASKED_CPUS, "500m", 0.5},
	    {SNAPSHOT_ASKED_CPUS, "0", NO},
	    {SNAPSHOT_ASKED_CPUS, "-1", NO},
	    {SNAPSHOT_ASKED_CPUS, "+1", NO},
	    {SNAPSHOT_ASKED_CPUS, " 1", NO},
	    {SNAPSHOT_ASKED_CPUS, "1e3", NO},
	    {SNAPSHOT_ASKED_CPUS, "0x8", NO},
	    {SNAPSHOT_ASKED_CPUS, "8 ", NO},
	    {SNAPSHOT_ASKED_CPUS, ".5", NO},
	    {SNAPSHOT_ASKED_CPUS, "1000001", NO},
	    {SNAPSHOT_ASKED_CPUS, "99999999999999999999999999", NO},
	    {SNAPSHOT_ASKED_CPUS, "nan", NO},
	    {SNAPSHOT_ASKED_CPUS, "inf", NO},
	    {SNAPSHOT_ASKED_CPUS, "", NO},
	    {SNAPSHOT_ASKED_MEMORY, "4294967296", 4 * GIB},
	    {SNAPSHOT_ASKED_MEMORY, "32GiB", 32 * GIB},
	    {SNAPSHOT_ASKED_MEMORY, "1.5GiB", 1.5 * GIB},
	    {SNAPSHOT_ASKED_MEMORY, "4Gi", 4 * GIB},
	    {SNAPSHOT_ASKED_MEMORY, "32G", 32 * GIB},
	    {SNAPSHOT_ASKED_MEMORY, "500M", 500 * MIB},
	    {SNAPSHOT_ASKED_MEMORY, "500MB", 5e8},
	    {SNAPSHOT_ASKED_MEMORY, "2kB", 2000},
	    {SNAPSHOT_ASKED_MEMORY, "2KB", 2000},
	    {SNAPSHOT_ASKED_MEMORY, "2KiB", 2048},
	    {SNAPSHOT_ASKED_MEMORY, "2K", 2048},
	    {SNAPSHOT_ASKED_MEMORY, "3TB", 3e12},
	    {SNAPSHOT_ASKED_MEMORY, "1TiB", 1024 * GIB},
	    {SNAPSHOT_ASKED_MEMORY, "12XB", NO},
	    {SNAPSHOT_ASKED_MEMORY, "12gb", NO},
	    {SNAPSHOT_ASKED_MEMORY, "4GiBs", NO},
	    {SNAPSHOT_ASKED_MEMORY, "1048577TiB", NO},
	    {SNAPSHOT_ASKED_GPUS, "0", 0},
	    {SNAPSHOT_ASKED_GPUS, "2", 2},
	    {SNAPSHOT_ASKED_GPUS, "a100:2", NO},
	    {SNAPSHOT_ASKED_TIME, "90s", 90},
	    {SNAPSHOT_ASKED_TIME, "30m", 1800},
	    {SNAPSHOT_ASKED_TIME, "4h", 14400},
	    {SNAPSHOT_ASKED_TIME, "30min", 1800},
	    {SNAPSHOT_ASKED_TIME, "1h30m", 5400},
	    {SNAPSHOT_ASKED_TIME, "2w", 1209600},
	    {SNAPSHOT_ASKED_TIME, "2d", 172800},
	    {SNAPSHOT_ASKED_TIME, "3600", 3600},
	    {SNAPSHOT_ASKED_TIME, "01:30:00", 5400},
	    {SNAPSHOT_ASKED_TIME, "1-12:00:00", 129600},
	    {SNAPSHOT_ASKED_TIME, "1-12", NO},
	    {SNAPSHOT_ASKED_TIME, "30:00", NO},
	    {SNAPSHOT_ASKED_TIME, "00:60:00", NO},
	    {SNAPSHOT_ASKED_TIME, "00:00:00", NO},
	    {SNAPSHOT_ASKED_TIME, "1:2:3:4", NO},
	    {SNAPSHOT_ASKED_TIME, "UNLIMITED", NO},
	    {SNAPSHOT_ASKED_TIME, "9999999-00:00:00", NO},
	    {SNAPSHOT_ASKED_NODES, "4", 4},
	    {SNAPSHOT_ASKED_NODES, "1.5", NO},
	    {SNAPSHOT_ASKED_TASKS, "16", 16},
	    {SNAPSHOT_ASKED_TASKS, "0", NO},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double v = NAN;
		bool ok =
		    asked_sources_amount(cases[i].id, cases[i].text, strlen(cases[i].text), &v);
		assert_int_equal(ok, !isnan(v));
		assert_same(cases[i].text, v, cases[i].expected);
	}
}

TEST(lists)
{
	static const struct {
		const char *text;
		bool skip_unset;
		double cpus, memory, time;
		const char *sentence; /* begins so; NULL: none */
	} cases[] = {
	    {"cpus=8,memory=32GiB,gpus=1,time=4h", false, 8, 32 * GIB, 14400, NULL},
	    {" cpus = 8 , memory=1K ,", false, 8, 1024, NO, NULL},
	    {"", false, NO, NO, NO, NULL},
	    {"cpus=,memory=4GiB", true, NO, 4 * GIB, NO, NULL},
	    {"cpus=,memory=4GiB", false, NO, 4 * GIB, NO, "\"cpus=\": a value of cpus is"},
	    {"cpus=0m,memory=0,gpus=1", true, NO, NO, NO, NULL},
	    {"cpus=0x,memory=4GiB", true, NO, 4 * GIB, NO, "\"cpus=0x\": a value of cpus is"},
	    {"cpus=0m", false, NO, NO, NO, "\"cpus=0m\": a value of cpus is"},
	    {"ram=3,cpus=2", true, 2, NO, NO, "\"ram=3\" is not one of"},
	    {"cpus", true, NO, NO, NO, "\"cpus\" is not one of"},
	    {"=3", true, NO, NO, NO, "\"=3\" is not one of"},
	    {"cpus=1,cpus=2", true, 1, NO, NO, "\"cpus=2\": cpus is given twice"},
	    {"cpus=1,time=soon,memory=5XB", true, 1, NO, NO, "\"time=soon\": a value of time"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double v[SNAPSHOT_ASKED_N];
		struct err e = {""};
		int r = asked_sources_list(cases[i].text, cases[i].skip_unset, v, &e);
		const char *want = cases[i].sentence ? cases[i].sentence : "";
		assert_int_equal(r, *want ? -1 : 0);
		assert_int_equal(strncmp(e.msg, want, *want ? strlen(want) : 1), 0);
		assert_same(cases[i].text, v[SNAPSHOT_ASKED_CPUS], cases[i].cpus);
		assert_same(cases[i].text, v[SNAPSHOT_ASKED_MEMORY], cases[i].memory);
		assert_same(cases[i].text, v[SNAPSHOT_ASKED_TIME], cases[i].time);
	}
}

/* -- texts of schedulers ----------------------------------------------------------------------- */

#define TEXT(s) s, sizeof(s) - 1

TEST(texts)
{
	double hosts;

	assert_same("item", asked_schedulers_item(TEXT("2(x2),3"), 1), 2);
	assert_same("item", asked_schedulers_item(TEXT("2(x2),3"), 2), 3);
	assert_same("item", asked_schedulers_item(TEXT("2(x2),3"), 3), NO);
	assert_same("item", asked_schedulers_item(TEXT("2(x2147483647)"), 5), 2);
	assert_same("item", asked_schedulers_item(TEXT("2(x2"), 0), NO);
	assert_same("item", asked_schedulers_item(TEXT(""), 0), NO);
	assert_same("hosts", asked_schedulers_hosts(TEXT("a 4 b 2"), false, "b", &hosts), 2);
	assert_same("hosts", hosts, 2);
	assert_same("hosts", asked_schedulers_hosts(TEXT("a.x 4 b.x 2 a.x 1"), false, "a", &hosts),
	            5);
	assert_same("hosts", asked_schedulers_hosts(TEXT("a 4"), false, "A.example.org", &hosts),
	            4);
	assert_same("hosts", asked_schedulers_hosts(TEXT("a.x 4"), false, "a.y", &hosts), NO);
	assert_same("hosts", asked_schedulers_hosts(TEXT("ab 4"), false, "a", &hosts), NO);
	assert_same("hosts", asked_schedulers_hosts(TEXT("a"), false, "a", &hosts), NO);
	assert_same("hosts",
	            asked_schedulers_hosts(TEXT("a 6 q@a UNDEF\nb 3 q@b 0,0\n"), true, "b", &hosts),
	            3);
	assert_same("hosts", hosts, 2);
	assert_same("ad", asked_schedulers_ad(TEXT("A = 1\nrequestcpus = 4\n"), "RequestCpus"), 4);
	assert_same("ad", asked_schedulers_ad(TEXT("RequestCpus=4"), "RequestCpus"), NO);
	assert_same("ad", asked_schedulers_ad(TEXT("RequestMemory = 2 * 3\n"), "RequestMemory"),
	            NO);
	assert_same("ad", asked_schedulers_ad(TEXT("X = \"RequestCpus = 9\"\n"), "RequestCpus"),
	            NO);
	assert_same("scontrol",
	            asked_schedulers_scontrol(TEXT("JobId=1 TimeLimit=00:10:00 X=1")).time_s, 600);
	assert_same(
	    "time so far",
	    asked_schedulers_scontrol(TEXT("RunTime=1-00:00:05 TimeLimit=2-00:00:00")).ran_s,
	    86405);
	assert_same("not begun", asked_schedulers_scontrol(TEXT("RunTime=00:00:00")).ran_s, NO);
	assert_same("scontrol", asked_schedulers_scontrol(TEXT("TimeLimit=2-00:00:00\n")).time_s,
	            172800);
	assert_same("scontrol", asked_schedulers_scontrol(TEXT("TimeLimit=UNLIMITED")).time_s, NO);
	assert_same("scontrol", asked_schedulers_scontrol(TEXT("TimeLimit=Partition_Limit")).time_s,
	            NO);
	assert_same("scontrol",
	            asked_schedulers_scontrol(TEXT("slurm_load_jobs error: Invalid job")).time_s,
	            NO);
	assert_same("memory",
	            asked_schedulers_scontrol(TEXT("X=1 MinMemoryNode=500M Y=2")).memory_b,
	            500 * 0x1p20);
	assert_same("memory", asked_schedulers_scontrol(TEXT("MinMemoryNode=2.50G")).memory_b,
	            2.5 * 0x1p30);
	assert_same("all memory", asked_schedulers_scontrol(TEXT("MinMemoryNode=0")).memory_b, NO);
	assert_same("nonsense", asked_schedulers_scontrol(TEXT("MinMemoryNode=-1M")).memory_b, NO);
	assert_same("nonsense", asked_schedulers_scontrol(TEXT("MinMemoryNode=")).memory_b, NO);
	assert_same("each CPU", asked_schedulers_scontrol(TEXT("MinMemoryCPU=200M")).memory_b, NO);
	assert_same("each CPU",
	            asked_schedulers_scontrol(TEXT("MinMemoryCPU=200M")).memory_per_cpu_b,
	            200 * 0x1p20);
	/* The first counts: what follows may be a path of the user's. */
	assert_same(
	    "memory",
	    asked_schedulers_scontrol(TEXT("MinMemoryNode=1M C=/a MinMemoryNode=9G")).memory_b,
	    0x1p20);
}

TEST(scontrol_of_real_jobs)
{
	size_t n;
	char *text = read_text(FIXTURES "slurm-22.05-sbatch.scontrol", &n);

	assert_same("limit", asked_schedulers_scontrol(text, n).time_s, 600);
	assert_same("memory", asked_schedulers_scontrol(text, n).memory_b, 500 * 0x1p20);
	free(text);
	text = read_text(FIXTURES "slurm-22.05-mem-0.scontrol", &n);
	assert_same("no limit", asked_schedulers_scontrol(text, n).time_s, NO);
	assert_same("all memory", asked_schedulers_scontrol(text, n).memory_b, NO);
	free(text);
}

/* -- environments ------------------------------------------------------------------------------ */

/* What each environment says, on the machine of HOST and MEMORY. */
static const struct {
	const char *name;
	double cpus, memory, gpus, time, nodes, tasks;
	bool share;
	const char *cpus_detail, *memory_detail;
} rows[] = {
    {"aws-batch", NO, NO, NO, NO, NO, NO, false, "", ""},
    {"aws-batch-nodes", NO, NO, NO, NO, 4, NO, false, "", ""},
    {"htcondor", 4, 6144 * MIB, 1, NO, NO, NO, false, "RequestCpus", "RequestMemory"},
    {"htcondor-expression", 4, NO, NO, NO, NO, NO, false, "RequestCpus", ""},
    {"kubernetes-indexed", 1.5, 4 * GIB, NO, NO, NO, NO, false, "RTRACK_ASKED", "RTRACK_ASKED"},
    {"lsf", 8, NO, NO, NO, 1, NO, false, "LSB_DJOB_NUMPROC", ""},
    {"lsf-array", 2, NO, NO, NO, 2, NO, false, "LSB_MCPU_HOSTS", ""},
    {"mpich", NO, NO, NO, NO, NO, NO, false, "", ""},
    {"openmpi", NO, NO, NO, NO, NO, NO, false, "", ""},
    {"pbs", 4, NO, NO, NO, NO, NO, false, "NCPUS", ""},
    {"pbs-array", 4, NO, NO, NO, NO, NO, false, "NCPUS", ""},
    {"pbs-openmpi", 2, NO, NO, NO, NO, NO, true, "NCPUS", ""},
    {"sge", 6, NO, NO, NO, 1, NO, false, "NSLOTS", ""},
    {"sge-array", 4, NO, NO, NO, 2, NO, false, "PE_HOSTFILE", ""},
    {"slurm-22.05-array", 2, 200 * MIB, NO, NO, 1, NO, false, "SLURM_CPUS_ON_NODE",
     "SLURM_MEM_PER_NODE"},
    {"slurm-22.05-gpus", 2, 600 * MIB, 2, NO, 1, 2, false, "SLURM_CPUS_ON_NODE",
     "SLURM_MEM_PER_GPU"},
    {"slurm-22.05-gpus-srun", 1, 300 * MIB, 1, NO, 1, 2, true, "SLURM_CPUS_PER_TASK",
     "SLURM_MEM_PER_NODE"},
    {"slurm-22.05-mem-0", 1, NO, NO, NO, 1, 1, false, "SLURM_CPUS_ON_NODE", ""},
    {"slurm-22.05-mem-per-cpu", 2, 200 * MIB, NO, NO, 2, 2, false, "SLURM_CPUS_ON_NODE",
     "SLURM_MEM_PER_CPU"},
    {"slurm-22.05-sbatch", 2, 500 * MIB, NO, NO, 2, 4, false, "SLURM_CPUS_ON_NODE",
     "SLURM_MEM_PER_NODE"},
    {"slurm-22.05-srun", 1, 250 * MIB, NO, NO, 2, 4, true, "SLURM_CPUS_PER_TASK",
     "SLURM_MEM_PER_NODE"},
    {"slurm-22.05-uneven", 1, 500 * MIB, NO, NO, 2, 3, false, "SLURM_CPUS_ON_NODE",
     "SLURM_MEM_PER_NODE"},
    {"slurm-23.11-array", 4, 16 * GIB, NO, 14400, 1, 1, false, "SLURM_CPUS_ON_NODE",
     "SLURM_MEM_PER_CPU"},
    {"slurm-23.11-gpus", 16, 96 * GIB, 4, 14400, 1, 4, false, "SLURM_CPUS_ON_NODE",
     "SLURM_MEM_PER_GPU"},
    {"slurm-23.11-mem-0", 64, MEMORY, NO, 14400, 1, 1, false, "SLURM_CPUS_ON_NODE",
     "SLURM_MEM_PER_NODE"},
    {"slurm-23.11-sbatch", 8, 32 * GIB, NO, 14400, 2, 4, false, "SLURM_CPUS_ON_NODE",
     "SLURM_MEM_PER_NODE"},
    {"slurm-23.11-srun", 4, 16 * GIB, NO, 14400, 2, 4, true, "SLURM_CPUS_PER_TASK",
     "SLURM_MEM_PER_NODE"},
    {"torchrun", NO, NO, NO, NO, NO, NO, false, "", ""},
    {"torque", 8, NO, NO, 3600, 2, NO, false, "PBS_NUM_PPN", ""},
};

/* The file that a fixture's variable names. */
static const char *file_of(const char *name)
{
	return strcmp(name, "sge-array") == 0  ? FIXTURES "sge-array.hosts"
	       : strcmp(name, "htcondor") == 0 ? FIXTURES "htcondor.ad"
	                                       : FIXTURES "htcondor-expression.ad";
}

/* As discover_asked does it. text: NAME=VALUE lines, which become NUL-terminated. */
static void read_environment(const char *name, char *text, size_t n, bool covers_task,
                             struct snapshot_asked *a)
{
	struct job_env env = {.text = text, .n = n};
	struct asked_input in = {
	    .env = &env, .host = HOST, .memory_b = MEMORY, .covers_task = covers_task};
	const char *list;
	char *file = NULL;

	for (size_t i = 0; i < n; i++)
		if (text[i] == '\n')
			text[i] = '\0';
	if ((strcmp(name, "sge-array") == 0 || strncmp(name, "htcondor", 8) == 0))
		in.file = file = read_text(file_of(name), &in.file_n);
	asked_sources_clear(a);
	list = job_env_get(&env, "RTRACK_ASKED");
	if (list)
		assert_int_equal(asked_sources_put_list(a, list, SNAPSHOT_ASKED_ENVIRONMENT,
		                                        "RTRACK_ASKED", NULL),
		                 0);
	asked_schedulers_read(&in, a);
	free(file);
}

TEST(environments)
{
	glob_t found;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const double expected[] = {rows[i].cpus, rows[i].memory, rows[i].gpus,
		                           rows[i].time, rows[i].nodes,  rows[i].tasks};
		struct snapshot_asked a;
		char path[128];
		size_t n;
		snprintf(path, sizeof path, FIXTURES "%s.env", rows[i].name);
		char *text = read_text(path, &n);
		read_environment(rows[i].name, text, n, true, &a);
		for (int k = 0; k < SNAPSHOT_ASKED_N; k++) {
			assert_same(rows[i].name, a.of[k].value, expected[k]);
			assert_int_equal(a.of[k].share, rows[i].share && !isnan(expected[k]) &&
			                                    k <= SNAPSHOT_ASKED_GPUS);
		}
		assert_string_equal(a.of[SNAPSHOT_ASKED_CPUS].detail, rows[i].cpus_detail);
		assert_string_equal(a.of[SNAPSHOT_ASKED_MEMORY].detail, rows[i].memory_detail);
		free(text);
	}
	/* A fixture without a row checks nothing. */
	assert_int_equal(glob(FIXTURES "*.env", 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, sizeof rows / sizeof *rows);
	globfree(&found);
}

/* The recording of a whole node gets what the node got, even from within a task. */
TEST(whole_nodes)
{
	struct snapshot_asked a;
	size_t n;
	char *text = read_text(FIXTURES "slurm-22.05-srun.env", &n);

	read_environment("slurm-22.05-srun", text, n, false, &a);
	assert_same("cpus", a.of[SNAPSHOT_ASKED_CPUS].value, 2);
	assert_same("memory", a.of[SNAPSHOT_ASKED_MEMORY].value, 500 * MIB);
	assert_false(a.of[SNAPSHOT_ASKED_MEMORY].share);
	free(text);
}

/* Variables separated by ';'. */
static void read_variables(const char *variables, struct snapshot_asked *a)
{
	size_t n = strlen(variables) + 1;
	char *text = strdup(variables);

	assert_non_null(text);
	for (size_t i = 0; i < n; i++)
		if (text[i] == ';')
			text[i] = '\n';
	read_environment("", text, n, true, a);
	free(text);
}

TEST(hostile_values)
{
	static const char *const texts[] = {
	    "SLURM_JOB_ID=1;SLURM_CPUS_ON_NODE=-4;SLURM_MEM_PER_NODE=-1;SLURM_JOB_GPUS=-",
	    "SLURM_JOB_ID=1;SLURM_CPUS_ON_NODE=1e300;SLURM_MEM_PER_NODE=1e300",
	    "SLURM_JOB_ID=1;SLURM_CPUS_ON_NODE=99999999999999999999;SLURM_MEM_PER_CPU=500",
	    "SLURM_JOB_ID=1;SLURM_MEM_PER_CPU=500;SLURM_MEM_PER_GPU=500;SLURM_NTASKS=0.5",
	    "SLURM_JOB_ID=1;SLURM_JOB_END_TIME=5;SLURM_JOB_START_TIME=9;SLURM_NNODES=x",
	    "SLURM_JOB_ID=1;SLURM_JOB_END_TIME=31536009;SLURM_JOB_START_TIME=9",
	    "SLURM_JOB_ID=1;SLURM_JOB_END_TIME=1700000000",
	    "SLURM_JOB_ID=;SLURM_CPUS_ON_NODE=4",
	    "SLURM_CPUS_ON_NODE=4;NCPUS=4;NSLOTS=4;NHOSTS=2;LSB_DJOB_NUMPROC=3",
	    "LSB_JOBID=1;LSB_DJOB_NUMPROC=8;LSB_MCPU_HOSTS=other 4 another 4x",
	    "SGE_TASK_ID=undefined;NSLOTS=8;NHOSTS=2.5",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct snapshot_asked a;
		read_variables(texts[i], &a);
		for (int k = 0; k < SNAPSHOT_ASKED_N; k++)
			if (!isnan(a.of[k].value))
				fail_msg("%s: %d is %g", texts[i], k, a.of[k].value);
	}
}

TEST(tasks_on_the_node)
{
	static const struct {
		const char *variables;
		double tasks;
	} cases[] = {
	    {"A=1", 1},
	    {"SLURM_TASKS_PER_NODE=4;SLURM_NODEID=0", 1},
	    {"SLURM_STEP_ID=0;SLURM_TASKS_PER_NODE=2(x2),3;SLURM_NODEID=2", 3},
	    {"SLURM_STEP_ID=0;SLURM_TASKS_PER_NODE=4;SLURM_STEP_TASKS_PER_NODE=1;SLURM_NODEID=0",
	     1},
	    {"SLURM_STEP_ID=0;SLURM_STEP_TASKS_PER_NODE=1;SLURM_NODEID=0;"
	     "OMPI_COMM_WORLD_LOCAL_SIZE=4;OMPI_COMM_WORLD_LOCAL_RANK=1",
	     4},
	    {"SLURM_STEP_ID=0;SLURM_STEP_TASKS_PER_NODE=2;SLURM_NODEID=-1", 1},
	    {"LOCAL_WORLD_SIZE=4", 1},
	    {"LOCAL_WORLD_SIZE=4;LOCAL_RANK=0", 4},
	    {"MV2_COMM_WORLD_LOCAL_SIZE=3;MV2_COMM_WORLD_LOCAL_RANK=0", 3},
	    {"PMI_LOCAL_SIZE=2;PALS_LOCAL_RANKID=0", 2},
	    {"MPI_LOCALNRANKS=1e9;MPI_LOCALRANKID=0", 1},
	    {"MPI_LOCALNRANKS=2.5;MPI_LOCALRANKID=0", 1},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n = strlen(cases[i].variables) + 1;
		char *text = strdup(cases[i].variables);
		assert_non_null(text);
		for (size_t k = 0; k < n; k++)
			if (text[k] == ';')
				text[k] = '\0';
		assert_same(cases[i].variables, asked_schedulers_tasks(&(struct job_env){text, n}),
		            cases[i].tasks);
		free(text);
	}
}

/* -- limits and the machine -------------------------------------------------------------------- */

TEST(rest)
{
	static const struct {
		double cpus, memory_limit, gpus, tasks;
		const char *from;
		double want_cpus, want_memory, want_gpus;
		const char *cpus_source, *memory_source;
	} cases[] = {
	    {4, 8 * GIB, 0, 1, "cpu.max", 4, 8 * GIB, NO, "limit", "limit"},
	    {16, NO, 2, 1, "online CPUs", 16, MEMORY, 2, "machine", "machine"},
	    {4, 128 * GIB, NO, 2, "cpu.max", 2, MEMORY / 2, NO, "limit", "machine"},
	    {4, 8 * GIB, 4, 2, "sched_getaffinity", 4, 4 * GIB, 2, "limit", "limit"},
	    {NO, NO, 0, 1, NULL, 16, MEMORY, NO, "machine", "machine"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct snapshot_limits l = {.cpus = cases[i].cpus,
		                                  .cpus_online = 16,
		                                  .cpus_from = cases[i].from,
		                                  .memory_b = cases[i].memory_limit,
		                                  .memory_from = "memory.max"};
		const struct snapshot_ask *of;
		struct snapshot_asked a;
		asked_sources_clear(&a);
		asked_sources_put_rest(&a, &l, MEMORY, cases[i].gpus, cases[i].tasks);
		of = a.of;
		assert_same("cpus", of[SNAPSHOT_ASKED_CPUS].value, cases[i].want_cpus);
		assert_same("memory", of[SNAPSHOT_ASKED_MEMORY].value, cases[i].want_memory);
		assert_same("gpus", of[SNAPSHOT_ASKED_GPUS].value, cases[i].want_gpus);
		assert_string_equal(of[SNAPSHOT_ASKED_CPUS].source, cases[i].cpus_source);
		assert_string_equal(of[SNAPSHOT_ASKED_MEMORY].source, cases[i].memory_source);
		assert_int_equal(of[SNAPSHOT_ASKED_CPUS].share, cases[i].tasks > 1);
		assert_same("time", of[SNAPSHOT_ASKED_TIME].value, NO);
	}
}

TEST(first_source_wins)
{
	struct snapshot_asked a, b;

	asked_sources_clear(&a);
	asked_sources_clear(&b);
	asked_sources_put(&a, SNAPSHOT_ASKED_CPUS, 8, SNAPSHOT_ASKED_OPTION, "--asked", false);
	asked_sources_put(&b, SNAPSHOT_ASKED_CPUS, 2, SNAPSHOT_ASKED_SCHEDULER, "x", true);
	asked_sources_put(&b, SNAPSHOT_ASKED_NODES, 2, SNAPSHOT_ASKED_SCHEDULER, "x", false);
	asked_sources_merge(&a, &b);
	assert_same("cpus", a.of[SNAPSHOT_ASKED_CPUS].value, 8);
	assert_false(a.of[SNAPSHOT_ASKED_CPUS].share);
	assert_same("nodes", a.of[SNAPSHOT_ASKED_NODES].value, 2);
}
