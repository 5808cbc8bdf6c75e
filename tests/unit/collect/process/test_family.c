/* Tests of collect/process/family.c. */
#include "collect/process/family.h"

#include <math.h>

#include "core/base/larger.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

#define MIB  1048576.0
#define MOST 4

/* A head at place 0, and its children. */
struct some {
	struct process_table t;
	struct tracked_process processes[MOST];
	struct cpu_account accounts[MOST];
	int order[MOST];
	int read; /* the place of the child that is read now, as .smaps says; 0: none */
	struct proc_pid_smaps smaps;
	double gave[MOST]; /* MiB that a process gave up meanwhile */
};

/* MiB of anonymous memory: all of it, its PSS, and what is private. */
static void hold(struct some *s, int place, double all, double pss, double own)
{
	struct tracked_process *p = &s->processes[place];

	s->t.processes = s->processes;
	s->t.accounts = s->accounts;
	s->t.order = s->order;
	s->order[place] = place;
	s->accounts[place].parent = place ? 0 : -1;
	p->used = true;
	p->stat = (struct proc_pid_stat){.state = 'S', .stack = 7, .num_threads = 1};
	p->stat.minflt = 1000;
	p->pss = (struct pss){.known = true};
	p->pss.last.anonymous_b = (uint64_t)(all * MIB);
	p->pss.last.rss_b = p->pss.last.anonymous_b;
	p->pss.last.pss_b = (uint64_t)(pss * MIB);
	p->pss.last.private_b = (uint64_t)(own * MIB);
	p->pss.rss_then = p->rss = (struct pss_rss){(int64_t)p->pss.last.rss_b, 0, 0};
	if (s->t.n <= (size_t)place)
		s->t.n = (size_t)place + 1;
}

/* PSS was read again, of what the family has done by now. */
static void read_again(struct some *s)
{
	family_find(&s->t);
	for (size_t i = 0; i < s->t.n; i++)
		s->processes[i].pss.kin = *family_kin(&s->t, (int)i);
}

static double memory_of(struct some *s)
{
	struct pss_memory m[MOST];
	double sum = 0;

	family_find(&s->t);
	if (s->read)
		family_was_read(&s->t, s->read, &s->smaps);
	for (int i = 0; i < (int)s->t.n; i++) {
		double was_b = (double)s->processes[i].rss.all_b;
		family_look(&s->t, i, was_b, larger(was_b - s->gave[i] * MIB, 0));
	}
	for (size_t i = 0; i < s->t.n; i++) {
		family_memory(&s->t, (int)i, &m[i]);
		family_add(&s->t, (int)i, &m[i]);
	}
	for (size_t i = 0; i < s->t.n; i++) {
		m[i].pss_b = family_part_b(&s->t, (int)i, &m[i]);
		family_left(&s->t, (int)i, &m[i]);
		sum += m[i].pss_b;
	}
	return (sum + family_grown_b(&s->t)) / MIB;
}

TEST(quiet_family_is_its_pss)
{
	struct some s = {0};

	hold(&s, 0, 500, 500, 500);
	hold(&s, 1, 1000, 250, 0);
	hold(&s, 2, 1000, 250, 0);
	hold(&s, 3, 1000, 500, 0);
	read_again(&s);
	assert_near(memory_of(&s), 1500, 0.1);
}

TEST(readings_of_several_moments_do_not_add_up)
{
	struct some s = {0};

	/* read before the child was there, and when it was */
	hold(&s, 0, 300, 300, 300);
	hold(&s, 1, 300, 150, 0);
	assert_near(memory_of(&s), 300, 0.1);
	/* a child that wrote to 40 MiB of it */
	hold(&s, 1, 300, 170, 40);
	assert_near(memory_of(&s), 340, 0.1);
	/* the head was read while it shared with one that is gone */
	hold(&s, 0, 300, 150, 0);
	hold(&s, 1, 300, 150, 0);
	hold(&s, 2, 300, 300, 0);
	assert_near(memory_of(&s), 300, 0.1);
	/* it freed what the children share: 1 GiB */
	hold(&s, 0, 5, 5, 5);
	hold(&s, 1, 1024, 512, 0);
	hold(&s, 2, 1024, 1024, 0);
	assert_near(memory_of(&s), 1024, 0.1);
}

TEST(only_page_faults)
{
	struct some s = {0};

	hold(&s, 0, 100, 60, 20);
	hold(&s, 1, 100, 90, 80);
	read_again(&s);
	/* the child wrote to the last 20 MiB after the head was read */
	hold(&s, 1, 100, 100, 100);
	s.processes[0].pss.kin.faults -= 5000;
	s.processes[1].pss.kin = *family_kin(&s.t, 1);
	assert_near(memory_of(&s), 200, 0.1);
}

