/* process_log: every process of the job, from its beginning to its end. */
#include "collect/events/process_log.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/events/ended_cpu.h"
#include "collect/events/event_budget.h"
#include "collect/events/living.h"
#include "collect/events/perf_events.h"
#include "collect/events/proc_events.h"
#include "collect/machine/clocks.h"
#include "collect/process/process_table.h"
#include "collect/process/top_processes.h"
#include "collect/procfs/proc_pid.h"
#include "collect/procfs/root.h"
#include "collect/redact/redact.h"
#include "core/base/alloc_failed.h"
#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/larger.h"
#include "core/files/journal.h"
#include "core/json/json_write.h"
#include "core/processes/process_tree_entries.h"
#include "core/processes/process_tree_write.h"

#define AT_ONCE      8192 /* events */
#define OLD_S        1    /* a process of this age goes into the journal while it runs */
#define SAME_S       0.1  /* a process that a sample and an event saw: its start */
#define LOSSES       3    /* so often events may be lost before they are given up, and … */
#define LOSS_S       600  /* … once more for each time so long */
#define SETTLES      2    /* samples after a loss: who is missed in one has ended by the next */
#define LEFT         32   /* processes whose first thread has ended before others */
#define SPILL_GROUPS 256
#define SPILL_BATCH  8192 /* bytes */
#define CHOOSE_EVERY 256  /* processes */
#define ENDING       1024 /* processes that have ended, of which more is to come … */
#define GRACE_NS     INT64_C(1000000000) /* … which is awaited so long */
#define STATUSES     256
#define BUSY_S       0.05 /* a sample that saw more CPU time than events: some is missing */
/* perf_events.h costs a job about a microsecond for each switch, and 5.5 for each fork and event:
 * it is given up where that is more than a hundredth. */
#define SWITCHES   2000 /* a second and CPU */
#define FORK_NS    5500
#define FORK_SHARE 0.01
#define FORKS      100 /* a second; fewer never count */
#define COSTLY_S   2   /* so long */

/* -- ended processes on their way into the journal, the short ones of many as sums ------------- */

/* Holds one record of entries (process_entry.h), and the sums of names and parents. */
struct process_spill {
	struct journal *journal; /* borrowed; NULL: none */
	bool failed;             /* it takes no more … */
	struct err stopped;      /* … and why */
	unsigned char batch[SPILL_BATCH];
	size_t n;
	struct buf text;              /* a command line, redacted … */
	struct top_process text_of;   /* … as it was */
	struct process_entry *groups; /* SPILL_GROUPS of kind PROCESS_ENTRY_GROUP */
	size_t n_groups;
	uint32_t
	    in_class[PROCESS_TREE_ENTRIES_CLASSES]; /* ended processes by how long they lived */
	uint32_t ended;
	unsigned least; /* the lowest class that is kept */
};

/* 0, or -1 without memory. */
static int process_spill_open(struct process_spill *p)
{
	p->text.max = 16384;
	p->groups = alloc_failed_note(calloc(SPILL_GROUPS, sizeof *p->groups));
	return p->groups ? 0 : -1;
}

static void process_spill_close(struct process_spill *p)
{
	buf_free(&p->text);
	free(p->groups);
	p->groups = NULL;
}

/* Counts a process that ends. Whether it is kept by itself: then process_spill_put is next, else
 * process_spill_sum. */
static bool process_spill_keeps(struct process_spill *p, double start_s, double end_s)
{
	unsigned class = process_tree_entries_class(start_s, end_s);

	p->in_class[class]++;
	if (++p->ended % CHOOSE_EVERY == 0 && p->ended > PROCESS_TREE_KEPT)
		p->least = process_tree_entries_least(p->in_class, PROCESS_TREE_KEPT);
	return class >= p->least;
}

/* Writes the record that is not full. */
static void process_spill_flush(struct process_spill *p)
{
	if (p->n && p->journal && !p->failed)
		p->failed = journal_processes(p->journal, p->batch, p->n, &p->stopped) != 0;
	p->n = 0;
}

