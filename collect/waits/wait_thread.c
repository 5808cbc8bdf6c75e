/* wait_thread: what one thread did between two readings of its schedstat. */
#include "collect/waits/wait_thread.h"

#define SWITCHES 0.01 /* share of the time that it was blocked: less is not worth a look */
#define PARKED_S 0.1  /* the mean wait of threads that fight for a lock is shorter */
#define RAN_MAX  20   /* readings: what is not seen in so many is not it, but a stolen CPU */

bool wait_thread_is_same(const struct wait_thread *t, const struct proc_pid_schedstat *now)
{
	return t->at && now->run_ns == t->last.run_ns && now->slices == t->last.slices;
}

static bool waits_for_storage(const struct wait_thread *t)
{
	return t->state == STATES_DISK || t->state == STATES_NET_DISK;
}

bool wait_thread_needs_look(const struct wait_thread *t, const struct proc_pid_schedstat *now)
{
	return !wait_thread_is_same(t, now) || waits_for_storage(t) ||
	       t->state == WAIT_LOOK_RUNNING || t->state == WAIT_LOOK_NOTHING ||
	       t->state == WAIT_LOOK_NOT_MADE;
}

/* The growth of a number of ns, in seconds; 0 where a tid was given to a new thread. */
static double growth_s(uint64_t before, uint64_t now)
{
	return now > before ? (double)(now - before) / 1e9 : 0;
}

/* Adds blocked time. A thread that runs at each look has short waits: those are as the last that
 * was seen, as they are where there was no look. */
static void add_blocked(struct wait_share *share, const struct wait_thread *t, unsigned state,
                        double s)
{
	if (state < STATES_N)
		share->s[state] += s;
	else if (state == WAIT_LOOK_NOTHING)
		share->s[STATES_UNKNOWN] += s;
	else if (state != WAIT_LOOK_CHILD)
		share->s[t->before < STATES_N ? t->before : STATES_UNKNOWN] += s;
}

/* Whether a look found something, or that nothing can be found. */
static bool says_what(unsigned state)
{
	return state != WAIT_LOOK_RUNNING && state != WAIT_LOOK_NOT_MADE;
}

static void add_switched(struct wait_share *share, const struct wait_thread *t, unsigned state,
                         double blocked_s)
{
	bool before = t->at && says_what(t->state), after = says_what(state);

	share->sampled = true;
	if (before && after) {
		add_blocked(share, t, t->state, blocked_s / 2);
		add_blocked(share, t, state, blocked_s / 2);
	} else {
		add_blocked(share, t, before ? t->state : state, blocked_s);
	}
}

double wait_thread_parked(const struct wait_thread *t, uint64_t slices, struct wait_share *share)
{
	double s = share->s[STATES_LOCK];

	if (!t->futex || s < PARKED_S * (double)slices)
		return 0;
	share->s[STATES_LOCK] = 0;
	return s;
}

/* It waited for something before it was stopped, and after: in between, it was stopped. */
void wait_thread_stopped(double stopped_s, struct wait_share *share)
{
	double length = (double)(share->to - share->from) / 1e9, waited = 0, rest;

	if (length < stopped_s)
		return;
	for (int k = STATES_THROTTLED; k < STATES_N; k++)
		waited += share->s[k];
	rest = waited + share->s[STATES_CPU] + share->s[STATES_CPU_WAIT] + stopped_s - length;
	for (int k = STATES_THROTTLED; k < STATES_N && rest > 0 && waited > 0; k++)
		share->s[k] *= rest < waited ? 1 - rest / waited : 0;
	share->s[STATES_STOPPED] += stopped_s;
}

void wait_thread_take(struct wait_thread *t, const struct proc_pid_schedstat *now, int64_t at,
                      int64_t begin, unsigned char state, struct wait_share *share)
{
	bool same = wait_thread_is_same(t, now), ran_on = state == WAIT_LOOK_RAN_ON;
	double run, waited, blocked, length;
	bool woken;

	*share = (struct wait_share){.from = t->at ? t->at : begin, .to = at};
	if (!t->at)
		t->before = STATES_N;
	if (!share->from || share->from >= at)
		share->from = at;
	length = (double)(at - share->from) / 1e9;
	run = growth_s(t->last.run_ns, now->run_ns);
	waited = growth_s(t->last.wait_ns + t->ahead_ns, now->wait_ns);
	run = run < length ? run : length;
	waited = run + waited < length ? waited : length - run;
	blocked = length - run - waited;
	if (ran_on)
		state = WAIT_LOOK_RUNNING;
	woken = same && state == WAIT_LOOK_RUNNING && t->state < WAIT_LOOK_RUNNING;
	/* Storage is fast: then it waits for a CPU, since a moment in between. */
	if (woken && waits_for_storage(t)) {
		t->ahead_ns += (uint64_t)(blocked / 2 * 1e9);
		waited += blocked / 2;
		blocked /= 2;
		add_blocked(share, t, t->state, blocked);
		share->sampled = true;
		blocked = 0;
	} else if (woken) {
		state = t->state;
	}
	/* It could run all the time. The kernel counts that once it does. */
	if (ran_on || (same && state == WAIT_LOOK_RUNNING)) {
		t->ahead_ns = (same ? t->ahead_ns : 0) + (uint64_t)(blocked * 1e9);
		waited += blocked;
		blocked = 0;
	} else if (!same) {
		t->ahead_ns = 0;
	}
	share->s[STATES_CPU] = run;
	share->s[STATES_CPU_WAIT] = waited;
	if (same || ran_on)
		add_blocked(share, t, state, blocked);
	else
		add_switched(share, t, state, blocked);
	t->switches = !same && blocked > SWITCHES * length;
	if (!same)
		t->since = at;
	if (state <= WAIT_LOOK_CHILD)
		t->ran = 0;
	else if (state == WAIT_LOOK_RUNNING && !same && t->ran < RAN_MAX)
		t->ran++;
	if (state < STATES_N)
		t->before = state;
	else if (t->ran == RAN_MAX)
		t->before = STATES_N;
	t->state = state;
	t->last = *now;
	t->at = at;
}
