/* process_log: every process of the job, from its beginning to its end. */
#include "collect/events/process_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/events/ended_cpu.h"
#include "collect/events/living.h"
#include "collect/events/living_program.h"
#include "collect/events/proc_events.h"
#include "collect/events/process_spill.h"
#include "collect/machine/clocks.h"
#include "collect/process/process_table.h"
#include "collect/process/top_processes.h"
#include "collect/procfs/proc_pid.h"
#include "core/base/alloc_failed.h"
#include "core/base/larger.h"

#define AT_ONCE    8192  /* events */
#define OLD_S      1     /* a process of this age goes into the journal while it runs */
#define SAME_S     0.1   /* a process that a sample and an event saw: its start */
#define SHARE      0.003 /* of a core, for events */
#define SAVED_NS   1e7   /* CPU time that a quiet job saves for a busy one, or the other way … */
#define WAKE_NS    2e4   /* of this, what waking up costs */
#define PAUSE_NS   INT64_C(10000000) /* the shortest: each event that comes is read at once, or */
#define PAUSE_MAX  INT64_C(40000000) /* all together after this; the socket takes about 500 */
#define PAUSE_FULL INT64_C(4000000)  /* after so many events … */
#define MANY       100               /* … as these */
#define PAUSE_IDLE INT64_C(20000000) /* after events that were all of others */
#define LEFT       32                /* processes whose first thread has ended before others */

struct process_log {
	const struct root *r;
	struct proc_events events;
	bool by_events;
	struct err why; /* not by events */
	bool commands;
	int launcher;
	int64_t start, asleep; /* ns */
	double start_unix;
	unsigned samples;
	double sampled_s; /* when */
	double tick_s;
	int left[LEFT]; /* pids of those that are .left */
	size_t n_left;
	/* CPU time, ns, that may be used for events now; the time of the last reading, and until
	 * when there is a pause. */
	double saved_ns;
	int64_t refilled, pause;
	bool hurries;   /* nothing is read of /proc */
	bool concerned; /* the last reading had an event of the job */
	struct process_spill spill;
	struct buf text;
	struct living_table table;
};

static double since_start(const struct process_log *l, int64_t at)
{
	return (double)(at + l->asleep - l->start) / 1e9;
}

/* -- into the journal -------------------------------------------------------------------------- */

static void name_entry(struct process_entry *e, const struct living *p)
{
	if (p->program)
		memcpy(e->name, p->program->name, sizeof e->name);
}

static void put_entry(struct process_log *l, const struct living *p, enum process_entry_kind kind,
                      double end_s)
{
	struct process_entry e = {.kind = kind,
	                          .id = p->id,
	                          .parent = p->parent,
	                          .n = 1,
	                          .pid = p->pid,
	                          .status = p->status,
	                          .start_s = p->start_s,
	                          .end_s = end_s,
	                          .cpu_s = p->cpu_s,
	                          .memory_b = p->memory_b};

	name_entry(&e, p);
	buf_clear(&l->text);
	if (p->program && p->program->top.command_len &&
	    top_processes_command(&p->program->top, &l->text)) {
		size_t n = l->text.len < PROCESS_ENTRY_COMMAND_MAX ? l->text.len
		                                                   : PROCESS_ENTRY_COMMAND_MAX;
		memcpy(e.command, buf_cstr(&l->text), n);
	}
	process_spill_put(&l->spill, &e);
}

/* Its children are from now on its parent's. */
static void hand_on_children(struct process_log *l, const struct living *p)
{
	struct living *parent = living_parent(&l->table, p);

	if (p->has_sums) {
		process_spill_hand_on(&l->spill, p->id, p->parent);
		if (parent)
			parent->has_sums = true;
	}
	for (int i = 0; p->children && i < l->table.high; i++) {
		struct living *child = &l->table.of[i];
		if (!child->pid || child->parent != p->id)
			continue;
		child->parent = p->parent;
		child->ppid = p->ppid;
		if (parent)
			parent->children++;
	}
}

