/* pipeline: which rows are attempts of one task, and which tasks are of one process. */
#include "tests/unit/fleet/pipeline_made.h"

#define NEAR 1e-9

/* "TASK attempts" of each task, by its first attempt. */
static void assert_tasks(const struct pipeline *p, const char *expected)
{
	char text[4096] = "";

	for (size_t k = 0; k < p->n; k++)
		if (p->attempt[k].nth == 0)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %zu",
			         *text ? "; " : "", p->attempt[k].name,
			         p->task[p->attempt[k].task].attempts);
	assert_string_equal(text, expected);
}

static void assert_processes(const struct pipeline *p, const char *expected)
{
	char text[4096] = "";

	for (size_t k = 0; k < p->n_processes; k++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %zu/%zu",
		         *text ? "; " : "", p->process[k].name, p->process[k].tasks,
		         p->process[k].attempts);
	assert_string_equal(text, expected);
}

TEST(test_nextflow)
{
	struct pipeline p;

	MADE_PIPELINE(&p,
	              {.labels = "workflow=nextflow;nextflow.task=ALIGN (s2);nextflow.attempt=2",
	               .start = 20,
	               .wall_s = 10},
	              {.labels = "workflow=nextflow;nextflow.task=ALIGN (s1);nextflow.attempt=1",
	               .start = 1,
	               .wall_s = 10},
	              {.labels = "workflow=nextflow;nextflow.task=ALIGN (s2);nextflow.attempt=1",
	               .start = 2,
	               .wall_s = 10,
	               .code = 1,
	               .class = CATALOG_FAILED},
	              {.labels = "workflow=nextflow;nextflow.task=A:QC", .start = 3, .wall_s = 1});
	assert_tasks(&p, "ALIGN (s1) 1; ALIGN (s2) 2; A:QC 1");
	assert_processes(&p, "ALIGN 2/3; A:QC 1/1");
	assert_int_equal(p.n_tasks, 3);
	assert_int_equal(p.failed, 0);
	assert_int_equal(p.retried, 1);
	assert_int_equal(p.retries, 1);
	assert_string_equal(p.workflow, "nextflow");
	assert_true(p.begin == MADE_EPOCH + 1 && p.end == MADE_EPOCH + 30);
	pipeline_free(&p);
}

/* Two tasks of the same name at the same time, both tried twice. */
TEST(test_names_that_are_not_unique)
{
	struct pipeline p;

#define TWICE "nextflow.task=ALIGN (s);nextflow.attempt="
	MADE_PIPELINE(&p, {.labels = TWICE "1", .start = 1, .wall_s = 10, .code = 1},
	              {.labels = TWICE "1", .start = 2, .wall_s = 10, .code = 1},
	              {.labels = TWICE "2", .start = 20, .wall_s = 10},
	              {.labels = TWICE "2", .start = 21, .wall_s = 10, .code = 1},
	              {.labels = TWICE "3", .start = 40, .wall_s = 10});
	assert_int_equal(p.n_tasks, 2);
	assert_int_equal(p.retried, 2);
	assert_int_equal(p.retries, 3);
	assert_int_equal(p.failed + p.n_processes, 2); /* one of the two was not tried again */
	pipeline_free(&p);
}

/* Without numbers, an attempt follows one of the same job that failed before it. */
TEST(test_snakemake)
{
	struct pipeline p;

#define SORT "workflow=snakemake;snakemake.rule=sort;snakemake.job_id="
	MADE_PIPELINE(
	    &p,
	    {.name = "x",
	     .labels = SORT "3;snakemake.wildcards=s=a",
	     .start = 1,
	     .wall_s = 5,
	     .code = 1},
	    {.name = "x", .labels = SORT "4;snakemake.wildcards=s=b", .start = 2, .wall_s = 5},
	    {.name = "x", .labels = SORT "3;snakemake.wildcards=s=a", .start = 9, .wall_s = 5},
	    {.name = "x", .labels = SORT "3;snakemake.wildcards=s=a", .start = 20, .wall_s = 5});
	assert_tasks(&p, "sort (s=a) 2; sort (s=b) 1; sort (s=a) 1");
	assert_processes(&p, "sort 3/4");
	pipeline_free(&p);
}

/* An attempt that starts before the failed one ended is not the next. */
TEST(test_attempts_in_time)
{
	struct pipeline p;

	MADE_PIPELINE(&p, {.labels = SORT "3", .start = 1, .wall_s = 9, .code = 1},
	              {.labels = SORT "3", .start = 5, .wall_s = 9});
	assert_int_equal(p.n_tasks, 2);
	pipeline_free(&p);
}

