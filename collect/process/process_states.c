/* process_states: adds what the threads of each process did in an interval to its sums. */
#include "collect/process/process_states.h"

/* Multiplies what the threads of a process were not in. ctx: the length of the interval. */
static void fold_thread(void *ctx, struct tracked_process *p, struct wait_thread *t, int tid,
                        const struct proc_pid_schedstat *now, enum cpu_wait_visit what)
{
	float sum = 0, length = *(const float *)ctx;

	(void)tid;
	(void)now;
	(void)what;
	for (int k = 0; k < STATES_N; k++) {
		sum += t->s[k] / length;
		p->states_none[k] *= sum < 1 ? 1 - sum : 0;
		t->s[k] = 0;
	}
	t->has_s = false;
	t->parked_s = 0;
}

/* Of one thread, its sums are the process's. */
static void take_sums(struct tracked_process *p)
{
	for (int k = 0; k < STATES_N; k++) {
		p->states_s[k] += p->state.s[k];
		p->state.s[k] = 0;
	}
	p->state.has_s = false;
}

static void fold_process(struct tracked_process *p, float length)
{
	float before = 1;

	fold_thread(&length, p, &p->state, 0, NULL, CPU_WAIT_LEFT_OUT);
	for (int k = 0; k < STATES_N; k++) {
		p->states_s[k] += (before - p->states_none[k]) * length;
		before = p->states_none[k];
	}
	/* Parked threads have what the others leave. */
	p->states_s[STATES_LOCK] += before * length < p->parked_s ? before * length : p->parked_s;
}

void process_states_add(struct process_table *table, struct cpu_wait *wait, double length_s)
{
	float length = (float)length_s;
	const struct cpu_wait_visitor fold = {fold_thread, &length};
	bool any = false;

	for (size_t i = 0; i < table->n; i++) {
		struct tracked_process *p = &table->processes[table->order[i]];
		for (int k = 0; p->other_threads && k < STATES_N; k++)
			p->states_none[k] = 1;
		any |= p->other_threads > 0;
		if (!p->other_threads && p->state.has_s)
			take_sums(p);
	}
	if (!any || !(length > 0))
		return;
	cpu_wait_each(wait, table->processes, &fold);
	for (size_t i = 0; i < table->n; i++) {
		struct tracked_process *p = &table->processes[table->order[i]];
		if (p->used && p->other_threads)
			fold_process(p, length);
		p->parked_s = 0;
		p->stirred = false;
	}
}

void process_states_park(struct wait_slices *w, struct tracked_process *p, struct wait_thread *t,
                         uint64_t slices, struct wait_share *share)
{
	double parked_s = p->other_threads ? wait_thread_parked(t, slices, share) : 0;

	if (parked_s > 0)
		wait_slices_park(w, share->from, share->to, parked_s);
	t->parked_s += (float)parked_s;
	if (p->parked_s < t->parked_s)
		p->parked_s = t->parked_s;
	p->stirred |= t->state >= STATES_N;
	for (int k = 0; k < STATES_N; k++)
		p->stirred |= share->s[k] > 0;
}

void process_states_add_locked(struct process_table *table, struct wait_slices *w, int64_t from,
                               int64_t to)
{
	struct wait_share share = {.from = from, .to = to};

	for (size_t i = 0; i < table->n; i++) {
		const struct tracked_process *p = &table->processes[table->order[i]];
		share.s[STATES_LOCK] = (double)p->parked_s;
		if (p->used && p->parked_s > 0 && !p->stirred)
			wait_slices_add(w, &share);
	}
}
