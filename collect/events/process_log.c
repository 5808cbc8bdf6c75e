/* process_log: every process of the job, from its beginning to its end. */
#include "collect/events/process_log.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/events/ended_cpu.h"
#include "collect/events/event_budget.h"
#include "collect/events/living.h"
#include "collect/events/perf_cost.h"
#include "collect/events/perf_events.h"
#include "collect/events/proc_events.h"
#include "collect/events/process_spill.h"
#include "collect/machine/clocks.h"
#include "collect/process/process_table.h"
#include "collect/process/top_processes.h"
#include "collect/procfs/proc_pid.h"
#include "collect/procfs/root.h"
#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/larger.h"
#include "core/files/journal.h"
#include "core/json/json_write.h"
#include "core/processes/process_tree.h"

#define AT_ONCE  8192 /* events */
#define OLD_S    1    /* a process of this age goes into the journal while it runs */
#define SAME_S   0.1  /* a process that a sample and an event saw: its start */
#define LOSSES   3    /* so often events may be lost before they are given up, and … */
#define LOSS_S   600  /* … once more for each time so long */
#define SETTLES  2    /* samples after a loss: who is missed in one has ended by the next */
#define LEFT     32   /* processes whose first thread has ended before others */
#define ENDING   1024 /* processes that have ended, of which more is to come … */
#define GRACE_NS INT64_C(1000000000) /* … which is awaited so long */
#define STATUSES 256
#define BUSY_S   0.05  /* a sample that saw more CPU time than events: some is missing */
#define LATER_NS 50000 /* the connector reports a fork before perf does, by less than this */

/* -- the log ----------------------------------------------------------------------------------- */

struct process_log {
	const struct root *r;
	struct proc_events events;
	bool by_events;
	struct err why; /* not by events */
	/* .perf tells all but the status, for which .events has only ends then. */
	bool wants_perf, by_perf;
	struct perf_events perf;
	struct err refused;  /* why not .perf */
	uint64_t counted_ns; /* CPU time of all threads that have ended */
	int ending[ENDING];  /* pids of those that are .ended_at */
	size_t n_ending;
	bool has_holder, has_dropped;
	double untimed, renewed; /* ends without all of their CPU times; those before the rings were
	                          * made anew */
	struct perf_cost cost;
	uint64_t used_ns;     /* CPU time of the job when .cost last asked for it */
	uint64_t heard_until; /* what the connector says of before, .perf has said */
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
	int losses_before;   /* those of perf, before the connector took over … */
	double taken_over_s; /* … then; 0: it did not */
	struct process_log_deaths deaths;
	/* Processes that live and that the last sample did not see: now, and the most at one time
	 * since; and the longest time that one of them had not called exec. */
	double unseen, unseen_most, held_s;
	/* Those of them that have ended and that their parents reap; and whether we reap one that
	 * had children. */
	double unseen_ended;
	bool unseen_orphan;
	struct process_spill spill;
	struct buf text;
	struct living_table table;
};

static double since_start(const struct process_log *l, int64_t at)
{
	return (double)(at + l->asleep - l->start) / 1e9;
}

/* -- processes that no sample saw -------------------------------------------------------------- */

static bool is_unseen(const struct process_log *l, const struct living *p)
{
	return p->pid && !p->over && p->sampled != l->samples;
}

static void note_held(struct process_log *l, const struct living *p, double until_s)
{
	if (is_unseen(l, p) && p->bare)
		l->held_s = larger(l->held_s, until_s - p->start_s);
}

static void count_begin(struct process_log *l, struct living *p)
{
	p->bare = true;
	l->unseen++;
	l->unseen_most = larger(l->unseen_most, l->unseen);
}

static void count_exec(struct process_log *l, struct living *p, double at_s)
{
	note_held(l, p, at_s);
	p->bare = false;
}

static void count_end(struct process_log *l, struct living *p, double at_s)
{
	note_held(l, p, at_s);
	if (is_unseen(l, p)) {
		bool orphan = !living_parent(&l->table, p);
		l->unseen--;
		l->unseen_ended += !orphan;
		l->unseen_orphan |= orphan && p->forked;
	}
	p->over = true;
}

/* After a sample. */
static void count_again(struct process_log *l)
{
	l->unseen = l->held_s = l->unseen_ended = 0;
	l->unseen_orphan = false;
	for (int i = 0; i < l->table.high; i++)
		l->unseen += is_unseen(l, &l->table.of[i]);
	l->unseen_most = l->unseen;
}

struct unseen_told process_log_unseen(const struct process_log *l, int64_t now)
{
	struct unseen_told told = {0};

