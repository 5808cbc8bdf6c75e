/* Tests of collect/process/cpu_accounting.c. */
#include "collect/process/cpu_accounting.h"
#include "tests/unit/near.h"
#include "tests/unit/unit.h"

#define N 6
#define U CPU_ACCOUNTING_UTIME

/* Places 0 to N-1. Only user time is set: all kinds are added up alike. */
struct play {
	struct cpu_account v[N];
	double sum[CPU_ACCOUNTING_COUNT];
};

static void begin(struct play *p, int place, int parent, double own, double inherited)
{
	p->v[place] = (struct cpu_account){.used = true, .parent = parent};
	p->v[place].own[U] = own;
	p->v[place].inherited[U] = inherited;
}

static void set(struct play *p, int place, double own, double inherited)
{
	p->v[place].own[U] = own;
	p->v[place].inherited[U] = inherited;
}

static void close_and_expect(struct play *p, double sum)
{
	cpu_accounting_close(p->v, N, p->sum);
	assert_near(p->sum[U], sum, 1e-9);
}

TEST(what_the_living_use_adds_up)
{
	struct play p = {.sum = {0}};

	begin(&p, 0, -1, 1, 0);
	begin(&p, 1, 0, 2, 0.5); /* new: with all it has, and what its children had */
	close_and_expect(&p, 3.5);
	set(&p, 0, 1.5, 0);
	set(&p, 1, 2.25, 0.5);
	close_and_expect(&p, 4.25);
}

TEST(a_reaped_child_adds_what_was_not_counted)
{
	struct play p = {.sum = {0}};

	begin(&p, 0, -1, 0, 0);
	begin(&p, 1, 0, 9, 0);
	close_and_expect(&p, 9);
	p.v[1].gone = true;
	set(&p, 0, 0.1, 9.4); /* no spike of 9.4 */
	close_and_expect(&p, 9.5);
	assert_false(p.v[1].used);
}

TEST(what_lived_between_two_readings_comes_by_its_parent)
{
	struct play p = {.sum = {0}};

	begin(&p, 0, -1, 0, 0);
	close_and_expect(&p, 0);
	set(&p, 0, 0, 5);
	close_and_expect(&p, 5);
}

TEST(accounts_are_handed_up_through_the_dead)
{
	struct play p = {.sum = {0}};

	begin(&p, 0, -1, 0, 0);
	begin(&p, 1, 0, 1, 0);
	begin(&p, 2, 1, 2, 0);
	begin(&p, 3, 2, 4, 0);
	close_and_expect(&p, 7);
	p.v[1].gone = p.v[2].gone = p.v[3].gone = true;
	set(&p, 0, 0, 7.5);
	close_and_expect(&p, 7.5);
}

TEST(what_was_handed_to_nobody_makes_nothing_fall)
{
	struct play p = {.sum = {0}};

	begin(&p, 0, -1, 1, 0);
	begin(&p, 1, 0, 50, 0); /* 0 ignores SIGCHLD */
	begin(&p, 2, -1, 1, 0);
	begin(&p, 3, 2, 3, 0);
	close_and_expect(&p, 55);
	p.v[1].gone = p.v[3].gone = true;
	set(&p, 0, 1.5, 0);
	set(&p, 2, 1, 4); /* the loss does not affect other accounts */
	close_and_expect(&p, 56.5);
}

TEST(what_we_reaped_is_exact)
{
	struct play p = {.sum = {0}};

	begin(&p, 0, -1, 1, 0.5);
	begin(&p, 1, 0, 2, 0);
	close_and_expect(&p, 3.5);
	/* 0 reaped 1, then ended, and we reaped it. */
	p.v[0].reaped = p.v[0].gone = p.v[1].gone = true;
	p.v[0].final[U] = 4.125;
	close_and_expect(&p, 4.125);
	assert_false(p.v[0].used);
}

TEST(settling_leaves_the_living_alone)
{
	struct play p = {.sum = {0}};

	begin(&p, 0, -1, 1, 0);
	begin(&p, 1, 0, 2, 0);
	close_and_expect(&p, 3);
	p.v[0].reaped = true;
	p.v[0].final[U] = 1.004;
	close_and_expect(&p, 3.004);
	assert_true(p.v[1].used);
	set(&p, 1, 2.5, 0);
	close_and_expect(&p, 3.504);
}

TEST(a_free_or_foreign_parent_is_no_heir)
{
	struct play p = {.sum = {0}};

	begin(&p, 1, 0, 2, 0); /* its parent's place is free */
	begin(&p, 2, 2, 2, 0); /* it is its own parent */
	close_and_expect(&p, 4);
	p.v[1].gone = p.v[2].gone = true;
	close_and_expect(&p, 4);
}

TEST(kinds_do_not_mix)
{
	struct play p = {.sum = {0}};

	begin(&p, 0, -1, 0, 0);
	p.v[0].inherited[CPU_ACCOUNTING_WRITE] = 4096;
	cpu_accounting_close(p.v, N, p.sum);
	p.v[0].inherited[CPU_ACCOUNTING_WRITE] = 8192;
	p.v[0].own[CPU_ACCOUNTING_STIME] = 1;
	cpu_accounting_close(p.v, N, p.sum);
	assert_near(p.sum[CPU_ACCOUNTING_WRITE], 8192, 0);
	assert_near(p.sum[CPU_ACCOUNTING_STIME], 1, 0);
	assert_near(p.sum[CPU_ACCOUNTING_UTIME] + p.sum[CPU_ACCOUNTING_READ], 0, 0);
}

