/* job_rows: what accounting and recordings of one job, and its steps, make of each other. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fleet/catalog/catalog_row.h"
#include "fleet/scan/job_rows.h"
#include "fleet/scan/scan_jobs.h"
#include "tests/unit/near.h"

#define MIB 1048576.0
#define MAX 8

static struct rtrack_row rows[MAX];
static struct job_row job[MAX];
static size_t n;

static struct job_row *add(enum import_origin origin, const char *path, double start, double wall,
                           double cpu, double peak)
{
	struct rtrack_row *row = &rows[n];
	struct job_row *r = &job[n++];

	rtrack_row_clear(row);
	row->of[RTRACK_ROW_JOB_ID].text = "slurm/t/7/0";
	row->of[RTRACK_ROW_NAME].text = "align";
	row->of[RTRACK_ROW_HOST].text = "n1";
	row->of[RTRACK_ROW_START].number = start;
	row->of[RTRACK_ROW_WALL].number = wall;
	row->of[RTRACK_ROW_CPU].number = cpu;
	row->of[RTRACK_ROW_MEMORY_PEAK].number = peak;
	*r = (struct job_row){
	    .row = row,
	    .run = {.source = {.path = path, .tag = "x"}, .row = row, .origin = origin},
	    .given = true};
	return r;
}

static struct job_row *recorded(const char *path, double start, double wall, double cpu,
                                double peak)
{
	struct job_row *r = add(IMPORT_RECORDED, path, start, wall, cpu, peak);

	r->row->of[RTRACK_ROW_MEMORY_MEAN].number = peak / 2;
	r->row->of[RTRACK_ROW_STATUS].text = "exited";
	r->row->of[RTRACK_ROW_CODE].number = 0;
	r->row->of[RTRACK_ROW_ASKED_CPUS].number = 4;
	r->row->of[RTRACK_ROW_ASKED_MEMORY].number = 1000 * MIB;
	return r;
}

static struct job_row *accounted(double cpu, double peak)
{
	struct job_row *r = add(IMPORT_OF_SACCT, "sacct://slurm/t/7/0", 1e9, 110, cpu, peak);

	r->row->of[RTRACK_ROW_STATUS].text = "exited";
	r->row->of[RTRACK_ROW_CODE].number = 0;
	r->row->of[RTRACK_ROW_ASKED_CPUS].number = 8;
	r->row->of[RTRACK_ROW_ASKED_TIME].number = 3600;
	r->row->of[RTRACK_ROW_ACCOUNT].text = "physics";
	r->run.submit = 1e9 - 50;
	return r;
}

static void join(void)
{
	job_rows_join(job, n);
}

TEST(a_recording_takes_what_accounting_says)
{
	struct job_row *r, *a;

	n = 0;
	r = recorded("/a", 1e9 + 1, 100, 200, 500 * MIB);
	a = accounted(201, 480 * MIB);
	join();
	assert_true(a->taken);
	assert_false(r->taken);
	assert_int_equal(r->run.origin, IMPORT_RECORDED_AND_SACCT);
	assert_string_equal(r->row->of[RTRACK_ROW_ACCOUNT].text, "physics");
	assert_string_equal(r->row->of[RTRACK_ROW_ASKED_CPUS_SOURCE].text, "sacct");
	assert_near(r->row->of[RTRACK_ROW_ASKED_CPUS].number, 8, 0);
	n = 0;
	r = recorded("/a", 1e9 + 1, 100, 200, 500 * MIB);
	a = accounted(201, 480 * MIB);
	a->row->of[RTRACK_ROW_ASKED_CPUS_SOURCE].text = "allocation";
	join();
	assert_string_equal(r->row->of[RTRACK_ROW_ASKED_CPUS_SOURCE].text, "allocation");
	/* Accounting does not say it. */
	assert_near(r->row->of[RTRACK_ROW_ASKED_MEMORY].number, 1000 * MIB, 0);
	assert_near(r->row->of[RTRACK_ROW_ASKED_TIME].number, 3600, 0);
	assert_near(r->row->of[RTRACK_ROW_CPU].number, 200, 0);
	assert_near(r->row->of[RTRACK_ROW_MEMORY_PEAK].number, 500 * MIB, 0);
	assert_near(r->run.submit, 1e9 - 50, 0);
	assert_near(r->run.accounted_cpu_s, 201, 0);
	assert_int_equal(r->run.differs, 0);
	assert_null(r->run.joined);
}

