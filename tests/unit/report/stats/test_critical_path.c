/* critical_path: worked examples, each path written out by hand; and paths of random trees. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/stats/critical_path.h"
#include "tests/unit/report/lived.h"

static const struct critical_path_job hundred = {.pid = 100, .duration_s = 100, .interval_s = 1};

/* The path as text: "sh 0-5, cc 5-20". */
static void expect_path_of(const struct lived_tree *l, const struct critical_path_job *job,
                           const char *expected)
{
	struct critical_path p;
	char text[1024] = "";

	assert_int_equal(critical_path_of(&l->t, job, &p), 0);
	for (size_t i = 0; i < p.n; i++) {
		size_t n = strlen(text);
		snprintf(text + n, sizeof text - n, "%s%s %g-%g", i ? ", " : "",
		         p.v[i].at < 0 ? "?" : l->of[p.v[i].at].name, p.v[i].from_s, p.v[i].to_s);
	}
	assert_string_equal(text, expected);
	critical_path_free(&p);
}

#define expect_path(l, expected) expect_path_of(l, &hundred, expected)

/* make -j2: c1 and c2 at once, then c3; then ld, which needs all of them. */
TEST(of_a_build)
{
	struct lived_tree l;
	long make, gcc;

	lived_begin(&l);
	make = lived(&l, "make", -1, 0, 100);
	lived(&l, "c1", make, 1, 30);
	gcc = lived(&l, "gcc", make, 1, 50);
	lived(&l, "c2", gcc, 2, 49);
	lived(&l, "c3", make, 30, 58);
	lived(&l, "ld", make, 59, 99);
	expect_path(&l, "make 0-1, c1 1-30, c3 30-58, make 58-59, ld 59-99, make 99-100");
	/* c3 is done sooner: now the end waits for gcc, and in it for c2. */
	l.of[4].end_s = 45;
	expect_path(&l, "make 0-1, gcc 1-2, c2 2-49, gcc 49-50, make 50-59, ld 59-99, make 99-100");
}

TEST(of_steps_in_turn)
{
	struct lived_tree l;

	lived_begin(&l);
	lived(&l, "sh", -1, 0, 100);
	lived(&l, "a", 0, 0, 40);
	lived(&l, "b", 0, 40, 70);
	lived(&l, "c", 0, 70, 100);
	expect_path(&l, "a 0-40, b 40-70, c 70-100");
}

/* All of a pool end at the join; the one that ended last, and of equals the longest, was waited for. */
TEST(of_a_pool)
{
	struct lived_tree l;

	lived_begin(&l);
	lived(&l, "main", -1, 0, 100);
	lived(&l, "w1", 0, 5, 80);
	lived(&l, "w2", 0, 6, 90);
	lived(&l, "w3", 0, 7, 90);
	expect_path(&l, "main 0-6, w2 6-90, main 90-100");
}

/* sort | gzip | wc: all end together, and sort worked. */
TEST(of_a_pipeline)
{
	struct lived_tree l;

	lived_begin(&l);
	lived(&l, "sh", -1, 0, 100);
	lived(&l, "sort", 0, 0, 89.95);
	lived(&l, "gzip", 0, 0, 89.98);
	lived(&l, "wc", 0, 0, 90);
	l.of[2].cpu_s = 7;
	l.of[3].cpu_s = NAN;
	expect_path(&l, "sort 0-89.95, sh 89.95-100");
	l.of[1].end_s = 89.85; /* more than 0.1 s before */
	expect_path(&l, "gzip 0-89.98, sh 89.98-100");
	l.of[3].start_s = 89; /* of a short life, 1 % */
	expect_path(&l, "sh 0-89, wc 89-90, sh 90-100");
}

/* Who outlives its parent was not waited for, nor who still ran. */
TEST(daemons_are_not_waited_for)
{
	struct lived_tree l;
	struct critical_path_job job = hundred;

	lived_begin(&l);
	lived(&l, "sh", -1, 0, 99);
	lived(&l, "daemon", 0, 1, NAN);
	lived(&l, "start", 0, 1, 10);
	lived(&l, "forked", 2, 2, 60);
	expect_path(&l, "sh 0-1, start 1-10, sh 10-99");
	/* The root still ran: what it waited for is what ran with it. */
	l.of[0].end_s = NAN;
	expect_path(&l, "sh 0-1, daemon 1-100");
	/* Of --pid: it is older than the recording. */
	l.of[0].start_s = -1000;
	l.of[1].start_s = -500;
	expect_path(&l, "daemon 0-100");
	job.duration_s = 50;
	l.of[1].end_s = 20;
	expect_path_of(&l, &job, "daemon 0-20, sh 20-50");
}

TEST(without_a_root)
{
	struct lived_tree l;
	struct critical_path_job job = {.pid = NAN, .duration_s = 100, .interval_s = NAN};

	lived_begin(&l);
	expect_path(&l, "? 0-100");
	lived(&l, "task1", -1, 10, 50);
	lived(&l, "task2", -1, 20, 95);
	lived(&l, "deep", 1, 30, 60);
	expect_path_of(&l, &job, "? 0-20, task2 20-30, deep 30-60, task2 60-95, ? 95-100");
}

/* In samples a process ends with the first sample without it, when the next one already runs. */
TEST(of_samples)
{
	struct lived_tree l;

	lived_begin(&l);
	lived(&l, "sh", -1, 0, 100);
	lived(&l, "a", 0, 0.5, 41);
	lived(&l, "b", 0, 40.2, 100);
	expect_path(&l, "sh 0-40.2, b 40.2-100");
	l.t.source = PROCESS_TREE_SAMPLES;
	expect_path(&l, "sh 0-0.5, a 0.5-40.2, b 40.2-100");
}

