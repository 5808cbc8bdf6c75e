/* process_log: every process of the job, from its beginning to its end. */
#include "collect/events/process_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/events/ended_cpu.h"
#include "collect/events/event_budget.h"
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

#define AT_ONCE 8192 /* events */
#define OLD_S   1    /* a process of this age goes into the journal while it runs */
#define SAME_S  0.1  /* a process that a sample and an event saw: its start */
#define LOSSES  3    /* so often events may be lost before they are given up, and … */
#define LOSS_S  600  /* … once more for each time so long */
#define SETTLES 2    /* samples after a loss: who is missed in one has ended by the next */
#define LEFT    32   /* processes whose first thread has ended before others */

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
	struct event_budget budget;
	bool concerned; /* the last reading had an event of the job */
	/* Events that the kernel dropped: how often, between which times, and how many samples
	 * from now on say who lives. */
	int losses, settles;
	double lost_from_s, lost_to_s;
	struct process_log_deaths deaths;
	struct process_spill spill;
	struct buf text;
	struct living_table table;
};

static double since_start(const struct process_log *l, int64_t at)
{
	return (double)(at + l->asleep - l->start) / 1e9;
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
		process_spill_let_go(&l->spill, &l->table, p, start_s); /* its end was lost */
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
	bool ended;

	if (!p)
		return;
	l->concerned = true;
	program = living_exec(&l->table, p);
	ended = proc_events_have_end(&l->events, e->pid);
	if (!program || (l->budget.hurries && ended))
		return;
	living_program_read(program, l->r, l->commands, l->budget.hurries || ended, &l->text);
}

/* No process of one thread has used more than it lived, but whole ticks may say so. */
static void limit_cpu(const struct process_log *l, struct living *p, double end_s)
{
	double lived = larger(end_s - p->start_s, 0);

	if (p->cpu_s > lived && p->cpu_s <= lived + 2 * l->tick_s)
		p->cpu_s = lived;
}

/* own: its stat; NULL: it is gone, or there is no time to look. */
static void end_now(struct process_log *l, struct living *p, double end_s,
                    const struct proc_pid_stat *own)
{
	if (l->budget.hurries)
		ended_cpu_miss(&l->table, p);
	else
		ended_cpu_find(&(struct ended_cpu){&l->table, &l->events, l->r, l->tick_s}, p, own);
	limit_cpu(l, p, end_s);
	process_spill_let_go(&l->spill, &l->table, p, end_s);
}

static bool read_stat(const struct process_log *l, int pid, struct proc_pid_stat *own)
{
	return proc_pid_stat_of(l->r, pid, own) == 0;
}

static bool has_threads(const struct proc_pid_stat *own)
{
	return own->state == 'Z' && own->num_threads > 1;
}

static void tell_death(const struct process_log *l, const struct living *p,
                       const struct proc_event *e)
{
	if (!l->deaths.died || !WIFSIGNALED(e->status))
		return;
	if (p)
		l->deaths.died(l->deaths.ctx, e, p->program ? p->program->top.name : "");
	else if (l->losses || l->table.beyond > 0)
		l->deaths.died(l->deaths.ctx, e, NULL);
}

/* When its first thread ends, the others mostly follow at once; some programs leave them
 * running. */
