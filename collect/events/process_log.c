/* process_log: every process of the job, from its beginning to its end. */
#include "collect/events/process_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/events/proc_events.h"
#include "collect/events/process_spill.h"
#include "collect/machine/clocks.h"
#include "collect/process/top_processes.h"
#include "collect/procfs/proc_pid.h"
#include "collect/redact/redact.h"
#include "core/base/alloc_failed.h"
#include "core/base/larger.h"

#define CHAINS     1024 /* a power of 2 */
#define NONE       (-1)
#define AT_ONCE    8192 /* events */
#define OLD_S      1    /* a process of this age goes into the journal while it runs */
#define SAME_S     0.1  /* a process that a sample and an event saw: its start */
#define SHARE      0.003 /* of a core, for events */
#define SAVED_NS   1e7   /* CPU time that a quiet job saves for a busy one, or the other way … */
#define WAKE_NS    2e4   /* of this, what waking up costs */
#define PAUSE_NS   INT64_C(10000000) /* the shortest: each event that comes is read at once, or */
#define PAUSE_MAX  INT64_C(40000000) /* all together after this; the socket takes about 500 */
#define PAUSE_FULL INT64_C(4000000)  /* after so many events … */
#define MANY       100               /* … as these */
#define PAUSE_IDLE INT64_C(20000000) /* after events that were all of others */
#define LEFT       32 /* processes whose first thread has ended before others */

struct living {
	struct top_process top; /* pid, ppid, name, command line */
	char name[PROCESS_ENTRY_NAME_MAX + 1]; /* redacted */
	uint32_t id, parent;
	int next;          /* in a chain of pids, or of free places */
	unsigned children; /* that live */
	bool in_journal;   /* an entry of it, or of a child's sum, is in the journal */
	bool has_sums;     /* children of it were summed up */
	bool reaped;
	bool left;         /* its first thread ended at gone_s, and others may run on */
	unsigned sampled;  /* the last sample that saw it */
	double gone_s;     /* first time that it was not seen any more; NAN */
	double start_s, cpu_s, memory_b;
	int32_t status;
	/* What it inherited from children that it waited for. A child whose zombie was read is in it
	 * as soon as it is reaped. */
	double inherited_s; /* NAN: not known */
	int zombie;         /* not in inherited_s when that was read; 0: none */
	double zombie_s;    /* what it will hand over */
};

struct process_log {
	const struct root *r;
	struct proc_events events;
	bool by_events;
	struct err why; /* not by events */
	bool commands;
	int launcher;
	int64_t start, asleep; /* ns */
	double start_unix;
	uint32_t ids;
	double n, beyond; /* processes in all; those that found no place */
	unsigned samples;
	double sampled_s; /* when */
	double tick_s;
	int left[LEFT]; /* pids of those that are .left */
	size_t n_left;
	/* CPU time, ns, that may be used for events now; the time of the last reading, and until when
	 * there is a pause. */
	double saved_ns;
	int64_t refilled, pause;
	bool hurries; /* nothing is read of /proc */
	bool concerned; /* the last reading had an event of the job */
	struct process_spill spill;
	struct buf text;
	int chains[CHAINS];
	int free_place, high;
	struct living living[PROCESS_LOG_LIVING];
};

/* -- the table --------------------------------------------------------------------------------- */

static int *chain_of(struct process_log *l, int pid)
{
	return &l->chains[(unsigned)pid % CHAINS];
}

static struct living *find(struct process_log *l, int pid)
{
	int at = *chain_of(l, pid);

	while (at != NONE && l->living[at].top.pid != pid)
		at = l->living[at].next;
	return at == NONE ? NULL : &l->living[at];
}

/* The parent, if it lives. */
static struct living *parent_of(struct process_log *l, const struct living *p)
{
	struct living *parent = p->parent ? find(l, p->top.ppid) : NULL;

	return parent && parent->id == p->parent ? parent : NULL;
}

