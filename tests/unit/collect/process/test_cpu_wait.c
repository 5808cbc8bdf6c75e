/* Tests of collect/process/cpu_wait.c, on a captured machine that changes between readings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/process/cpu_wait.h"
#include "tests/unit/unit.h"

#define TICK_S 0.01
#define PID    7
#define MS     1000000.0

struct machine {
	char dir[64];
	struct root root;
	struct tracked_process m[2];
	struct cpu_wait *wait;
	int64_t at;
	int ticks[2];
};

static void path_of(const struct machine *m, char out[160], int pid, const char *file)
{
	snprintf(out, 160, "%s/proc/%d/%s", m->dir, pid, file);
}

static void put(const struct machine *m, int pid, const char *file, const char *text)
{
	char path[160];
	FILE *f;

	path_of(m, path, pid, file);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void sched_text(char out[96], double run_ms, double wait_ms, int slices)
{
	snprintf(out, 96, "%.0f %.0f %d\n", run_ms * MS, wait_ms * MS, slices);
}

/* Adds a thread; the one with the pid of its process is the first. */
static void thread(const struct machine *m, int pid, int tid, double run_ms, double wait_ms,
                   int slices)
{
	char text[96], file[64], path[160];

	sched_text(text, run_ms, wait_ms, slices);
	snprintf(file, sizeof file, "task/%d", tid);
	path_of(m, path, pid, file);
	(void)mkdir(path, 0700);
	snprintf(file, sizeof file, "task/%d/schedstat", tid);
	put(m, pid, file, text);
	if (tid == pid)
		put(m, pid, "schedstat", text);
}

static void ends(const struct machine *m, int pid, int tid)
{
	char file[64], path[160];

	snprintf(file, sizeof file, "task/%d/schedstat", tid);
	path_of(m, path, pid, file);
	assert_int_equal(remove(path), 0);
	*strrchr(path, '/') = '\0';
	assert_int_equal(remove(path), 0);
}

static void process(struct machine *m, int i, int threads)
{
	char text[256], path[160];
	int pid = PID + i;

	path_of(m, path, pid, "");
	(void)mkdir(path, 0700);
	path_of(m, path, pid, "task");
	(void)mkdir(path, 0700);
	snprintf(text, sizeof text,
	         "%d (x) R 1 1 1 0 -1 0 10 0 0 0 %d 0 0 0 20 0 %d 0 5 1000000 10 0\n", pid,
	         m->ticks[i], threads);
	put(m, pid, "stat", text);
}

static void make(struct machine *m)
{
	struct err e = {0};
	char path[160];

	*m = (struct machine){.at = 1000000000};
	strcpy(m->dir, "/tmp/rtrack-wait-XXXXXX");
	assert_non_null(mkdtemp(m->dir));
	snprintf(path, sizeof path, "%s/proc", m->dir);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(root_open(&m->root, m->dir, &e), 0);
	m->wait = cpu_wait_open();
	assert_non_null(m->wait);
}

static void unmake(struct machine *m)
{
	char command[96];

	for (int i = 0; i < 2; i++)
		tracked_process_close(&m->m[i]);
	cpu_wait_close(m->wait);
	root_close(&m->root);
	snprintf(command, sizeof command, "rm -rf '%s'", m->dir);
	assert_int_equal(system(command), 0);
}

/* A reading one second later, after the processes used CPU time: the sum so far, in ms. */
static double reading(struct machine *m, int processes, int threads, bool older)
{
	int order[2] = {0, 1};
	double s;

	for (int i = 0; i < processes; i++) {
		m->ticks[i] += 3;
		process(m, i, threads);
		if (!m->m[i].used) {
			assert_int_equal(tracked_process_open(&m->m[i], &m->root, PID + i, true),
			                 0);
			m->m[i].predates_run = older;
		}
		assert_int_equal(tracked_process_read(&m->m[i], &m->root), 0);
		tracked_process_cpu(&m->m[i], &m->root, TICK_S);
	}
	cpu_wait_read(m->wait, &m->root, m->m, order, (size_t)processes, m->at, NULL);
	m->at += 1000000000;
	s = cpu_wait_s(m->wait);
	return isnan(s) ? s : round(s * 1000);
}