	if (!l || !l->by_events || *l->why.msg || l->settles || l->table.beyond > 0)
		return told;
	told = (struct unseen_told){.known = true,
	                            .at_once = l->unseen_most,
	                            .held_s = l->held_s,
	                            .ended = l->unseen_ended,
	                            .orphan = l->unseen_orphan};
	for (int i = 0; i < l->table.high; i++) {
		const struct living *p = &l->table.of[i];
		if (is_unseen(l, p) && p->bare)
			told.held_s = larger(told.held_s, since_start(l, now) - p->start_s);
	}
	return told;
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
	if (p) { /* its end was lost, unless it waits for a count of the CPU time of all */
		count_end(l, p, start_s);
		process_spill_let_go(&l->spill, &l->table, p, p->ended_at ? p->gone_s : start_s);
	}
	if (!parent && (!l->launcher || e->parent != l->launcher || e->pid == getpid()))
		return;
	l->concerned = true;
	p = living_add(&l->table, e->pid, parent, start_s);
	if (!p)
		return;
	count_begin(l, p);
	if (!l->by_perf)
		p->inherited_s = 0;
}

/* A zombie has them too, but its parent may reap it before they are read. */
static void see_limits(const struct process_log *l, struct living *p)
{
	struct rlimit file;

	if (l->r->replayed || prlimit(p->pid, RLIMIT_CPU, NULL, &p->limits.cpu) ||
	    prlimit(p->pid, RLIMIT_FSIZE, NULL, &file))
		return;
	p->limits.file = file.rlim_cur;
	p->limits.known = true;
}

/* If they cannot be read any more, the name, the command line and the limits are not known: those
 * from before are of another program, which may have lowered its limits since. */
static void on_exec(struct process_log *l, const struct proc_event *e)
{
	struct living *p = living_find(&l->table, e->pid);
	struct living_program *program;
	bool ended;

	if (!p)
		return;
	l->concerned = true;
	count_exec(l, p, since_start(l, (int64_t)e->at));
	program = living_exec(&l->table, p);
	ended = proc_events_have_end(&l->events, e->pid);
	p->limits.known = false;
	if (!l->budget.hurries && !ended)
		see_limits(l, p);
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
	count_end(l, p, end_s);
	if (l->budget.hurries)
		ended_cpu_miss(&l->table, p);
	else
		ended_cpu_find(&(struct ended_cpu){&l->table, &l->events, l->r, l->tick_s}, p, own);
	limit_cpu(l, p, end_s);
	process_spill_let_go(&l->spill, &l->table, p, end_s);
}

static bool has_threads(const struct proc_pid_stat *own)
{
	return own->state == 'Z' && own->num_threads > 1;
}

/* By events, what its ended threads have used; by the last sample that saw it, what it had then, to
 * which it may have added the time of all CPUs. */
static void bound_cpu(const struct process_log *l, const struct living *p, double end_s,
                      struct process_log_dead *dead)
{
	double ended_s = (double)p->cpu_ns / 1e9, sampled_s = p->cpu_s > 0 ? p->cpu_s : 0;
	double since_s = p->sampled && p->sampled == l->samples ? l->sampled_s : 0;
	double cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);

	dead->cpu_least_s = larger(ended_s, sampled_s);
	if (l->by_perf && p->threads == 0 && p->cpu_due <= 0)
		dead->cpu_most_s = dead->cpu_least_s;
	else
		dead->cpu_most_s = dead->cpu_least_s + 2 * l->tick_s +
		                   larger(end_s - larger(p->start_s, since_s), 0) * cpus;
}

static void tell_death(const struct process_log *l, const struct living *p,
                       const struct proc_event *e)
{
	struct process_log_dead dead;

	if (!l->deaths.died || !WIFSIGNALED(e->status))
		return;
	if (p) {
		dead = (struct process_log_dead){.name = p->program ? p->program->top.name : "",
		                                 .limits = p->limits};
		bound_cpu(l, p, since_start(l, (int64_t)e->at), &dead);
		l->deaths.died(l->deaths.ctx, e, &dead);
	} else if (l->losses || l->table.beyond > 0)
		l->deaths.died(l->deaths.ctx, e, NULL);
}

/* The process p, or one that nobody knows (NULL), has ended or is about to. */
static void take_status(struct process_log *l, struct living *p, const struct proc_event *e)
{
	tell_death(l, p, e);
	if (!p)
		return;
	l->concerned = true;
	if (!p->reaped)
		p->status = WIFEXITED(e->status) ? WEXITSTATUS(e->status) : -WTERMSIG(e->status);
}