TEST(what_differs)
{
	static const struct {
		double cpu, peak;
		const char *signal;
		int differs;
	} cases[] = {
	    {200, 500, "", 0},
	    {211, 500, "", 0},
	    {212, 500, "", CATALOG_DIFFERS_CPU},
	    {150, 500, "", CATALOG_DIFFERS_CPU},
	    {200, 100, "", 0}, /* it looks now and then */
	    {200, 600, "", CATALOG_DIFFERS_MEMORY},
	    {200, 565, "", 0},
	    {200, 500, "KILL", CATALOG_DIFFERS_END},
	    {NAN, NAN, "", 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct job_row *r, *a;
		n = 0;
		r = recorded("/a", 1e9 + 1, 100, 200, 500 * MIB);
		a = accounted(cases[i].cpu, cases[i].peak * MIB);
		a->row->of[RTRACK_ROW_SIGNAL].text = cases[i].signal;
		join();
		assert_int_equal(r->run.differs, cases[i].differs);
		assert_string_equal(r->row->of[RTRACK_ROW_SIGNAL].text, cases[i].signal);
		/* Once more: the same. */
		join();
		assert_int_equal(r->run.differs & CATALOG_DIFFERS_CPU,
		                 cases[i].differs & CATALOG_DIFFERS_CPU);
	}
}

/* What Slurm says of the end, against an exit status, a signal and a cause that were recorded. */
TEST(ends)
{
	static const struct {
		double code;
		const char *signal, *cause;
		/* accounting */
		const char *status, *with_signal, *because;
		double with_code;
		/* both together */
		double is_code;
		const char *is_signal, *is_cause;
		int class;
	} cases[] = {
	    {0, "", "finished", "", "", "time_limit", NAN, NAN, "", "time_limit", CATALOG_FAILED},
	    {0, "", "finished", "", "", "cancelled", NAN, NAN, "", "cancelled", CATALOG_FAILED},
	    {0, "", "finished", "", "", "node_failed", NAN, NAN, "", "node_failed", CATALOG_FAILED},
	    {0, "", "finished", "", "", "preempted", NAN, NAN, "", "preempted", CATALOG_FAILED},
	    {0, "", "finished", "", "", "deadline", NAN, NAN, "", "deadline", CATALOG_FAILED},
	    {0, "", "finished", "oom", "", "oom", NAN, NAN, "", "oom", CATALOG_COUNTED},
	    {0, "", "finished", "exited", "", "finished", 0, 0, "", "finished", CATALOG_COUNTED},
	    /* old versions of sacct */
	    {137, "", "exited", "signaled", "KILL", "killed", NAN, 137, "", "exited",
	     CATALOG_FAILED},
	    {255, "", "exited", "exited", "", "exited", 127, 255, "", "exited", CATALOG_FAILED},
	    {143, "", "exited", "", "", "time_limit", NAN, 143, "", "time_limit", CATALOG_FAILED},
	    {NAN, "SEGV", "crash", "exited", "", "exited", 139, NAN, "SEGV", "crash",
	     CATALOG_FAILED},
	    {3, "", "exited", "exited", "", "finished", 0, 0, "", "finished", CATALOG_COUNTED},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct catalog_value v[CATALOG_COLUMNS];
		struct catalog_row_text text;
		struct job_row *r, *a;
		n = 0;
		r = recorded("/a", 1e9 + 1, 100, 200, 500 * MIB);
		r->row->of[RTRACK_ROW_CODE].number = cases[i].code;
		r->row->of[RTRACK_ROW_SIGNAL].text = cases[i].signal;
		r->row->of[RTRACK_ROW_END_CAUSE].text = cases[i].cause;
		a = accounted(200, 480 * MIB);
		a->row->of[RTRACK_ROW_STATUS].text = cases[i].status;
		a->row->of[RTRACK_ROW_CODE].number = cases[i].with_code;
		a->row->of[RTRACK_ROW_SIGNAL].text = cases[i].with_signal;
		a->row->of[RTRACK_ROW_END_CAUSE].text = cases[i].because;
		join();
		if (isnan(cases[i].is_code))
			assert_true(isnan(r->row->of[RTRACK_ROW_CODE].number));
		else
			assert_near(r->row->of[RTRACK_ROW_CODE].number, cases[i].is_code, 0);
		assert_string_equal(r->row->of[RTRACK_ROW_SIGNAL].text, cases[i].is_signal);
		assert_string_equal(r->row->of[RTRACK_ROW_END_CAUSE].text, cases[i].is_cause);
		catalog_row_values(&r->run, &text, v);
		assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, cases[i].class);
	}
}

