/* Tests of collect/process/own_account.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/process/own_account.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

struct machine {
	char dir[64];
	struct root root;
	struct tracked_process p;
	struct own_account own;
};

static void put(const struct machine *m, const char *path, const char *text)
{
	char full[128];
	FILE *f;

	snprintf(full, sizeof full, "%s/%s", m->dir, path);
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* The process 10 with so many threads, which has waited for children with so many faults; the
 * written bytes of all of it, and of its first thread. */
static void set(const struct machine *m, int threads, int waited, long all, long first)
{
	char text[256];

	snprintf(text, sizeof text,
	         "10 (x) S 1 1 1 0 -1 4194304 3 %d 4 0 200 100 0 0 20 0 %d 0 7 1000 5 0\n", waited,
	         threads);
	put(m, "proc/10/stat", text);
	snprintf(text, sizeof text, "read_bytes: %ld\nwrite_bytes: %ld\n", all / 2, all);
	put(m, "proc/10/io", text);
	snprintf(text, sizeof text, "read_bytes: %ld\nwrite_bytes: %ld\n", first / 2, first);
	put(m, "proc/10/task/10/io", text);
}

static int setup(void **state)
{
	static const char *const dirs[] = {"proc", "proc/10", "proc/10/task", "proc/10/task/10"};
	struct machine *m = calloc(1, sizeof *m);
	char path[128];

	*state = m;
	if (!m)
		return -1;
	strcpy(m->dir, "/tmp/rtrack-own-XXXXXX");
	if (!mkdtemp(m->dir))
		return -1;
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
		snprintf(path, sizeof path, "%s/%s", m->dir, dirs[i]);
		if (mkdir(path, 0700))
			return -1;
	}
	return root_open(&m->root, m->dir, NULL);
}

static int teardown(void **state)
{
	struct machine *m = *state;
	char command[96];
	int failed;

	tracked_process_close(&m->p);
	root_close(&m->root);
	snprintf(command, sizeof command, "rm -rf '%s'", m->dir);
	failed = system(command);
	free(m);
	return failed;
}

static void reading(struct machine *m)
{
	if (!m->p.used)
		assert_int_equal(tracked_process_open(&m->p, &m->root, 10, false), 0);
	assert_int_equal(tracked_process_read(&m->p, &m->root), 0);
	assert_int_equal(own_account_io(&m->own, &m->p, &m->root), 0);
}

TEST_WITH(one_thread, setup, teardown)
{
	struct machine *m = *state;

	set(m, 1, 0, 1000, 1000);
	reading(m);
	assert_int_equal(m->p.io.write_bytes, 1000);
	/* A child that it waited for is in the sum, and not in the thread. */
	set(m, 1, 5, 90000, 1500);
	reading(m);
	assert_int_equal(m->p.io.write_bytes, 1500);
	assert_int_equal(m->p.io.read_bytes, 750);
	set(m, 1, 9, 190000, 1700);
	reading(m);
	assert_int_equal(m->p.io.write_bytes, 1700);
	assert_false(m->own.missed);
}

TEST_WITH(several_threads, setup, teardown)
{
	struct machine *m = *state;

	set(m, 3, 0, 1000, 400);
	reading(m);
	assert_int_equal(m->p.io.write_bytes, 1000);
	set(m, 3, 0, 3000, 500);
	reading(m);
	assert_int_equal(m->p.io.write_bytes, 3000);
	assert_false(m->own.missed);
	/* While it waits for a child, the first thread's bytes are all that is sure. */
	set(m, 3, 5, 90000, 700);
	reading(m);
	assert_int_equal(m->p.io.write_bytes, 3200);
	assert_true(m->own.missed);
	set(m, 1, 5, 90100, 750);
	reading(m);
	assert_int_equal(m->p.io.write_bytes, 3300);
}

/* Attached to: what it had waited for before is not its own. */
TEST_WITH(waited_before, setup, teardown)
{
	struct machine *m = *state;

	set(m, 1, 50, 90000, 1000);
	reading(m);
	assert_int_equal(m->p.io.write_bytes, 1000);
	assert_false(m->own.missed);
}

static struct rusage all_of(double s)
{
	return (struct rusage){
	    .ru_utime = {.tv_sec = (time_t)s}, .ru_maxrss = 4096, .ru_minflt = 77, .ru_nvcsw = 5};
}

TEST_WITH(the_end, setup, teardown)
{
	struct machine *m = *state;
	struct rusage usage = all_of(30);
	double total[CPU_ACCOUNTING_COUNT] = {20, 10, 500, 600};
	struct snapshot_totals totals = {.ctx_voluntary = 5};

	set(m, 1, 5, 90000, 1500);
	reading(m);
	m->p.stat.state = 'Z';
	m->p.cpu_s = 3.25;
	own_account_end(&m->own, &m->p, 0.01, &usage, total);
	assert_near((double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6, 2.25,
	            1e-5);
	assert_near((double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6, 1, 1e-5);
	assert_near(total[CPU_ACCOUNTING_UTIME] + total[CPU_ACCOUNTING_STIME], 3.25, 1e-9);
	assert_near(total[CPU_ACCOUNTING_WRITE], 1500, 1e-9);
	assert_int_equal(usage.ru_minflt, 3);
	assert_int_equal(usage.ru_majflt, 4);
	assert_int_equal(usage.ru_maxrss, 0);
	own_account_totals(&m->own, &totals);
	assert_true(isnan(totals.ctx_voluntary) && isnan(totals.ctx_involuntary));
}

/* One that never waited for a child keeps its rusage, which is exact. */
TEST_WITH(without_children, setup, teardown)
{
	struct machine *m = *state;
	struct rusage usage = all_of(30);
	double total[CPU_ACCOUNTING_COUNT] = {20, 10, 500, 600};
	struct snapshot_totals totals = {.ctx_voluntary = 5};

	set(m, 1, 0, 90000, 1500);
	put(m, "proc/10/stat",
	    "10 (x) Z 1 1 1 0 -1 4194304 3 0 4 0 200 100 0 0 20 0 1 0 7 0 0 0\n");
	reading(m);
	own_account_end(&m->own, &m->p, 0.01, &usage, total);
	assert_int_equal(usage.ru_utime.tv_sec, 30);
	assert_int_equal(usage.ru_maxrss, 4096);
	assert_near(total[CPU_ACCOUNTING_WRITE], 600, 1e-9);
	own_account_totals(&m->own, &totals);
	assert_near(totals.ctx_voluntary, 5, 1e-9);
}

TEST(never_seen)
{
	struct own_account own = {.known = false};
	struct rusage usage = all_of(30);
	double total[CPU_ACCOUNTING_COUNT] = {20, 10, 500, 600};
	struct snapshot s = {.schema = SCHEMA_1};

	own_account_end(&own, NULL, 0.01, &usage, total);
	assert_int_equal(usage.ru_utime.tv_sec, 30);
	own_account_notes(&own, &s);
	assert_int_equal(s.notes.n, 1);
	snapshot_free(&s);
}