static struct living *add(struct process_log *l, int pid, struct living *parent, double start_s)
{
	int place = l->free_place;
	struct living *p;

	l->n++;
	if (place != NONE)
		l->free_place = l->living[place].next;
	else if (l->high < PROCESS_LOG_LIVING)
		place = l->high++;
	else {
		l->beyond++;
		return NULL;
	}
	p = &l->living[place];
	*p = (struct living){.id = ++l->ids,
	                     .parent = parent ? parent->id : 0,
	                     .next = *chain_of(l, pid),
	                     .start_s = start_s,
	                     .cpu_s = NAN,
	                     .memory_b = NAN,
	                     .status = PROCESS_ENTRY_UNKNOWN,
	                     .sampled = l->samples,
	                     .gone_s = NAN,
	                     .inherited_s = NAN};
	if (parent) {
		p->top = parent->top;
		memcpy(p->name, parent->name, sizeof p->name);
		parent->children++;
	}
	p->top.pid = pid;
	p->top.ppid = parent ? parent->top.pid : 0;
	*chain_of(l, pid) = place;
	return p;
}

static void take_out(struct process_log *l, struct living *p)
{
	int place = (int)(p - l->living), *at = chain_of(l, p->top.pid);

	while (*at != place)
		at = &l->living[*at].next;
	*at = p->next;
	p->top.pid = 0;
	p->next = l->free_place;
	l->free_place = place;
}

static double since_start(const struct process_log *l, int64_t at)
{
	return (double)(at + l->asleep - l->start) / 1e9;
}

/* -- into the journal -------------------------------------------------------------------------- */

static void take_name(struct process_log *l, struct living *p)
{
	buf_clear(&l->text);
	redact_text(p->top.name, sizeof p->top.name, &l->text);
	(void)snprintf(p->name, sizeof p->name, "%s", l->text.failed ? "***" : buf_cstr(&l->text));
}

static void put_entry(struct process_log *l, const struct living *p, enum process_entry_kind kind,
                      double end_s)
{
	struct process_entry e = {.kind = kind,
	                          .id = p->id,
	                          .parent = p->parent,
	                          .n = 1,
	                          .pid = p->top.pid,
	                          .status = p->status,
	                          .start_s = p->start_s,
	                          .end_s = end_s,
	                          .cpu_s = p->cpu_s,
	                          .memory_b = p->memory_b};

	memcpy(e.name, p->name, sizeof e.name);
	buf_clear(&l->text);
	if (l->commands && p->top.command_len && top_processes_command(&p->top, &l->text)) {
		size_t n = l->text.len < PROCESS_ENTRY_COMMAND_MAX ? l->text.len
		                                                   : PROCESS_ENTRY_COMMAND_MAX;
		memcpy(e.command, buf_cstr(&l->text), n);
	}
	process_spill_put(&l->spill, &e);
}

/* Its children are from now on its parent's. */
static void hand_on_children(struct process_log *l, const struct living *p)
{
	struct living *parent = parent_of(l, p);

	if (p->has_sums) {
		process_spill_hand_on(&l->spill, p->id, p->parent);
		if (parent)
			parent->has_sums = true;
	}
	for (int i = 0; p->children && i < l->high; i++) {
		struct living *child = &l->living[i];
		if (!child->top.pid || child->parent != p->id)
			continue;
		child->parent = p->parent;
		child->top.ppid = p->top.ppid;
		if (parent)
			parent->children++;
	}
}

static void sum_up(struct process_log *l, const struct living *p, double end_s)
{
	struct process_entry e = {.parent = p->parent,
	                          .n = 1,
	                          .start_s = p->start_s,
	                          .end_s = end_s,
	                          .cpu_s = p->cpu_s};
	struct living *parent = parent_of(l, p);
	bool spilled;

	memcpy(e.name, p->name, sizeof e.name);
	process_spill_sum(&l->spill, &e, &spilled);
	if (parent)
		parent->has_sums = true;
	for (int i = 0; spilled && i < l->high; i++)
		l->living[i].in_journal = true;
}

