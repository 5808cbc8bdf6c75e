/* Tests of collect/waits/wait_slices.c and wait_thread.c. */
#include <math.h>
#include <string.h>

#include "collect/waits/wait_slices.h"
#include "collect/waits/wait_thread.h"
#include "tests/unit/unit.h"

#define S INT64_C(1000000000)

static const struct wait_accounts none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

static double all(const struct wait_sums *s)
{
	double sum = 0;

	for (int k = 0; k < STATES_N; k++)
		sum += s->value[k];
	return sum;
}

static void add(struct wait_slices *w, int64_t from, int64_t to, int state, double s, bool sampled)
{
	struct wait_share share = {.from = from, .to = to, .sampled = sampled};

	share.s[state] = s;
	wait_slices_add(w, &share);
}

/* An interval of 1 s, from 1 s on. */
static void begin(struct wait_slices *w)
{
	wait_slices_start(w, S);
	wait_slices_cut(w, 2 * S);
}

TEST(first_state_counts)
{
	struct wait_sums s = {.exact = 0};
	struct wait_slices w;

	begin(&w);
	add(&w, S, 2 * S, STATES_SLEEP, 1, false);
	add(&w, S, 2 * S, STATES_DISK, 1, false);
	add(&w, S, 2 * S, STATES_LOCK, 1, false);
	wait_slices_close(&w, &none, &s);
	assert_true(near(s.value[STATES_DISK], 1) && near(all(&s), 1));
	assert_true(near(s.least[STATES_DISK], 1) && near(s.most[STATES_DISK], 1));
	assert_true(near(s.exact, 1) && s.sampled == 0 && s.bound == 0);
}

/* Two threads run half of the time each: together between a half and all of it. */
TEST(bounds)
{
	struct wait_sums s = {.exact = 0};
	struct wait_slices w;

	begin(&w);
	for (int i = 0; i < 2; i++) {
		struct wait_share share = {.from = S, .to = 2 * S};
		share.s[STATES_CPU] = share.s[STATES_NET] = 0.5;
		wait_slices_add(&w, &share);
	}
	wait_slices_close(&w, &none, &s);
	assert_true(near(s.value[STATES_CPU], 0.75) && near(s.value[STATES_NET], 0.25));
	assert_true(near(s.least[STATES_CPU], 0.5) && near(s.most[STATES_CPU], 1));
	assert_true(near(s.least[STATES_NET], 0) && near(s.most[STATES_NET], 0.5));
	assert_true(near(s.bound, 1));
}

/* A thread for a part, and nobody for the rest; then with a thread that ended there, and with CPU
 * time that no thread used. */
TEST(unexplained)
{
	struct wait_accounts a = none;
	struct wait_sums s;
	struct wait_slices w;

	for (int i = 0; i < 3; i++) {
		s = (struct wait_sums){.exact = 0};
		begin(&w);
		add(&w, S + S / 4, 2 * S, STATES_PIPE, 0.75, true);
		if (i == 1)
			wait_slices_ghost(&w, S, 2 * S, STATES_SLEEP);
		a.unseen_cpu_s = a.cpu_s = i == 2 ? 0.1 : 0;
		a.cpus = 2;
		wait_slices_close(&w, &a, &s);
		assert_true(near(s.value[STATES_PIPE], 0.75) && near(all(&s), 1));
		assert_true(near(s.value[STATES_SLEEP], i == 1 ? 0.25 : 0));
		assert_true(near(s.value[STATES_CPU], i == 2 ? 0.1 : 0));
		assert_true(near(s.value[STATES_UNKNOWN], i == 0 ? 0.25 : i == 1 ? 0 : 0.15));
		/* Nothing is known of that. */
		assert_true(near(s.exact + s.sampled + s.bound + s.value[STATES_UNKNOWN], 1));
	}
}

/* What the quota's own account says is known, although no thread says it; four threads that it
 * stops wait at the same time. */
TEST(quota)
{
	struct wait_accounts a = none;
	struct wait_slices w;

	for (int threads = 1; threads <= 4; threads += 3) {
		struct wait_sums s = {.exact = 0};
		begin(&w);
		for (int i = 0; i < threads; i++) {
			struct wait_share share = {.from = S, .to = 2 * S};
			share.s[STATES_CPU] = 0.1;
			share.s[STATES_CPU_WAIT] = 0.9;
			wait_slices_add(&w, &share);
		}
		a.throttled_s = threads == 1 ? 0.88 : 1.7;
		wait_slices_close(&w, &a, &s);
		assert_true(near(s.value[STATES_THROTTLED], threads == 1 ? 0.88 : 0.9));
		assert_true(near(s.least[STATES_THROTTLED], s.value[STATES_THROTTLED]));
		assert_true(near(s.most[STATES_THROTTLED], s.value[STATES_THROTTLED]));
		assert_true(near(s.value[STATES_CPU_WAIT], threads == 1 ? 0.02 : 0));
		assert_true(near(all(&s), 1));
	}
}

