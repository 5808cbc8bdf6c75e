/* Tests of collect/events/ended_cpu.c with children of this process. */
#include "collect/events/ended_cpu.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/unit.h"

#define BURNS_S 0.06

struct job {
	struct root root;
	struct proc_events events; /* none come */
	struct living_table table;
	struct living *parent;
	double tick_s;
};

static double used_by(int who)
{
	struct rusage u;

	assert_int_equal(getrusage(who, &u), 0);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void start(struct job *j)
{
	struct err e = {0};

	assert_int_equal(root_open(&j->root, NULL, &e), 0);
	j->events = (struct proc_events){.fd = -1};
	living_open(&j->table);
	j->tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	j->parent = living_add(&j->table, getpid(), NULL, 0);
	assert_non_null(j->parent);
	j->parent->inherited_s = used_by(RUSAGE_CHILDREN);
}

/* A child that has used CPU time and was reaped. */
static struct living *ended_child(struct job *j)
{
	struct living *p;
	int pid = fork();

	if (pid == 0) {
		while (used_by(RUSAGE_SELF) < BURNS_S) {
		}
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	p = living_add(&j->table, pid, j->parent, 0);
	assert_non_null(p);
	p->inherited_s = 0;
	p->cpu_s = NAN;
	return p;
}

static void find(struct job *j, struct living *p)
{
	struct ended_cpu c = {&j->table, &j->events, &j->root, j->tick_s};

	ended_cpu_find(&c, p, NULL);
}

TEST(one_that_was_reaped)
{
	static struct job j;
	struct living *p;

	start(&j);
	p = ended_child(&j);
	find(&j, p);
	assert_true(p->cpu_s > BURNS_S - 2 * j.tick_s - 0.001 && p->cpu_exact);
	root_close(&j.root);
}

/* The last sample saw a part, and what the parent had inherited before was not known: events have
 * another source now. The next one is exact. */
TEST(first_after_another_source)
{
	static struct job j;
	struct living *first, *second;

	start(&j);
	j.parent->inherited_s = NAN;
	first = ended_child(&j);
	first->cpu_s = BURNS_S / 2;
	find(&j, first);
	assert_true(first->cpu_s < BURNS_S && !first->cpu_exact);
	living_remove(&j.table, first);
	second = ended_child(&j);
	second->cpu_s = BURNS_S / 2;
	find(&j, second);
	assert_true(second->cpu_s > BURNS_S - 2 * j.tick_s - 0.001 && second->cpu_exact);
	root_close(&j.root);
}

/* Which of them used what nobody knows; the next one alone is known again. */
TEST(two_that_were_reaped)
{
	static struct job j;
	struct living *first, *second, *third;

	start(&j);
	first = ended_child(&j);
	second = ended_child(&j);
	find(&j, first);
	assert_true(isnan(first->cpu_s));
	living_remove(&j.table, first);
	find(&j, second);
	assert_true(isnan(second->cpu_s));
	living_remove(&j.table, second);
	third = ended_child(&j);
	find(&j, third);
	assert_true(third->cpu_s > BURNS_S - 2 * j.tick_s - 0.001);
	root_close(&j.root);
}

/* A child that has used CPU time and is a zombie. */
static struct living *zombie_child(struct job *j)
{
	struct living *p;
	siginfo_t info;
	int pid = fork();

	if (pid == 0) {
		while (used_by(RUSAGE_SELF) < BURNS_S) {
		}
		_exit(0);
	}
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	p = living_add(&j->table, pid, j->parent, 0);
	assert_non_null(p);
	p->inherited_s = 0;
	p->cpu_s = NAN;
	return p;
}

static int find_zombie(struct job *j, bool in_time)
{
	struct living *p = zombie_child(j);
	struct ended_cpu c = {&j->table, &j->events, &j->root, j->tick_s};
	struct proc_pid_stat own;
	int pid = p->pid;

	assert_int_equal(proc_pid_stat_of(&j->root, pid, &own), 0);
	if (in_time)
		ended_cpu_find(&c, p, &own);
	else
		ended_cpu_miss(&j->table, p);
	assert_true(in_time ? p->cpu_s > BURNS_S - 2 * j->tick_s : isnan(p->cpu_s));
	living_remove(&j->table, p);
	return pid;
}

/* What zombies hand over later is not the CPU time of who ends then. */
static void zombies_are_reaped_later(int n, bool in_time)
{
	static struct job j;
	struct living *p;
	int pids[3];

	j = (struct job){0};
	start(&j);
	for (int i = 0; i < n; i++)
		pids[i] = find_zombie(&j, in_time);
	for (int i = 0; i < n; i++) {
		assert_int_equal(waitpid(pids[i], NULL, 0), pids[i]);
		p = ended_child(&j);
		find(&j, p);
		assert_true(isnan(p->cpu_s) || (p->cpu_s > BURNS_S - 2 * j.tick_s - 0.001 &&
		                                p->cpu_s < BURNS_S + 2 * j.tick_s + 0.01));
		/* Each is known where all zombies are. */
		assert_true(!isnan(p->cpu_s) || !in_time);
		living_remove(&j.table, p);
	}
	root_close(&j.root);
}

TEST(zombies_that_are_reaped_later)
{
	zombies_are_reaped_later(3, true);
	zombies_are_reaped_later(2, false);
}

/* Of one that was not kept, nothing is said of the next. */
TEST(too_many_zombies)
{
	static struct job j;
	struct living *p;
	int pid;

	start(&j);
	j.table.n_zombies = LIVING_ZOMBIES;
	pid = find_zombie(&j, true);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	p = ended_child(&j);
	find(&j, p);
	assert_true(isnan(p->cpu_s));
	root_close(&j.root);
}
