/* Tests of collect/process/tracked_process.c: idle processes, and lateness of CPU time. */
#include <math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/process/tracked_process.h"
#include "tests/unit/unit.h"

struct machine {
	char dir[64];
	struct root root;
	struct tracked_process m;
};

static void put(const struct machine *m, const char *file, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof path, "%s/proc/7/%s", m->dir, file);
	f = fopen(path, "w"); /* the same file: a kept descriptor sees it */
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void set(const struct machine *m, char state, int threads, int utime, int written)
{
	char text[256];

	snprintf(text, sizeof text,
	         "7 (x) %c 1 1 1 0 -1 0 10 0 0 0 %d 0 0 0 20 0 %d 0 5 1000000 10 0\n", state, utime,
	         threads);
	put(m, "stat", text);
	snprintf(text, sizeof text, "read_bytes: 0\nwrite_bytes: %d\n", written);
	put(m, "io", text);
}

static int setup(void **state)
{
	struct machine *m = calloc(1, sizeof *m);
	struct err e = {0};
	char path[128];

	*state = m;
	if (!m)
		return -1;
	strcpy(m->dir, "/tmp/rtrack-process-XXXXXX");
	if (!mkdtemp(m->dir) || root_open(&m->root, m->dir, &e))
		return -1;
	/* As on the live machine: no process is idle on a captured one. */
	m->root.replayed = false;
	snprintf(path, sizeof path, "%s/proc", m->dir);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/proc/7", m->dir);
	return mkdir(path, 0700);
}

static int teardown(void **state)
{
	struct machine *m = *state;
	char command[96];
	int failed;

	tracked_process_close(&m->m);
	root_close(&m->root);
	snprintf(command, sizeof command, "rm -rf '%s'", m->dir);
	failed = system(command);
	free(m);
	return failed;
}

static void look(struct machine *m)
{
	assert_int_equal(tracked_process_read(&m->m, &m->root), 0);
	assert_int_equal(tracked_process_io(&m->m, &m->root), 0);
	tracked_process_cpu(&m->m, &m->root, 0.01);
}

/* Readings of a process, each elapsed_s after the one before: what is reported of its CPU time. */
TEST(no_more_than_the_threads_can_have_done)
{
	static const struct {
		int threads;
		double elapsed_s, cpu_s, reported_s;
	} readings[] = {
	    {1, INFINITY, 7, 7},   {1, 0.05, 7.04, 7.04},
	    {1, 0.05, 7.1, 7.09},                     /* 60 ms in 50 ms: 10 ms came in late */
	    {1, 0.05, 7.14, 7.14},                    /* and are reported now */
	    {1, 0.05, 7.2, 7.19},  {1, 10, 7.2, 7.2}, /* even if it sleeps since */
	    {2, 0.05, 7.32, 7.3},  {2, 0.05, 7.36, 7.36},
	    {1, 0.05, 7.46, 7.46}, /* there were two at the beginning */
	    {1, 0.05, 7.66, 7.66}, /* threads that no reading saw */
	};
	struct tracked_process m = {.used = true};

	for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
		m.stat.num_threads = readings[i].threads;
		m.cpu_s = readings[i].cpu_s;
		tracked_process_report_cpu(&m, readings[i].elapsed_s);
		if (fabs(m.reported_s - readings[i].reported_s) > 1e-9)
			fail_msg("reading %zu: %g", i, m.reported_s);
	}
}

/* Reads a sleeping process often enough for it to count as idle; then changes something that its
 * schedstat does not show. Whether the next reading sees the change. */
static bool sees(struct machine *m, char state, int threads, const char *sched, bool keep)
{
	set(m, state, threads, 3, 100);
	put(m, "schedstat", sched);
	assert_int_equal(tracked_process_open(&m->m, &m->root, 7, keep), 0);
	look(m);
	look(m);
	set(m, state, threads, 4, 200);
	look(m);
	assert_int_equal(m->m.stat.utime == 4, m->m.io.write_bytes == 200);
	return m->m.stat.utime == 4;
}

TEST_WITH(one_that_sleeps_is_not_read_again, setup, teardown)
{
	struct machine *m = *state;

	assert_false(sees(m, 'S', 1, "30000000 5 2\n", true));
	/* It was given a CPU, however briefly. */
	put(m, "schedstat", "30000000 5 3\n");
	look(m);
	assert_int_equal(m->m.stat.utime, 4);
	assert_int_equal(m->m.io.write_bytes, 200);
	set(m, 'S', 1, 5, 300);
	look(m);
	assert_int_equal(m->m.stat.utime, 5);
	assert_int_equal(m->m.io.write_bytes, 300);
	set(m, 'S', 1, 6, 400);
	look(m);
	assert_int_equal(m->m.stat.utime, 5);
}

TEST_WITH(it_is_where_others_may_have_changed_it, setup, teardown)
{
	struct machine *m = *state;

	assert_false(sees(m, 'S', 1, "30000000 5 2\n", true));
	tracked_process_wake(&m->m);
	look(m);
	assert_int_equal(m->m.stat.utime, 4);
	assert_int_equal(m->m.io.write_bytes, 200);
}

TEST_WITH(one_that_is_gone_is_noticed, setup, teardown)
{
	struct machine *m = *state;
	char path[128];

	assert_false(sees(m, 'S', 1, "30000000 5 2\n", true));
	put(m, "schedstat", "");
	put(m, "stat", "");
	snprintf(path, sizeof path, "%s/proc/7/stat", m->dir);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(tracked_process_read(&m->m, &m->root), -1);
}

TEST_WITH(one_that_runs_is_read_always, setup, teardown)
{
	assert_true(sees(*state, 'R', 1, "30000000 5 2\n", true));
}

TEST_WITH(one_that_waits_in_the_kernel_is_read_always, setup, teardown)
{
	assert_true(sees(*state, 'D', 1, "30000000 5 2\n", true));
}

TEST_WITH(one_of_threads_is_read_always, setup, teardown)
{
	assert_true(sees(*state, 'S', 2, "30000000 5 2\n", true));
}

TEST_WITH(a_kernel_that_counts_no_slices_tells_nothing, setup, teardown)
{
	assert_true(sees(*state, 'S', 1, "0 0 0\n", true));
}

TEST_WITH(one_that_is_not_kept_open_is_read_always, setup, teardown)
{
	assert_true(sees(*state, 'S', 1, "30000000 5 2\n", false));
}

TEST_WITH(a_captured_machine_is_read_always, setup, teardown)
{
	struct machine *m = *state;

	m->root.replayed = true;
	assert_true(sees(m, 'S', 1, "30000000 5 2\n", true));
}