/* The kernel says that the job waited for a CPU for longer than its threads show: in none that was
 * seen, in those that ended, and in one that was seen at storage for longer than the kernel has. */
TEST(cpu_wait_of_nobody)
{
	struct wait_accounts a = none;
	struct wait_slices w;

	a.cpu_full_s = 0.8;
	a.io_full_s = 0.01;
	for (int i = 0; i < 3; i++) {
		struct wait_sums s = {.exact = 0};
		begin(&w);
		add(&w, S, 2 * S, STATES_CPU, 0.1, false);
		if (i == 1)
			wait_slices_ghost(&w, S, 2 * S, STATES_DISK);
		if (i == 2)
			add(&w, S, 2 * S, STATES_DISK, 0.17, false);
		wait_slices_close(&w, &a, &s);
		assert_true(near(s.value[STATES_CPU_WAIT], 0.8) && near(all(&s), 1));
		assert_true(s.most[STATES_CPU_WAIT] >= s.value[STATES_CPU_WAIT] - 1e-9);
		assert_true(s.value[STATES_DISK] <= 0.17);
	}
	/* All of the time is known, and some of it would have to be. */
	{
		struct wait_sums s = {.exact = 0};
		struct wait_share share = {.from = S, .to = 2 * S};
		begin(&w);
		share.s[STATES_CPU_WAIT] = 0.7;
		share.s[STATES_DISK] = 0.17;
		share.s[STATES_SLEEP] = 0.13;
		wait_slices_add(&w, &share);
		wait_slices_close(&w, &a, &s);
		assert_true(near(s.value[STATES_DISK], 0.07) && near(s.value[STATES_SLEEP], 0.13));
		/* Without a word on storage there is nothing to decide by. */
		s = (struct wait_sums){.exact = 0};
		a.io_full_s = NAN;
		begin(&w);
		wait_slices_add(&w, &share);
		wait_slices_close(&w, &a, &s);
		assert_true(near(s.value[STATES_DISK], 0.17));
	}
}

/* It was seen to wait for storage, and now it can run: since then it waited for a CPU. */
TEST(read_and_queued)
{
	struct wait_thread t = {.at = S, .state = STATES_DISK, .before = STATES_DISK};
	struct proc_pid_schedstat now = {.run_ns = 5, .slices = 1};
	struct wait_share share;

	t.last = now;
	assert_true(wait_thread_needs_look(&t, &now));
	wait_thread_take(&t, &now, 2 * S, 0, WAIT_LOOK_RUNNING, &share);
	assert_true(near(share.s[STATES_DISK], 0.5) && near(share.s[STATES_CPU_WAIT], 0.5));
	wait_thread_take(&t, &now, 3 * S, 0, WAIT_LOOK_RUNNING, &share);
	assert_true(near(share.s[STATES_CPU_WAIT], 1));
	/* The kernel counts it at the end: not twice. */
	now.wait_ns = 18 * S / 10;
	now.run_ns += S / 10;
	now.slices++;
	wait_thread_take(&t, &now, 4 * S, 0, WAIT_LOOK_RUNNING, &share);
	assert_true(near(share.s[STATES_CPU_WAIT], 0.3) && near(share.s[STATES_CPU], 0.1));
}

