/* record: from samples to rows, in the journal and as CSV. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/row_builder.h"
#include "core/recording/snapshot_source.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

#define MAX 16

struct fixture {
	char path[64];
	struct snapshot s;
	struct row_builder r;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	int fd;

	*state = f;
	if (!f)
		return -1;
	strcpy(f->path, "/tmp/rtrack-record-XXXXXX");
	fd = mkstemp(f->path);
	close(fd);
	unlink(f->path);
	f->s.meta.track_processes = f->s.meta.track_system = true;
	f->s.schema = SCHEMA_1;
	f->r.journal = journal_create(f->path, &f->s, NULL);
	f->r.interval = 1000000000;
	f->r.shape = (struct sample_shape){.pid = 7, .cpus = 4, .tree = true};
	return f->r.journal ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	journal_close(f->r.journal, true);
	snapshot_free(&f->s);
	free(f);
	return 0;
}

/* A sample after s seconds, when the tree has used u seconds, and has that much memory. */
static struct sample at(double s, double u, double memory_b)
{
	return (struct sample){
	    .at = (int64_t)(s * 1e9),
	    .time = s,
	    .tree = {
		.sum = {u}, .all = {.memory_b = memory_b}, .alive = memory_b > 0, .children = 1}};
}

static void sample(struct fixture *f, double s, double u, bool regular)
{
	struct sample now = at(s, u, 100 + s);

	row_builder_sample(&f->r, &now, regular, s >= 2);
}

static void finish(struct fixture *f, double s, double u)
{
	struct sample now = at(s, u, 0);

	row_builder_end(&f->r, &now, s >= 2, 55);
}

static size_t column(struct fixture *f, bool early, enum metric_id id, double out[MAX])
{
	struct snapshot_source rows = journal_source(f->r.journal, early);

	assert_true(rows.rows <= MAX);
	assert_int_equal(rows.fetch(rows.ctx, id, 0, rows.rows, out, NULL), 0);
	return rows.rows;
}

static void expect(struct fixture *f, bool early, enum metric_id id, size_t n, const double *v)
{
	double got[MAX];

	assert_int_equal(column(f, early, id, got), n);
	for (size_t i = 0; i < n; i++)
		assert_near(got[i], v[i], 1e-6);
}

#define EXPECT(f, early, id, ...)                                                                  \
	expect(f, early, id, sizeof((const double[]){__VA_ARGS__}) / sizeof(double),               \
	       (const double[]){__VA_ARGS__})

static void begin(struct fixture *f)
{
	struct sample first = at(0, 0, 100);

	row_builder_start(&f->r, &first);
}

TEST_WITH(a_moment_is_one_row, setup, teardown)
{
	struct fixture *f = *state;

	begin(f);
	finish(f, 0.001, 0.0005);
	EXPECT(f, true, METRIC_PROCESS_UTIME, 0.0005);
	EXPECT(f, true, METRIC_PROCESS_MEMORY, 100);
	EXPECT(f, true, METRIC_PROCESS_CPU_USAGE, 0.5);
}

TEST_WITH(memory_that_no_sample_saw, setup, teardown)
{
	struct fixture *f = *state;
	struct sample first = at(0, 0, 0);

	row_builder_start(&f->r, &first);
	finish(f, 0.001, 0.0005);
	EXPECT(f, true, METRIC_PROCESS_MEMORY, 55);
}

TEST_WITH(a_short_run_is_its_early_rows, setup, teardown)
{
	struct fixture *f = *state;

	begin(f);
	sample(f, 0.05, 0.05, false);
	sample(f, 0.1, 0.05, false);
	sample(f, 0.7, 0.35, true);
	finish(f, 1.5, 0.4);
	EXPECT(f, true, METRIC_PROCESS_TIMESTAMP, 0.05, 0.1, 0.7, 1.5);
	EXPECT(f, true, METRIC_PROCESS_UTIME, 0.05, 0, 0.3, 0.05);
	EXPECT(f, true, METRIC_PROCESS_MEMORY, 100.05, 100.1, 100.7, 100.7);
	EXPECT(f, false, METRIC_PROCESS_UTIME, 0.35, 0.05);
}

TEST_WITH(a_last_early_moment_belongs_to_the_row_before, setup, teardown)
{
	struct fixture *f = *state;

	begin(f);
	sample(f, 0.05, 0.05, false);
	finish(f, 0.055, 0.06);
	EXPECT(f, true, METRIC_PROCESS_TIMESTAMP, 0.055);
	EXPECT(f, true, METRIC_PROCESS_UTIME, 0.06);
}

TEST_WITH(a_long_run_is_its_regular_rows, setup, teardown)
{
	struct fixture *f = *state;

	begin(f);
	sample(f, 0.05, 0.05, false);
	sample(f, 0.7, 0.35, true);
	sample(f, 1.7, 0.75, true);
	sample(f, 2.7, 1.75, true);
	finish(f, 3.2, 2);
	EXPECT(f, false, METRIC_PROCESS_TIMESTAMP, 0.7, 1.7, 2.7, 3.2);
	EXPECT(f, false, METRIC_PROCESS_UTIME, 0.35, 0.4, 1, 0.25);
	EXPECT(f, false, METRIC_PROCESS_CPU_USAGE, 0.5, 0.4, 1, 0.5);
	EXPECT(f, true, METRIC_PROCESS_TIMESTAMP, 0.05, 0.7, 1.7);
}