/* Appends an entry of any kind but a group. */
static void process_spill_put(struct process_spill *p, const struct process_entry *e)
{
	size_t room = p->journal ? journal_processes_room(p->journal) : 0, n;

	room = room < sizeof p->batch ? room : sizeof p->batch;
	for (int i = 0; i < 2 && room && !p->failed; i++) {
		n = process_entry_pack(e, p->batch + p->n, room - p->n);
		p->n += n;
		if (n)
			return;
		/* An entry that does not fit into an empty record never will. */
		if (!p->n) {
			err_set(&p->stopped, "a record has no room for a process");
			p->failed = true;
		}
		process_spill_flush(p);
	}
}

static void spill_groups(struct process_spill *p)
{
	for (size_t i = 0; i < p->n_groups; i++)
		process_spill_put(p, &p->groups[i]);
	p->n_groups = 0;
}

static struct process_entry *find_sums(struct process_spill *p, uint32_t parent, const char *name)
{
	for (size_t i = 0; i < p->n_groups; i++)
		if (p->groups[i].parent == parent && strcmp(p->groups[i].name, name) == 0)
			return &p->groups[i];
	return NULL;
}

static void add_sums(struct process_entry *to, const struct process_entry *e)
{
	to->n += e->n;
	to->cpu_s += isnan(e->cpu_s) ? 0 : e->cpu_s;
	to->start_s = lesser(to->start_s, e->start_s);
	to->end_s = larger(to->end_s, e->end_s);
}

/* Adds an ended process to those of its name and parent. *spilled: sums went into the journal, so
 * that every process that lives now must be put there when it ends: it may be the parent of one. */
static void process_spill_sum(struct process_spill *p, const struct process_entry *e, bool *spilled)
{
	struct process_entry *g = find_sums(p, e->parent, e->name);

	*spilled = false;
	if (g) {
		add_sums(g, e);
		return;
	}
	if (p->n_groups == SPILL_GROUPS) {
		spill_groups(p);
		*spilled = true;
	}
	g = &p->groups[p->n_groups++];
	*g = *e;
	g->kind = PROCESS_ENTRY_GROUP;
	g->id = 0;
	g->pid = 0;
	g->status = PROCESS_ENTRY_UNKNOWN;
	g->memory_b = NAN;
	g->cpu_s = isnan(e->cpu_s) ? 0 : e->cpu_s;
	g->command[0] = '\0';
}

/* A process that was summed up had children that were, too: they are now its parent's. */
static void process_spill_hand_on(struct process_spill *p, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < p->n_groups;) {
		struct process_entry *g = &p->groups[i], *same;
		if (g->parent != from) {
			i++;
			continue;
		}
		same = find_sums(p, to, g->name);
		if (!same) {
			g->parent = to;
			i++;
			continue;
		}
		add_sums(same, g);
		*g = p->groups[--p->n_groups];
	}
}

/* -- entries of processes that live or have just ended ----------------------------------------- */

static void name_entry(struct process_entry *e, const struct living *p)
{
	if (p->program)
		memcpy(e->name, p->program->name, sizeof e->name);
}

/* Redacts the command line of a process into s->text: most have that of the one before. */
static bool redact_again(struct process_spill *s, const struct top_process *top)
{
	if (s->text_of.command_len == top->command_len && s->text_of.cut == top->cut &&
	    memcmp(s->text_of.command, top->command, top->command_len) == 0)
		return true;
	buf_clear(&s->text);
	s->text_of.command_len = 0;
	if (!top_processes_command(top, &s->text))
		return false;
	memcpy(s->text_of.command, top->command, top->command_len);
	s->text_of.command_len = top->command_len;
	s->text_of.cut = top->cut;
	return true;
}

/* Puts a process of the table, which lives or has just ended. */
static void process_spill_living(struct process_spill *s, const struct living *p,
                                 enum process_entry_kind kind, double end_s)
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
	if (p->program && p->program->top.command_len && redact_again(s, &p->program->top)) {
		size_t n = s->text.len < PROCESS_ENTRY_COMMAND_MAX ? s->text.len
		                                                   : PROCESS_ENTRY_COMMAND_MAX;
		memcpy(e.command, buf_cstr(&s->text), n);
	}
	process_spill_put(s, &e);
}

