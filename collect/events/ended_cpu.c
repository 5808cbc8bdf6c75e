/* ended_cpu: the CPU time of a process that has ended. */
#include "collect/events/ended_cpu.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "collect/procfs/proc_pid.h"
#include "core/base/larger.h"

double ended_cpu_inherited(const struct living_table *t, const struct living *p)
{
	double s = p->lost_zombies ? (double)NAN : p->inherited_s;

	for (int i = 0; i < t->n_zombies; i++)
		s += t->zombies[i].parent == p->id ? t->zombies[i].s : 0;
	return s;
}

/* A zombie too, until it is reaped. */
static bool exists(int pid)
{
	return kill(pid, 0) == 0 || errno != ESRCH;
}

static void add_zombie(struct living_table *t, struct living *parent, int pid, double s)
{
	if (t->n_zombies < LIVING_ZOMBIES)
		t->zombies[t->n_zombies++] = (struct living_zombie){parent->id, pid, s};
	else
		parent->lost_zombies = true;
}

/* Forgets those of a parent that have been reaped. Whether there are none of them. */
static bool keep_zombies(struct living_table *t, const struct living *parent)
{
	bool all = !parent->lost_zombies;

	for (int i = 0; i < t->n_zombies;) {
		if (t->zombies[i].parent != parent->id || exists(t->zombies[i].pid)) {
			i++;
			continue;
		}
		t->zombies[i] = t->zombies[--t->n_zombies];
		all = false;
	}
	return all;
}

void ended_cpu_miss(struct living_table *t, struct living *p)
{
	struct living *parent = living_parent(t, p);

	if (!parent)
		return;
	parent->inherited_s = NAN;
	if (exists(p->pid))
		add_zombie(t, parent, p->pid, NAN);
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
		if (q != p && !exists(q->pid))
			return true;
	}
	return proc_events_have_child_end(c->events, parent->pid);
}

/* Updates what the parent inherited. total_s: what p will hand over as a zombie; NAN: it has been
 * reaped. */
static void look_at_parent(const struct ended_cpu *c, struct living *parent, struct living *p,
                           double total_s)
{
	double before_s = ended_cpu_inherited(c->table, parent), grown_s;
	double handed_s = ended_cpu_inherited(c->table, p);
	struct proc_pid_stat of;
	bool sure;

	(void)keep_zombies(c->table, parent);
	if (proc_pid_stat_of(c->r, parent->pid, &of)) {
		parent->inherited_s = NAN;
		return;
	}
	/* One that is reaped meanwhile is in it, or is not. */
	sure = keep_zombies(c->table, parent) && !has_reaped_others(c, parent, p);
	if (!isnan(total_s) && exists(p->pid))
		add_zombie(c->table, parent, p->pid, total_s);
	else if (!isnan(total_s))
		sure = false;
	parent->inherited_s = sure ? (double)(of.cutime + of.cstime) * c->tick_s : (double)NAN;
	grown_s = ended_cpu_inherited(c->table, parent) - before_s - handed_s;
	if (isnan(total_s) && !p->reaped && !isnan(grown_s)) {
		p->cpu_s = larger(p->cpu_s, larger(grown_s, 0));
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
