/* user_trees: which process is whose job, and what a job uses. */
#include <math.h>
#include <string.h>

#include "collect/process/user_trees.h"
#include "tests/unit/unit.h"

#define MANY 32
#define ANN  1000
#define TTY  true

static struct user_tree trees[MANY];
static size_t places[MANY];

static struct user_looks looks_of(const struct user_process *now, size_t n)
{
	return (struct user_looks){
	    .uid = ANN, .now = now, .n_now = n, .seconds = 0.5, .ticks = 1000, .ticks_per_s = 100};
}

/* A process: its job, a pid; 0: that of another user. */
struct expected {
	struct user_process p;
	int job;
};

static void check_jobs(const struct expected *v)
{
	struct user_process p[MANY];
	struct user_looks l;
	size_t n = 0, jobs, count = 0, of_ann = 0;

	for (; v[n].p.pid; n++)
		p[n] = v[n].p;
	user_trees_order(p, n);
	l = looks_of(p, n);
	jobs = user_trees_find(&l, trees, places);
	for (size_t i = 0; i < n; i++)
		of_ann += v[i].job != 0;
	for (size_t t = 0; t < jobs; t++)
		count += trees[t].n;
	assert_int_equal(count, of_ann);
	for (size_t t = 0; t < jobs; t++) {
		size_t members = 0;

		for (size_t i = 0; i < n; i++)
			members += v[i].job == p[trees[t].root].pid;
		assert_int_equal(trees[t].n, members);
	}
}

/* PID, parent, group, session, terminal, user, cgroup, name */
#define P(pid_, ppid_, group_, session_, tty, user, cgroup_, name_)                                \
	{                                                                                          \
		.pid = pid_, .ppid = ppid_, .group = group_, .session = session_, .terminal = tty, \
		.uid = user, .cgroup = cgroup_, .name = name_                                      \
	}

TEST(shells)
{
	/* Two jobs of a shell in ssh, one in the background; a script has its commands, timeout(1)
	 * a process group of its own, and what a shell started in a new session is its job too. */
	check_jobs((struct expected[]){{P(1, 0, 1, 1, false, 0, 1, "systemd"), 0},
	                               {P(10, 1, 10, 10, false, 0, 1, "sshd"), 0},
	                               {P(11, 10, 10, 10, false, ANN, 2, "sshd"), 11},
	                               {P(12, 11, 12, 12, TTY, ANN, 2, "bash"), 12},
	                               {P(13, 12, 13, 12, TTY, ANN, 2, "make"), 13},
	                               {P(14, 13, 13, 12, TTY, ANN, 2, "cc1"), 13},
	                               {P(20, 12, 20, 12, TTY, ANN, 2, "bash script"), 20},
	                               {P(21, 20, 21, 12, TTY, ANN, 2, "timeout"), 20},
	                               {P(22, 21, 21, 12, TTY, ANN, 2, "python"), 20},
	                               {P(23, 22, 23, 23, false, ANN, 2, "worker"), 20},
	                               {P(24, 23, 23, 23, false, ANN, 2, "worker"), 20},
	                               {P(30, 12, 30, 30, false, ANN, 2, "setsid"), 30},
	                               {.p.pid = 0}});
	/* A command of ssh without a terminal. */
	check_jobs((struct expected[]){{P(10, 1, 10, 10, false, 0, 1, "sshd"), 0},
	                               {P(11, 10, 10, 10, false, ANN, 2, "sshd"), 11},
	                               {P(12, 11, 12, 12, false, ANN, 2, "bash -c"), 12},
	                               {P(13, 12, 12, 12, false, ANN, 2, "python"), 12},
	                               {.p.pid = 0}});
}

TEST(tmux)
{
	check_jobs((struct expected[]){{P(1, 0, 1, 1, false, 0, 1, "systemd"), 0},
	                               {P(50, 1, 50, 50, false, ANN, 2, "tmux: server"), 50},
	                               {P(51, 50, 51, 51, TTY, ANN, 2, "bash"), 51},
	                               {P(52, 51, 52, 51, TTY, ANN, 2, "python"), 52},
	                               {P(60, 50, 60, 60, TTY, ANN, 2, "bash"), 60},
	                               /* A window with a program instead of a shell. */
	                               {P(70, 50, 70, 70, TTY, ANN, 2, "make"), 70},
	                               {P(71, 70, 70, 70, TTY, ANN, 2, "cc1"), 70},
	                               {.p.pid = 0}});
}

