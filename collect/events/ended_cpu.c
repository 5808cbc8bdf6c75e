/* ended_cpu: the CPU time of a process that has ended. */
#include "collect/events/ended_cpu.h"

#include <math.h>
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

/* In ns if one thread used it all. */
static double own_cpu(const struct root *r, const struct proc_pid_stat *stat, double tick_s)
{
	double s = (double)(stat->utime + stat->stime) * tick_s, run_s = NAN;
	struct proc_pid_schedstat exact;
	int fd = proc_pid_open(r, stat->pid, "schedstat");

	if (fd >= 0) {
		if (proc_pid_schedstat_read(fd, &exact) == 0)
			run_s = (double)exact.run_ns / 1e9;
		close(fd);
	}
	return run_s >= s && run_s < s + 2 * tick_s ? run_s : s;
}

static bool exists(const struct root *r, int pid)
{
	struct proc_pid_stat stat;

	return proc_pid_stat_of(r, pid, &stat) == 0;
}

/* Updates what the parent inherited. total_s: what p will hand over as a zombie; NAN: it has been
 * reaped. */
static void look_at_parent(struct living *parent, const struct root *r, double tick_s,
                           struct living *p, double total_s)
{
	double grown, handed = ended_cpu_inherited(p), inherited_s;
	struct proc_pid_stat of;

	if (proc_pid_stat_of(r, parent->pid, &of)) {
		parent->inherited_s = NAN;
		return;
	}
	inherited_s = (double)(of.cutime + of.cstime) * tick_s;
	/* An earlier zombie that is still there is not in it, and comes with a later one. */
	if (parent->zombie && exists(r, parent->zombie)) {
		parent->inherited_s = NAN;
		return;
	}
	grown = inherited_s - ended_cpu_inherited(parent);
	parent->inherited_s = inherited_s;
	parent->zombie = 0;
	if (!isnan(total_s) && exists(r, p->pid)) {
		parent->zombie = p->pid;
		parent->zombie_s = total_s;
	} else if (!isnan(total_s)) {
		/* It was reaped before or after that reading. */
		parent->inherited_s = NAN;
	} else if (!p->reaped && !isnan(grown - handed)) {
		p->cpu_s = larger(p->cpu_s, larger(grown - handed, 0));
	}
}

void ended_cpu_find(struct living_table *t, const struct root *r, double tick_s, struct living *p,
                    const struct proc_pid_stat *own)
{
	struct living *parent = living_parent(t, p);
	double total_s = NAN;

	if (own && own->state == 'Z') {
		p->cpu_s = own_cpu(r, own, tick_s);
		total_s = p->cpu_s + (double)(own->cutime + own->cstime) * tick_s;
	}
	if (parent)
		look_at_parent(parent, r, tick_s, p, total_s);
}