static struct critical_path_last last_of(const struct lived_tree *l)
{
	struct critical_path p;
	struct critical_path_last last;

	assert_int_equal(critical_path_of(&l->t, &hundred, &p), 0);
	last = p.last;
	critical_path_free(&p);
	return last;
}

/* of_cores: below 0 where they are not known. */
#define expect_last(l, index, from, to, of_cores)                                                  \
	do {                                                                                       \
		struct critical_path_last last = last_of(l);                                       \
		assert_int_equal(last.at, index);                                                  \
		assert_true(last.from_s == (from) && last.to_s == (to));                           \
		if ((of_cores) < 0)                                                                \
			assert_true(isnan(last.cores));                                            \
		else                                                                               \
			assert_true(fabs(last.cores - (of_cores)) < 1e-9);                         \
	} while (0)

TEST(the_last_is_alone)
{
	struct lived_tree l;
	long make, gcc;

	lived_begin(&l);
	make = lived(&l, "make", -1, 0, 100);
	lived(&l, "c1", make, 0, 50);
	lived(&l, "c2", make, 10, 60);
	gcc = lived(&l, "gcc", make, 59, 99.8);
	lived(&l, "ld", gcc, 59, 99.7);
	expect_last(&l, 4, 60, 99.7, 1);
	/* (60 + 50 + 50 + 1 + 1) / 60: all had a CPU all the time. */
	assert_true(fabs(last_of(&l).before - 162.0 / 60) < 1e-9);
	l.of[0].cpu_s = NAN; /* then it counts where it has no child, and it has */
	assert_true(fabs(last_of(&l).before - 102.0 / 60) < 1e-9);
	l.of[0].cpu_s = 1;
	/* It ran long with others: how many cores it had alone is not known. */
	l.of[4].start_s = l.of[3].start_s = 30;
	expect_last(&l, 4, 60, 99.7, -1);
	/* Somebody else, or a sum of others, ran to the end. */
	l.of[1].end_s = NAN;
	expect_last(&l, 1, 99.8, 100, -1);
	l.of[1].end_s = 50;
	l.groups[0] = (struct process_tree_group){
	    .name = "sh", .parent = 0, .n = 9, .cpu_s = 1, .start_s = 1, .end_s = 90};
	l.t.n_groups = 1;
	expect_last(&l, 4, 90, 99.7, -1);
	l.groups[0].end_s = NAN;
	assert_int_equal(last_of(&l).at, CRITICAL_PATH_NONE);
}

/* One that sleeps is not what the end waited for alone, nor does one that sleeps beside it count. */
TEST(idle_is_not_alone)
{
	struct lived_tree l;
	struct snapshot_process waited = {.name = ""};

	lived_begin(&l);
	lived(&l, "sh", -1, 0, 100);
	l.of[0].cpu_s = 0.1;
	lived(&l, "cc", 0, 0, 60);
	lived(&l, "server", 0, 0, NAN);
	l.of[2].cpu_s = 0.5;
	lived(&l, "ld", 0, 60, 100);
	expect_last(&l, 3, 60, 100, 1);
	l.of[3].cpu_s = 2;
	assert_int_equal(last_of(&l).at, CRITICAL_PATH_NONE);
	/* It waited for a CPU, which is not idle; or for its disk. */
	l.of[3].sampled = &waited;
	waited.states_s[STATES_CPU_WAIT] = 37;
	expect_last(&l, 3, 60, 100, 0.05);
	waited.states_s[STATES_CPU_WAIT] = 0;
	waited.states_s[STATES_DISK] = 37;
	assert_int_equal(last_of(&l).at, CRITICAL_PATH_NONE);
	/* How much it used is not known. */
	l.of[3].sampled = NULL;
	l.of[3].cpu_s = NAN;
	assert_int_equal(last_of(&l).at, CRITICAL_PATH_NONE);
}

TEST(alone_at_the_end_is_the_root)
{
	struct lived_tree l;

	lived_begin(&l);
	lived(&l, "python", -1, 0, 100);
	lived(&l, "worker", 0, 1, 40);
	lived(&l, "worker", 0, 1, 41);
	expect_last(&l, 0, 41, 100, -1);
}

/* Whatever the tree: each moment is once on the path, in order, within the life of its process. */
TEST(of_random_trees)
{
	struct lived_tree *l = malloc(sizeof *l);

	srand(25);
	for (int round = 0; round < 3000 / EVERY(10); round++) {
		struct critical_path p;
		double at, sum = 0;
		int n = 1 + rand() % 40;
		lived_begin(l);
		l->t.source = rand() % 2 ? PROCESS_TREE_EVENTS : PROCESS_TREE_SAMPLES;
		for (int i = 0; i < n; i++) {
			double start = rand() % 1200 / 10.0 - 10;
			lived(l, "p", i ? rand() % (i + 1) - 1 : -1, start,
			      rand() % 9 ? start + rand() % 600 / 10.0 : (double)NAN);
		}
		assert_int_equal(critical_path_of(&l->t, &hundred, &p), 0);
		at = critical_path_start_s(&l->of[0], &hundred);
		for (size_t i = 0; i < p.n; i++) {
			const struct critical_path_step *v = &p.v[i];
			assert_true(v->to_s > v->from_s && v->from_s == at);
			at = v->to_s;
			if (v->at < 0)
				continue;
			assert_true(v->from_s >= critical_path_start_s(&l->of[v->at], &hundred));
			assert_true(v->to_s <= critical_path_end_s(&l->of[v->at], &hundred));
		}
		for (int i = 0; i < n; i++)
			sum += p.on_s[i];
		assert_true(fabs(sum + p.none_s + critical_path_start_s(&l->of[0], &hundred) - at) <
		            1e-6);
		critical_path_free(&p);
	}
	free(l);
}