/* A node failed in the middle: what accounting saw of the rest counts. */
TEST(recordings_that_stop_early)
{
	struct catalog_value v[CATALOG_COLUMNS];
	struct catalog_row_text text;
	struct job_row *script, *step, *a;

	for (int twice = 0; twice < 2; twice++) {
		n = 0;
		script = recorded("/a", 1e9 + 10, 20, 30, 100 * MIB);
		script->row->of[RTRACK_ROW_STATUS].text = "unfinished";
		script->row->of[RTRACK_ROW_CODE].number = NAN;
		script->row->of[RTRACK_ROW_SAMPLES].number = 5;
		step = twice ? recorded("/b", 1e9 + 12, 18, 50, 300 * MIB) : NULL;
		if (step)
			step->row->of[RTRACK_ROW_STATUS].text = "unfinished";
		a = accounted(200, 480 * MIB);
		join();
		assert_near(a->row->of[RTRACK_ROW_WALL].number, 110, 0);
		assert_near(script->row->of[RTRACK_ROW_WALL].number, twice ? 100 : 110, 0);
		assert_near(script->row->of[RTRACK_ROW_CPU].number, twice ? 30 + 60 : 200, 1e-9);
		assert_near(script->row->of[RTRACK_ROW_MEMORY_PEAK].number,
		            (twice ? 180 : 480) * MIB, 0);
		assert_int_equal(script->run.differs, 0);
		catalog_row_values(&script->run, &text, v);
		assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_COUNTED);
		assert_near(v[CATALOG_COLUMN_MEMORY_NEED].number, 480 * MIB, 0);
		assert_near(v[CATALOG_COLUMN_USED_CORE_S].number, 200, 1e-9);
	}
	/* What was recorded is more. */
	n = 0;
	script = recorded("/a", 1e9 + 10, 99.5, 300, 900 * MIB);
	script->row->of[RTRACK_ROW_STATUS].text = "unfinished";
	accounted(200, 480 * MIB);
	join();
	assert_near(script->row->of[RTRACK_ROW_CPU].number, 300, 0);
	assert_near(script->row->of[RTRACK_ROW_MEMORY_PEAK].number, 900 * MIB, 0);
	/* Accounting has no end either. */
	n = 0;
	script = recorded("/a", 1e9 + 10, 20, 30, 100 * MIB);
	script->row->of[RTRACK_ROW_STATUS].text = "unfinished";
	accounted(200, 480 * MIB)->row->of[RTRACK_ROW_STATUS].text = "unfinished";
	join();
	assert_near(script->row->of[RTRACK_ROW_CPU].number, 30, 0);
	assert_string_equal(script->row->of[RTRACK_ROW_STATUS].text, "unfinished");
	/* While it was suspended it did not run. */
	n = 0;
	script = recorded("/a", 1e9, 500, 30, 100 * MIB);
	accounted(30, 100 * MIB);
	join();
	assert_near(script->row->of[RTRACK_ROW_WALL].number, 110, 0);
}

/* 3 s of a run of 9; Slurm counts whole seconds. A job that it ended may leave processes behind for a while. A step that
 * came after the suspension is still inside of its script. */