/* MiB of files and shared memory that a process has mapped now, more than when it was read. */
static void map_more(struct some *s, int place, double more)
{
	struct pss_rss *rss = &s->processes[place].rss;

	rss->all_b += (int64_t)(more * MIB);
	rss->mapped_b += more * MIB;
}

TEST(shared_growth_counts_once)
{
	struct some s = {0};

	for (int i = 0; i < MOST; i++)
		hold(&s, i, 10, 10, 10);
	read_again(&s);
	for (int i = 1; i < MOST; i++)
		map_more(&s, i, 200);
	map_more(&s, 3, 50);
	assert_near(memory_of(&s), 40 + 250, 0.1);
	/* one is read again: 250 MiB, of which 200 are the third part of three */
	s.processes[3].pss.rss_then = s.processes[3].rss;
	s.processes[3].pss.last.rss_b += (uint64_t)(250 * MIB);
	s.processes[3].pss.last.pss_mapped_b = (uint64_t)(117 * MIB);
	s.processes[3].pss.last.pss_b += s.processes[3].pss.last.pss_mapped_b;
	family_find(&s.t);
	s.processes[3].pss.kin = *family_kin(&s.t, 3);
	s.read = 3;
	assert_near(memory_of(&s), 40 + 250, 0.1);
	/* and the others, of which one is another program, map more after that */
	s.processes[2].stat.stack = 8;
	s.read = 0;
	map_more(&s, 1, 20);
	map_more(&s, 2, 60);
	assert_near(memory_of(&s), 40 + 260, 0.1);
}

/* It was read before another process, of another family, mapped the same file. */
TEST(a_part_that_others_may_have_by_now)
{
	struct some s = {0};

	hold(&s, 0, 10, 10, 10);
	hold(&s, 1, 10, 10, 10);
	s.processes[1].stat.stack = 8;
	map_more(&s, 0, 400);
	s.processes[0].pss.rss_then = s.processes[0].rss;
	s.processes[0].pss.last.rss_b += (uint64_t)(400 * MIB);
	s.processes[0].pss.last.pss_b += (uint64_t)(400 * MIB);
	s.processes[0].pss.last.pss_mapped_b = (uint64_t)(400 * MIB);
	read_again(&s);
	assert_near(memory_of(&s), 420, 0.1);
	map_more(&s, 1, 200);
	s.processes[1].pss.rss_then = s.processes[1].rss;
	s.processes[1].pss.last.rss_b += (uint64_t)(200 * MIB);
	s.processes[1].pss.last.pss_b += (uint64_t)(100 * MIB);
	s.processes[1].pss.last.pss_mapped_b = (uint64_t)(100 * MIB);
	family_find(&s.t);
	s.processes[1].pss.kin = *family_kin(&s.t, 1);
	s.read = 1;
	assert_near(memory_of(&s), 420, 0.1);
}

/* It was read while it shared 300 MiB with the head, which was read once it had given them up. */
TEST(memory_that_was_given_up_counts_once)
{
	struct some s = {0};

	hold(&s, 0, 300, 300, 300);
	hold(&s, 1, 300, 150, 0);
	read_again(&s);
	assert_near(memory_of(&s), 450, 0.1);
	s.gave[1] = INFINITY; /* it has ended */
	assert_near(memory_of(&s), 300, 0.1);
	s.gave[1] = 295;
	assert_near(memory_of(&s), 300, 0.1);
	/* the head was read before */
	hold(&s, 0, 300, 150, 0);
	assert_near(memory_of(&s), 300, 0.1);
	/* the head gave it up before the last of two children was read, or after */
	s.gave[0] = 295, s.gave[1] = 0;
	hold(&s, 1, 300, 150, 0);
	hold(&s, 2, 300, 150, 0);
	read_again(&s);
	assert_near(memory_of(&s), 300, 0.1);
	/* private memory of which others took some: the head did */
	s = (struct some){0};
	hold(&s, 0, 200, 200, 200);
	hold(&s, 1, 200, 200, 200);
	read_again(&s);
	s.gave[1] = 150;
	assert_near(memory_of(&s), 250, 0.1);
}