/* By its end. */
static void set_cpu(struct living *p, double all_s)
{
	p->cpu_s = all_s;
	p->cpu_exact = true;
}

/* Its events were those of perf, which said when it ended. */
static void finish_ended(struct process_log *l, struct living *p, const struct proc_pid_stat *own)
{
	double counted_s = (double)p->cpu_ns / 1e9;
	bool counted = p->threads == 0;

	if (own && own->state == 'Z' && !p->reaped && (!counted || p->cpu_due > 0))
		set_cpu(p, ended_cpu_zombie(l->r, own, l->tick_s));
	if (counted && p->cpu_due <= 0 && !(p->cpu_s > counted_s + BUSY_S))
		set_cpu(p, counted_s);
	if (counted && p->cpu_due > 0 && !l->has_holder) {
		l->has_holder = p->holds = true;
		return;
	}
	if (counted && p->cpu_due > 0)
		l->untimed++;
	process_spill_let_go(&l->spill, &l->table, p, p->gone_s);
}

/* Whether the process whose first thread ended lives on: another thread has executed a program, and
 * has its number now. Not one that was given the number after that. */
static bool lives_beyond(const struct process_log *l, const struct proc_pid_stat *own, uint64_t at)
{
	double apart_s = (double)(clocks_now(CLOCK_BOOTTIME) - clocks_now(CLOCK_MONOTONIC)) / 1e9;

	return !own->exiting && (double)own->starttime * l->tick_s - apart_s < (double)at / 1e9;
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
	there =
	    p && !p->ended_at && !l->budget.hurries && proc_pid_stat_of(l->r, e->pid, &own) == 0;
	if (there && lives_beyond(l, &own, e->at))
		return;
	if (!p || !p->ended_at || p->status == PROCESS_ENTRY_UNKNOWN)
		take_status(l, p, e);
	if (!p)
		return;
	if (p->ended_at) { /* as perf has said */
		finish_ended(l, p, NULL);
		return;
	}
	p->gone_s = since_start(l, (int64_t)e->at);
	if (!there || l->n_left == LEFT || !has_threads(&own)) {
		end_now(l, p, p->gone_s, there ? &own : NULL);
		return;
	}
	p->left = true;
	l->left[l->n_left++] = e->pid;
	/* Its CPU time reaches the parent together with that of other children. */
	ended_cpu_miss(&l->table, p);
}

/* Its first thread alone has ended: another one has executed a program. */
static void lives_on(struct living *p)
{
	p->left = false;
	p->gone_s = NAN;
	p->status = PROCESS_ENTRY_UNKNOWN;
}

/* now_s: the time, where so much time has passed that the other threads have run on. NAN: at
 * once. */