TEST_WITH(a_last_moment_belongs_to_the_row_before, setup, teardown)
{
	struct fixture *f = *state;

	begin(f);
	sample(f, 0.7, 0, true);
	sample(f, 1.7, 0, true);
	sample(f, 2.7, 1, true);
	finish(f, 2.75, 1.05);
	EXPECT(f, false, METRIC_PROCESS_TIMESTAMP, 0.7, 1.7, 2.75);
	EXPECT(f, false, METRIC_PROCESS_UTIME, 0, 0, 1.05);
	EXPECT(f, false, METRIC_PROCESS_CPU_USAGE, 0, 0, 1);
	EXPECT(f, false, METRIC_PROCESS_MEMORY, 100.7, 101.7, 102.7);
	EXPECT(f, false, METRIC_PROCESS_CHILDREN, 1, 1, 1);
}

/* Less than half an interval; half of it is a row of its own. */
TEST_WITH(a_short_rest_belongs_to_the_row_before, setup, teardown)
{
	struct fixture *f = *state;

	begin(f);
	sample(f, 1, 0, true);
	sample(f, 2, 1, true);
	finish(f, 2.49, 1.49);
	EXPECT(f, false, METRIC_PROCESS_TIMESTAMP, 1, 2.49);
	EXPECT(f, false, METRIC_PROCESS_UTIME, 0, 1.49);
}

TEST_WITH(half_an_interval_is_a_row, setup, teardown)
{
	struct fixture *f = *state;

	begin(f);
	sample(f, 1, 0, true);
	sample(f, 2, 1, true);
	finish(f, 2.5, 1.5);
	EXPECT(f, false, METRIC_PROCESS_TIMESTAMP, 1, 2, 2.5);
	EXPECT(f, false, METRIC_PROCESS_UTIME, 0, 1, 0.5);
}

/* Busy for the first seconds, then idle, for 12.2 s: the rows' plain mean, as other tools take it,
 * is CPU seconds over wall time. Early samples are not part of them. */
TEST_WITH(plain_means_of_a_long_run, setup, teardown)
{
	struct fixture *f = *state;
	double cores[MAX], busy = 2.75, end = 12.2, sum = 0;
	struct schedule t;
	size_t n;

	schedule_start(&t, 1, 0, 100300000000);
	begin(f);
	while (schedule_deadline(&t) < (int64_t)(end * 1e9)) {
		int64_t at = schedule_deadline(&t);
		double s = (double)at / 1e9;
		enum schedule_due due = schedule_wake(&t, at);
		sample(f, s, s < busy ? s : busy, due == SCHEDULE_REGULAR);
	}
	finish(f, end, busy);
	n = column(f, false, METRIC_PROCESS_CPU_USAGE, cores);
	assert_int_equal(n, 12);
	for (size_t i = 0; i < n; i++)
		sum += cores[i];
	assert_true(fabs(sum / (double)n / (busy / end) - 1) < 0.02);
}

TEST_WITH(what_was_carried_is_not_carried_twice, setup, teardown)
{
	struct fixture *f = *state;

	begin(f);
	sample(f, 1, 0, true);
	sample(f, 2, 4.1, true); /* 4 of them fit */
	finish(f, 2.05, 4.1);    /* now all */
	EXPECT(f, false, METRIC_PROCESS_UTIME, 0, 4.1);
}

/* 0.06 s of the last row were used before, in ticks that had not been told. */
TEST_WITH(what_comes_late_is_shared_by_the_last_two, setup, teardown)
{
	struct fixture *f = *state;
	struct sample last = at(2.5, 2.06, 0);

	begin(f);
	sample(f, 1, 0.8, true);
	sample(f, 2, 1.6, true);
	last.tree.late_s = 0.06;
	row_builder_end(&f->r, &last, true, 0);
	EXPECT(f, false, METRIC_PROCESS_UTIME, 0.8, 0.84, 0.42);
	EXPECT(f, false, METRIC_PROCESS_CPU_USAGE, 0.8, 0.84, 0.84);
	assert_near(f->r.cpu_s, 2.06, 1e-6);
}

/* As much as 4 CPUs can have done in 0.5 s; the rest in the row before, as far as there is room. */
TEST_WITH(no_last_row_is_over_the_cpus, setup, teardown)
{
	struct fixture *f = *state;

	begin(f);
	sample(f, 1, 0, true);
	sample(f, 2, 1, true);
	finish(f, 2.5, 4);
	EXPECT(f, false, METRIC_PROCESS_UTIME, 0, 2, 2);
	EXPECT(f, false, METRIC_PROCESS_CPU_USAGE, 0, 2, 4);
	assert_near(f->r.cpu_s, 4, 1e-6);
}

