/* Tests of collect/process/pss.c. */
#include <math.h>

#include "collect/process/pss.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

#define S   1000000000ll
#define MIB ((int64_t)1 << 20)

static const struct pss_kin none = {0};

/* RSS of a kernel that does not split it. */
static const struct pss_rss *whole(int64_t rss_b)
{
	static struct pss_rss rss;

	rss = (struct pss_rss){rss_b, NAN, 0};
	return &rss;
}

TEST(read_again_when_pages_may_have_changed)
{
	const struct proc_pid_smaps smaps = {.rss_b = 4096, .pss_b = 4096};
	struct proc_pid_stat stat = {.minflt = 10, .majflt = 1, .rss_pages = 5, .utime = 3};
	const struct pss_kin other = {.events = 1};
	struct pss_activity now = pss_activity(&stat);
	struct pss_budget b = {0};
	struct pss p = {0};

	assert_true(pss_is_due(&p, &now, &none));
	pss_was_read(&b, &p, &smaps, &now, &none, whole(4096), 1e-5);
	assert_false(pss_is_due(&p, &now, &none));
	stat.utime = 100; /* CPU time alone moves no page */
	now = pss_activity(&stat);
	assert_false(pss_is_due(&p, &now, &none));
	assert_true(pss_is_due(&p, &now, &other));
	stat.minflt++;
	now = pss_activity(&stat);
	assert_true(pss_is_due(&p, &now, &none));
	stat.minflt--;
	stat.rss_pages--;
	now = pss_activity(&stat);
	assert_true(pss_is_due(&p, &now, &none));
}

TEST(read_again_when_others_write_to_shared_pages)
{
	const struct proc_pid_smaps shares = {
	    .rss_b = 103 << 20, .pss_b = 53 << 20, .anonymous_b = 100 << 20};
	struct proc_pid_smaps alone = shares;
	const struct pss_activity still = {.faults = 10, .rss_pages = 5};
	struct pss_kin then = {.events = 2, .faults = 5000, .rss_pages = 900}, now = then;
	struct pss_budget b = {0};
	struct pss p = {0};

	pss_was_read(&b, &p, &shares, &still, &then, whole(4096), 1e-5);
	assert_near(pss_shared_anonymous_b(&p), 100 << 20, 1);
	now.faults += 255;
	assert_false(pss_is_due(&p, &still, &now));
	now.faults++;
	assert_true(pss_is_due(&p, &still, &now));
	now = then;
	now.rss_pages -= 256;
	assert_true(pss_is_due(&p, &still, &now));
	/* what is private stays so */
	alone.private_b = 100 << 20;
	pss_was_read(&b, &p, &alone, &still, &then, whole(4096), 1e-5);
	assert_false(pss_is_due(&p, &still, &now));
}

/* One sample a second of n busy processes, for so many seconds. A reading costs cost[i]. */
static double spend(size_t n, const double *cost, int seconds, int *readings)
{
	const struct proc_pid_smaps smaps = {.rss_b = 1, .pss_b = 1};
	struct pss v[64] = {{0}};
	struct pss_budget b = {0};
	double spent = 0;

	for (int at = 1; at <= seconds; at++) {
		const struct pss_activity now = {.faults = (uint64_t)at};
		bool done[64] = {false};
		pss_budget_deal(&b, at * S, n);
		for (int late = 0; late < 2; late++)
			for (size_t i = 0; i < n; i++) {
				if (done[i] || !(late ? pss_may_read_late : pss_may_read)(
						   &b, &v[i], (int64_t)(cost[i] / 4e-12)))
					continue;
				done[i] = true;
				pss_was_read(&b, &v[i], &smaps, &now, &none, whole(4096), cost[i]);
				spent += cost[i];
				readings[i]++;
			}
	}
	assert_true(b.taken <= b.due);
	return spent;
}

TEST(one_hundredth_of_a_core)
{
	static const double small[] = {2e-5, 2e-5, 2e-5}, huge[] = {0.05, 2e-5, 2e-5};
	double crowd[64];
	int n[64] = {0};

	spend(3, small, 100, n);
	for (int i = 0; i < 3; i++)
		assert_int_equal(n[i], 100); /* always */
	n[0] = n[1] = n[2] = 0;
	assert_true(spend(3, huge, 100, n) <= 1 + PSS_START_S + 0.05);
	assert_true(n[0] >= 17 && n[0] <= 22); /* every fifth time, and the small ones always */
	assert_true(n[1] >= 99 && n[2] >= 99);
	for (int i = 0; i < 64; i++) {
		crowd[i] = 0.0005;
		n[i] = 0;
	}
	assert_true(spend(64, crowd, 100, n) <= 1 + PSS_START_S + 0.05);
	for (int i = 0; i < 64; i++)
		assert_true(n[i] >= 25 && n[i] <= 40); /* of 31, by turns */
}

TEST(a_pause_is_not_saved_up)
{
	const struct proc_pid_smaps smaps = {.pss_b = 1};
	const struct pss_activity now = {0};
	struct pss_budget b = {0};
	struct pss p = {0};
	double spent = 0;

	pss_budget_deal(&b, S, 0);
	pss_budget_deal(&b, 10000 * S, 1);
	while (pss_may_read(&b, &p, 4096) || pss_may_read_late(&b, &p, 4096)) {
		pss_was_read(&b, &p, &smaps, &now, &none, whole(0), 0.01);
		spent += 0.01;
		assert_true(spent < 1);
	}
	assert_true(spent <= PSS_SAVED_S + 0.02);
}