static void end_process(struct process_log *l, struct living *p, double end_s)
{
	bool keeps = process_spill_keeps(&l->spill, p->start_s, end_s) || p->in_journal;
	struct living *parent = parent_of(l, p);

	if (parent)
		parent->children--;
	if (keeps) {
		put_entry(l, p, PROCESS_ENTRY_ENDED, end_s);
	} else {
		sum_up(l, p, end_s);
		hand_on_children(l, p);
	}
	take_out(l, p);
}

/* -- events ------------------------------------------------------------------------------------ */

static void on_fork(struct process_log *l, const struct proc_event *e)
{
	struct living *parent = find(l, e->parent), *p = find(l, e->pid);
	double start_s = larger(since_start(l, (int64_t)e->at), 0); /* the command waits for the start */

	/* A sample has seen it before. */
	if (p && p->start_s > start_s - SAME_S) {
		p->start_s = start_s;
		return;
	}
	if (p)
		end_process(l, p, start_s); /* its end was lost */
	if (!parent && (!l->launcher || e->parent != l->launcher || e->pid == getpid()))
		return;
	l->concerned = true;
	p = add(l, e->pid, parent, start_s);
	if (p)
		p->inherited_s = 0;
}

/* If they cannot be read any more, the name and the command line are not known: those from before
 * are of another program. */
static void on_exec(struct process_log *l, const struct proc_event *e)
{
	struct living *p = find(l, e->pid);
	char name[TOP_PROCESSES_NAME_MAX];
	int fd;
	long n;

	if (!p)
		return;
	l->concerned = true;
	p->top.command_len = 0;
	p->top.cut = false;
	memset(p->top.name, 0, sizeof p->top.name);
	/* First what is gone first. */
	if (l->commands && !l->hurries)
		top_processes_read_command(&p->top, l->r);
	fd = proc_pid_open(l->r, p->top.pid, "comm");
	n = fd < 0 ? -1 : root_head_fd(fd, name, sizeof name);
	if (fd >= 0)
		close(fd);
	if (n > 0) {
		n -= name[n - 1] == '\n';
		memcpy(p->top.name, name, (size_t)n);
	}
	take_name(l, p);
}

static double handed_over(const struct living *p)
{
	return p->inherited_s + (p->zombie ? p->zombie_s : 0);
}

/* The CPU time of a zombie: in ns if one thread used it. */
static double own_cpu(const struct process_log *l, const struct proc_pid_stat *stat)
{
	double s = (double)(stat->utime + stat->stime) * l->tick_s;
	struct proc_pid_schedstat exact;
	int fd = proc_pid_open(l->r, stat->pid, "schedstat");

	if (fd >= 0) {
		double run_s = proc_pid_schedstat_read(fd, &exact) == 0
		                   ? (double)exact.run_ns / 1e9
		                   : (double)NAN;
		close(fd);
		if (run_s >= s && run_s < s + 2 * l->tick_s)
			return run_s;
	}
	return s;
}

