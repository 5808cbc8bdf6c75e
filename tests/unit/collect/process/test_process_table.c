/* Tests of collect/process/process_table.c on processes of many threads, on this machine. */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/process/process_table.h"
#include "tests/unit/unit.h"

#define THREADS  400 /* more than are asked for children in three readings */
#define READINGS 64
#define SETTLES  5000

struct job {
	struct root root;
	struct process_table table;
	int pid, child;
	int orders[2], answers[2]; /* pipes to and from its last thread */
};

/* The last thread: forks at the first byte, and reaps at the second. */
static void *obey(void *arg)
{
	const struct job *j = arg;
	int child = 0;
	char byte;

	while (read(j->orders[0], &byte, 1) == 1) {
		if (!child) {
			child = fork();
			if (child == 0) {
				prctl(PR_SET_PDEATHSIG, SIGKILL);
				pause();
			}
		} else {
			kill(child, SIGKILL);
			waitpid(child, NULL, 0);
		}
		if (write(j->answers[1], &child, sizeof child) != sizeof child)
			_exit(1);
	}
	return NULL;
}

static void *sleep_on(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static void run_job(struct job *j)
{
	pthread_attr_t small;
	pthread_t t;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 1 << 18);
	for (int i = 1; i < THREADS; i++)
		if (pthread_create(&t, &small, i + 1 == THREADS ? obey : sleep_on, j))
			_exit(1);
	if (write(j->answers[1], &j->pid, sizeof j->pid) != sizeof j->pid)
		_exit(1);
	sleep_on(NULL);
}

static void start(struct job *j)
{
	struct err e = {0};
	int ready;

	*j = (struct job){.pid = 0};
	assert_int_equal(root_open(&j->root, NULL, &e), 0);
	assert_int_equal(pipe(j->orders) || pipe(j->answers), 0);
	j->pid = fork();
	if (j->pid == 0)
		run_job(j);
	assert_int_equal(read(j->answers[0], &ready, sizeof ready), sizeof ready);
	assert_int_equal(process_table_open(&j->table, &j->root, false), 0);
	assert_int_equal(process_table_reserve(&j->table, 64), 0);
	j->table.root = j->pid;
	j->table.kept_max = 64;
}

static void stop(struct job *j)
{
	process_table_close(&j->table);
	root_close(&j->root);
	kill(j->pid, SIGKILL);
	waitpid(j->pid, NULL, 0);
	for (int i = 0; i < 2; i++) {
		close(j->orders[i]);
		close(j->answers[i]);
	}
}

static void order(struct job *j)
{
	assert_int_equal(write(j->orders[1], "x", 1), 1);
	assert_int_equal(read(j->answers[0], &j->child, sizeof j->child), sizeof j->child);
}

static void read_once(struct job *j, bool wakes)
{
	j->table.wakes = wakes;
	process_table_discover(&j->table);
	for (size_t i = 0; i < j->table.n; i++)
		tracked_process_cpu(&j->table.processes[j->table.order[i]], &j->root, 0.01);
}

static bool has_child(struct job *j)
{
	int place = process_table_find(&j->table, j->child);

	for (size_t i = 0; i < j->table.n; i++)
		if (j->table.order[i] == place)
			return true;
	return false;
}

TEST(a_child_of_one_of_many_threads)
{
	struct tracked_process *p;
	struct job j;
	int n;

	start(&j);
	/* Until its threads sleep, which takes them a while on a busy machine. */
	for (n = 0; n < SETTLES; n++) {
		read_once(&j, false);
		p = &j.table.processes[process_table_find(&j.table, j.pid)];
		if (n >= 3 && (j.table.r->other_pids || !p->clock_ns)) {
			stop(&j);
			skip();
		}
		if (n >= 3 && p->idle)
			break;
		usleep(1000);
	}
	assert_true(n < SETTLES);
	order(&j);
	for (n = 0; n < READINGS && !has_child(&j); n++)
		read_once(&j, n % 4 == 0);
	assert_true(n < READINGS);
	/* It stays, whether its list was read or not. */
	for (int i = 0; i < 12; i++) {
		read_once(&j, i == 6);
		assert_true(has_child(&j));
	}
	order(&j);
	read_once(&j, false);
	assert_false(has_child(&j));
	stop(&j);
}

TEST(the_children_that_there_are_at_first)
{
	struct job j;

	start(&j);
	order(&j);
	read_once(&j, false);
	assert_true(has_child(&j));
	stop(&j);
}
