/* ended_cpu: the CPU time of a process that has ended. */
#include "collect/events/ended_cpu.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "core/base/larger.h"

double ended_cpu_inherited(const struct living *p)
{
	return p->inherited_s + (p->zombie ? p->zombie_s : 0);
}

void ended_cpu_miss(struct living_table *t, struct living *p)
{
	struct living *parent = living_parent(t, p);

	if (parent)
		parent->inherited_s = NAN;
}

double ended_cpu_zombie(const struct root *r, const struct proc_pid_stat *own, double tick_s)
{
	double s = (double)(own->utime + own->stime) * tick_s, run_s = NAN;
	struct proc_pid_schedstat exact;
	int fd = proc_pid_open(r, own->pid, "schedstat");

	if (fd >= 0) {
		if (proc_pid_schedstat_read(fd, &exact) == 0)
			run_s = (double)exact.run_ns / 1e9;
		close(fd);
	}
	/* In ns if one thread used it all. */
	return run_s >= s && run_s < s + 2 * tick_s ? run_s : s;
}

static bool exists(const struct root *r, int pid)
{
	struct proc_pid_stat stat;

	return proc_pid_stat_of(r, pid, &stat) == 0;
}

/* Whether the parent may have reaped another child since it was last looked at. Its stat was read
 * before: the event of what is in there has come. */
static bool has_reaped_others(const struct ended_cpu *c, const struct living *parent,
                              const struct living *p)
{
	unsigned others = parent->children;

	for (int i = 0; i < c->table->high && others; i++) {
		const struct living *q = &c->table->of[i];
		if (!q->pid || q->parent != parent->id)
			continue;
		others--;
		if (q != p && kill(q->pid, 0) && errno == ESRCH)
			return true;
	}
	return proc_events_have_child_end(c->events, parent->pid);
}

/* Updates what the parent inherited. total_s: what p will hand over as a zombie; NAN: it has been
 * reaped. */
static void look_at_parent(const struct ended_cpu *c, struct living *parent, struct living *p,
                           double total_s)
{
	double grown, handed = ended_cpu_inherited(p), inherited_s;
	struct proc_pid_stat of;

	if (proc_pid_stat_of(c->r, parent->pid, &of)) {
		parent->inherited_s = NAN;
		return;
	}
	inherited_s = (double)(of.cutime + of.cstime) * c->tick_s;
	/* An earlier zombie that is still there is not in it, and comes with a later one. */
	if (parent->zombie && exists(c->r, parent->zombie)) {
		parent->inherited_s = NAN;
		return;
	}
	grown = inherited_s - ended_cpu_inherited(parent);
	parent->inherited_s = inherited_s;
	parent->zombie = 0;
	if (!isnan(total_s) && exists(c->r, p->pid)) {
		parent->zombie = p->pid;
		parent->zombie_s = total_s;
	} else if (!isnan(total_s)) {
		/* It was reaped before or after that reading. */
		parent->inherited_s = NAN;
	} else if (has_reaped_others(c, parent, p)) {
		parent->inherited_s = NAN;
	} else if (!p->reaped && !isnan(grown - handed)) {
		p->cpu_s = larger(p->cpu_s, larger(grown - handed, 0));
		p->cpu_exact = true;
	}
}

void ended_cpu_find(const struct ended_cpu *c, struct living *p, const struct proc_pid_stat *own)
{
	struct living *parent = living_parent(c->table, p);
	double total_s = NAN;

	if (own && own->state == 'Z') {
		p->cpu_s = ended_cpu_zombie(c->r, own, c->tick_s);
		p->cpu_exact = true;
		total_s = p->cpu_s + (double)(own->cutime + own->cstime) * c->tick_s;
	}
	if (parent)
		look_at_parent(c, parent, p, total_s);
}