static void look_at_left(struct process_log *l, double now_s)
{
	for (size_t i = 0; i < l->n_left;) {
		struct living *p = living_find(&l->table, l->left[i]);
		struct proc_pid_stat own;
		bool there = p && p->left && proc_pid_stat_of(l->r, l->left[i], &own) == 0;
		if (there && has_threads(&own)) {
			if (!isnan(now_s))
				p->gone_s = now_s;
			i++;
			continue;
		}
		if (there && !own.exiting)
			lives_on(p);
		else if (p && p->left)
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

/* The events' counts are not known any more: samples say them. */
static void uncount(struct process_log *l)
{
	for (int i = 0; i < l->table.high; i++) {
		l->table.of[i].inherited_s = NAN;
		if (!l->table.of[i].ended_at)
			l->table.of[i].threads = LIVING_UNCOUNTED;
		l->table.of[i].holds = false;
	}
	l->has_holder = false;
}

/* Some events are missing: what parents inherited meanwhile, and who has come and gone. */
static void on_loss(struct process_log *l, double from_s, double to_s)
{
	l->events.lost = false;
	if (!l->losses++)
		l->lost_from_s = from_s;
	l->lost_to_s = to_s;
	l->settles = SETTLES;
	uncount(l);
	err_set(&l->why,
	        "events of processes were lost between %.1f s and %.1f s; before and after, all "
	        "are there",
	        l->lost_from_s, l->lost_to_s);
	if (l->deaths.lost)
		l->deaths.lost(l->deaths.ctx, false);
	put_source(l);
}

/* The source that there is now. */
static bool loses_too_often(const struct process_log *l, int64_t now)
{
	double s = since_start(l, now) - l->taken_over_s;

	return l->losses - l->losses_before >= LOSSES + s / LOSS_S;
}

static void stop_events(struct process_log *l)
{
	l->by_events = false;
	if (l->losses > l->losses_before)
		err_set(&l->why, "process events came faster than they were read");
	else
		err_set(&l->why, "there were more than %d process events a second",
		        PROC_EVENTS_RATE);
	if (l->deaths.lost)
		l->deaths.lost(l->deaths.ctx, true);
	proc_events_close(&l->events);
	put_source(l);
}

/* -- events of perf_events.h ------------------------------------------------------------------- */

/* Whether more is to come of a process that has ended. own: its stat; NULL: it is gone. */
static bool awaits_more(struct process_log *l, struct living *p, const struct proc_pid_stat *own,
                        int64_t now)
{
	bool late = now - p->ended_at > GRACE_NS, unknown = p->status == PROCESS_ENTRY_UNKNOWN;

	if (own && has_threads(own)) {
		p->gone_s = since_start(l, now);
		return true;
	}
	if (own && own->state != 'Z' && own->state != 'X')
		return true; /* on its way */
	if (!late && ((p->threads == 0 && p->cpu_due > 0) || (unknown && l->events.fd >= 0)))
		return true;
	/* We shall reap it. */
	return unknown && own && own->ppid == getpid();
}

/* It executes a program with other rights, or one that may not be read. */
static void drop(struct process_log *l, struct living *p)
{
	p->ended_at = 0;
	p->gone_s = NAN;
	p->threads = LIVING_UNCOUNTED;
	p->dropped = l->has_dropped = true;
	err_set(&l->why, "%s ran with other rights: it and what it started are known from samples",
	        p->program && *p->program->name ? p->program->name : "a process");
	put_source(l);
}

/* Nothing is to be looked up: the last thread of p has ended, all its CPU times are there, and the
 * status, which came after that, says that it was an end. Not after a loss: then threads may live
 * that were not counted. */
static bool is_complete(const struct process_log *l, const struct living *p)
{
	return !l->settles && p->threads == 0 && p->cpu_due <= 0 && !p->early &&
	       p->status != PROCESS_ENTRY_UNKNOWN;
}

/* Those of which nothing is to be looked up, those of which no more is to come, or all. */
enum settle { SETTLE_COMPLETE, SETTLE_LOOK, SETTLE_LAST };

/* Whether p need not be asked for again. Otherwise more is to come, or there is no time to look. */
static bool settle_one(struct process_log *l, struct living *p, int64_t now, enum settle which)
{
	struct proc_pid_stat own;
	bool there = false;

	if (!is_complete(l, p)) {
		bool gone = which != SETTLE_COMPLETE && kill(p->pid, 0) && errno == ESRCH;
		if (!gone &&
		    (which == SETTLE_COMPLETE || (which == SETTLE_LOOK && l->budget.hurries)))
			return false;
		there = !gone && proc_pid_stat_of(l->r, p->pid, &own) == 0;
		if (there && !own.exiting) {
			drop(l, p);
			return true;
		}
		if (which != SETTLE_LAST && awaits_more(l, p, there ? &own : NULL, now))
			return false;
	}
	finish_ended(l, p, there ? &own : NULL);
	return true;
}

static void settle_ended(struct process_log *l, int64_t now, enum settle which)
{
	for (size_t i = 0; i < l->n_ending;) {
		struct living *p = living_find(&l->table, l->ending[i]);
		if (p && p->ended_at && !p->holds && !settle_one(l, p, now, which))
			i++;
		else
			l->ending[i] = l->ending[--l->n_ending];
	}
}

static void on_thread_exit(struct process_log *l, const struct perf_events_record *r)
{
	struct living *p = living_find(&l->table, r->pid);

	if (!p || p->ended_at || p->dropped)
		return;
	l->concerned = true;
	p->cpu_due += l->perf.cpus;
	if (p->threads > 0 ? --p->threads > 0 : r->tid != r->pid)
		return;
	p->gone_s = since_start(l, (int64_t)r->at);
	p->ended_at = (int64_t)r->at;
	count_end(l, p, p->gone_s);
	if (l->n_ending == ENDING)
		finish_ended(l, p, NULL);
	else
		l->ending[l->n_ending++] = r->pid;
}

static void on_cpu_time(struct process_log *l, const struct perf_events_record *r)
{
	struct living *p = living_find(&l->table, r->pid);

	l->counted_ns += r->value;
	if (!p || since_start(l, (int64_t)r->at) < p->start_s)
		return;
	p->cpu_ns += r->value;
	p->cpu_due--;
}

static void on_fork(struct process_log *l, const struct perf_events_record *r)
{
	const struct proc_event e = {
	    .kind = PROC_EVENT_FORK, .at = r->at, .pid = r->pid, .parent = r->parent};
	struct living *p;

	l->cost.forks++;
	if (r->pid == r->parent) {
		p = living_find(&l->table, r->pid);
		if (p && p->threads > 0)
			p->threads++;
		return;
	}
	on_new(l, &e);
	p = living_find(&l->table, r->pid);
	if (p) {
		p->threads = 1;
		p->inherited_s = NAN;
	}
}

static void set_comm(struct process_log *l, struct living_program *program, const char *name)
{
	(void)snprintf(program->top.name, sizeof program->top.name, "%s", name);
	living_program_redact(program, &l->text);
}

/* The record has the name; the command line is where the process still runs. */
static void on_perf_exec(struct process_log *l, const struct perf_events_record *r)
{
	struct living *p = living_find(&l->table, r->pid);
	struct living_program *program = p ? living_exec(&l->table, p) : NULL;

	if (p) {
		count_exec(l, p, since_start(l, (int64_t)r->at));
		p->limits.known = false;
		if (!l->budget.hurries)
			see_limits(l, p);
	}
	if (!program)
		return;
	l->concerned = true;
	if (l->commands && !l->budget.hurries)
		top_processes_read_command(&program->top, l->r);
	set_comm(l, program, r->name);
}

/* A name that a process gives itself. */
static void on_name(struct process_log *l, const struct perf_events_record *r)
{
	struct living *p = living_find(&l->table, r->pid);
	struct living_program *program = p ? p->program : NULL;

	if (!p || r->tid != r->pid)
		return;
	if (program && program->users > 1) {
		const struct top_process shared = program->top;
		program = living_exec(&l->table, p);
		if (program) {
			program->top = shared;
			program->top.pid = p->pid;
		}
	}
	if (program)
		set_comm(l, program, r->name);
}

/* Where the other events are those of perf. */
static void on_status(struct process_log *l, const struct proc_event *e)
{
	struct living *p = living_find(&l->table, e->pid);

	if (e->kind != PROC_EVENT_END || e->tid != e->pid)
		return;
	if (p && (p->holds || since_start(l, (int64_t)e->at) < p->start_s))
		p = p->holds && p->status == PROCESS_ENTRY_UNKNOWN ? p : NULL;
	/* Other threads run on, and one of them may execute a program with other rights. */
	if (p && !p->ended_at)
		p->early = true;
	take_status(l, p, e);
}

/* Without the connector, statuses are not known. */
static void look_at_statuses(struct process_log *l)
{
	if (l->events.fd < 0 && !l->events.ended_early && !l->events.lost)
		return;
	if ((l->events.lost || l->events.ended_early) && l->deaths.lost)
		l->deaths.lost(l->deaths.ctx, l->events.ended_early);
	l->events.lost = l->events.ended_early = false;
}

/* Takes the records of until, of which there may be more than AT_ONCE; *lost grows by those that
 * are missing. What perf_events_next() returned last; *n: how many. */
static int take_records(struct process_log *l, uint64_t until, uint64_t *lost, int *n)
{
	struct perf_events_record r;
	int more = 1;

	for (*n = 0; *n < AT_ONCE && (more = perf_events_next(&l->perf, until, &r)) > 0; ++*n)
		if (r.kind == PERF_EVENTS_FORK)
			on_fork(l, &r);
		else if (r.kind == PERF_EVENTS_EXEC)
			on_perf_exec(l, &r);
		else if (r.kind == PERF_EVENTS_NAME_SET)
			on_name(l, &r);
		else if (r.kind == PERF_EVENTS_EXIT)
			on_thread_exit(l, &r);
		else if (r.kind == PERF_EVENTS_CPU_TIME)
			on_cpu_time(l, &r);
		else if (r.kind == PERF_EVENTS_LOST && r.of_times)
			l->untimed += (double)r.value;
		else if (r.kind == PERF_EVENTS_LOST)
			*lost += r.value;
	return more;
}

/* All that perf has reported until .heard_until. Whether it is whole. */
static bool take_last_records(struct process_log *l)
{
	const struct timespec later = {.tv_nsec = LATER_NS};
	uint64_t lost = 0;
	struct proc_event e;
	int n, more = 1;

	(void)nanosleep(&later, NULL);
	perf_events_woken(&l->perf);
	while (more > 0)
		more = take_records(l, l->heard_until + LATER_NS, &lost, &n);
	while (proc_events_next(&l->events, &e)) {
		const struct living *p = living_find(&l->table, e.pid);
		if (e.at <= l->heard_until || (p && p->ended_at))
			on_status(l, &e);
	}
	return more == 0 && !lost;
}

/* Goes on with the connector, else with samples, for the reason in .refused. broken: perf has
 * missed something. */
static void leave_perf(struct process_log *l, bool broken)
{
	struct proc_events next;
	struct err why;
	bool whole = !broken;

	l->by_events = proc_events_open_all(&next, &why) == 0;
	l->heard_until = (uint64_t)clocks_now(CLOCK_MONOTONIC);
	if (whole)
		whole = take_last_records(l);
	settle_ended(l, clocks_now(CLOCK_MONOTONIC), l->by_events ? SETTLE_LOOK : SETTLE_LAST);
	perf_events_close(&l->perf);
	proc_events_close(&l->events);
	l->events = next;
	l->by_perf = false;
	uncount(l);
	if (!l->by_events)
		err_set(&l->why, "perf was %s; events of the machine: %s", l->refused.msg, why.msg);
	else if (!whole && !l->losses)
		err_set(&l->why,
		        "the source of events changed at %.1f s; before and after, all are there",
		        since_start(l, (int64_t)l->heard_until));
	l->settles = whole ? 0 : SETTLES;
	l->losses_before = l->losses;
	l->taken_over_s = since_start(l, (int64_t)l->heard_until);
	if (l->deaths.lost && !(l->by_events && whole))
		l->deaths.lost(l->deaths.ctx, !l->by_events);
	put_source(l);
}

/* A sentence without a subject says why. */
__attribute__((format(printf, 3, 4))) static void give_up(struct process_log *l, bool broken,
                                                          const char *format, ...)
{
	struct err why = {0};
	va_list args;

	va_start(args, format);
	(void)vsnprintf(why.msg, sizeof why.msg, format, args);
	va_end(args);
	err_set(&l->refused, "given up after %.1f s: %s",
	        since_start(l, clocks_now(CLOCK_MONOTONIC)), why.msg);
	leave_perf(l, broken);
}

/* Sets *again if there may be more. */
static int read_perf(struct process_log *l, bool *again)
{
	struct proc_event ends[STATUSES];
	int n_ends = 0, n, more;
	uint64_t until, lost = 0;

	perf_events_woken(&l->perf);
	/* Ends first: by then, all that came before them is in the rings. */
	while (n_ends < STATUSES && proc_events_next(&l->events, &ends[n_ends]))
		n_ends++;
	until = (uint64_t)clocks_now(CLOCK_MONOTONIC);
	more = take_records(l, until, &lost, &n);
	for (int i = 0; i < n_ends; i++)
		on_status(l, &ends[i]);
	look_at_statuses(l);
	if (lost)
		on_loss(l, since_start(l, l->budget.refilled), since_start(l, (int64_t)until));
	settle_ended(l, (int64_t)until, SETTLE_COMPLETE);
	if (more < 0)
		give_up(l, true, "a ring of the kernel's records was broken");
	*again = l->by_perf && (n == AT_ONCE || n_ends == STATUSES);
	return n + n_ends;
}

/* All that is there: whoever polls is woken only by what comes later. */
static int read_all_perf(struct process_log *l)
{
	bool again = true;
	int n = 0;

	for (int i = 0; i < AT_ONCE / STATUSES && again; i++)
		n += read_perf(l, &again);
	if (!l->by_perf)
		return n;
	/* Once for all that was there: each look costs a system call or more. */
	settle_ended(l, clocks_now(CLOCK_MONOTONIC), SETTLE_LOOK);
	if (l->untimed > l->renewed && perf_events_renew(&l->perf))
		l->renewed = l->untimed + (double)l->n_ending;
	return n;
}

/* Gives up what would disturb a job that forks or switches too often. */
static void watch_cost(struct process_log *l, int64_t now)
{
	struct perf_cost_use u = {.now = now, .cpus = l->perf.cpus, .events = l->perf.n};
	enum perf_cost_why why;
	double per_s;

	if (!l->by_perf || now < l->cost.due)
		return;
	for (int i = 0; i < l->table.high; i++) {
		const struct living *p = &l->table.of[i];
		if (p->pid && !p->ended_at && !perf_cost_count(&l->cost, l->r, p->pid))
			break;
	}
	if (perf_cost_is_worth(&l->cost, l->perf.n)) {
		uint64_t total = perf_events_total(&l->perf);
		u.used_ns = total > l->used_ns ? (double)(total - l->used_ns) : 0;
		l->used_ns = total;
	}
	why = perf_cost_charge(&l->cost, &u, &per_s);
	if (why != PERF_COST_FINE)
		give_up(l, false, "the job %s %.0f times a second",
		        why == PERF_COST_FORKS ? "forked" : "switched", per_s);
}

static int read_connector(struct process_log *l)
{
	struct proc_event e;
	int n = 0;

	for (; n < AT_ONCE && proc_events_next(&l->events, &e); n++)
		if (e.at <= l->heard_until)
			continue;
		else if (e.kind == PROC_EVENT_FORK)
			on_new(l, &e);
		else if (e.kind == PROC_EVENT_EXEC)
			on_exec(l, &e);
		else if (e.kind == PROC_EVENT_END)
			on_process_end(l, &e);
	look_at_left(l, NAN);
	settle_ended(l, clocks_now(CLOCK_MONOTONIC), SETTLE_LOOK);
	return n;
}

void process_log_read(struct process_log *l, int64_t now)
{
	int64_t begun, before;
	int n;

	if (!l || !l->by_events)
		return;
	begun = clocks_now(CLOCK_THREAD_CPUTIME_ID);
	l->concerned = false;
	n = l->by_perf ? read_all_perf(l) : read_connector(l);
	if (l->deaths.settle)
		l->deaths.settle(l->deaths.ctx);
	before = l->budget.refilled;
	event_budget_charge(&l->budget, now, clocks_now(CLOCK_THREAD_CPUTIME_ID) - begun, n,
	                    l->concerned);
	watch_cost(l, now);
	if (!l->by_events)
		return;
	if (l->events.lost)
		on_loss(l, since_start(l, before), since_start(l, clocks_now(CLOCK_MONOTONIC)));
	if (l->by_perf && loses_too_often(l, now))
		give_up(l, true, "records came faster than they were read");
	else if (l->events.ended_early || loses_too_often(l, now))
		stop_events(l);
}

int process_log_fd(const struct process_log *l, int64_t now, int64_t *deadline)
{
	if (!l || !l->by_events)
		return -1;
	if (l->by_perf && l->cost.due < *deadline)
		*deadline = l->cost.due;
	if (now >= l->budget.pause)
		return l->by_perf ? perf_events_fd(&l->perf) : l->events.fd;
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
	/* Without events nobody has counted what it inherited from its children. */
	if (l->by_events && !isnan(ended_cpu_inherited(&l->table, p)))
		set_cpu(p, larger(total - ended_cpu_inherited(&l->table, p), 0));
}

/* Takes what a sample knows about a process. */
static struct living *take_sample(struct process_log *l, const struct top_process *top)
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
	if (!p && l->by_events && l->samples > 1 && !l->settles && !l->has_dropped)
		return NULL;
	if (!p) {
		struct living *parent = living_find(&l->table, top->ppid);
		/* The kernel has it in ticks. */
		p = living_add(&l->table, top->pid, parent,
		               start_s < 0 && start_s > -SAME_S ? 0 : start_s);
		if (!p)
			return NULL;
		p->dropped = l->has_dropped;
	}
	p->sampled = l->samples;
	if (!p->limits.known)
		see_limits(l, p);
	if (!p->left && !p->ended_at)
		p->gone_s = NAN;
	p->memory_b = top->peak_rss_b > 0 ? larger(p->memory_b, top->peak_rss_b) : p->memory_b;
	p->cpu_s = top->cpu_s;
	p->cpu_exact = false;
	living_program_take(&l->table, p, top, l->commands, &l->text);
	return p;
}

/* Events have to find it: it has begun long before, and had a place. */
static bool is_missed(const struct process_log *l, const struct top_process *top)
{
	return l->by_perf && l->samples > 1 && !l->settles && !(l->table.beyond > 0) &&
	       top->start - l->start_unix < l->sampled_s - OLD_S;
}

void process_log_sample(struct process_log *l, const struct tree *t, int64_t at)
{
	const struct process_table *table = t ? tree_table(t) : NULL;
	double now_s;
	bool decides; /* nothing else says who has ended */
	bool missed = false;

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
		if (!p->used || top->pid != p->pid || tracked_process_ended(p))
			continue;
		if (!take_sample(l, top))
			missed = missed || is_missed(l, top);
	}
	for (int i = 0; i < l->table.high; i++) {
		struct living *p = &l->table.of[i];
		if (p->holds && !p->in_journal) {
			process_spill_living(&l->spill, p, PROCESS_ENTRY_ENDED, p->gone_s);
			p->in_journal = true;
		}
		if (!p->pid || p->ended_at)
			continue;
		/* One sample later: the status of what we reap comes after this one. */
		if ((decides || p->dropped) && !isnan(p->gone_s) && !p->left) {
			process_spill_let_go(&l->spill, &l->table, p, p->gone_s);
		} else if ((decides || p->dropped) && p->sampled != l->samples) {
			p->gone_s = now_s;
		} else if (!p->in_journal && now_s - p->start_s >= OLD_S) {
			process_spill_living(&l->spill, p, PROCESS_ENTRY_RUNNING, NAN);
			p->in_journal = true;
		}
	}
	l->settles -= l->settles > 0;
	count_again(l);
	if (missed)
		give_up(l, true, "it had not reported a process");
}