/* A parked thread says nothing of what others explain, and has the rest. */
TEST(parked)
{
	struct wait_sums s;
	struct wait_slices w;

	for (int i = 0; i < 4; i++) {
		s = (struct wait_sums){.exact = 0};
		begin(&w);
		wait_slices_park(&w, S, 2 * S, 1);
		wait_slices_park(&w, S + S / 2, 2 * S, 0.5);
		if (i == 1)
			add(&w, S, 2 * S, STATES_SLEEP, 1, false);
		if (i == 2)
			add(&w, S, 2 * S, STATES_CPU, 0.25, false);
		if (i == 3)
			wait_slices_ghost(&w, S, 2 * S, STATES_SLEEP);
		wait_slices_close(&w, &none, &s);
		assert_true(near(s.value[STATES_CPU], i == 2 ? 0.25 : 0));
		assert_true(near(s.value[STATES_LOCK], i == 0 ? 1 : i == 2 ? 0.75 : 0));
		assert_true(near(s.value[STATES_SLEEP], i % 2 ? 1 : 0));
		assert_true(near(s.value[STATES_UNKNOWN], 0) && near(all(&s), 1));
		for (int k = 0; k < STATES_N; k++) {
			assert_true(s.least[k] <= s.value[k] + 1e-9);
			assert_true(s.most[k] >= s.value[k] - 1e-9);
		}
		assert_true(i == 3 || s.bound == 0);
	}
	/* Only for a part of the time. */
	s = (struct wait_sums){.exact = 0};
	wait_slices_start(&w, S);
	wait_slices_cut(&w, S + S / 2);
	wait_slices_cut(&w, 2 * S);
	wait_slices_park(&w, S + S / 4, S + S / 2, 0.25);
	wait_slices_close(&w, &none, &s);
	assert_true(near(s.value[STATES_LOCK], 0.25) && near(s.value[STATES_UNKNOWN], 0.75));
}

/* Threads that fight for a lock have short waits. */
TEST(parked_or_fighting)
{
	struct wait_thread t = {.futex = true};
	struct wait_share share = {.from = S, .to = 2 * S};

	share.s[STATES_LOCK] = 0.9;
	assert_true(wait_thread_parked(&t, 10, &share) == 0 && near(share.s[STATES_LOCK], 0.9));
	t.futex = false;
	assert_true(wait_thread_parked(&t, 0, &share) == 0);
	t.futex = true;
	assert_true(near(wait_thread_parked(&t, 9, &share), 0.9) && share.s[STATES_LOCK] == 0);
	assert_true(wait_thread_parked(&t, 0, &share) == 0);
}

/* What one thread did is spread over the slices; what is not of the interval is left out. */
TEST(slices)
{
	struct wait_sums s = {.exact = 0};
	struct wait_slices w;

	wait_slices_start(&w, S);
	wait_slices_cut(&w, S + S / 2);
	add(&w, S, S + S / 2, STATES_NET, 0.5, false);
	wait_slices_cut(&w, 2 * S);
	wait_slices_cut(&w, 2 * S);
	add(&w, S + S / 2, 2 * S, STATES_SLEEP, 0.5, false);
	add(&w, 0, 2 * S, STATES_EVENT, 2, false);
	wait_slices_close(&w, &none, &s);
	assert_true(near(s.value[STATES_NET], 0.5) && near(s.value[STATES_EVENT], 0.5));
	assert_true(near(all(&s), 1) && near(s.exact, 1));
	/* No time, and more cuts than there is room for. */
	wait_slices_start(&w, S);
	wait_slices_close(&w, &none, &s);
	assert_true(near(all(&s), 1));
	for (int i = 1; i <= 100; i++)
		wait_slices_cut(&w, S + i * S / 100);
	wait_slices_close(&w, &none, &s);
	assert_true(near(all(&s), 2) && near(s.value[STATES_UNKNOWN], 1));
}

