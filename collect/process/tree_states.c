/* tree_states: in which states the threads of a tree spend their time. */
#include "collect/process/tree_states.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/machine/clocks.h"
#include "collect/process/cpu_wait.h"
#include "collect/process/process_table.h"
#include "collect/procfs/proc_pid.h"
#include "collect/waits/wait_slices.h"
#include "collect/waits/wait_thread.h"
#include "core/recording/snapshot_fields.h"

#define LOOK_NS     INT64_C(200000000)    /* the least time from one look to the next */
#define LOOKS       (WAIT_SLICES_MAX - 2) /* in an interval at most */
#define LOOK_AT     48                    /* threads per look at most */
#define MOST_CPU    0.007                 /* of a core, samples and looks together … */
#define MOST_FREE_S 0.05                  /* … and so much more */
#define LOOKS_ONCE  64                    /* threads that are looked at in a sample, or … */
#define LOOKS_LEAST 8                     /* … where that took too much */
#define TRIES       3                     /* to meet a thread in a short wait */
#define BUSY        0.99                  /* of the time that was not blocked: no look is needed */
#define YOUNG       20                    /* intervals: the error of a longer wait is small */
#define UNSEEN_S    0.02                  /* CPU time of no thread below this may be of ticks */

/* -- the sums of each process ------------------------------------------------------------------ */

/* The times of its threads in an interval are added to the sums of a process: those of several
 * threads as wait_slices.h does it for the job. */

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

/* If it has one thread, the sums of that are its own. */
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

/* Takes the sums of the threads, and empties them. length_s: of the interval. */
static void process_states_add(struct process_table *table, struct cpu_wait *wait, double length_s)
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

/* Takes the time out of a share in which its thread was parked, and another thread of the process
 * may have done something. slices: how often it was put on a CPU in that time. */
static void process_states_park(struct wait_slices *w, struct tracked_process *p,
                                struct wait_thread *t, uint64_t slices, struct wait_share *share)
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

/* A process whose threads were all parked, and did nothing else, waits for a lock: adds that before
 * an interval is closed and its sums are taken. */
static void process_states_add_locked(struct process_table *table, struct wait_slices *w,
                                      int64_t from, int64_t to)
{
	struct wait_share share = {.from = from, .to = to};

	for (size_t i = 0; i < table->n; i++) {
		const struct tracked_process *p = &table->processes[table->order[i]];
		share.s[STATES_LOCK] = (double)p->parked_s;
		if (p->used && p->parked_s > 0 && !p->stirred)
			wait_slices_add(w, &share);
	}
}

/* -- opening ----------------------------------------------------------------------------------- */

int tree_states_open(struct tree_states *s, const struct root *r, struct process_table *table,
                     struct cpu_wait *wait)
{
	*s = (struct tree_states){.r = r, .table = table, .wait = wait, .next_look = INT64_MAX};
	s->cgroup = s->before = (struct tree_states_cgroup){NAN, NAN, NAN, NAN};
	s->cpus = NAN;
	s->random = (uint64_t)getpid() * UINT64_C(0x9e3779b97f4a7c15) + 1;
	s->names = wait_names_open();
	return s->names ? 0 : -1;
}

void tree_states_free(struct tree_states *s)
{
	wait_names_close(s->names);
	*s = (struct tree_states){.r = NULL};
}

/* -- one thread -------------------------------------------------------------------------------- */

static int pid_at(void *ctx, size_t i)
{
	const struct process_table *t = ctx;
	const struct tracked_process *p = i < t->n ? &t->processes[t->order[i]] : NULL;

	if (!p)
		return 0;
	return p->used ? p->pid : -1;
}

/* Looks at a thread, and finds the name of its wait. */
static unsigned char look_at(struct tree_states *s, struct tracked_process *p,
                             struct wait_thread *t, int tid, int tries, short *name)
{
	struct wait_names_asks asks = {s->r, p->pid, pid_at, s->table};
	struct wait_look look;

	/* If it was waiting at the last look, the count of switches tells us nothing new. */
	wait_look(s->r, p->pid, tid, tries, &p->wchan_works,
	          t->at && t->state <= WAIT_LOOK_CHILD ? NULL : &t->n_switches, &look);
	if (look.state == WAIT_LOOK_SIGNAL)
		look.state = p->reread ? WAIT_LOOK_CHILD : STATES_EVENT;
	if (look.state == STATES_LOCK)
		t->futex = look.futex;
	*name = look.state < STATES_N ? wait_names_find(s->names, &asks, &look, s->at) : -1;
	return look.state;
}