static void sum_up(struct process_log *l, const struct living *p, double end_s)
{
	struct process_entry e = {
	    .parent = p->parent, .n = 1, .start_s = p->start_s, .end_s = end_s, .cpu_s = p->cpu_s};
	struct living *parent = living_parent(&l->table, p);
	bool spilled;

	name_entry(&e, p);
	process_spill_sum(&l->spill, &e, &spilled);
	if (parent)
		parent->has_sums = true;
	for (int i = 0; spilled && i < l->table.high; i++)
		l->table.of[i].in_journal = true;
}

static void let_go(struct process_log *l, struct living *p, double end_s)
{
	bool keeps = process_spill_keeps(&l->spill, p->start_s, end_s) || p->in_journal;
	struct living *parent = living_parent(&l->table, p);

	if (parent)
		parent->children--;
	if (keeps) {
		put_entry(l, p, PROCESS_ENTRY_ENDED, end_s);
	} else {
		sum_up(l, p, end_s);
		hand_on_children(l, p);
	}
	living_remove(&l->table, p);
}

/* -- events ------------------------------------------------------------------------------------ */

static void on_new(struct process_log *l, const struct proc_event *e)
{
	struct living *parent = living_find(&l->table, e->parent),
		      *p = living_find(&l->table, e->pid);
	double start_s =
	    larger(since_start(l, (int64_t)e->at), 0); /* the command waits for the start */

	/* A sample has seen it before. */
	if (p && p->start_s > start_s - SAME_S) {
		p->start_s = start_s;
		return;
	}
	if (p)
		let_go(l, p, start_s); /* its end was lost */
	if (!parent && (!l->launcher || e->parent != l->launcher || e->pid == getpid()))
		return;
	l->concerned = true;
	p = living_add(&l->table, e->pid, parent, start_s);
	if (p)
		p->inherited_s = 0;
}

/* If they cannot be read any more, the name and the command line are not known: those from before
 * are of another program. */
static void on_exec(struct process_log *l, const struct proc_event *e)
{
	struct living *p = living_find(&l->table, e->pid);
	struct living_program *program;

	if (!p)
		return;
	l->concerned = true;
	program = living_exec(&l->table, p);
	if (!program)
		return;
	living_program_read(program, l->r, l->commands, l->hurries, &l->text);
}

/* No process of one thread has used more than it lived, but whole ticks may say so. */
static void limit_cpu(const struct process_log *l, struct living *p, double end_s)
{
	double lived = larger(end_s - p->start_s, 0);

	if (p->cpu_s > lived && p->cpu_s <= lived + 2 * l->tick_s)
		p->cpu_s = lived;
}

static void end_now(struct process_log *l, struct living *p, double end_s)
{
	if (l->hurries)
		ended_cpu_miss(&l->table, p);
	else
		ended_cpu_find(&l->table, l->r, l->tick_s, p);
	limit_cpu(l, p, end_s);
	let_go(l, p, end_s);
}

static bool has_threads(const struct process_log *l, int pid)
{
	struct proc_pid_stat stat;

	return proc_pid_stat_of(l->r, pid, &stat) == 0 && stat.state == 'Z' && stat.num_threads > 1;
}

/* When its first thread ends, the others mostly follow at once; some programs leave them
 * running. */
static void on_process_end(struct process_log *l, const struct proc_event *e)
{
	struct living *p = living_find(&l->table, e->pid);

	if (!p || e->tid != e->pid)
		return;
	l->concerned = true;
	if (!p->reaped)
		p->status = WIFEXITED(e->status) ? WEXITSTATUS(e->status) : -WTERMSIG(e->status);
	p->gone_s = since_start(l, (int64_t)e->at);
	if (l->hurries || l->n_left == LEFT || !has_threads(l, e->pid)) {
		end_now(l, p, p->gone_s);
		return;
	}
	p->left = true;
	l->left[l->n_left++] = e->pid;
	/* What it hands over comes with that of others. */
	ended_cpu_miss(&l->table, p);
}

/* now_s: the time, where so much time has passed that the other threads have run on. NAN: at
 * once. */