TEST(cron_and_slurm)
{
	check_jobs((struct expected[]){{P(5, 1, 5, 5, false, 0, 1, "cron"), 0},
	                               {P(6, 5, 5, 5, false, 0, 1, "cron"), 0},
	                               {P(7, 6, 7, 7, false, ANN, 1, "sh -c"), 7},
	                               {P(8, 7, 7, 7, false, ANN, 1, "backup"), 7},
	                               {.p.pid = 0}});
	check_jobs((struct expected[]){{P(5, 1, 5, 5, false, 0, 1, "slurmstepd"), 0},
	                               {P(7, 5, 7, 7, false, ANN, 3, "slurm_script"), 7},
	                               {P(8, 7, 7, 7, false, ANN, 3, "srun"), 7},
	                               {P(6, 1, 6, 6, false, 0, 1, "slurmstepd"), 0},
	                               {P(20, 6, 20, 20, false, ANN, 4, "task 0"), 20},
	                               {P(21, 20, 20, 20, false, ANN, 4, "child"), 20},
	                               {P(30, 6, 30, 30, false, ANN, 4, "task 1"), 30},
	                               {.p.pid = 0}});
}

TEST(services_and_containers)
{
	check_jobs((struct expected[]){{P(1, 0, 1, 1, false, 0, 1, "systemd"), 0},
	                               {P(5, 1, 5, 5, false, ANN, 2, "systemd --user"), 5},
	                               {P(6, 5, 6, 6, false, ANN, 3, "jupyter"), 6},
	                               {P(7, 6, 7, 7, false, ANN, 3, "kernel"), 6},
	                               {P(8, 6, 8, 8, TTY, ANN, 3, "bash"), 8},
	                               {P(9, 8, 9, 8, TTY, ANN, 3, "make"), 9},
	                               /* What lost its parent, in the scope of its login. */
	                               {P(20, 5, 20, 30, false, ANN, 4, "nohup"), 20},
	                               {.p.pid = 0}});
	/* A container's first process is the job, or only starts it (docker run --init). */
	check_jobs((struct expected[]){{P(1, 0, 1, 1, false, ANN, 1, "python"), 1},
	                               {P(2, 1, 1, 1, false, ANN, 1, "worker"), 1},
	                               {P(9, 0, 9, 9, false, ANN, 1, "docker exec"), 9},
	                               {.p.pid = 0}});
	check_jobs((struct expected[]){{P(1, 0, 1, 1, false, ANN, 1, "tini"), 1},
	                               {P(2, 1, 2, 1, false, ANN, 1, "python"), 2},
	                               {.p.pid = 0}});
}

/* Sudo's command is root's, and what that starts for the user is another job. */
TEST(other_users_between)
{
	check_jobs((struct expected[]){{P(12, 1, 12, 12, TTY, ANN, 2, "bash"), 12},
	                               {P(13, 12, 13, 12, TTY, 0, 2, "sudo"), 0},
	                               {P(14, 13, 13, 12, TTY, ANN, 2, "make"), 14},
	                               {.p.pid = 0}});
}

/* A parent that is younger has the pid of one that is gone; a circle ends. */
TEST(torn_looks)
{
	struct user_process p[] = {
	    {.pid = 5, .ppid = 1, .uid = ANN, .start = 1001}, /* after the look began */
	    {.pid = 6, .ppid = 5, .uid = ANN, .start = 100},
	    {.pid = 7, .ppid = 8, .uid = ANN, .start = 100},
	    {.pid = 8, .ppid = 7, .uid = ANN, .start = 100},
	};
	struct user_looks l = looks_of(p, 4);

	assert_int_equal(user_trees_find(&l, trees, places), 2);
	assert_int_equal(trees[0].n, 1);
	assert_int_equal(trees[1].n, 1);
	assert_true(trees[0].age_s == 0 && trees[1].age_s == 9);
	l.n_now = 0;
	assert_int_equal(user_trees_find(&l, trees, places), 0);
}