/* Elements of an array; one was put back into the queue. */
TEST(test_slurm)
{
	struct pipeline p;

	MADE_PIPELINE(&p,
	              {.name = "fit",
	               .labels = "scheduler=slurm",
	               .job_id = "slurm/hpc/12[1]/0",
	               .array = "slurm/hpc/12",
	               .index = 1,
	               .start = 1,
	               .wall_s = 5},
	              {.name = "fit",
	               .job_id = "slurm/hpc/12[2]/0",
	               .index = 2,
	               .start = 1,
	               .wall_s = 5,
	               .status = "unfinished",
	               .class = CATALOG_UNFINISHED},
	              {.name = "fit",
	               .job_id = "slurm/hpc/12[2]/1",
	               .index = 2,
	               .start = 9,
	               .wall_s = 5,
	               .oom = 1});
	assert_tasks(&p, "fit[1] 1; fit[2] 2");
	assert_processes(&p, "fit 2/3");
	assert_string_equal(p.workflow, "slurm");
	assert_true(p.array);
	assert_int_equal(p.failed, 1);
	assert_int_equal(p.oom, 1);
	assert_int_equal(p.unfinished, 0);
	pipeline_free(&p);
}

/* Jobs that have nothing but a name are never attempts of each other. */
TEST(test_names_alone)
{
	struct pipeline p;

	MADE_PIPELINE(&p, {.name = "build", .start = 1, .wall_s = 5, .code = 1},
	              {.name = "build", .start = 9, .wall_s = 5}, {.start = 20, .wall_s = 5});
	assert_tasks(&p, "build 1; build 1;  1");
	assert_processes(&p, "build 2/2;  1/1");
	assert_int_equal(p.failed, 1);
	pipeline_free(&p);
}

/* The recordings of one job of two nodes: its use is the sum, its need that of the larger one. */
TEST(test_nodes)
{
	struct pipeline p;

	MADE_PIPELINE(&p,
	              {.name = "mpi",
	               .joined = "7",
	               .start = 1,
	               .wall_s = 3600,
	               .cpu_s = 3600,
	               .asked_cpus = 2,
	               .memory_gib = 2,
	               .asked_gib = 8},
	              {.name = "mpi",
	               .joined = "7",
	               .start = 3,
	               .wall_s = 3600,
	               .cpu_s = 7200,
	               .asked_cpus = 2,
	               .memory_gib = 4,
	               .asked_gib = 8,
	               .code = 1});
	assert_tasks(&p, "mpi 1");
	assert_int_equal(p.n, 1);
	assert_int_equal(p.failed, 1);
	assert_true(p.begin == MADE_EPOCH + 1 && p.end == MADE_EPOCH + 3603);
	assert_true(fabs(p.core_h.asked - 4) < NEAR && fabs(p.core_h.used - 3) < NEAR);
	assert_true(fabs(p.gib_h.asked - 16) < NEAR);
	assert_true(fabs(p.attempt[0].memory_peak_b - 4 * MADE_GIB) < NEAR);
	pipeline_free(&p);
}

/* All attempts count as use; those that were not the last, apart. What nobody asked for is no ask. */
TEST(test_sums)
{
	struct pipeline p;

	MADE_PIPELINE(&p,
	              {.labels = "nextflow.task=A;nextflow.attempt=1",
	               .start = 1,
	               .wall_s = 3600,
	               .cpu_s = 1800,
	               .asked_cpus = 2,
	               .code = 1},
	              {.labels = "nextflow.task=A;nextflow.attempt=2",
	               .start = 3700,
	               .wall_s = 3600,
	               .cpu_s = 3600,
	               .asked_cpus = 4},
	              {.labels = "nextflow.task=B",
	               .start = 1,
	               .wall_s = 3600,
	               .cpu_s = 3600,
	               .asked_cpus = 64,
	               .asked_source = "machine"});
	assert_true(fabs(p.core_h.asked - 6) < NEAR && fabs(p.core_h.used - 1.5) < NEAR);
	assert_true(p.core_h.n == 2);
	assert_true(fabs(p.retries_core_h - 0.5) < NEAR);
	pipeline_free(&p);
}

TEST(test_left_out)
{
	struct pipeline p = {0};
	struct err e = {0};

	assert_int_equal(pipeline_make(&p, &e), 0);
	pipeline_free(&p);
	MADE_PIPELINE(&p, {.name = "a", .class = CATALOG_IMPOSSIBLE, .start = 1, .wall_s = 1},
	              {.name = "b", .no_start = true, .wall_s = 1});
	assert_int_equal(p.rows, 2);
	assert_int_equal(p.impossible, 1);
	assert_int_equal(p.n_tasks, 1);
	assert_int_equal(p.undated, 1);
	assert_true(isnan(p.begin) && isnan(p.end));
	pipeline_free(&p);
}

/* Many tasks of one name must not take the square of the time; and names are cut between
 * characters. */
TEST(test_many_and_long)
{
	struct pipeline p = {0};
	struct err e = {0};
	char name[1024] = "nextflow.task=";

	for (size_t i = 0; i < 200; i++)
		strcat(name, "ä");
	strcat(name, ";nextflow.attempt=1");
	for (size_t i = 0; i < 30000; i++)
		made_add(&p, &(struct pipeline_made){.labels = name,
		                                     .start = (double)i,
		                                     .wall_s = 3,
		                                     .code = (double)(i % 2)});
	assert_int_equal(pipeline_make(&p, &e), 0);
	assert_int_equal(p.n_tasks, 30000);
	assert_int_equal(strlen(p.attempt[0].name), 198); /* 99 of two bytes, and its end */
	pipeline_free(&p);
}