/* Whether it was on a CPU, or waited for one, nearly all the time. */
static bool is_busy(const struct tree_states *s, const struct wait_thread *t,
                    const struct proc_pid_schedstat *now)
{
	double ready =
	    (double)(now->run_ns - t->last.run_ns) + (double)(now->wait_ns - t->last.wait_ns);

	return t->at && now->run_ns > t->last.run_ns && ready > BUSY * (double)(s->at - t->at);
}

static void count_share(struct tree_states *s, struct wait_thread *t,
                        const struct wait_share *share)
{
	wait_slices_add(&s->slices, share);
	for (int k = 0; k < STATES_N; k++)
		if (share->s[k] > 0)
			t->s[k] += (float)share->s[k];
	t->has_s = true;
	s->run_s += share->s[STATES_CPU];
}

static void count_names(struct tree_states *s, struct tracked_process *p,
                        const struct wait_thread *t, short name, unsigned state,
                        const struct wait_share *share)
{
	bool both = t->state == state && t->name != name;

	if (t->state < STATES_N)
		wait_names_add(s->names, t->name, (enum states_id)t->state,
		               share->s[t->state] / (both ? 2 : 1), &p->waits);
	if (state < STATES_N && (both || t->state != state))
		wait_names_add(s->names, name, (enum states_id)state,
		               share->s[state] / (both ? 2 : 1), &p->waits);
	/* Short waits, as the last that was seen. */
	if (t->state > WAIT_LOOK_CHILD && state > WAIT_LOOK_CHILD && t->before < STATES_N)
		wait_names_add(s->names, t->before_name, (enum states_id)t->before,
		               share->s[t->before], &p->waits);
}

/* Notes a thread that is worth looking at before the next sample. */
static void note_restless(struct tree_states *s, const struct tracked_process *p,
                          const struct wait_thread *t, int tid)
{
	int64_t age = t->switches ? 0 : s->at - t->since;
	size_t n = s->n_restless;

	if (n == TREE_STATES_RESTLESS || age > YOUNG * (s->at - s->sampled_at))
		return;
	/* It waits for one child after the other, or runs on. */
	if (t->state > WAIT_LOOK_CHILD && !t->switches)
		return;
	if (n == 0 || age < s->youngest)
		s->youngest = age;
	s->restless[n].place = (int)(p - s->table->processes);
	s->restless[n].pid = p->pid;
	s->restless[n].tid = tid;
	s->n_restless++;
}

/* begin: when it began; 0: not known, or before the recording. */
static void take_reading(struct tree_states *s, struct tracked_process *p, struct wait_thread *t,
                         int tid, const struct proc_pid_schedstat *now, int64_t begin)
{
	struct wait_thread was = *t;
	unsigned char state = t->state;
	struct wait_share share;
	short name = t->name;
	bool same = wait_thread_is_same(t, now);
	/* Its stat was read just now. */
	bool starves = same && state == WAIT_LOOK_RUNNING && !p->ticks_only && p->stat.state == 'R';

	s->known = true;
	if (is_busy(s, t, now)) {
		state = WAIT_LOOK_RUNNING;
		name = -1;
	} else if (wait_thread_needs_look(t, now) && !starves) {
		state = WAIT_LOOK_NOT_MADE;
		name = -1;
		if (s->looks_left-- > 0)
			state = look_at(s, p, t, tid, same ? 1 : TRIES, &name);
	}
	wait_thread_take(t, now, s->at, begin, state, &share);
	t->name = name;
	if (state < STATES_N)
		t->before_name = name;
	if (s->stopped_s > 0 && (s->all_stopped || p->pid == s->table->root))
		wait_thread_stopped(s->stopped_s, &share);
	process_states_park(&s->slices, p, t, now->slices - (was.at ? was.last.slices : 0), &share);
	count_share(s, t, &share);
	if (was.at)
		count_names(s, p, &was, name, state, &share);
	else if (state < STATES_N)
		wait_names_add(s->names, name, (enum states_id)state, share.s[state], &p->waits);
}