static void look_at_left(struct process_log *l, double now_s)
{
	for (size_t i = 0; i < l->n_left;) {
		struct living *p = living_find(&l->table, l->left[i]);
		if (p && p->left && has_threads(l, l->left[i])) {
			if (!isnan(now_s))
				p->gone_s = now_s;
			i++;
			continue;
		}
		if (p && p->left)
			end_now(l, p, p->gone_s);
		l->left[i] = l->left[--l->n_left];
	}
}

static void put_source(struct process_log *l)
{
	struct process_entry e = {.kind = PROCESS_ENTRY_SOURCE, .n = 0};

	(void)snprintf(e.name, sizeof e.name, "%s",
	               l->by_events ? PROCESS_TREE_EVENTS : PROCESS_TREE_SAMPLES);
	memcpy(e.command, l->why.msg, strnlen(l->why.msg, PROCESS_ENTRY_COMMAND_MAX));
	process_spill_put(&l->spill, &e);
}

/* Counts the CPU time of a reading. When more than a share was used, the next one is made after a
 * pause, and much more, without the files of the processes. */
static void charge_reading(struct process_log *l, int64_t now, int64_t used_ns, int n)
{
	double pause_ns;

	l->saved_ns += (double)(now - l->refilled) * SHARE;
	l->saved_ns = lesser(l->saved_ns, SAVED_NS) - (double)used_ns - WAKE_NS;
	l->refilled = now;
	l->hurries = l->saved_ns < -SAVED_NS;
	if (!l->concerned)
		l->pause = now + (n < MANY ? PAUSE_IDLE : PAUSE_FULL);
	if (l->saved_ns >= 0)
		return;
	pause_ns = larger(-l->saved_ns / SHARE, (double)PAUSE_NS);
	l->pause = now + (int64_t)lesser(pause_ns, (double)(n < MANY ? PAUSE_MAX : PAUSE_FULL));
	l->saved_ns = larger(l->saved_ns, -2 * SAVED_NS);
}

void process_log_read(struct process_log *l, int64_t now)
{
	struct proc_event e;
	int64_t begun;
	int n = 0;

	if (!l || !l->by_events)
		return;
	begun = clocks_now(CLOCK_THREAD_CPUTIME_ID);
	l->concerned = false;
	for (; n < AT_ONCE && proc_events_next(&l->events, &e); n++)
		if (e.kind == PROC_EVENT_FORK)
			on_new(l, &e);
		else if (e.kind == PROC_EVENT_EXEC)
			on_exec(l, &e);
		else if (e.kind == PROC_EVENT_END)
			on_process_end(l, &e);
	look_at_left(l, NAN);
	charge_reading(l, now, clocks_now(CLOCK_THREAD_CPUTIME_ID) - begun, n);
	if (!l->events.ended_early && !l->events.lost)
		return;
	l->by_events = false;
	if (l->events.lost)
		err_set(&l->why, "process events came faster than they were read");
	else
		err_set(&l->why, "there were more than %d process events a second",
		        PROC_EVENTS_RATE);
	proc_events_close(&l->events);
	put_source(l);
}

int process_log_fd(const struct process_log *l, int64_t now, int64_t *deadline)
{
	if (!l || !l->by_events)
		return -1;
	if (now >= l->pause)
		return l->events.fd;
	if (l->pause < *deadline)
		*deadline = l->pause;
	return -1;
}

/* -- reaped and sampled ------------------------------------------------------------------------ */