TEST(suspended_time_is_no_run_time)
{
	static const struct {
		double recorded, accounted;
		const char *cause;
		double wall;
	} cases[] = {
	    {9.03, 3, "finished", 3},   {4.04, 4, "finished", 4.04}, {5.9, 4, "exited", 5.9},
	    {15, 10, "exited", 10},     {15, 10, "cancelled", 15},   {15, 10, "time_limit", 15},
	    {30, 10, "time_limit", 10}, {15, NAN, "finished", 15},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct job_row *script, *step, *a;
		n = 0;
		script = recorded("/a", 1e9, cases[i].recorded, 2, 10 * MIB);
		step = recorded("/b", 1e9 + cases[i].recorded - 2, 2, 1, 50 * MIB);
		a = accounted(3, 50 * MIB);
		a->row->of[RTRACK_ROW_WALL].number = cases[i].accounted;
		a->row->of[RTRACK_ROW_END_CAUSE].text = cases[i].cause;
		join();
		assert_near(script->row->of[RTRACK_ROW_WALL].number, cases[i].wall, 0);
		assert_near(step->row->of[RTRACK_ROW_WALL].number, 2, 0);
		assert_true(step->run.inside);
		/* Both are read again. */
		a = recorded("/a", 1e9, cases[i].recorded, 2, 10 * MIB);
		job_rows_inherit(a, script);
		assert_near(a->row->of[RTRACK_ROW_WALL].number, cases[i].wall, 0);
		a = recorded("/b", 1e9, 9, 2, 10 * MIB);
		job_rows_inherit(a, script);
		assert_near(a->row->of[RTRACK_ROW_WALL].number, 9, 0);
	}
}