/* The same wait as before, without more ado: of most processes there is nothing else. */
static bool slept_on(struct tree_states *s, struct tracked_process *p, struct wait_thread *t,
                     const struct proc_pid_schedstat *now)
{
	struct wait_share share = {.from = t->at, .to = s->at};
	double slept = (double)(s->at - t->at) / 1e9;

	if (t->state > WAIT_LOOK_CHILD || wait_thread_needs_look(t, now))
		return false;
	if (t->state < STATES_N)
		share.s[t->state] = slept;
	process_states_park(&s->slices, p, t, 0, &share);
	if (t->state < STATES_N && share.s[t->state] > 0) {
		wait_slices_add(&s->slices, &share);
		t->has_s |= p->ticks_only;
		(t->has_s ? t->s : p->states_s)[t->state] += (float)slept;
		wait_names_add(s->names, t->name, (enum states_id)t->state, slept, &p->waits);
	}
	t->at = s->at;
	t->switches = false;
	return true;
}

/* It still exists, and was not read: most likely nothing changed. */
static void presume(struct tree_states *s, struct tracked_process *p, struct wait_thread *t)
{
	struct wait_share share = {.from = t->at, .to = s->at, .sampled = true};

	if (!t->at || t->state >= STATES_N)
		return;
	share.s[t->state] = (double)(s->at - t->at) / 1e9;
	t->at = s->at;
	process_states_park(&s->slices, p, t, 0, &share);
	count_share(s, t, &share);
}

/* It was there at the last reading, and is not now. p is NULL if the process is gone, too. */
static void end_thread(struct tree_states *s, const struct tracked_process *p,
                       struct wait_thread *t)
{
	if (t->at && t->state == STATES_LOCK && t->futex && p && p->ticks_only)
		wait_slices_park(&s->slices, t->at, s->at, (double)(s->at - t->at) / 1e9);
	else if (t->at && t->state < STATES_N)
		wait_slices_ghost(&s->slices, t->at, s->at, (enum states_id)t->state);
	*t = (struct wait_thread){.at = 0};
}

/* Finds what a process of one thread did at last, if it is a zombie: its numbers stay until it is
 * reaped. False: not known. */
static bool read_last(const struct tree_states *s, const struct tracked_process *p,
                      struct wait_share *share)
{
	struct wait_thread last = p->state;

	if (!last.at || !tracked_process_ended(p) || p->ticks_only || !p->wait_known)
		return false;
	/* Nothing, if it had ended by the last look. */
	if (!wait_thread_is_same(&last, &p->schedstat))
		wait_thread_take(&last, &p->schedstat, s->at, 0, last.state, share);
	return true;
}

/* The same of a process: the end of the root is noticed at once, that of another one came halfway,
 * on average. What it used until then is exact; when it was blocked, the slices know best. */
static void end_process(struct tree_states *s, struct tracked_process *p)
{
	const struct wait_thread *t = &p->state;
	struct wait_share share = {.from = t->at, .to = s->at};
	bool root = p->pid == s->table->root, read = read_last(s, p, &share);

	if (!read && t->at && t->state < STATES_N)
		share.s[t->state] = (double)(s->at - t->at) / 1e9;
	/* Its last moments may be those of a stop. */
	if (t->at && s->stopped_s > 0 && (s->all_stopped || root))
		wait_thread_stopped(s->stopped_s, &share);
	for (int k = 0; k < STATES_N; k++) {
		bool all = root || k <= STATES_CPU_WAIT || k == STATES_STOPPED;
		double of_k = share.s[k] * (all ? 1 : 0.5);
		p->states_s[k] += t->s[k] + (float)of_k;
		if (k == (int)t->state)
			wait_names_add(s->names, t->name, (enum states_id)k, of_k, &p->waits);
		if (!all || (!read && k != STATES_STOPPED))
			share.s[k] = 0;
	}
	wait_slices_add(&s->slices, &share);
	s->run_s += share.s[STATES_CPU];
	end_thread(s, p, &p->state);
}

/* When a process or a thread began, as its stat says; 0: before the recording, or not known. */
static int64_t began_at(const struct tree_states *s, const struct tracked_process *p,
                        uint64_t starttime)
{
	double age = s->now_s - s->boot_s - (double)starttime * s->tick_s;
	double at_s = (double)s->at / 1e9;

	return p->predates_run || !(age > 0 && age < at_s) ? 0 : s->at - (int64_t)(age * 1e9);
}