/* The child's own account is exact; its parent inherits it in whole ticks. */
TEST(what_rounding_took_away_is_not_counted_twice)
{
	struct play p = {.sum = {0}};
	const int C = CPU_ACCOUNTING_CPU;

	begin(&p, 0, -1, 0, 0);
	begin(&p, 1, 0, 0, 0);
	p.v[1].own[C] = 5.0045;
	cpu_accounting_close(p.v, N, p.sum);
	p.v[1].gone = true;
	p.v[0].inherited[C] = 4.99;
	cpu_accounting_close(p.v, N, p.sum);
	assert_near(p.sum[C], 5.0045, 1e-9);
	p.v[0].inherited[C] = 5.01;
	cpu_accounting_close(p.v, N, p.sum);
	assert_near(p.sum[C], 5.01, 1e-9);
	p.v[0].reaped = true;
	p.v[0].final[C] = 5.012;
	cpu_accounting_close(p.v, N, p.sum);
	assert_near(p.sum[C], 5.012, 1e-9);
}

TEST(a_debt_goes_with_the_account)
{
	struct play p = {.sum = {0}};
	const int C = CPU_ACCOUNTING_CPU;

	begin(&p, 0, -1, 0, 0);
	begin(&p, 1, 0, 0, 0);
	begin(&p, 2, 1, 0, 0);
	p.v[2].own[C] = 1.015;
	cpu_accounting_close(p.v, N, p.sum);
	p.v[2].gone = true;
	p.v[1].inherited[C] = 1;
	cpu_accounting_close(p.v, N, p.sum);
	p.v[1].gone = true;
	p.v[0].inherited[C] = 1.02;
	cpu_accounting_close(p.v, N, p.sum);
	assert_near(p.sum[C], 1.02, 1e-9);
}

TEST(a_loss_is_no_debt)
{
	struct play p = {.sum = {0}};
	const int C = CPU_ACCOUNTING_CPU;

	begin(&p, 0, -1, 0, 0);
	begin(&p, 1, 0, 0, 0);
	p.v[1].own[C] = 50;
	cpu_accounting_close(p.v, N, p.sum);
	p.v[1].gone = true; /* nobody waited for it */
	cpu_accounting_close(p.v, N, p.sum);
	p.v[0].own[C] = 1;
	p.v[0].inherited[C] = 3;
	cpu_accounting_close(p.v, N, p.sum);
	assert_near(p.sum[C], 54, CPU_ACCOUNTING_ROUNDING_S + 1e-9);
}

/* The parent was read last, and had reaped two children that were read before. */
TEST(what_was_counted_twice_is_paid)
{
	struct play p = {.sum = {0}};

	begin(&p, 0, -1, 1, 0);
	begin(&p, 1, 0, 2, 0);
	begin(&p, 2, 0, 3, 0);
	close_and_expect(&p, 6);
	set(&p, 0, 1, 5);
	p.v[0].maybe_double = true;
	close_and_expect(&p, 11);
	p.v[1].gone = p.v[2].gone = true;
	set(&p, 0, 1, 5);
	close_and_expect(&p, 11); /* it never falls */
	set(&p, 0, 2, 5);
	close_and_expect(&p, 12);
	set(&p, 0, 2, 9); /* more that nobody saw */
	close_and_expect(&p, 12);
	set(&p, 0, 2, 12);
	close_and_expect(&p, 14); /* 2 itself, 12 handed over */
	p.v[0].reaped = true;
	p.v[0].final[U] = 15;
	close_and_expect(&p, 15);
}

TEST(user_and_system_make_up_the_sum)
{
	static const double seen[][3] = {/* user, system, both */
	                                 {0, 0, 0.004},       {0.01, 0, 0.019},
	                                 {0.01, 0.01, 0.021}, {0.01, 0.02, 0.03},
	                                 {0.5, 0.02, 0.529},  {0.5, 0.03, 0.529}};
	double u = 0, s = 0, out[CPU_ACCOUNTING_COUNT];

	for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
		double before_u = u, before_s = s;
		const double sum[CPU_ACCOUNTING_COUNT] = {[CPU_ACCOUNTING_UTIME] = seen[i][0],
		                                          [CPU_ACCOUNTING_STIME] = seen[i][1],
		                                          [CPU_ACCOUNTING_CPU] = seen[i][2],
		                                          [CPU_ACCOUNTING_READ] = 7};
		cpu_accounting_split(sum, &u, &s, out);
		assert_near(out[CPU_ACCOUNTING_UTIME] + out[CPU_ACCOUNTING_STIME], seen[i][2],
		            1e-12);
		assert_near(out[CPU_ACCOUNTING_READ], 7, 0);
		assert_true(u >= before_u && s >= before_s);
	}
	assert_near(out[CPU_ACCOUNTING_UTIME], 0.509, 0.011);
}