static void on_process_end(struct process_log *l, const struct proc_event *e)
{
	struct living *p = living_find(&l->table, e->pid);
	struct proc_pid_stat own;
	bool there;

	if (e->tid != e->pid)
		return;
	tell_death(l, p, e);
	if (!p)
		return;
	l->concerned = true;
	if (!p->reaped)
		p->status = WIFEXITED(e->status) ? WEXITSTATUS(e->status) : -WTERMSIG(e->status);
	p->gone_s = since_start(l, (int64_t)e->at);
	there = !l->budget.hurries && read_stat(l, e->pid, &own);
	if (!there || l->n_left == LEFT || !has_threads(&own)) {
		end_now(l, p, p->gone_s, there ? &own : NULL);
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
		struct proc_pid_stat own;
		bool there = p && p->left && read_stat(l, l->left[i], &own);
		if (there && has_threads(&own)) {
			if (!isnan(now_s))
				p->gone_s = now_s;
			i++;
			continue;
		}
		if (p && p->left)
			end_now(l, p, p->gone_s, there ? &own : NULL);
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

/* Some events are missing: what parents inherited meanwhile, and who has come and gone. */
static void on_loss(struct process_log *l, double from_s, double to_s)
{
	l->events.lost = false;
	if (!l->losses++)
		l->lost_from_s = from_s;
	l->lost_to_s = to_s;
	l->settles = SETTLES;
	for (int i = 0; i < l->table.high; i++)
		l->table.of[i].inherited_s = NAN;
	err_set(&l->why,
	        "events of processes were lost between %.1f s and %.1f s; before and after, all "
	        "are there",
	        l->lost_from_s, l->lost_to_s);
	if (l->deaths.lost)
		l->deaths.lost(l->deaths.ctx, false);
	put_source(l);
}

static void stop_events(struct process_log *l)
{
	l->by_events = false;
	if (l->losses)
		err_set(&l->why, "process events came faster than they were read");
	else
		err_set(&l->why, "there were more than %d process events a second",
		        PROC_EVENTS_RATE);
	if (l->deaths.lost)
		l->deaths.lost(l->deaths.ctx, true);
	proc_events_close(&l->events);
	put_source(l);
}

void process_log_read(struct process_log *l, int64_t now)
{
	int64_t begun, before;
	struct proc_event e;
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
	if (l->deaths.settle)
		l->deaths.settle(l->deaths.ctx);
	before = l->budget.refilled;
	event_budget_charge(&l->budget, now, clocks_now(CLOCK_THREAD_CPUTIME_ID) - begun, n,
	                    l->concerned);
	if (l->events.lost)
		on_loss(l, since_start(l, before), since_start(l, clocks_now(CLOCK_MONOTONIC)));
	if (l->events.ended_early || l->losses >= LOSSES + since_start(l, now) / LOSS_S)
		stop_events(l);
}

int process_log_fd(const struct process_log *l, int64_t now, int64_t *deadline)
{
	if (!l || !l->by_events)
		return -1;
	if (now >= l->budget.pause)
		return l->events.fd;
	if (l->budget.pause < *deadline)
		*deadline = l->budget.pause;
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
	double start_s = top->start - l->start_unix;

	/* Its number was given again, and that event was lost. */
	if (p && l->settles && start_s > p->start_s + 1) {
		process_spill_let_go(&l->spill, &l->table, p, start_s);
		p = NULL;
	}
	/* Where the kernel reports all, one that is not there has ended since, or its fork is the
	 * next event. */
	if (!p && l->by_events && l->samples > 1 && !l->settles)
		return;
	if (!p) {
		struct living *parent = living_find(&l->table, top->ppid);
		/* The kernel has it in ticks. */
		p = living_add(&l->table, top->pid, parent,
		               start_s < 0 && start_s > -SAME_S ? 0 : start_s);
		if (!p)
			return;
	}
	p->sampled = l->samples;
	if (!p->left)
		p->gone_s = NAN;
	p->memory_b = top->peak_rss_b > 0 ? larger(p->memory_b, top->peak_rss_b) : p->memory_b;
	p->cpu_s = top->cpu_s;
	living_program_take(&l->table, p, top, l->commands, &l->text);
}

void process_log_sample(struct process_log *l, const struct tree *t, int64_t at)
{
	const struct process_table *table = t ? tree_table(t) : NULL;
	double now_s;
	bool decides; /* nothing else says who has ended */

	if (!l || !t)
		return;
	decides = !l->by_events || l->settles;
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
		if (decides && !isnan(p->gone_s) && !p->left) {
			process_spill_let_go(&l->spill, &l->table, p, p->gone_s);
		} else if (decides && p->sampled != l->samples) {
			p->gone_s = now_s;
		} else if (!p->in_journal && now_s - p->start_s >= OLD_S) {
			process_spill_living(&l->spill, p, PROCESS_ENTRY_RUNNING, NAN);
			p->in_journal = true;
		}
	}
	l->settles -= l->settles > 0;
}

bool process_log_find(struct process_log *l, const struct top_process *top,
                      struct process_entry *out)
{
	const struct living *p = l ? living_find(&l->table, top->pid) : NULL;

	if (!p)
		return false;
	out->id = p->id;
	out->parent = p->parent;
	out->start_s = p->start_s;
	if (!p->program || strcmp(p->program->top.name, top->name) != 0)
		return false;
	memcpy(out->name, p->program->name, sizeof out->name);
	return true;
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
	l->budget = event_budget_full();
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

bool process_log_tell(struct process_log *l, const struct process_log_deaths *deaths)
{
	if (!l || !l->by_events)
		return false;
	l->deaths = *deaths;
	return true;
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

	process_log_read(l, l->budget.refilled);
	for (int i = 0; i < l->table.high; i++) {
		const struct living *p = &l->table.of[i];
		double end_s = p->reaped && isnan(p->gone_s) ? l->sampled_s : p->gone_s;
		if (p->pid)
			process_spill_living(&l->spill, p, PROCESS_ENTRY_ENDED, end_s);
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