/* Finds the CPU time of a process that has ended. */
static void find_cpu(struct process_log *l, struct living *p)
{
	struct living *parent = parent_of(l, p);
	struct proc_pid_stat own, of, again;
	double grown, handed = handed_over(p), total = NAN, clean;
	bool is_there;

	if (l->hurries) {
		if (parent)
			parent->inherited_s = NAN;
		return;
	}
	is_there = proc_pid_stat_of(l->r, p->top.pid, &own) == 0 && own.state == 'Z';
	if (is_there) {
		p->cpu_s = own_cpu(l, &own);
		total = p->cpu_s + (double)(own.cutime + own.cstime) * l->tick_s;
	}
	if (!parent)
		return;
	if (proc_pid_stat_of(l->r, parent->top.pid, &of)) {
		parent->inherited_s = NAN;
		return;
	}
	clean = (double)(of.cutime + of.cstime) * l->tick_s;
	/* An earlier zombie that is still there is not in it, so what it will add is not this one's. */
	if (parent->zombie && proc_pid_stat_of(l->r, parent->zombie, &again) == 0) {
		parent->inherited_s = NAN;
		parent->zombie = is_there ? p->top.pid : parent->zombie;
		return;
	}
	grown = clean - handed_over(parent);
	parent->inherited_s = clean;
	parent->zombie = 0;
	if (is_there && proc_pid_stat_of(l->r, p->top.pid, &again) == 0) {
		parent->zombie = p->top.pid;
		parent->zombie_s = total;
	} else if (is_there) {
		/* It was reaped before or after that reading. */
		parent->inherited_s = NAN;
	} else if (!p->reaped && !isnan(grown - handed)) {
		p->cpu_s = larger(p->cpu_s, larger(grown - handed, 0));
	}
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
	find_cpu(l, p);
	limit_cpu(l, p, end_s);
	end_process(l, p, end_s);
}

static bool has_threads(const struct process_log *l, int pid)
{
	struct proc_pid_stat stat;

	return proc_pid_stat_of(l->r, pid, &stat) == 0 && stat.state == 'Z' && stat.num_threads > 1;
}

/* When its first thread ends, the others mostly follow at once; some programs leave them running. */
static void on_end(struct process_log *l, const struct proc_event *e)
{
	struct living *p = find(l, e->pid), *parent;

	if (!p || e->tid != e->pid)
		return;
	l->concerned = true;
	if (!p->reaped)
		p->status =
		    WIFEXITED(e->status) ? WEXITSTATUS(e->status) : -WTERMSIG(e->status);
	p->gone_s = since_start(l, (int64_t)e->at);
	if (l->hurries || l->n_left == LEFT || !has_threads(l, e->pid)) {
		end_now(l, p, p->gone_s);
		return;
	}
	p->left = true;
	l->left[l->n_left++] = e->pid;
	/* What it hands over comes with that of others. */
	parent = parent_of(l, p);
	if (parent)
		parent->inherited_s = NAN;
}