static bool noted(const struct machine *m, const char *part)
{
	struct snapshot s = {.unfinished = false};
	bool found = false;

	cpu_wait_notes(m->wait, &s);
	for (size_t i = 0; i < s.notes.n; i++)
		found |= strstr(s.notes.v[i], part) != NULL;
	snapshot_free(&s);
	return found;
}

TEST(one_thread)
{
	struct machine m;

	make(&m);
	process(&m, 0, 1);
	thread(&m, PID, PID, 10, 40, 2);
	assert_true(reading(&m, 1, 1, false) == 40);
	thread(&m, PID, PID, 20, 90, 3);
	assert_true(reading(&m, 1, 1, false) == 90);
	assert_true(reading(&m, 1, 1, false) == 90);
	assert_false(noted(&m, "cpu_wait"));
	unmake(&m);
}

/* A kernel without this account, or a process that has not run yet. */
TEST(not_told)
{
	struct machine m;

	make(&m);
	process(&m, 0, 1);
	thread(&m, PID, PID, 0, 0, 0);
	assert_true(isnan(reading(&m, 1, 1, false)));
	thread(&m, PID, 70, 0, 0, 0);
	assert_true(isnan(reading(&m, 1, 2, false)));
	put(&m, PID, "schedstat", "30000000\n");
	put(&m, PID, "task/7/schedstat", "30000000\n");
	assert_true(isnan(reading(&m, 1, 2, false)));
	thread(&m, PID, 70, 5, 6, 1);
	assert_true(reading(&m, 1, 2, false) == 6);
	unmake(&m);
}

TEST(threads_come_and_go)
{
	struct machine m;

	make(&m);
	process(&m, 0, 1);
	thread(&m, PID, PID, 10, 40, 2);
	assert_true(reading(&m, 1, 1, false) == 40);
	thread(&m, PID, PID, 10, 50, 3);
	thread(&m, PID, 70, 10, 100, 3);
	thread(&m, PID, 71, 10, 200, 3);
	assert_true(reading(&m, 1, 3, false) == 350);
	thread(&m, PID, 70, 10, 101, 4);
	ends(&m, PID, 71);
	assert_true(reading(&m, 1, 2, false) == 351);
	/* The tid is given to a new thread: all that it waited is new. */
	ends(&m, PID, 70);
	thread(&m, PID, 70, 1, 30, 1);
	assert_true(reading(&m, 1, 2, false) == 381);
	/* A thread that ended, and a new one with its tid, after a reading without it. */
	ends(&m, PID, 70);
	assert_true(reading(&m, 1, 1, false) == 381);
	thread(&m, PID, 70, 20, 500, 9);
	assert_true(reading(&m, 1, 2, false) == 881);
	unmake(&m);
}

/* A tid of one process is given to a thread of another. */
TEST(across_processes)
{
	struct machine m;

	make(&m);
	process(&m, 0, 2);
	process(&m, 1, 2);
	thread(&m, PID, PID, 1, 1, 1);
	thread(&m, PID + 1, PID + 1, 1, 1, 1);
	thread(&m, PID, 70, 1, 10, 1);
	thread(&m, PID + 1, 80, 1, 20, 1);
	assert_true(reading(&m, 2, 2, false) == 32);
	ends(&m, PID, 70);
	thread(&m, PID + 1, 70, 5, 100, 2);
	assert_true(reading(&m, 2, 3, false) == 132);
	thread(&m, PID + 1, 70, 5, 107, 3);
	assert_true(reading(&m, 2, 3, false) == 139);
	unmake(&m);
}

/* exec in thread 71: it gets the tid of the first thread, and keeps its schedstat. */
TEST(exec_in_a_thread)
{
	struct machine m;

	make(&m);
	process(&m, 0, 3);
	thread(&m, PID, PID, 1, 1, 1);
	thread(&m, PID, 70, 10, 300, 3);
	thread(&m, PID, 71, 10, 400, 3);
	assert_true(reading(&m, 1, 3, false) == 701);
	ends(&m, PID, 70);
	ends(&m, PID, 71);
	thread(&m, PID, PID, 11, 410, 4);
	thread(&m, PID, 72, 1, 5, 1);
	assert_true(reading(&m, 1, 2, false) == 706);
	thread(&m, PID, PID, 12, 412, 5);
	assert_true(reading(&m, 1, 2, false) == 708);
	unmake(&m);
}