/* Its children are from now on its parent's. */
static void hand_on_children(struct process_spill *s, struct living_table *t,
                             const struct living *p)
{
	struct living *parent = living_parent(t, p);

	if (p->has_sums) {
		process_spill_hand_on(s, p->id, p->parent);
		if (parent)
			parent->has_sums = true;
	}
	for (int i = 0; p->children && i < t->high; i++) {
		struct living *child = &t->of[i];
		if (!child->pid || child->parent != p->id)
			continue;
		child->parent = p->parent;
		child->ppid = p->ppid;
		if (parent)
			parent->children++;
	}
}

static void sum_up(struct process_spill *s, struct living_table *t, const struct living *p,
                   double end_s)
{
	struct process_entry e = {
	    .parent = p->parent, .n = 1, .start_s = p->start_s, .end_s = end_s, .cpu_s = p->cpu_s};
	struct living *parent = living_parent(t, p);
	bool spilled;

	name_entry(&e, p);
	process_spill_sum(s, &e, &spilled);
	if (parent)
		parent->has_sums = true;
	for (int i = 0; spilled && i < t->high; i++)
		t->of[i].in_journal = true;
}

/* The same of one that has ended: as an entry or in a sum. Removes it from the table. */
static void process_spill_let_go(struct process_spill *s, struct living_table *t, struct living *p,
                                 double end_s)
{
	bool keeps = process_spill_keeps(s, p->start_s, end_s) || p->in_journal;
	struct living *parent = living_parent(t, p);

	if (parent)
		parent->children--;
	if (keeps) {
		process_spill_living(s, p, PROCESS_ENTRY_ENDED, end_s);
	} else {
		sum_up(s, t, p, end_s);
		hand_on_children(s, t, p);
	}
	living_remove(t, p);
}

/* -- rtrack.tree, at the end ------------------------------------------------------------------- */

struct reading {
	struct journal *journal;
	const unsigned char *bytes; /* of the record that was read last */
	size_t n;
};

/* at: the next record, and the next entry in the record that was read last. */
static int next_in_journal(void *ctx, size_t at[2], struct process_entry *out, struct err *e)
{
	struct reading *r = ctx;
	int more;

	if (at[0] == 0)
		r->n = 0;
	while (!process_entry_next(r->bytes, r->n, &at[1], out)) {
		at[1] = 0;
		more = journal_processes_next(r->journal, &at[0], &r->bytes, &r->n, e);
		if (more <= 0)
			return more;
	}
	return 1;
}

/* Writes the sums too, and then rtrack.tree: with n, source and so on of said, where the journal
 * took all. Nothing without a journal. 0, or -1 with a sentence. */
static int process_spill_write(struct process_spill *p, struct json_write *j,
                               const struct process_tree_rows *said, struct err *e)
{
	struct reading reading = {.journal = p->journal, .bytes = p->batch};
	struct process_tree_index *x;
	struct process_tree_rows rows;
	int failed;

	spill_groups(p);
	process_spill_flush(p);
	if (!reading.journal)
		return 0;
	x = process_tree_entries_open(&(struct process_tree_entries){next_in_journal, &reading}, e);
	if (!x)
		return -1;
	rows = process_tree_entries_rows(x);
	rows.n = said->n;
	rows.source = p->failed ? PROCESS_TREE_SAMPLES : said->source;
	rows.why = p->failed ? p->stopped.msg : said->why;
	rows.kernel = said->kernel;
	rows.refused = said->refused;
	failed = process_tree_write(j, &rows, e);
	process_tree_entries_close(x);
	return failed;
}

/* -- the name and the command line of a process that lives ------------------------------------- */

static void redact_comm(struct living_program *p, struct buf *text)
{
	buf_clear(text);
	redact_text(p->top.name, sizeof p->top.name, text);
	(void)snprintf(p->name, sizeof p->name, "%s", text->failed ? "***" : buf_cstr(text));
}