static int64_t thread_begin(const struct tree_states *s, const struct tracked_process *p, int tid)
{
	struct proc_pid_stat stat;
	char file[48];
	int fd, failed;

	snprintf(file, sizeof file, "task/%d/stat", tid);
	fd = proc_pid_open(s->r, p->pid, file);
	failed = fd < 0 || proc_pid_stat_read(fd, &stat);
	if (fd >= 0)
		close(fd);
	return failed ? 0 : began_at(s, p, stat.starttime);
}

void tree_states_visit(void *states, struct tracked_process *p, struct wait_thread *t, int tid,
                       const struct proc_pid_schedstat *now, enum cpu_wait_visit what)
{
	struct tree_states *s = states;

	if (what == CPU_WAIT_ENDED || tracked_process_ended(p)) {
		end_thread(s, p, t);
		return;
	}
	if (t->at == s->at)
		return;
	if (what == CPU_WAIT_LEFT_OUT) {
		presume(s, p, t);
		return;
	}
	if (!slept_on(s, p, t, now))
		take_reading(s, p, t, tid, now, t->at ? 0 : thread_begin(s, p, tid));
	note_restless(s, p, t, tid);
}

/* -- a sample ---------------------------------------------------------------------------------- */

/* Whether samples and looks together have taken less than they may. */
static bool may_look(const struct tree_states *s, int64_t at)
{
	double used = (double)clocks_now(CLOCK_THREAD_CPUTIME_ID) / 1e9;

	return used < MOST_FREE_S + MOST_CPU * (double)(at - s->started_at) / 1e9;
}

void tree_states_start(struct tree_states *s, int64_t at)
{
	s->at = s->started_at = s->sampled_at = at;
	wait_slices_start(&s->slices, at);
}

void tree_states_begin(struct tree_states *s, int64_t at, double now_s, double boot_s,
                       double tick_s)
{
	s->now_s = now_s;
	s->boot_s = boot_s;
	s->tick_s = tick_s;
	if (!s->at)
		tree_states_start(s, at);
	wait_slices_cut(&s->slices, at);
	s->at = at;
	s->looks_left = may_look(s, at) ? LOOKS_ONCE : LOOKS_LEAST;
	s->n_restless = 0;
}

void tree_states_read(struct tree_states *s)
{
	struct process_table *table = s->table;

	for (size_t i = 0; i < table->n; i++) {
		struct tracked_process *p = &table->processes[table->order[i]];
		if (!p->used)
			continue;
		if (tracked_process_ended(p))
			end_process(s, p);
		if (tracked_process_ended(p) || p->ticks_only || !p->wait_known)
			continue;
		if (!slept_on(s, p, &p->state, &p->schedstat))
			take_reading(s, p, &p->state, p->pid, &p->schedstat,
			             began_at(s, p, p->stat.starttime));
		note_restless(s, p, &p->state, p->pid);
	}
}

void tree_states_ended(struct tree_states *s, int place)
{
	end_process(s, &s->table->processes[place]);
}

static double grown_by(double before, double now)
{
	if (now - before <= 0)
		return 0;
	return now - before; /* NAN if one of them is */
}

/* When to look next: at irregular moments, so that what repeats is met at all of its parts. */
static void plan_look(struct tree_states *s, int64_t at, int64_t interval)
{
	int64_t least =
	    interval / LOOKS > s->youngest / YOUNG ? interval / LOOKS : s->youngest / YOUNG;

	least = least > LOOK_NS ? least : LOOK_NS;
	s->random ^= s->random << 13;
	s->random ^= s->random >> 7;
	s->random ^= s->random << 17;
	s->next_look = INT64_MAX;
	if (s->n_restless && !s->r->replayed && s->slices.n < LOOKS)
		s->next_look = at + least + (int64_t)(s->random % (uint64_t)(least / 2));
}

/* Those of the first sample. Before, the command would wait for the answer. */
static double online_cpus(struct tree_states *s)
{
	if (isnan(s->cpus) && !s->r->replayed)
		s->cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
	return s->cpus;
}