TEST(accounts)
{
	static const struct {
		struct wait_accounts a;
		double cpu, cpu_wait, throttled, memory, disk, sleep;
		double ahead_s; /* of storage */
	} cases[] = {
	    {{NAN, NAN, NAN, 0.1, NAN, NAN, NAN}, 0.4, 0.1, 0.1, 0, 0.1, 0.3, 0},
	    {{NAN, NAN, NAN, 5, NAN, NAN, NAN}, 0.4, 0, 0.2, 0, 0.1, 0.3, 0},
	    /* the cgroup's pressure: what one thread did is known better */
	    {{NAN, NAN, NAN, NAN, 0.9, NAN, NAN}, 0.4, 0.2, 0, 0, 0.1, 0.3, 0},
	    {{NAN, NAN, NAN, NAN, 0, NAN, NAN}, 0.4, 0.2, 0, 0, 0.1, 0.3, 0},
	    {{NAN, NAN, NAN, NAN, NAN, 0.3, NAN}, 0.4, 0.2, 0, 0, 0.3, 0.1, 0},
	    {{NAN, NAN, NAN, NAN, NAN, 0.05, NAN}, 0.4, 0.2, 0, 0, 0.1, 0.3, 0},
	    /* some of it was seen in the interval before */
	    {{NAN, NAN, NAN, NAN, NAN, 0.3, NAN}, 0.4, 0.2, 0, 0, 0.2, 0.2, 0.1},
	    {{NAN, NAN, NAN, NAN, NAN, 0.3, NAN}, 0.4, 0.2, 0, 0, 0.1, 0.3, 0.25},
	    {{NAN, NAN, NAN, NAN, NAN, 0.3, 0.2}, 0.4, 0.2, 0, 0.2, 0.1, 0.1, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wait_share share = {.from = S, .to = 2 * S};
		struct wait_sums s = {.ahead_s = cases[i].ahead_s};
		struct wait_slices w;
		begin(&w);
		share.s[STATES_CPU] = 0.4;
		share.s[STATES_CPU_WAIT] = 0.2;
		share.s[STATES_DISK] = 0.1;
		share.s[STATES_SLEEP] = 0.3;
		wait_slices_add(&w, &share);
		wait_slices_close(&w, &cases[i].a, &s);
		assert_true(near(s.value[STATES_CPU], cases[i].cpu));
		assert_true(near(s.value[STATES_CPU_WAIT], cases[i].cpu_wait));
		assert_true(near(s.value[STATES_THROTTLED], cases[i].throttled));
		assert_true(near(s.value[STATES_MEMORY], cases[i].memory));
		assert_true(near(s.value[STATES_DISK], cases[i].disk));
		assert_true(near(s.value[STATES_SLEEP], cases[i].sleep));
		assert_true(near(all(&s), 1));
	}
}

/* One thread runs, and another one waits for a CPU: how much of that is beside the first is open, and
 * pressure decides within the bounds. */
TEST(pressure)
{
	static const struct {
		double full, cpu_wait;
	} cases[] = {{NAN, 0.3}, {0.4, 0.4}, {0, 0.1}, {0.9, 0.5}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wait_share a = {.from = S, .to = 2 * S}, b = a;
		struct wait_accounts accounts = none;
		struct wait_sums s = {.exact = 0};
		struct wait_slices w;
		begin(&w);
		a.s[STATES_CPU] = 0.4;
		a.s[STATES_SLEEP] = 0.6;
		b.s[STATES_CPU_WAIT] = b.s[STATES_SLEEP] = 0.5;
		wait_slices_add(&w, &a);
		wait_slices_add(&w, &b);
		accounts.cpu_full_s = cases[i].full;
		wait_slices_close(&w, &accounts, &s);
		assert_true(near(s.value[STATES_CPU], 0.4) && near(all(&s), 1));
		assert_true(near(s.value[STATES_CPU_WAIT], cases[i].cpu_wait));
		assert_true(near(s.least[STATES_CPU_WAIT], 0.1));
		assert_true(near(s.most[STATES_CPU_WAIT], 0.5) && s.bound > 0);
	}
}

/* -- one thread -------------------------------------------------------------------------------- */

#define MS UINT64_C(1000000)

TEST(one_wait)
{
	struct proc_pid_schedstat now = {5 * MS, 2 * MS, 9};
	struct wait_thread t = {.at = 0};
	struct wait_share share;

	/* first seen, 0.5 s after it began */
	assert_true(wait_thread_needs_look(&t, &now));
	wait_thread_take(&t, &now, 2 * S, 2 * S - S / 2, STATES_NET, &share);
	assert_true(near(share.s[STATES_CPU], 0.005) && near(share.s[STATES_CPU_WAIT], 0.002));
	assert_true(near(share.s[STATES_NET], 0.493) && share.sampled && t.switches);
	/* the same wait */
	assert_false(wait_thread_needs_look(&t, &now));
	wait_thread_take(&t, &now, 3 * S, 0, STATES_NET, &share);
	assert_true(near(share.s[STATES_NET], 1) && !share.sampled && !t.switches);
	assert_true(t.since == 2 * S);
	/* woken, and not on a CPU yet */
	wait_thread_take(&t, &now, 4 * S, 0, WAIT_LOOK_RUNNING, &share);
	assert_true(near(share.s[STATES_NET], 1));
}

TEST(switches)
{
	struct proc_pid_schedstat now = {0, 0, 1};
	struct wait_thread t = {.at = 0};
	struct wait_share share;

	/* there before: nothing is known of the time before */
	wait_thread_take(&t, &now, S, 0, STATES_DISK, &share);
	assert_true(share.from == share.to && share.s[STATES_DISK] == 0);
	now = (struct proc_pid_schedstat){200 * MS, 100 * MS, 5};
	wait_thread_take(&t, &now, 2 * S, 0, STATES_PIPE, &share);
	assert_true(near(share.s[STATES_DISK], 0.35) && near(share.s[STATES_PIPE], 0.35));
	/* it hides what it does: that is not what it did before */
	now.slices++;
	wait_thread_take(&t, &now, 2 * S + S / 2, 0, WAIT_LOOK_NOTHING, &share);
	assert_true(near(share.s[STATES_PIPE], 0.25) && near(share.s[STATES_UNKNOWN], 0.25));
	assert_true(wait_thread_needs_look(&t, &now));
	wait_thread_take(&t, &now, 3 * S, 0, WAIT_LOOK_NOTHING, &share);
	assert_true(near(share.s[STATES_UNKNOWN], 0.5) && !share.sampled);
	t = (struct wait_thread){.at = 2 * S, .last = now, .state = STATES_PIPE};
	t.before = STATES_PIPE;
	/* it runs at each look: its short waits are as the last one */
	now = (struct proc_pid_schedstat){900 * MS, 100 * MS, 50};
	wait_thread_take(&t, &now, 3 * S, 0, WAIT_LOOK_RUNNING, &share);
	assert_true(near(share.s[STATES_CPU], 0.7) && near(share.s[STATES_PIPE], 0.3));
	now = (struct proc_pid_schedstat){1600 * MS, 100 * MS, 90};
	wait_thread_take(&t, &now, 4 * S, 0, WAIT_LOOK_RUNNING, &share);
	assert_true(near(share.s[STATES_PIPE], 0.3) && share.sampled);
	/* seen in no more than so many: something else, such as a CPU that is not its own */
	for (int i = 0; i < 30; i++) {
		now.run_ns += 10 * MS;
		now.slices++;
		wait_thread_take(&t, &now, 4 * S + i * S / 50, 0, WAIT_LOOK_RUNNING, &share);
	}
	assert_true(near(share.s[STATES_UNKNOWN], 0.01) && near(share.s[STATES_PIPE], 0));
	t = (struct wait_thread){.at = 4 * S, .last = now, .state = WAIT_LOOK_RUNNING};
	t.before = STATES_PIPE;
	/* it gets no CPU, and the kernel counts that afterwards */
	wait_thread_take(&t, &now, 5 * S, 0, WAIT_LOOK_RUNNING, &share);
	assert_true(near(share.s[STATES_CPU_WAIT], 1));
	now = (struct proc_pid_schedstat){2000 * MS, 1200 * MS, 191};
	wait_thread_take(&t, &now, 6 * S, 0, WAIT_LOOK_RUNNING, &share);
	assert_true(near(share.s[STATES_CPU_WAIT], 0.1) && near(share.s[STATES_CPU], 0.1));
	/* a child: no state of its own */
	now.slices++;
	wait_thread_take(&t, &now, 7 * S, 0, WAIT_LOOK_CHILD, &share);
	assert_true(near(share.s[STATES_PIPE] + share.s[STATES_UNKNOWN], 0));
	/* more than there is time, and less than before: a thread with the same number */
	now = (struct proc_pid_schedstat){9000 * MS, 9000 * MS, 99};
	wait_thread_take(&t, &now, 8 * S, 0, STATES_NET, &share);
	assert_true(near(share.s[STATES_CPU], 1) && near(share.s[STATES_CPU_WAIT], 0));
	now = (struct proc_pid_schedstat){1 * MS, 0, 3};
	wait_thread_take(&t, &now, 9 * S, 0, STATES_NET, &share);
	assert_true(near(share.s[STATES_CPU], 0) && near(share.s[STATES_NET], 1));
}

/* It ran on, and waits for a CPU now, which the kernel counts later. */
TEST(ran_on)
{
	struct proc_pid_schedstat now = {2000 * MS, 1200 * MS, 191};
	struct wait_thread t = {.at = 5 * S, .last = now, .state = WAIT_LOOK_RUNNING};
	struct wait_share share;

	t.before = STATES_PIPE;
	now = (struct proc_pid_schedstat){2300 * MS, 1400 * MS, 195};
	wait_thread_take(&t, &now, 6 * S, 0, WAIT_LOOK_RAN_ON, &share);
	assert_true(near(share.s[STATES_CPU], 0.3) && near(share.s[STATES_CPU_WAIT], 0.7));
	assert_true(t.state == WAIT_LOOK_RUNNING && !share.sampled && !t.switches);
	now = (struct proc_pid_schedstat){2400 * MS, 2000 * MS, 196};
	wait_thread_take(&t, &now, 7 * S, 0, STATES_PIPE, &share);
	assert_true(near(share.s[STATES_CPU], 0.1) && near(share.s[STATES_CPU_WAIT], 0.1));
}