double process_log_counted(const struct process_log *l)
{
	return l && l->by_perf ? (double)perf_events_total(&l->perf) / 1e9 : (double)NAN;
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

static void open_connector(struct process_log *l)
{
	l->by_events = proc_events_open_all(&l->events, &l->why) == 0;
	if (l->by_events)
		l->why = (struct err){0};
}

struct process_log *process_log_open(const struct root *r, bool commands, const char *first,
                                     const char *why)
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
	l->wants_perf = strcmp(first, PROCESS_TREE_PERF) == 0;
	l->events.fd = -1;
	l->perf.poll = -1;
	if (strcmp(first, PROCESS_TREE_CONNECTOR) == 0)
		open_connector(l);
	else if (!l->wants_perf)
		err_set(&l->why, "%s", why);
	return l;
}

/* The events of a command that has not called exec(3) yet. */
static void open_perf(struct process_log *l, int pid, struct living *p)
{
	l->by_perf = l->by_events = perf_events_open(&l->perf, pid, l->r, &l->refused) == 0;
	if (!l->by_perf) {
		open_connector(l);
		return;
	}
	l->refused = (struct err){0};
	if (p) {
		p->threads = 1;
		p->inherited_s = NAN;
	}
	(void)proc_events_begin_ends(&l->events, NULL);
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
		if (l->wants_perf)
			open_perf(l, pid, p);
	}
}