/* Reads both at an exec, as far as they are still there. hurries: the name alone. */
static void living_program_read(struct living_program *p, const struct root *r, bool commands,
                                bool hurries, struct buf *text)
{
	int fd;
	long n;

	/* First what is gone first. */
	if (commands && !hurries)
		top_processes_read_command(&p->top, r);
	fd = proc_pid_open(r, p->top.pid, "comm");
	n = fd < 0 ? -1 : root_head_fd(fd, p->top.name, sizeof p->top.name);
	if (fd >= 0)
		close(fd);
	if (n > 0 && p->top.name[n - 1] == '\n')
		p->top.name[n - 1] = '\0';
	redact_comm(p, text);
}

/* A sample has found them: a name that a process has given itself, and what an exec was too fast
 * for. */
static void living_program_take(struct living_table *t, struct living *p,
                                const struct top_process *top, bool commands, struct buf *text)
{
	struct living_program *program = p->program;
	bool other = !program || strcmp(top->name, program->top.name) != 0;

	if (!*top->name || (!other && (program->top.command_len || !top->command_len)))
		return;
	if (!program || program->users > 1)
		program = living_exec(t, p);
	if (!program)
		return;
	memcpy(program->top.name, top->name, sizeof program->top.name);
	if (commands) {
		memcpy(program->top.command, top->command, sizeof program->top.command);
		program->top.command_len = top->command_len;
		program->top.cut = top->cut;
	}
	redact_comm(program, text);
}

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
	double forks, forks_s;   /* since a sample, and when that was */
	uint64_t forks_ns;       /* .counted_ns then */
	double cheap_s;          /* the last sample that did not find the job too busy for .perf */
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
	if (p && !l->by_perf)
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
	/* Its CPU time reaches the parent together with that of other children. */
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