/* The job's name, not that of a step's command; its node by any of its names; and short steps. */
TEST(names_and_short_steps)
{
	static const struct {
		const char *node, *host, *of_node, *of_host;
		bool same;
	} cases[] = {
	    {"n1", "n1.site", "", "n1.site", true},
	    {"n1", "n1.site", "n1.site", "", true},
	    {"n1", "n1.site", "", "n1", true},
	    {"", "n1", "", "n1.site", true},
	    {"n1", "box", "n2", "box", false},
	    {"", "n1.a", "", "n1.b", false},
	    {"c3", "ip-10-0-0-1", "", "ip-10-0-0-1", true},
	    {"", "n1", "", "n11", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct catalog_value v[CATALOG_COLUMNS];
		struct catalog_row_text text;
		struct job_row *script, *step;
		n = 0;
		script = recorded("/a", 1e9, 100, 2, 10 * MIB);
		step = recorded("/b", 1e9 + 10, 5, 10, 50 * MIB);
		step->row->of[RTRACK_ROW_NAME].text = "sleep";
		step->row->of[RTRACK_ROW_SAMPLES].number = 5;
		script->row->of[RTRACK_ROW_NODE].text = cases[i].node;
		script->row->of[RTRACK_ROW_HOST].text = cases[i].host;
		step->row->of[RTRACK_ROW_NODE].text = cases[i].of_node;
		step->row->of[RTRACK_ROW_HOST].text = cases[i].of_host;
		join();
		assert_int_equal(step->run.inside, cases[i].same);
		assert_string_equal(step->row->of[RTRACK_ROW_NAME].text, "align");
		catalog_row_values(&step->run, &text, v);
		assert_int_equal(v[CATALOG_COLUMN_CLASS].integer, CATALOG_COUNTED);
	}
	n = 0;
	recorded("/a", 1e9, 10, 2, 10 * MIB)->row->of[RTRACK_ROW_NAME].text = "sh";
	rows[0].of[RTRACK_ROW_LABELS].text = "scheduler=slurm;slurm.job_name=solve;x=y";
	recorded("/b", 1e9 + 10, 50, 10, 50 * MIB)->row->of[RTRACK_ROW_NAME].text = "sleep";
	join();
	assert_string_equal(rows[0].of[RTRACK_ROW_NAME].text, "solve");
	assert_string_equal(rows[1].of[RTRACK_ROW_NAME].text, "solve");
	accounted(12, 50 * MIB)->row->of[RTRACK_ROW_NAME].text = "own";
	join();
	assert_string_equal(rows[0].of[RTRACK_ROW_NAME].text, "own");
	assert_string_equal(rows[1].of[RTRACK_ROW_NAME].text, "own");
}

TEST(accounting_of_several_nodes)
{
	struct job_row *a, *first, *second;

	n = 0;
	first = recorded("/a", 1e9 + 1, 100, 100, 500 * MIB);
	second = recorded("/b", 1e9 + 1, 100, 100, 500 * MIB);
	first->row->of[RTRACK_ROW_JOB].text = second->row->of[RTRACK_ROW_JOB].text =
	    "slurm/t/7/0/0";
	second->row->of[RTRACK_ROW_NODE].text = "n2";
	second->row->of[RTRACK_ROW_ASKED_CPUS].number = NAN;
	a = accounted(201, 480 * MIB);
	a->row->of[RTRACK_ROW_NODES].number = 2;
	a->row->of[RTRACK_ROW_COVERS].text = CATALOG_COVERS_JOB;
	join();
	/* Its own nodes are known better than a half of all. */
	assert_near(first->row->of[RTRACK_ROW_ASKED_CPUS].number, 4, 0);
	assert_near(second->row->of[RTRACK_ROW_ASKED_CPUS].number, 4, 0);
	assert_string_equal(second->row->of[RTRACK_ROW_ASKED_CPUS_SOURCE].text, "sacct");
	assert_int_equal(first->run.differs | second->run.differs, 0);
	/* Nodes of one step are a run by their own key. */
	assert_null(first->run.joined);
	assert_false(first->run.inside || second->run.inside);
}

static struct job_row *component(const char *path, const char *nodes, double cpu, double asked)
{
	struct job_row *r = accounted(cpu, 20 * MIB);

	r->run.source.path = path;
	r->row->of[RTRACK_ROW_JOB].text = "slurm/t/7/0";
	r->row->of[RTRACK_ROW_NODE].text = nodes;
	r->row->of[RTRACK_ROW_ASKED_CPUS].number = asked;
	return r;
}

/* Each recording has the ask of the component whose nodes it ran on. */
TEST(heterogeneous_jobs)
{
	struct job_row *script, *step, *a, *b;

	n = 0;
	script = recorded("/a", 1e9, 100, 2, 10 * MIB);
	script->row->of[RTRACK_ROW_HOST].text = "unknown-to-slurm";
	step = recorded("/b", 1e9 + 1, 99, 50, 90 * MIB);
	step->row->of[RTRACK_ROW_HOST].text = "n12.site";
	b = component("sacct://slurm/t/7/0@+1", "n[10-19]", 50, 16);
	a = component("sacct://slurm/t/7/0", "n1", 2, 1);
	join();
	assert_true(a->taken && b->taken);
	assert_near(script->row->of[RTRACK_ROW_ASKED_CPUS].number, 1, 0);
	assert_near(step->row->of[RTRACK_ROW_ASKED_CPUS].number, 16, 0);
	assert_int_equal(script->run.differs | step->run.differs, 0);
	assert_near(script->run.accounted_cpu_s, 52, 0);
	assert_string_equal(script->run.joined, "slurm/t/7/0");
	assert_string_equal(step->run.joined, "slurm/t/7/0");
	/* Of the second component there is no recording: its row stays, in the same run. */
	n = 0;
	script = recorded("/a", 1e9, 100, 2, 10 * MIB);
	b = component("sacct://slurm/t/7/0@+1", "n[10-19]", 50, 16);
	a = component("sacct://slurm/t/7/0", "n1", 2, 1);
	join();
	assert_true(a->taken && !b->taken);
	assert_near(script->row->of[RTRACK_ROW_ASKED_CPUS].number, 1, 0);
	assert_string_equal(script->run.joined, "slurm/t/7/0");
	assert_string_equal(b->run.joined, "slurm/t/7/0");
	assert_int_equal(script->run.differs, 0);
}

/* The tasks of a step have shares of its ask, whatever the job has in all. */
TEST(asks_of_tasks)
{
	struct job_row *task[3];

	n = 0;
	for (int i = 0; i < 2; i++) {
		task[i] = recorded(i ? "/b" : "/a", 1e9 + 1, 100, 100, 50 * MIB);
		task[i]->row->of[RTRACK_ROW_JOB].text = "slurm/t/7/0/0";
		task[i]->row->of[RTRACK_ROW_COVERS].text = "task";
		task[i]->row->of[RTRACK_ROW_ASKED_MEMORY].number = NAN;
	}
	task[2] = recorded("/c", 1e9 + 101, 100, 100, 50 * MIB); /* a step of the whole node */
	task[2]->row->of[RTRACK_ROW_ASKED_CPUS].number = 8;
	accounted(300, 100 * MIB)->row->of[RTRACK_ROW_ASKED_MEMORY].number = 300 * MIB;
	join();
	assert_near(task[0]->row->of[RTRACK_ROW_ASKED_CPUS].number, 4, 0);
	assert_near(task[1]->row->of[RTRACK_ROW_ASKED_CPUS].number, 4, 0);
	assert_near(task[2]->row->of[RTRACK_ROW_ASKED_CPUS].number, 8, 0);
	/* It knew nothing of its own. */
	assert_near(task[0]->row->of[RTRACK_ROW_ASKED_MEMORY].number, 300 * MIB, 0);
}

/* srun --mem: of two steps beside each other on a node, and of one on each of two nodes. */
TEST(asks_of_steps)
{
	struct job_row *first, *second, *other, *a;

	n = 0;
	first = recorded("/a", 1e9, 50, 2, 10 * MIB);
	second = recorded("/b", 1e9 + 50, 60, 100, 50 * MIB);
	other = recorded("/c", 1e9 + 50, 60, 100, 50 * MIB);
	first->row->of[RTRACK_ROW_ASKED_MEMORY].number = 70 * MIB;
	other->row->of[RTRACK_ROW_ASKED_MEMORY].number = 70 * MIB;
	other->row->of[RTRACK_ROW_HOST].text = "n2";
	join();
	assert_near(first->row->of[RTRACK_ROW_ASKED_MEMORY].number, 1000 * MIB, 0);
	assert_near(second->row->of[RTRACK_ROW_ASKED_MEMORY].number, 1000 * MIB, 0);
	assert_near(other->row->of[RTRACK_ROW_ASKED_MEMORY].number, 70 * MIB, 0);
	/* One that somebody named is no step's. */
	first->row->of[RTRACK_ROW_ASKED_MEMORY].number = 70 * MIB;
	first->row->of[RTRACK_ROW_ASKED_MEMORY_SOURCE].text = "user";
	join();
	assert_near(first->row->of[RTRACK_ROW_ASKED_MEMORY].number, 70 * MIB, 0);

	n = 0;
	first = recorded("/a", 1e9 + 1, 100, 100, 50 * MIB);
	second = recorded("/b", 1e9 + 1, 100, 100, 50 * MIB);
	second->row->of[RTRACK_ROW_HOST].text = "n2";
	first->row->of[RTRACK_ROW_ASKED_MEMORY].number = 70 * MIB;
	second->row->of[RTRACK_ROW_ASKED_MEMORY].number = 80 * MIB;
	a = accounted(200, 100 * MIB);
	a->row->of[RTRACK_ROW_NODES].number = 2;
	a->row->of[RTRACK_ROW_COVERS].text = CATALOG_COVERS_JOB;
	a->row->of[RTRACK_ROW_ASKED_MEMORY].number = 300 * MIB;
	join();
	assert_near(first->row->of[RTRACK_ROW_ASKED_MEMORY].number, 150 * MIB, 0);
	assert_near(second->row->of[RTRACK_ROW_ASKED_MEMORY].number, 150 * MIB, 0);
}

TEST(steps_inside_of_a_script)
{
	struct job_row *script, *step, *other, *beside;

	n = 0;
	script = recorded("/a", 1e9, 100, 2, 10 * MIB);
	step = recorded("/b", 1e9 + 10, 50, 100, 500 * MIB);
	other = recorded("/c", 1e9 + 20, 30, 60, 300 * MIB);
	beside = recorded("/d", 1e9 + 30, 40, 40, 100 * MIB);
	beside->row->of[RTRACK_ROW_HOST].text = "n2";
	join();
	assert_string_equal(script->run.joined, "slurm/t/7/0");
	assert_string_equal(beside->run.joined, "slurm/t/7/0");
	assert_false(script->run.inside);
	assert_true(step->run.inside);
	assert_true(other->run.inside);
	assert_false(beside->run.inside); /* another node, another ask */
	assert_near(script->run.inner.core_s, 160, 1e-9);
	assert_near(script->run.inner.byte_s, (250 * 50 + 150 * 30) * MIB, 1);
	assert_near(script->run.inner.peak_b, 800 * MIB, 0);
	assert_near(step->run.inner.core_s, 0, 0);
}

TEST(steps_one_after_the_other)
{
	struct job_row *first, *second;

	n = 0;
	first = recorded("/a", 1e9, 50, 2, 10 * MIB);
	second = recorded("/b", 1e9 + 50, 60, 100, 500 * MIB);
	join();
	assert_false(first->run.inside || second->run.inside);
	assert_string_equal(first->run.joined, second->run.joined);
}

/* -- in a catalog ------------------------------------------------------------------------------ */

struct totals {
	double runs, wall_s, asked_core_s, used_core_s, unused_core_s, need_b;
};

static int add_cell(void *ctx, const struct catalog_cell *cell, struct err *e)
{
	struct totals *t = ctx;

	(void)e;
	for (size_t i = 0; i < cell->classes.n; i++) {
		t->runs += catalog_map_at(&cell->classes, i, CATALOG_SUM_RUNS);
		t->wall_s += catalog_map_at(&cell->classes, i, CATALOG_SUM_WALL_S);
		t->asked_core_s += catalog_map_at(&cell->classes, i, CATALOG_SUM_ASKED_CORE_S);
		t->used_core_s += catalog_map_at(&cell->classes, i, CATALOG_SUM_USED_CORE_S);
		t->unused_core_s += catalog_map_at(&cell->classes, i, CATALOG_SUM_UNUSED_CORE_S);
	}
	t->need_b = fmax(t->need_b, cell->memory_need_b);
	return 0;
}

static struct totals totals_of(struct catalog *c)
{
	struct totals t = {0};
	struct err e = {0};

	assert_int_equal(catalog_overview(c, &(struct catalog_query){0}, add_cell, NULL, &t, &e),
	                 0);
	return t;
}

static void put(struct scan_jobs *j, struct catalog *c, size_t first, size_t count)
{
	struct catalog_run run[MAX];
	struct rtrack_row *row[MAX], copy[MAX];
	struct err e = {0};

	/* Rows are changed: each scan reads them again. */
	for (size_t i = 0; i < count; i++) {
		memcpy(&copy[i], &rows[first + i], sizeof copy[i]);
		run[i] = job[first + i].run;
		run[i].row = row[i] = &copy[i];
	}
	if (scan_jobs_put(j, c, run, row, count, &e))
		fail_msg("%s", e.msg);
}

/* In whatever order and in however many scans they are put, the catalog has the same. */
TEST(in_any_order)
{
	static const size_t orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {2, 0, 1}};

	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		struct err e = {0};
		struct catalog *c = catalog_open(NULL, CATALOG_WRITE, NULL, &e);
		struct scan_jobs jobs = {0};
		struct totals t;

		n = 0;
		recorded("/a", 1e9, 100, 2, 10 * MIB);
		recorded("/b", 1e9 + 10, 50, 100, 500 * MIB);
		accounted(102, 480 * MIB);
		for (size_t k = 0; k < 3; k++)
			put(&jobs, c, orders[i][k], 1);
		for (size_t again = 0; again < 2; again++) {
			t = totals_of(c);
			assert_near(t.runs, 1, 0);
			assert_near(t.wall_s, 100, 0);
			assert_near(t.asked_core_s, 800, 1e-6);
			assert_near(t.used_core_s, 102, 1e-6);
			assert_near(t.unused_core_s, 698, 1e-6);
			assert_near(t.need_b, 510 * MIB, 1);
			jobs = (struct scan_jobs){0};
			put(&jobs, c, 0, 3);
		}
		catalog_close(c);
	}
}

