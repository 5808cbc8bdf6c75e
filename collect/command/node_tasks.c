/* node_tasks: how the tasks of a node ended (--per-node). */
#include "collect/command/node_tasks.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "core/base/larger.h"

#define EVENTS_AT_ONCE 4096
#define WAIT_MS        10 /* for an event that is on its way */
#define WAITS          10

static struct node_task *find(struct node_tasks *t, int pid)
{
	/* From the end: a number that was given again is that of the newer process. */
	for (size_t i = t->n; i-- > 0;)
		if (t->task[i].pid == pid)
			return &t->task[i];
	return NULL;
}

static struct node_task *add(struct node_tasks *t, int pid, double rank)
{
	if (t->n == NODE_TASKS_MAX) {
		t->skipped++;
		return NULL;
	}
	t->task[t->n] = (struct node_task){.pid = pid, .rank = rank};
	return &t->task[t->n++];
}

static void set_ended(struct node_tasks *t, struct node_task *task, int status)
{
	task->ended = true;
	task->status = status;
	if (status && !task->order)
		task->order = ++t->failures;
}

/* Whether the end of a child of the daemon that no look has seen is that of a task: the daemon may
 * have other children, but no more tasks than it says. */
static bool is_missing_task(const struct node_tasks *t, const struct proc_event *e)
{
	return e->parent == t->of->daemon && e->tid == e->pid && e->pid != t->of->task &&
	       e->pid != getpid() && (double)t->n < t->expected;
}

static void on_task_end(struct node_tasks *t, const struct proc_event *e)
{
	struct node_task *task = find(t, e->pid);

	if (!t->of->variable) {
		if (!task && e->parent == t->of->daemon && e->tid == e->pid)
			*(e->status ? &t->failed : &t->succeeded) += 1;
	} else if (task && task->ended && task->status) {
		return;
	} else if (task && (e->tid == e->pid || (task->ended && e->status))) {
		/* A process whose first thread ended before the others, or in which another thread
		 * replaced the program, has a second end, which counts. */
		set_ended(t, task, e->status);
	} else if (!task && is_missing_task(t, e) && (task = add(t, e->pid, NAN))) {
		set_ended(t, task, e->status);
	}
}

void node_tasks_read(struct node_tasks *t)
{
	struct proc_event e;

	for (int i = 0; t->of && i < EVENTS_AT_ONCE && proc_events_next(&t->events, &e); i++)
		on_task_end(t, &e);
}

static int take_child(void *ctx, int pid)
{
	struct node_tasks *t = ctx;
	double rank;

	if (pid != getpid() && pid != t->of->task && !find(t, pid) &&
	    per_node_rank(t->of, t->root, pid, &rank))
		(void)add(t, pid, rank);
	return t->n == NODE_TASKS_MAX;
}

void node_tasks_look(struct node_tasks *t)
{
	node_tasks_read(t);
	/* Without the variable, the children of the daemon of --pid are counted when they end. */
	if (t->of && t->of->variable && !((double)t->n >= t->expected))
		per_node_each_child(t->of, t->root, take_child, t);
}

int node_tasks_fd(const struct node_tasks *t)
{
	return t->of && t->of->variable ? t->events.fd : -1;
}

int node_tasks_open(struct node_tasks *t, struct per_node *p, const struct root *r, double expected,
                    struct err *e)
{
	*t = (struct node_tasks){.root = r, .events.fd = -1, .expected = expected};
	t->task = alloc_failed_note(calloc(NODE_TASKS_MAX, sizeof *t->task));
	if (!t->task)
		return err_set(e, "no memory");
	t->of = p;
	/* A replayed machine has no processes that could end. */
	if (r->replayed)
		err_set(&t->silent, "the machine is a captured one");
	else
		(void)proc_events_open(&t->events, p->daemon, &t->silent);
	node_tasks_look(t);
	return 0;
}

void node_tasks_add_command(struct node_tasks *t, int pid)
{
	if (t->of)
		(void)add(t, pid, per_node_own_rank(t->of));
}

/* Whether a task has ended of which no event has come. */
static bool awaits_event(const struct node_tasks *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (!t->task[i].ended && !per_node_runs(t->root, t->task[i].pid))
			return true;
	return false;
}

struct snapshot_tasks node_tasks_finish(struct node_tasks *t, int command, int status)
{
	struct snapshot_tasks s = {.failed_rank = NAN};
	struct node_task *own;

	if (!t->of)
		return s;
	node_tasks_read(t);
	node_tasks_look(t);
	for (int i = 0; i < WAITS && t->events.fd >= 0 && awaits_event(t); i++) {
		proc_events_wait(&t->events, WAIT_MS);
		node_tasks_read(t);
	}
	if (command && (own = find(t, command)))
		set_ended(t, own, status);
	s.succeeded = t->succeeded;
	s.failed = t->failed;
	for (size_t i = 0; i < t->n; i++) {
		const struct node_task *task = &t->task[i];
		if (!task->ended)
			continue;
		*(task->status ? &s.failed : &s.succeeded) += 1;
		if (task->order && (!t->first.pid || task->order < t->first.order))
			t->first = *task;
	}
	s.failed_rank = t->first.pid ? t->first.rank : (double)NAN;
	s.n = larger(t->expected, (double)t->n + t->skipped);
	if (!t->of->variable)
		s.n = t->succeeded + t->failed + (double)per_node_children(t->of, t->root);
	s.unknown = s.n - s.succeeded - s.failed;
	s.known = t->of->variable ? s.n > 1
	                          : !*t->silent.msg && !t->events.lost && !t->events.ended_early;
	return s;
}

void node_tasks_notes(const struct node_tasks *t, struct snapshot *s)
{
	if (s->tasks.known ? !(s->tasks.unknown > 0) : !t->events.lost && !t->events.ended_early)
		return;
	if (*t->silent.msg)
		snapshot_note(s, "How the other tasks of the node ended is not known: %s.",
		              t->silent.msg);
	else if (t->events.ended_early)
		snapshot_note(s,
		              "How some tasks of the node ended is not known: their launcher's "
		              "processes ended more than %d times a second.",
		              PROC_EVENTS_RATE);
	else if (t->events.lost)
		snapshot_note(s, "How some tasks of the node ended is not known: processes ended "
		                 "faster than the kernel could report.");
}

void node_tasks_close(struct node_tasks *t)
{
	if (t->of)
		proc_events_close(&t->events);
	free(t->task);
	*t = (struct node_tasks){.events.fd = -1};
}