/* It is private now, but was not when the child, which gave it up, had its mark. */
TEST(memory_that_was_given_up_was_not_private)
{
	struct some s = {0};
	struct memory_mark mark = {.own_b = 300 * MIB};

	hold(&s, 0, 300, 300, 300);
	hold(&s, 1, 300, 150, 0);
	read_again(&s);
	(void)memory_of(&s);
	family_mark(&s.t, 0, 100 * MIB, &mark);
	assert_near(mark.own_b / MIB, 300, 0.1);
	/* The child was read, not the head: what was private at an earlier reading still is. */
	s.gave[1] = 295;
	s.read = 1;
	(void)memory_of(&s);
	family_mark(&s.t, 0, 100 * MIB, &mark);
	assert_near(mark.own_b / MIB, 300, 0.1);
	s.read = 0;
	family_was_read(&s.t, 0, &s.smaps);
	family_mark(&s.t, 0, 100 * MIB, &mark);
	assert_near(mark.own_b / MIB, 100, 0.1); /* as before the child gave it up */
	s.processes[0].family.came = true;
	family_mark(&s.t, 0, 100 * MIB, &mark);
	assert_near(mark.own_b / MIB, 0, 0.1);
}

/* What a child had that the head has not: its own child has it now. */
TEST(memory_that_a_generation_leaves_to_the_next)
{
	struct some s = {0};

	hold(&s, 0, 5, 5, 5);
	hold(&s, 1, 300, 150, 0);
	hold(&s, 2, 300, 150, 0);
	read_again(&s);
	s.gave[1] = INFINITY;
	assert_near(memory_of(&s), 300, 0.1);
	hold(&s, 2, 300, 300, 300);
	read_again(&s);
	assert_near(memory_of(&s), 305, 0.1);
}

/* A child of another program. */
static void share_files(struct some *s, int place, double pss)
{
	struct tracked_process *p = &s->processes[place];

	hold(s, place, 10, 10, 10);
	p->stat.stack = (uint64_t)(7 + place);
	map_more(s, place, 200);
	p->pss.rss_then = p->rss;
	p->pss.last.rss_b += (uint64_t)(200 * MIB);
	p->pss.last.pss_mapped_b = (uint64_t)(pss * MIB);
	p->pss.last.pss_b += p->pss.last.pss_mapped_b;
}

TEST(files_that_were_given_up_count_once)
{
	struct some s = {0};

	share_files(&s, 0, 200);
	share_files(&s, 1, 100);
	read_again(&s);
	s.read = 1;
	s.gave[1] = INFINITY;
	assert_near(memory_of(&s), 210, 0.1);
	/* the other one was read before */
	share_files(&s, 0, 100);
	read_again(&s);
	assert_near(memory_of(&s), 210, 0.1);
}

/* It mapped 100 MiB of the head's files after its status was read, and before PSS was. */
TEST(files_that_are_mapped_while_pss_is_read)
{
	struct some s = {0};

	share_files(&s, 0, 200);
	hold(&s, 1, 10, 10, 10);
	s.processes[1].stat.stack = 8;
	read_again(&s);
	s.processes[1].pss.last.rss_b += (uint64_t)(100 * MIB);
	s.processes[1].pss.last.pss_mapped_b = (uint64_t)(50 * MIB);
	s.processes[1].pss.last.pss_b += s.processes[1].pss.last.pss_mapped_b;
	s.smaps = s.processes[1].pss.last;
	s.read = 1;
	assert_near(memory_of(&s), 220, 0.1);
}

TEST(a_child_that_was_not_read_has_its_parents_pages)
{
	struct some s = {0};

	hold(&s, 0, 300, 300, 300);
	read_again(&s);
	hold(&s, 1, 300, 300, 300);
	s.processes[1].pss.known = false;
	s.processes[1].stat.minflt = 10 * 256;
	assert_near(memory_of(&s), 310, 0.1); /* at most its page faults */
	map_more(&s, 1, 10);                  /* that mapped shared memory */
	assert_near(memory_of(&s), 310, 0.1);
}

TEST(alone)
{
	struct some s = {0};

	/* what it shares with processes outside of the job counts by its share */
	hold(&s, 0, 300, 100, 0);
	read_again(&s);
	assert_near(memory_of(&s), 100, 0.1);
	/* a child of it came and went unseen: it was there when the head was read */
	s.processes[0].stat.cminflt += 50;
	assert_near(memory_of(&s), 300, 0.1);
	/* a child of another program shares nothing, and has a family of its own */
	read_again(&s);
	hold(&s, 1, 40, 40, 40);
	s.processes[1].stat.stack = 8;
	read_again(&s);
	assert_int_equal(s.processes[1].family.head, 1);
	assert_near(memory_of(&s), 140, 0.1);
}