TEST_WITH(an_early_row_takes_its_share_too, setup, teardown)
{
	struct fixture *f = *state;
	struct sample last = at(0.2, 0.19, 0);

	begin(f);
	sample(f, 0.1, 0.07, false);
	last.tree.late_s = 0.04;
	row_builder_end(&f->r, &last, false, 0);
	EXPECT(f, true, METRIC_PROCESS_UTIME, 0.09, 0.1);
	assert_near(f->r.cpu_s, 0.19, 1e-6);
}

TEST_WITH(the_peak_is_of_all_samples, setup, teardown)
{
	struct fixture *f = *state;
	struct sample high = at(0.05, 0, 5000);

	begin(f);
	row_builder_sample(&f->r, &high, false, false);
	sample(f, 0.7, 0, true);
	finish(f, 1, 0);
	assert_near(f->r.peak_b, 5000, 1e-6);
}

/* Files in tmpfs that no process has mapped are in no PSS. */
TEST_WITH(tmpfs_is_in_the_upper_bound, setup, teardown)
{
	struct fixture *f = *state;
	struct sample first = at(0, 0, 0), now = at(1, 0, 1000);

	first.values[METRIC_SYSTEM_MEMORY_SHMEM] = 5000;
	first.cgroup.shmem_b = first.cgroup.anonymous_b = NAN;
	row_builder_start(&f->r, &first);
	now.values[METRIC_SYSTEM_MEMORY_SHMEM] = 9000;
	now.cgroup = first.cgroup;
	now.tree.memory_most_b = now.tree.memory_least_b = 1000;
	now.tree.shmem_b = 300; /* mapped */
	row_builder_sample(&f->r, &now, true, false);
	assert_near(f->r.most_b, 1000 + 3700, 1e-6);
	assert_near(f->r.tmpfs_b, 3700, 1e-6);
	/* a cgroup of the job's own says whose it is */
	now.at += 1000000000;
	now.cgroup.shmem_b = 8000;
	now.cgroup.anonymous_b = 500;
	now.tree.memory_least_b = 8500;
	row_builder_sample(&f->r, &now, true, false);
	assert_near(f->r.most_b, 1000 + 7700, 1e-6);
	assert_near(f->r.held_b, 8500, 1e-6);
	assert_near(f->r.tmpfs_b, 3700, 1e-6);
}

/* The user times of the CSV of a job that ends 0.05 s after its last sample, and its last cores. */
static int csv_of_a_short_last_row(struct fixture *f, double late_s, double v[4], double *cores)
{
	char text[4096] = "", *line;
	struct csv_stream csv = {
	    .scope = METRIC_SCOPE_PROCESS, .schema = SCHEMA_1, .name = "a.csv"};
	struct sample last = at(2.05, 1.625, 0);
	int p[2], lines = 0;

	assert_int_equal(pipe(p), 0);
	csv.out.fd = p[1];
	f->r.csv = &csv;
	begin(f);
	sample(f, 0.05, 0.05, false);
	sample(f, 1, 0.5, true);
	sample(f, 2, 1.5, true);
	last.tree.late_s = late_s;
	row_builder_end(&f->r, &last, true, 0);
	close(p[1]);
	assert_true(read(p[0], text, sizeof text - 1) > 0);
	close(p[0]);
	for (line = text; *line; line = strchr(line, '\n') + 1, lines++) {
		assert_true(lines < 4);
		assert_int_equal(sscanf(line, "%*[^,],7,%*[^,],%lf,%*[^,],%lf", &v[lines], cores),
		                 2);
	}
	return lines;
}

TEST_WITH(csv_rows_sum_to_all, setup, teardown)
{
	double v[4], cores;

	assert_int_equal(csv_of_a_short_last_row(*state, 0, v, &cores), 3);
	assert_near(v[0] + v[1] + v[2], 1.625, 1e-6);
	assert_near(cores, 0.125 / 0.05, 1e-3);
}

/* Of 0.105 s that only the exact account had, 0.005 s are of the last row. */
TEST_WITH(a_last_csv_row_has_all_that_came_late, setup, teardown)
{
	double v[4], cores;

	assert_int_equal(csv_of_a_short_last_row(*state, 0.105, v, &cores), 3);
	assert_near(v[0] + v[1] + v[2], 1.625, 1e-6);
	assert_near(cores, 0.025 / 0.05, 1e-3);
	EXPECT((struct fixture *)*state, false, METRIC_PROCESS_UTIME, 0.5, 1.125);
}

TEST_WITH(a_csv_that_fails_ends_alone, setup, teardown)
{
	struct fixture *f = *state;
	struct csv_stream csv = {
	    .scope = METRIC_SCOPE_PROCESS, .schema = SCHEMA_1, .out.fd = -1, .name = "a.csv"};

	f->r.csv = &csv;
	begin(f);
	assert_false(f->r.csv_failed);
	sample(f, 1, 0.5, true);
	assert_true(f->r.csv_failed);
	finish(f, 1.5, 1);
	EXPECT(f, false, METRIC_PROCESS_UTIME, 0.5, 0.5);
	assert_false(f->r.journal_failed);
}
