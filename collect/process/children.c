/* children: the children of a process. */
#include "collect/process/children.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"

#define SCAN_MAX 65536 /* processes; further ones are not seen */

struct children_pair {
	int pid, ppid;
};

int children_open(struct children *c, const struct root *r)
{
	/* Both are large, but untouched pages never become resident. */
	*c = (struct children){.r = r, .self = getpid(), .own_fd = -1};
	c->pids = calloc(SCAN_MAX, sizeof *c->pids);
	c->pairs = calloc(SCAN_MAX, sizeof *c->pairs);
	return c->pids && c->pairs ? 0 : -1;
}

void children_close(struct children *c)
{
	if (!c->r)
		return;
	free(c->pids);
	free(c->pairs);
	if (c->own_fd >= 0)
		close(c->own_fd);
	*c = (struct children){0};
}

static int add_child_pair(void *ctx, const struct proc_pid_stat *stat)
{
	struct children *c = ctx;

	if (c->n_pairs == SCAN_MAX)
		return 1;
	c->pairs[c->n_pairs++] = (struct children_pair){stat->pid, stat->ppid};
	return 0;
}

static void scan_parents(struct children *c)
{
	c->scans = true;
	c->n_pairs = 0;
	proc_pid_scan(c->r, add_child_pair, c);
}

void children_begin(struct children *c)
{
	if (c->scans)
		scan_parents(c);
}

static size_t list_by_parent(struct children *c, int pid)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_pairs; i++)
		if (c->pairs[i].ppid == pid)
			c->pids[n++] = c->pairs[i].pid;
	return n;
}

size_t children_of(struct children *c, struct tracked_process *p)
{
	struct proc_pid_list list = {.pids = c->pids, .max = SCAN_MAX};

	/* ENOSYS: the kernel has no such file. From here on this reading and all others scan. */
	if (!c->scans && tracked_process_children(p, c->r, &list) && errno == ENOSYS)
		scan_parents(c);
	return c->scans ? list_by_parent(c, p->pid) : list.n;
}

size_t children_own(struct children *c)
{
	struct proc_pid_list list = {.pids = c->pids, .max = SCAN_MAX};
	char path[48];

	if (!c->scans && c->own_fd < 0) {
		snprintf(path, sizeof path, "task/%d/children", c->self);
		c->own_fd = proc_pid_open(c->r, c->self, path);
	}
	if (!c->scans && (c->own_fd < 0 || proc_pid_children_read(c->own_fd, &list)))
		scan_parents(c);
	return c->scans ? list_by_parent(c, c->self) : list.n;
}