void tree_states_close(struct tree_states *s, double cpu_s)
{
	struct wait_accounts a = {
	    .cpus = online_cpus(s),
	    .cpu_s = cpu_s - s->cpu_s,
	    .throttled_s = grown_by(s->before.throttled_s, s->cgroup.throttled_s),
	    .cpu_full_s = grown_by(s->before.cpu_full_s, s->cgroup.cpu_full_s),
	    .io_full_s = grown_by(s->before.io_full_s, s->cgroup.io_full_s),
	    .memory_full_s = grown_by(s->before.memory_full_s, s->cgroup.memory_full_s)};

	/* The accounts of processes with several threads are in ticks: they follow later. */
	s->unseen_s += s->at > s->sampled_at ? a.cpu_s - s->run_s : 0;
	if (s->unseen_s > UNSEEN_S) {
		a.unseen_cpu_s = s->unseen_s;
		s->unseen_s = 0;
	} else if (s->unseen_s < -UNSEEN_S) {
		s->unseen_s = -UNSEEN_S;
	}
	process_states_add_locked(s->table, &s->slices, s->sampled_at, s->at);
	wait_slices_close(&s->slices, &a, &s->sums);
	process_states_add(s->table, s->wait, (double)(s->at - s->sampled_at) / 1e9);
	s->interval = s->at - s->sampled_at;
	plan_look(s, s->at, s->interval);
	s->before = s->cgroup;
	s->cpu_s = cpu_s;
	s->run_s = s->stopped_s = 0;
	s->sampled_at = s->at;
	wait_slices_start(&s->slices, s->at);
}

void tree_states_sums(const struct tree_states *s, double out[STATES_N], double *busiest_s)
{
	*busiest_s = s->known ? s->sums.busiest : (double)NAN;
	for (int k = 0; k < STATES_N; k++)
		out[k] = s->known ? s->sums.value[k] : (double)NAN;
}

void tree_states_stopped(struct tree_states *s, double stopped_s, bool all)
{
	s->stopped_s += stopped_s;
	s->all_stopped = all;
}

/* -- looks ------------------------------------------------------------------------------------- */

static int read_schedstat(const struct tree_states *s, const struct tracked_process *p, int tid,
                          struct proc_pid_schedstat *now)
{
	char file[48];
	int fd, failed;

	if (tid == p->pid && p->fd[TRACKED_PROCESS_SCHEDSTAT] >= 0)
		return proc_pid_schedstat_read(p->fd[TRACKED_PROCESS_SCHEDSTAT], now);
	snprintf(file, sizeof file, "task/%d/schedstat", tid);
	fd = proc_pid_open(s->r, p->pid, file);
	failed = fd < 0 || proc_pid_schedstat_read(fd, now);
	if (fd >= 0)
		close(fd);
	return failed ? -1 : 0;
}

static void look_at_restless(struct tree_states *s, size_t i)
{
	struct tracked_process *p = &s->table->processes[s->restless[i].place];
	int pid = s->restless[i].pid, tid = s->restless[i].tid;
	struct proc_pid_schedstat now;
	struct wait_thread *t = &p->state;

	if (!p->used || p->pid != pid)
		return;
	if (tid != pid)
		t = cpu_wait_thread(s->wait, s->restless[i].place, pid, tid);
	if (!t || !t->at)
		return;
	if (read_schedstat(s, p, tid, &now) == 0)
		take_reading(s, p, t, tid, &now, 0);
	else if ((errno == ESRCH || errno == ENOENT) && tid == pid)
		end_process(s, p);
	else if (errno == ESRCH || errno == ENOENT)
		end_thread(s, p, t);
}

void tree_states_look(struct tree_states *s, int64_t at)
{
	size_t n = s->n_restless < LOOK_AT ? s->n_restless : LOOK_AT;
	int64_t before = s->at;

	if (at < s->next_look)
		return;
	if (may_look(s, at)) {
		wait_slices_cut(&s->slices, at);
		s->at = at;
		s->looks_left = LOOKS_ONCE;
		for (size_t i = 0; i < n; i++)
			look_at_restless(s, (s->turn + i) % s->n_restless);
		s->turn = (s->turn + n) % s->n_restless;
	}
	s->youngest += at - before;
	plan_look(s, at, s->interval);
}

/* -- writing ----------------------------------------------------------------------------------- */

static void write_names(void *ctx, struct json_write *j)
{
	wait_names_write(ctx, j);
}

void tree_states_write(const struct tree_states *s, struct json_write *j)
{
	struct snapshot_states out = {.known = s->known,
	                              .exact_s = s->sums.exact,
	                              .sampled_s = s->sums.sampled,
	                              .bound_s = s->sums.bound};

	for (int k = 0; k < STATES_N; k++)
		out.of[k] =
		    (struct snapshot_state){s->sums.value[k], s->sums.least[k], s->sums.most[k]};
	snapshot_fields_states(j, &out, write_names, s->names);
}