/* now_s: the time, where so much time has passed that the other threads have run on. NAN: at once. */
static void look_at_left(struct process_log *l, double now_s)
{
	for (size_t i = 0; i < l->n_left;) {
		struct living *p = find(l, l->left[i]);
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

static void end_events(struct process_log *l, const char *why)
{
	l->by_events = false;
	err_set(&l->why, "%s", why);
	proc_events_close(&l->events);
}

static void put_source(struct process_log *l)
{
	struct process_entry e = {.kind = PROCESS_ENTRY_SOURCE, .n = 0};

	strcpy(e.name, l->by_events ? PROCESS_TREE_EVENTS : PROCESS_TREE_SAMPLES);
	memcpy(e.command, l->why.msg, strnlen(l->why.msg, PROCESS_ENTRY_COMMAND_MAX));
	process_spill_put(&l->spill, &e);
}

/* Counts the CPU time of a reading. When more than a share was used, the next one is made after a
 * pause, and much more, without the files of the processes. */
static void count_reading(struct process_log *l, int64_t now, int64_t used_ns, int n)
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
	l->pause =
	    now + (int64_t)lesser(pause_ns, (double)(n < MANY ? PAUSE_MAX : PAUSE_FULL));
	l->saved_ns = larger(l->saved_ns, -2 * SAVED_NS);
}

void process_log_read(struct process_log *l, int64_t now)
{
	struct proc_event e;
	char why[128];
	int64_t begun;
	int n = 0;

	if (!l || !l->by_events)
		return;
	begun = clocks_now(CLOCK_THREAD_CPUTIME_ID);
	l->concerned = false;
	for (; n < AT_ONCE && proc_events_next(&l->events, &e); n++)
		if (e.kind == PROC_EVENT_FORK)
			on_fork(l, &e);
		else if (e.kind == PROC_EVENT_EXEC)
			on_exec(l, &e);
		else if (e.kind == PROC_EVENT_END)
			on_end(l, &e);
	look_at_left(l, NAN);
	count_reading(l, now, clocks_now(CLOCK_THREAD_CPUTIME_ID) - begun, n);
	if (!l->events.ended_early && !l->events.lost)
		return;
	(void)snprintf(why, sizeof why, "there were more than %d process events a second",
	               PROC_EVENTS_RATE);
	end_events(l, l->events.lost ? "process events came faster than they were read" : why);
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
	struct living *p = l ? find(l, pid) : NULL;
	double total;

	if (!p)
		return;
	total = (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	        (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
	p->reaped = true;
	p->status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
	if (!isnan(handed_over(p)))
		p->cpu_s = larger(total - handed_over(p), 0);
}

/* What a sample knows of a process. */
static void take_sample(struct process_log *l, const struct top_process *top)
{
	struct living *p = find(l, top->pid);

	/* Where the kernel reports all, one that is not there has ended since, or its fork is the
	 * next event. */
	if (!p && l->by_events && l->samples > 1)
		return;
	if (!p) {
		struct living *parent = find(l, top->ppid);
		double start_s = top->start - l->start_unix;
		/* The kernel has it in ticks. */
		p = add(l, top->pid, parent, start_s < 0 && start_s > -SAME_S ? 0 : start_s);
		if (!p)
			return;
		p->top.command_len = 0;
		memset(p->top.name, 0, sizeof p->top.name);
	}
	p->sampled = l->samples;
	p->memory_b = top->peak_rss_b > 0 ? larger(p->memory_b, top->peak_rss_b) : p->memory_b;
	p->cpu_s = top->cpu_s;
	if (*top->name && strcmp(top->name, p->top.name) != 0) {
		memcpy(p->top.name, top->name, sizeof p->top.name);
		take_name(l, p);
	}
	if (l->commands && top->command_len && !p->top.command_len) {
		memcpy(p->top.command, top->command, sizeof p->top.command);
		p->top.command_len = top->command_len;
		p->top.cut = top->cut;
	}
}

void process_log_sample(struct process_log *l, const struct tree *t, int64_t at)
{
	double now_s;
	const struct top_process *top;

	if (!l || !t)
		return;
	now_s = l->sampled_s = since_start(l, at);
	look_at_left(l, now_s);
	if (l->samples++ == 0)
		put_source(l);
	for (size_t i = 0; tree_pid(t, i); i++)
		if ((top = tree_process(t, i)))
			take_sample(l, top);
	for (int i = 0; i < l->high; i++) {
		struct living *p = &l->living[i];
		if (!p->top.pid)
			continue;
		/* One sample later: the status of what we reap comes after this one. */
		if (!l->by_events && !isnan(p->gone_s) && !p->left) {
			end_process(l, p, p->gone_s);
		} else if (!l->by_events && p->sampled != l->samples) {
			p->gone_s = now_s;
		} else if (!p->in_journal && now_s - p->start_s >= OLD_S) {
			put_entry(l, p, PROCESS_ENTRY_RUNNING, NAN);
			p->in_journal = true;
		}
	}
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
	l->free_place = NONE;
	l->tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
	l->text.max = 16384;
	for (int i = 0; i < CHAINS; i++)
		l->chains[i] = NONE;
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
	} else if (!find(l, pid) && (p = add(l, pid, NULL, 0))) {
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
	for (int i = 0; i < l->high; i++) {
		const struct living *p = &l->living[i];
		double end_s = p->reaped && isnan(p->gone_s) ? l->sampled_s : p->gone_s;
		if (p->top.pid)
			put_entry(l, p, PROCESS_ENTRY_ENDED, end_s);
	}
	if (l->by_events && l->beyond > 0) {
		err_set(&beyond, "there were more than %d processes at one time",
		        PROCESS_LOG_LIVING);
		why = beyond.msg;
	}
	return process_spill_write(&l->spill, j, l->n,
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