/* A recording carries the number of another user's job: neither changes. */
TEST(jobs_of_several_users)
{
	static const struct {
		const char *recorded, *other, *accounted;
		double runs;
		size_t refused;
	} cases[] =
	    {
		{"ann", "ann", "ann", 1, 0},
		{"ann", "", "ann", 1, 0}, /* nothing says that it is another's */
		{"ann", "bob", "ann", 2, 1},
		{"ann", "bob", "bob", 2, 1},
		{"ann", "bob", "eve", 3, 1},
		{"ann", "bob", "", 3, 1}, /* it may be of either */
	    };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = {0};
		struct catalog *c = catalog_open(NULL, CATALOG_WRITE, NULL, &e);
		struct scan_jobs jobs = {0};

		n = 0;
		recorded("/a", 1e9, 100, 2, 10 * MIB)->row->of[RTRACK_ROW_USER].text =
		    cases[i].recorded;
		recorded("/b", 1e9 + 10, 50, 100, 500 * MIB)->row->of[RTRACK_ROW_USER].text =
		    cases[i].other;
		accounted(102, 480 * MIB)->row->of[RTRACK_ROW_USER].text = cases[i].accounted;
		put(&jobs, c, 0, 3);
		assert_near(totals_of(c).runs, cases[i].runs, 0);
		assert_int_equal(jobs.refused, cases[i].refused);
		catalog_close(c);
	}
}