/* -p: waits before the first reading are not part of the recording. */
TEST(older_processes)
{
	struct machine m;

	make(&m);
	process(&m, 0, 2);
	thread(&m, PID, PID, 10, 4000, 2);
	thread(&m, PID, 70, 10, 5000, 2);
	assert_true(reading(&m, 1, 2, true) == 0);
	thread(&m, PID, PID, 10, 4001, 3);
	thread(&m, PID, 70, 10, 5010, 3);
	assert_true(reading(&m, 1, 2, true) == 11);
	/* All threads of that reading are known, so this one is new. */
	thread(&m, PID, 71, 10, 100, 3);
	assert_true(reading(&m, 1, 3, true) == 111);
	unmake(&m);
}

#define MANY 300

/* 128 threads per reading, each in its turn and none twice. In a process that predates the run and
 * was never read completely, it is unknown which thread is new. */
TEST(many_threads)
{
	for (int older = 0; older < 2; older++) {
		struct machine m;
		double before;
		make(&m);
		process(&m, 0, MANY + 1);
		thread(&m, PID, PID, 1, 0, 1);
		for (int i = 0; i < MANY; i++)
			thread(&m, PID, 1000 + i, 1, 10, 1);
		before = reading(&m, 1, MANY + 1, older);
		assert_true(older ? before == 0 : before > 0 && before <= 10 * CPU_WAIT_READ);
		for (int i = 0; i < 5; i++)
			before = reading(&m, 1, MANY + 1, older);
		assert_true(before == (older ? 0 : 10 * MANY));
		for (int i = 0; i < MANY; i++)
			thread(&m, PID, 1000 + i, 1, 11, 2);
		for (int i = 0; i < 6; i++)
			before = reading(&m, 1, MANY + 1, older);
		assert_true(before == (older ? MANY : 11 * MANY));
		assert_true(noted(&m, "more busy threads than are read at a time (128)"));
		unmake(&m);
	}
}

/* A process of many threads does not starve the next one. */
TEST(each_in_its_turn)
{
	struct machine m;

	make(&m);
	process(&m, 0, MANY + 1);
	process(&m, 1, 2);
	thread(&m, PID, PID, 1, 0, 1);
	for (int i = 0; i < MANY; i++)
		thread(&m, PID, 1000 + i, 1, 0, 1);
	thread(&m, PID + 1, PID + 1, 1, 0, 1);
	thread(&m, PID + 1, 80, 1, 25, 1);
	for (int i = 0; i < 4; i++)
		(void)reading(&m, 2, 2, false);
	assert_true(cpu_wait_s(m.wait) == 0.025);
	unmake(&m);
}

TEST(no_room)
{
	struct machine m;
	double ms = 0;

	make(&m);
	for (int p = 0; p < 2; p++) {
		process(&m, p, 2);
		thread(&m, PID + p, PID + p, 1, 0, 1);
		for (int i = 0; i < CPU_WAIT_THREADS / 2 + 10; i++)
			thread(&m, PID + p, 1000 + 10000 * p + i, 1, 1, 1);
	}
	for (int i = 0; i < 2 * CPU_WAIT_THREADS / CPU_WAIT_READ; i++)
		ms = reading(&m, 2, 2, false);
	assert_true(ms == CPU_WAIT_THREADS);
	assert_true(noted(&m, "more than 4096 threads"));
	unmake(&m);
}

TEST(too_many_of_one_process)
{
	struct machine m;
	double ms = 0;

	make(&m);
	process(&m, 0, 2);
	thread(&m, PID, PID, 1, 0, 1);
	for (int i = 0; i < CPU_WAIT_LISTED + 10; i++)
		thread(&m, PID, 1000 + i, 1, 1, 1);
	for (int i = 0; i < 2 * CPU_WAIT_LISTED / CPU_WAIT_READ; i++)
		ms = reading(&m, 1, 2, false);
	assert_true(ms == CPU_WAIT_LISTED);
	assert_true(noted(&m, "a process had more than 2500 threads"));
	unmake(&m);
}