/* What is counted by events is not known any more: samples say it. */
static void uncount(struct process_log *l)
{
	for (int i = 0; i < l->table.high; i++) {
		l->table.of[i].inherited_s = NAN;
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
	perf_events_close(&l->perf);
	proc_events_close(&l->events);
	l->by_perf = false;
	put_source(l);
}

/* -- events of perf_events.h ------------------------------------------------------------------- */

static void finish_ended(struct process_log *l, struct living *p, const struct proc_pid_stat *own)
{
	double counted_s = (double)p->cpu_ns / 1e9;
	bool counted = p->threads == 0;

	if (own && own->state == 'Z' && !p->reaped && (!counted || p->cpu_due > 0))
		p->cpu_s = ended_cpu_zombie(l->r, own, l->tick_s);
	if (counted && p->cpu_due <= 0 && !(p->cpu_s > counted_s + BUSY_S))
		p->cpu_s = counted_s;
	if (counted && p->cpu_due > 0 && !l->has_holder) {
		l->has_holder = p->holds = true;
		return;
	}
	if (counted && p->cpu_due > 0)
		l->untimed++;
	process_spill_let_go(&l->spill, &l->table, p, p->gone_s);
}

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
	if (p->threads == 0 && p->cpu_due > 0 && !late)
		return true;
	if (unknown && l->events.fd >= 0 && !late)
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

/* last: there will be no more. */
static void settle_ended(struct process_log *l, int64_t now, bool last)
{
	for (size_t i = 0; i < l->n_ending;) {
		struct living *p = living_find(&l->table, l->ending[i]);
		struct proc_pid_stat own;
		bool there = p && p->ended_at && !p->holds && read_stat(l, l->ending[i], &own);
		if (there && !own.exiting) {
			drop(l, p);
		} else if (p && p->ended_at && !p->holds) {
			if (!last && awaits_more(l, p, there ? &own : NULL, now)) {
				i++;
				continue;
			}
			finish_ended(l, p, there ? &own : NULL);
		}
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

	l->forks++;
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
	redact_comm(program, &l->text);
}

/* The record has the name; the command line is where the process still runs. */
static void on_perf_exec(struct process_log *l, const struct perf_events_record *r)
{
	struct living *p = living_find(&l->table, r->pid);
	struct living_program *program = p ? living_exec(&l->table, p) : NULL;

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

/* The status of a process that has ended or is about to. */
static void on_status(struct process_log *l, const struct proc_event *e)
{
	struct living *p = living_find(&l->table, e->pid);

	if (e->kind != PROC_EVENT_END || e->tid != e->pid)
		return;
	if (p && (p->holds || since_start(l, (int64_t)e->at) < p->start_s))
		p = p->holds && p->status == PROCESS_ENTRY_UNKNOWN ? p : NULL;
	tell_death(l, p, e);
	if (!p)
		return;
	l->concerned = true;
	if (!p->reaped)
		p->status = WIFEXITED(e->status) ? WEXITSTATUS(e->status) : -WTERMSIG(e->status);
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

/* Goes on with the connector. What has happened in between, the next samples find. */
static void leave_perf(struct process_log *l)
{
	double at_s = since_start(l, clocks_now(CLOCK_MONOTONIC));

	settle_ended(l, clocks_now(CLOCK_MONOTONIC), true);
	perf_events_close(&l->perf);
	proc_events_close(&l->events);
	l->by_perf = false;
	l->by_events = proc_events_open_all(&l->events, &l->why) == 0;
	if (l->by_events)
		err_set(&l->why,
		        "the source of events changed at %.1f s; before and after, all are there",
		        at_s);
	l->settles = SETTLES;
	uncount(l);
	if (l->deaths.lost)
		l->deaths.lost(l->deaths.ctx, !l->by_events);
	put_source(l);
}

static int read_perf(struct process_log *l)
{
	struct proc_event ends[STATUSES];
	struct perf_events_record r;
	int n_ends = 0, n = 0, more = 0;
	uint64_t until, lost = 0;

	perf_events_woken(&l->perf);
	/* Ends first: by then, all that came before them is in the rings. */
	while (n_ends < STATUSES && proc_events_next(&l->events, &ends[n_ends]))
		n_ends++;
	until = (uint64_t)clocks_now(CLOCK_MONOTONIC);
	for (; n < AT_ONCE && (more = perf_events_next(&l->perf, until, &r)) > 0; n++)
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
			lost += r.value;
	for (int i = 0; i < n_ends; i++)
		on_status(l, &ends[i]);
	look_at_statuses(l);
	settle_ended(l, (int64_t)until, false);
	if (l->untimed > l->renewed) {
		perf_events_renew(&l->perf);
		l->renewed = l->untimed + (double)l->n_ending;
	}
	if (lost)
		on_loss(l, since_start(l, l->budget.refilled), since_start(l, (int64_t)until));
	if (more < 0) {
		err_set(&l->refused, "a ring of the kernel's records was broken");
		leave_perf(l);
	}
	return n + n_ends;
}

/* The switches of a process since the last sample. */
static double count_switches(struct living *p, const struct tracked_process *t)
{
	uint64_t now = t->ctx_voluntary + t->ctx_involuntary, before = p->switches;

	p->switches = now;
	return before && now > before ? (double)(now - before) : 0;
}

/* Gives up what would disturb a job that forks or switches too often. */
static void watch_cost(struct process_log *l, double switches, double now_s)
{
	double s = now_s - l->forks_s, used_ns = (double)(l->counted_ns - l->forks_ns);
	double forks = l->forks, fork_ns = forks * FORK_NS * l->perf.n;
	bool forks_often = s > 0 && forks > FORKS * s && fork_ns > FORK_SHARE * used_ns;
	bool switches_often = s > 0 && switches > SWITCHES * s * l->perf.cpus;

	l->forks = 0;
	l->forks_s = now_s;
	l->forks_ns = l->counted_ns;
	if (!forks_often && !switches_often)
		l->cheap_s = now_s;
	if (now_s - l->cheap_s < COSTLY_S)
		return;
	err_set(&l->refused, "given up after %.1f s: the job %s %.0f times a second", now_s,
	        forks_often ? "forked" : "switched", (forks_often ? forks : switches) / s);
	leave_perf(l);
}

static int read_connector(struct process_log *l)
{
	struct proc_event e;
	int n = 0;

	for (; n < AT_ONCE && proc_events_next(&l->events, &e); n++)
		if (e.kind == PROC_EVENT_FORK)
			on_new(l, &e);
		else if (e.kind == PROC_EVENT_EXEC)
			on_exec(l, &e);
		else if (e.kind == PROC_EVENT_END)
			on_process_end(l, &e);
	look_at_left(l, NAN);
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
	n = l->by_perf ? read_perf(l) : read_connector(l);
	if (l->deaths.settle)
		l->deaths.settle(l->deaths.ctx);
	before = l->budget.refilled;
	event_budget_charge(&l->budget, now, clocks_now(CLOCK_THREAD_CPUTIME_ID) - begun, n,
	                    l->concerned);
	if (!l->by_events)
		return;
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
	if (!isnan(ended_cpu_inherited(p)))
		p->cpu_s = larger(total - ended_cpu_inherited(p), 0);
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
	if (!p->left && !p->ended_at)
		p->gone_s = NAN;
	p->memory_b = top->peak_rss_b > 0 ? larger(p->memory_b, top->peak_rss_b) : p->memory_b;
	p->cpu_s = top->cpu_s;
	living_program_take(&l->table, p, top, l->commands, &l->text);
	return p;
}

/* What events have to find: it has begun long before, and had a place. */
static bool is_missed(const struct process_log *l, const struct top_process *top)
{
	return l->by_perf && l->samples > 1 && !l->settles && !(l->table.beyond > 0) &&
	       top->start - l->start_unix < l->sampled_s - OLD_S;
}

void process_log_sample(struct process_log *l, const struct tree *t, int64_t at)
{
	const struct process_table *table = t ? tree_table(t) : NULL;
	double now_s, switches = 0;
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
		struct living *taken;
		if (!p->used || top->pid != p->pid || tracked_process_ended(p))
			continue;
		taken = take_sample(l, top);
		if (taken)
			switches += count_switches(taken, p);
		else
			missed = missed || is_missed(l, top);
	}
	for (int i = 0; i < l->table.high; i++) {
		struct living *p = &l->table.of[i];
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
	if (missed) {
		err_set(&l->refused, "given up after %.1f s: it had not reported a process", now_s);
		leave_perf(l);
	} else if (l->by_perf) {
		watch_cost(l, switches, now_s);
	}
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

struct process_log *process_log_open(const struct root *r, bool commands, bool perf)
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
	l->wants_perf = perf;
	l->events.fd = -1;
	l->perf.poll = -1;
	if (!perf)
		open_connector(l);
	return l;
}

/* The events of a command that has not called exec(3) yet. */
static void open_perf(struct process_log *l, int pid, struct living *p)
{
	struct err none;

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
	if (proc_events_open_ends(&l->events, &none) == 0)
		perf_events_with(&l->perf, l->events.fd);
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

	settle_ended(l, clocks_now(CLOCK_MONOTONIC), true);
	for (int i = 0; i < l->table.high; i++) {
		struct living *p = &l->table.of[i];
		if (p->pid && p->holds)
			holder = p;
		else if (p->pid && !p->dropped)
			alone = false;
	}
	if (holder && alone)
		holder->cpu_s = (double)(holder->cpu_ns + total - l->counted_ns) / 1e9;
}

/* NULL with samples. */
static const char *kernel_source(const struct process_log *l)
{
	if (!l->by_events)
		return NULL;
	return l->by_perf ? PROCESS_TREE_PERF : PROCESS_TREE_CONNECTOR;
}

int process_log_write(struct process_log *l, struct json_write *j, struct err *e)
{
	struct err beyond = {0};
	const char *why = l->why.msg;

	process_log_read(l, l->budget.refilled);
	if (l->by_perf)
		end_perf(l);
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
	    &l->spill, j,
	    &(struct process_tree_rows){.n = l->table.n,
	                                .source = *why ? PROCESS_TREE_SAMPLES : PROCESS_TREE_EVENTS,
	                                .why = why,
	                                .kernel = kernel_source(l),
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

void process_log_try(const struct root *r, struct process_log_sources *out)
{
	struct perf_events perf;
	struct proc_events connector;

	*out = (struct process_log_sources){0};
	if (perf_events_open(&perf, getpid(), r, &out->perf) == 0)
		out->perf = (struct err){0};
	out->change_perf = perf.change;
	perf_events_close(&perf);
	if (proc_events_open_all(&connector, &out->connector) == 0)
		out->connector = (struct err){0};
	proc_events_close(&connector);
}