/* Three months later the number is another job's: each has its script, a step and its accounting. */
TEST(numbers_are_used_again)
{
	struct err e = {0};

	for (int known = 0; known < 2; known++) {
		struct catalog *c = catalog_open(NULL, CATALOG_WRITE, NULL, &e);
		struct scan_jobs jobs = {0};
		struct totals t;
		n = 0;
		recorded("/a", 1e9, 100, 2, 10 * MIB);
		recorded("/b", 1e9 + 10, 50, 100, 500 * MIB)->row->of[RTRACK_ROW_JOB].text = "s/1";
		accounted(102, 480 * MIB);
		recorded("/c", 1e9 + 8e6, 100, 2, 10 * MIB);
		recorded("/d", 1e9 + 8e6 + 10, 50, 20, 90 * MIB)->row->of[RTRACK_ROW_JOB].text =
		    "s/2";
		accounted(22, 90 * MIB);
		rows[5].of[RTRACK_ROW_START].number += 8e6;
		job[5].run.submit += 8e6;
		job[5].run.source.path = "sacct://slurm/t/7/0@1008000000";
		put(&jobs, c, 0, known ? 3 : 6);
		if (known)
			put(&jobs, c, 3, 3);
		t = totals_of(c);
		assert_near(t.runs, 2, 0);
		assert_near(t.used_core_s, 124, 1e-6);
		assert_near(t.asked_core_s, 1600, 1e-6);
		catalog_close(c);
	}
}