void process_log_started(struct process_log *l)
{
	if (!l || !l->by_perf || l->events.fd < 0)
		return;
	if (proc_events_prove_ends(&l->events, NULL) == 0)
		perf_events_with(&l->perf, l->events.fd);
	else if (l->deaths.lost)
		l->deaths.lost(l->deaths.ctx, true);
}

bool process_log_tell(struct process_log *l, const struct process_log_deaths *deaths)
{
	if (!l || !l->by_events || l->events.fd < 0)
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
	perf_cost_begin(&l->cost, start);
	l->start_unix = (double)real / 1e9;
}

void process_log_asleep(struct process_log *l, int64_t asleep)
{
	if (l)
		l->asleep = asleep;
}

/* All that there is has been read: what the holder of the events used is what nobody else did, if
 * all others have ended. */
static void end_perf(struct process_log *l)
{
	uint64_t total = perf_events_total(&l->perf);
	struct living *holder = NULL;
	bool alone = !l->losses && l->untimed <= 0 && total >= l->counted_ns;

	for (int i = 0; i < l->table.high; i++) {
		struct living *p = &l->table.of[i];
		if (p->pid && p->holds)
			holder = p;
		else if (p->pid && !p->dropped)
			alone = false;
	}
	if (holder && alone)
		set_cpu(holder, (double)(holder->cpu_ns + total - l->counted_ns) / 1e9);
}

int process_log_write(struct process_log *l, const struct tree *t, struct json_write *j,
                      struct err *e)
{
	struct err beyond = {0};
	const char *why = l->why.msg, *kernel;

	process_log_read(l, l->budget.refilled);
	settle_ended(l, clocks_now(CLOCK_MONOTONIC), SETTLE_LAST);
	if (l->by_perf)
		end_perf(l);
	kernel = l->by_perf ? PROCESS_TREE_PERF : PROCESS_TREE_CONNECTOR;
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
	return process_spill_write(
	    &l->spill, j, &(struct process_spill_samples){t, l->start_unix},
	    &(struct process_tree_rows){.n = l->table.n,
	                                .source = *why ? PROCESS_TREE_SAMPLES : PROCESS_TREE_EVENTS,
	                                .why = why,
	                                .kernel = l->by_events ? kernel : NULL,
	                                .refused = *l->refused.msg ? l->refused.msg : NULL},
	    e);
}

void process_log_close(struct process_log *l)
{
	if (!l)
		return;
	perf_events_close(&l->perf);
	proc_events_close(&l->events);
	process_spill_close(&l->spill);
	buf_free(&l->text);
	free(l);
}