/* A process that grows between the readings of its stat and of smaps_rollup. */
TEST(growth_before_the_reading_counts_once)
{
	const struct proc_pid_smaps smaps = {.rss_b = 200 << 20, .pss_b = 200 << 20};
	const struct pss_activity now = {.faults = 1};
	struct pss_budget b = {0};
	struct pss p = {0};
	struct pss_memory m;

	pss_was_read(&b, &p, &smaps, &now, &none, whole(10 * MIB), 1e-5);
	pss_memory(&p, whole(10 * MIB), &m);
	assert_near(m.pss_b, 200 << 20, 0);
	pss_memory(&p, whole(200 * MIB), &m);
	assert_near(m.pss_b, 200 << 20, 0);
	pss_memory(&p, whole(230 * MIB), &m);
	assert_near(m.pss_b, 230 << 20, 0);
}

TEST(in_between_it_follows_rss)
{
	static const struct {
		int64_t rss;
		double pss, private, shared;
	} cases[] = {
	    {100, 60, 40, 60}, {150, 110, 90, 60}, {50, 30, 20, 30}, {0, 0, 0, 0}, {-5, 0, 0, 0}};
	const struct proc_pid_smaps smaps = {.rss_b = (uint64_t)(100 * MIB),
	                                     .pss_b = (uint64_t)(60 * MIB),
	                                     .private_b = (uint64_t)(40 * MIB),
	                                     .swap_pss_b = 7};
	const struct pss_activity now = {0};
	struct pss_budget b = {0};
	struct pss p = {0};
	struct pss_memory m;

	pss_memory(&p, whole(9 * MIB), &m); /* never read */
	assert_near(m.pss_b, 9.0 * MIB, 0);
	assert_near(m.rss_b, 9.0 * MIB, 0);
	assert_true(isnan(m.private_b) && isnan(m.shared_b) && isnan(m.swap_b));
	pss_was_read(&b, &p, &smaps, &now, &none, whole(100 * MIB), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		pss_memory(&p, whole(cases[i].rss * MIB), &m);
		assert_near(m.rss_b, (double)(cases[i].rss < 0 ? 0 : cases[i].rss) * MIB, 1);
		assert_near(m.pss_b, cases[i].pss * MIB, 1);
		assert_near(m.private_b, cases[i].private * MIB, 1);
		assert_near(m.shared_b, cases[i].shared * MIB, 1);
		assert_near(m.swap_b, 7, 0);
	}
}

/* 100 MiB anonymous, of which 60 are private and 40 shared with one other; 80 MiB of a file that
 * four have mapped. */
TEST(growth_of_files_and_shared_memory_is_kept_apart)
{
	static const struct {
		int64_t all;
		double mapped, shmem;
		double pss, rss, grown, file, unsure;
	} cases[] = {
	    {180, 80, 0, 100, 180, 0, 20, 0},
	    {210, 80, 0, 130, 210, 0, 20, 0},    /* anonymous memory is private */
	    {210, 110, 0, 100, 210, 30, 50, 0},  /* a file is not */
	    {210, 110, 30, 100, 210, 30, 20, 0}, /* nor is shared memory */
	    {130, 80, 0, 60, 130, 0, 20, 10},    /* half went: 40 of PSS, at most 50 */
	    {140, 40, 0, 90, 140, 0, 20, 10},    /* the same of the file */
	    {0, 0, 0, 0, 0, 0, 20, 0},
	};
	const struct proc_pid_smaps smaps = {.rss_b = 180 << 20,
	                                     .pss_b = 100 << 20,
	                                     .private_b = 60 << 20,
	                                     .anonymous_b = 100 << 20,
	                                     .pss_mapped_b = 20 << 20};
	const struct pss_rss then = {180 * MIB, 80 << 20, 0};
	const struct pss_activity now = {0};
	struct pss_budget b = {0};
	struct pss p = {0};
	struct pss_memory m;

	pss_memory(&p, &then, &m); /* never read: nothing says that its file is its own */
	assert_near(m.pss_b, 100 << 20, 0);
	assert_near(m.grown_b, 80 << 20, 0);
	pss_was_read(&b, &p, &smaps, &now, &none, &then, 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct pss_rss rss = {cases[i].all * MIB, cases[i].mapped * (double)MIB,
		                            cases[i].shmem * (double)MIB};
		pss_memory(&p, &rss, &m);
		assert_near(m.pss_b, cases[i].pss * (double)MIB, 1);
		assert_near(m.rss_b, cases[i].rss * (double)MIB, 1);
		assert_near(m.grown_b, cases[i].grown * (double)MIB, 1);
		assert_near(m.file_most_b, cases[i].file * (double)MIB, 1);
		assert_near(m.unsure_b, cases[i].unsure * (double)MIB, 1);
	}
}

TEST(read_again_when_others_map_much)
{
	const struct proc_pid_smaps maps = {
	    .rss_b = 400 << 20, .pss_b = 400 << 20, .pss_mapped_b = 400 << 20};
	const struct pss_activity still = {.faults = 10};
	struct pss_kin now = {.mapped_b = 400 << 20};
	struct pss_budget b = {0};
	struct pss p = {0};

	pss_was_read(&b, &p, &maps, &still, &now, whole(400 * MIB), 1e-5);
	now.mapped_b += 15 << 20;
	assert_false(pss_is_due(&p, &still, &now));
	assert_near(pss_mapped_unsure_b(&p, &now), 15 << 20, 1);
	now.mapped_b += 2 << 20;
	assert_true(pss_is_due(&p, &still, &now));
}