/* Accounting of two nodes: asks and use are those of both. */
TEST(a_job_of_accounting)
{
	struct err e = {0};
	struct catalog *c = catalog_open(NULL, CATALOG_WRITE, NULL, &e);
	struct scan_jobs jobs = {0};
	struct totals t;

	n = 0;
	accounted(220, 480 * MIB);
	rows[0].of[RTRACK_ROW_NODES].number = 2;
	rows[0].of[RTRACK_ROW_COVERS].text = CATALOG_COVERS_JOB;
	put(&jobs, c, 0, 1);
	t = totals_of(c);
	assert_near(t.runs, 1, 0);
	assert_near(t.wall_s, 220, 0);
	assert_near(t.asked_core_s, 880, 1e-6);
	assert_near(t.used_core_s, 220, 1e-6);
	assert_near(t.need_b, 240 * MIB, 0);
	catalog_close(c);
}

/* Many puts in one transaction: all or none. */
TEST(in_bulk)
{
	char path[] = "/tmp/rtrack-bulk-XXXXXX", db[64];
	struct scan_jobs jobs = {0};
	struct err e = {0};
	struct catalog *c;

	assert_non_null(mkdtemp(path));
	snprintf(db, sizeof db, "%s/runs.db", path);
	for (int again = 0; again < 3; again++) {
		c = catalog_open(db, CATALOG_WRITE, NULL, &e);
		assert_non_null(c);
		jobs = (struct scan_jobs){0};
		assert_int_equal(catalog_bulk(c, true, &e), 0);
		n = 0;
		accounted(102, 480 * MIB);
		put(&jobs, c, 0, 1);
		n = 0;
		recorded("/a", 1e9, 100, 2, 10 * MIB);
		recorded("/b", 1e9 + 10, 50, 100, 500 * MIB);
		put(&jobs, c, 0, 2);
		/* The first time the process ends before the end. */
		if (again)
			assert_int_equal(catalog_bulk(c, false, &e), 0);
		catalog_close(c);
		c = catalog_open(db, CATALOG_READ, NULL, &e);
		assert_non_null(c);
		assert_near(totals_of(c).runs, again ? 1 : 0, 0);
		assert_near(totals_of(c).used_core_s, again ? 102 : 0, 1e-6);
		catalog_close(c);
	}
	unlink(db);
	rmdir(path);
}