void process_log_reaped(struct process_log *l, int pid, int status, const struct rusage *usage)
{
	struct living *p = l ? living_find(&l->table, pid) : NULL;
	double total;

	if (!p)
		return;
	total = (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	        (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
	p->reaped = true;
	p->status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
	if (!isnan(ended_cpu_inherited(p)))
		p->cpu_s = larger(total - ended_cpu_inherited(p), 0);
}

/* What a sample knows of a process. */
static void take_sample(struct process_log *l, const struct top_process *top)
{
	struct living *p = living_find(&l->table, top->pid);

	/* Where the kernel reports all, one that is not there has ended since, or its fork is the
	 * next event. */
	if (!p && l->by_events && l->samples > 1)
		return;
	if (!p) {
		struct living *parent = living_find(&l->table, top->ppid);
		double start_s = top->start - l->start_unix;
		/* The kernel has it in ticks. */
		p = living_add(&l->table, top->pid, parent,
		               start_s < 0 && start_s > -SAME_S ? 0 : start_s);
		if (!p)
			return;
	}
	p->sampled = l->samples;
	p->memory_b = top->peak_rss_b > 0 ? larger(p->memory_b, top->peak_rss_b) : p->memory_b;
	p->cpu_s = top->cpu_s;
	living_program_take(&l->table, p, top, l->commands, &l->text);
}

void process_log_sample(struct process_log *l, const struct tree *t, int64_t at)
{
	const struct process_table *table = t ? tree_table(t) : NULL;
	double now_s;

	if (!l || !t)
		return;
	now_s = l->sampled_s = since_start(l, at);
	look_at_left(l, now_s);
	if (l->samples++ == 0)
		put_source(l);
	for (size_t i = 0; i < table->n; i++) {
		const struct tracked_process *p = &table->processes[table->order[i]];
		const struct top_process *top = tree_top(t, table->order[i]);
		if (p->used && top->pid == p->pid && !tracked_process_ended(p))
			take_sample(l, top);
	}
	for (int i = 0; i < l->table.high; i++) {
		struct living *p = &l->table.of[i];
		if (!p->pid)
			continue;
		/* One sample later: the status of what we reap comes after this one. */
		if (!l->by_events && !isnan(p->gone_s) && !p->left) {
			let_go(l, p, p->gone_s);
		} else if (!l->by_events && p->sampled != l->samples) {
			p->gone_s = now_s;
		} else if (!p->in_journal && now_s - p->start_s >= OLD_S) {
			put_entry(l, p, PROCESS_ENTRY_RUNNING, NAN);
			p->in_journal = true;
		}
	}
}

void process_log_flush(struct process_log *l)
{
	if (l)
		process_spill_flush(&l->spill);
}

/* -- from open to close ------------------------------------------------------------------------ */

struct process_log *process_log_open(const struct root *r, bool commands)
{
	struct process_log *l = alloc_failed_note(calloc(1, sizeof *l));

	if (!l || process_spill_open(&l->spill)) {
		free(l);
		return NULL;
	}
	l->r = r;
	living_open(&l->table);
	l->tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	l->text.max = 16384;
	l->commands = commands;
	l->saved_ns = SAVED_NS;
	l->by_events = proc_events_open_all(&l->events, &l->why) == 0;
	if (l->by_events)
		l->why = (struct err){0};
	return l;
}

void process_log_root(struct process_log *l, int pid, bool launcher)
{
	struct living *p;

	if (!l)
		return;
	if (launcher) {
		l->launcher = pid;
	} else if (!living_find(&l->table, pid) && (p = living_add(&l->table, pid, NULL, 0))) {
		p->inherited_s = 0;
	}
}

void process_log_journal(struct process_log *l, struct journal *j, int64_t start, int64_t real)
{
	if (!l)
		return;
	l->spill.journal = j;
	l->start = start;
	l->start_unix = (double)real / 1e9;
}

void process_log_asleep(struct process_log *l, int64_t asleep)
{
	if (l)
		l->asleep = asleep;
}

int process_log_write(struct process_log *l, struct json_write *j, struct err *e)
{
	struct err beyond = {0};
	const char *why = l->why.msg;

	process_log_read(l, l->refilled);
	for (int i = 0; i < l->table.high; i++) {
		const struct living *p = &l->table.of[i];
		double end_s = p->reaped && isnan(p->gone_s) ? l->sampled_s : p->gone_s;
		if (p->pid)
			put_entry(l, p, PROCESS_ENTRY_ENDED, end_s);
	}
	if (l->by_events && l->table.beyond > 0) {
		err_set(&beyond, "there were more than %d processes at one time", LIVING_MAX);
		why = beyond.msg;
	}
	return process_spill_write(&l->spill, j, l->table.n,
	                           *why ? PROCESS_TREE_SAMPLES : PROCESS_TREE_EVENTS, why, e);
}

void process_log_close(struct process_log *l)
{
	if (!l)
		return;
	proc_events_close(&l->events);
	process_spill_close(&l->spill);
	buf_free(&l->text);
	free(l);
}
