/* per_node: one recording of all tasks of a node (--per-node). */
#include "collect/command/per_node.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/job/schedulers.h"
#include "collect/procfs/proc_pid.h"
#include "collect/procfs/scan.h"
#include "core/base/alloc_failed.h"

#define TASKS_MAX 4096 /* children of a daemon that are looked at */
#define DEPTH_MAX 64   /* processes between the daemon and us */

static const struct job_env own_env = {.text = NULL};

bool per_node_is_other(void)
{
	const char *variable = schedulers_local_rank(&own_env);

	return variable && strcmp(getenv(variable), "0") != 0;
}

/* The variable in its environment; NULL if it has none, or may not be read: a daemon of the system
 * is another user's. */
static const char *variable_of(const struct per_node *p, const struct root *r, int pid)
{
	struct job_env env;

	return job_env_read(&env, r, pid, p->text) ? job_env_get(&env, p->variable) : NULL;
}

static double rank_of(const char *text)
{
	struct scan s = scan_text(text, strlen(text));
	int rank;

	return scan_int(&s, &rank) && scan_is(s, "") ? rank : (double)NAN;
}

bool per_node_rank(const struct per_node *p, const struct root *r, int pid, double *rank)
{
	const char *text = variable_of(p, r, pid);

	*rank = text ? rank_of(text) : (double)NAN;
	return text != NULL;
}

double per_node_own_rank(const struct per_node *p)
{
	const char *text = p->variable ? getenv(p->variable) : NULL;

	return text ? rank_of(text) : (double)NAN;
}

int per_node_of(struct per_node *p, int daemon)
{
	*p = (struct per_node){.daemon = daemon,
	                       .text = alloc_failed_note(malloc(JOB_ENV_MAX)),
	                       .pids = alloc_failed_note(calloc(TASKS_MAX, sizeof *p->pids))};
	return p->text && p->pids ? 0 : -1;
}

int per_node_find(struct per_node *p, const struct root *r, struct err *e)
{
	struct proc_pid_stat stat = {.ppid = getppid()};
	const char *variable = schedulers_local_rank(&own_env);

	*p = (struct per_node){0};
	if (!variable)
		return 0;
	if (per_node_of(p, 0))
		return err_set(e, "no memory");
	p->variable = variable;
	p->task = getpid();
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		int above = stat.ppid;
		/* 0: the daemon is outside of our PID namespace. */
		if (above <= 0 || proc_pid_stat_of(r, above, &stat))
			break;
		if (!variable_of(p, r, above)) {
			p->daemon = above;
			return 0;
		}
		p->task = above;
	}
	return err_set(e, "the launcher that set %s cannot be seen from here", variable);
}

bool per_node_is_task(const struct per_node *p)
{
	return p->daemon && p->task == getpid();
}

bool per_node_runs(const struct root *r, int pid)
{
	struct proc_pid_stat stat;

	return proc_pid_stat_of(r, pid, &stat) == 0 &&
	       !((stat.state == 'Z' || stat.state == 'X') && stat.num_threads <= 1);
}

struct daemon_children {
	int daemon;
	struct proc_pid_list list;
};

static int add_child_of_daemon(void *ctx, const struct proc_pid_stat *stat)
{
	struct daemon_children *c = ctx;

	if (stat->ppid == c->daemon)
		c->list.pids[c->list.n++] = stat->pid;
	return c->list.n == c->list.max;
}

static struct daemon_children list_children(const struct per_node *p, const struct root *r)
{
	struct daemon_children c = {p->daemon, {.pids = p->pids, .max = TASKS_MAX}};
	struct proc_pid_stat stat;

	if (proc_pid_stat_of(r, p->daemon, &stat) == 0 &&
	    proc_pid_children(r, p->daemon, stat.num_threads, &c.list) && errno == ENOSYS)
		(void)proc_pid_scan(r, add_child_of_daemon, &c);
	return c;
}

/* Whether it has the variable, and another number than we: two tasks of one launch differ. Two
 * recorders that wait for each other would never end. */
static bool is_other_task(const struct per_node *p, const struct root *r, int pid)
{
	const char *theirs = variable_of(p, r, pid), *own = getenv(p->variable);

	return theirs && !(own && strcmp(theirs, own) == 0);
}

int per_node_next(const struct per_node *p, const struct root *r)
{
	struct daemon_children c = list_children(p, r);

	for (size_t i = 0; i < c.list.n; i++) {
		int pid = c.list.pids[i];
		/* The daemon may have other children. To wait for one, such as the ssh of mpirun
		 * that waits for all tasks, would never end. */
		if (pid != getpid() && pid != p->task && per_node_runs(r, pid) &&
		    (!p->variable || is_other_task(p, r, pid)))
			return pid;
	}
	return 0;
}

size_t per_node_children(const struct per_node *p, const struct root *r)
{
	return list_children(p, r).list.n;
}

void per_node_each_child(const struct per_node *p, const struct root *r,
                         int (*each)(void *ctx, int pid), void *ctx)
{
	struct daemon_children c = list_children(p, r);

	for (size_t i = 0; i < c.list.n && !each(ctx, c.list.pids[i]); i++)
		;
}

void per_node_close(struct per_node *p)
{
	free(p->text);
	free(p->pids);
	*p = (struct per_node){0};
}
