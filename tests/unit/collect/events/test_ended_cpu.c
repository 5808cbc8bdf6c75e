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