TEST(memory_is_pss_or_rss)
{
	struct user_process p[] = {
	    {.pid = 5, .uid = ANN, .rss_b = 100, .pss_b = 60, .start = 500},
	    {.pid = 6, .ppid = 5, .uid = ANN, .rss_b = 90, .pss_b = 70, .start = 600},
	    {.pid = 7, .ppid = 5, .uid = ANN, .rss_b = 9, .pss_b = 9, .start = 600, .zombie = true},
	    {.pid = 8, .uid = ANN, .rss_b = 50, .pss_b = 40, .start = 900},
	    {.pid = 9, .ppid = 8, .uid = ANN, .rss_b = 250, .pss_b = NAN, .start = 950},
	    {.pid = 10, .uid = ANN, .zombie = true, .start = 950},
	};
	struct user_looks l = looks_of(p, 6);
	struct user_tree all;

	assert_int_equal(user_trees_find(&l, trees, places), 2);
	assert_int_equal(p[trees[0].root].pid, 8);
	assert_true(isnan(trees[0].pss_b));
	assert_true(trees[0].rss_b == 300);
	assert_int_equal(p[trees[0].largest].pid, 9);
	assert_true(trees[0].age_s == 1);
	assert_true(trees[1].pss_b == 130 && trees[1].rss_b == 190 && trees[1].n == 2);
	assert_int_equal(p[trees[1].largest].pid, 6);
	assert_true(trees[1].age_s == 5);
	all = user_trees_sum(trees, 2);
	assert_true(isnan(all.pss_b) && all.rss_b == 490 && all.n == 4);
	all = user_trees_sum(trees + 1, 1);
	assert_true(all.pss_b == 130);
}

/* A compiler that ended between the looks, one that is new and has its pid, one whose parent waits
 * for nobody, and a child that lives. */
TEST(cpu_time)
{
	struct user_process before[] = {
	    {.pid = 5, .own_s = 1, .reaped_s = 10},
	    {.pid = 6, .ppid = 5, .own_s = 2},
	    {.pid = 7, .ppid = 6, .own_s = 0.5, .reaped_s = 0.25},
	    {.pid = 20, .own_s = 3},
	    {.pid = 21, .ppid = 20, .own_s = 100},
	    {.pid = 30, .own_s = 1},
	    {.pid = 31, .ppid = 30, .own_s = 4},
	};
	struct user_process now[] = {
	    {.pid = 5, .uid = ANN, .own_s = 1.1, .reaped_s = 13.05}, /* 2.75 of it were there */
	    {.pid = 6, .ppid = 5, .uid = ANN, .own_s = 0.25, .start = 990},
	    {.pid = 20, .uid = ANN, .own_s = 3.2},
	    {.pid = 30, .uid = ANN, .own_s = 1, .reaped_s = 0.1},
	    {.pid = 31, .ppid = 30, .uid = ANN, .own_s = 4.3},
	};
	struct user_looks l = looks_of(now, 5);

	l.before = before;
	l.n_before = 7;
	assert_int_equal(user_trees_find(&l, trees, places), 3);
	assert_float_equal(trees[0].cores, (0.1 + 0.3 + 0.25) / 0.5, 1e-9);
	assert_float_equal(trees[1].cores, 0.2 / 0.5, 1e-9);
	assert_float_equal(trees[2].cores, (0.1 + 0.3) / 0.5, 1e-9);
	assert_float_equal(user_trees_sum(trees, 3).cores, 1.25 / 0.5, 1e-9);
}

TEST(chosen_by_memory_and_by_cpu_time)
{
	struct user_tree v[6] = {
	    {.root = 0, .cores = 0.5}, {.root = 1}, {.root = 2, .cores = 0.005},
	    {.root = 3, .cores = 2},   {.root = 4}, {.root = 5, .cores = 1}};

	assert_int_equal(user_trees_choose(v, 6, 2), 4);
	assert_int_equal(v[0].root, 0);
	assert_int_equal(v[1].root, 1);
	assert_int_equal(v[2].root, 3);
	assert_int_equal(v[3].root, 5);
	assert_int_equal(v[4].root, 2);
	assert_int_equal(v[5].root, 4);
	assert_int_equal(user_trees_choose(v, 6, 10), 6);
	assert_int_equal(user_trees_choose(v, 0, 10), 0);
}

/* Trees in the order of their memory: how many of them are chosen, if one may be for its memory and
 * one for its CPU time. */
TEST(chosen_for_cpu_time)
{
	static const struct {
		double cores[4];
		size_t chosen;
	} cases[] = {
	    {{0, 0.01, 0, 0}, 2}, /* just enough */
	    {{0, 0.005, 0, 0}, 1},
	    {{0, 1, 1, 1}, 2}, /* all the same */
	    {{2, 1, 0, 0}, 1}, /* the one with the most is chosen already */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct user_tree v[4] = {{.root = 0}, {.root = 1}, {.root = 2}, {.root = 3}};

		for (size_t k = 0; k < 4; k++)
			v[k].cores = cases[i].cores[k];
		assert_int_equal(user_trees_choose(v, 4, 1), cases[i].chosen);
	}
}
