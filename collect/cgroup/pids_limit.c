/* pids_limit: how often the job was refused a new process or thread by its cgroup. */
#include "collect/cgroup/pids_limit.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "collect/cgroup/cgroup_alone.h"
#include "core/base/larger.h"

/* The files that are not there count nothing. */
static double count_refused(const struct pids_limit *p)
{
	double own = cgroup_key(p->own, "max"), given = cgroup_key(p->given, "max");

	return isnan(own) && isnan(given) ? (double)NAN : larger(own, 0) + larger(given, 0);
}

/* The limit of the lowest cgroup that has one. */
static double find_limit(const struct root *r, const struct cgroup_dir *d)
{
	for (size_t len = strlen(d->path); len; len = cgroup_parent(d, len)) {
		int fd = cgroup_open(r, d, len, "pids.max");
		double limit = cgroup_number(fd);
		if (fd >= 0)
			close(fd);
		if (isfinite(limit))
			return limit;
	}
	return NAN;
}

void pids_limit_open(struct pids_limit *p, const struct root *r, const struct cgroup *where,
                     const struct cgroup_own *own)
{
	int made = cgroup_own_v2(own), dir;
	const struct cgroup_dir *d;
	bool v2;

	*p = (struct pids_limit){.open = true, .own = -1, .given = -1, .limit = NAN};
	d = cgroup_of(where, CGROUP_PIDS, &v2);
	if (made >= 0)
		p->own = root_open_in(made, "pids.events");
	dir = d && d->known ? root_openat(r, d->path) : -1;
	/* The cgroup of all processes has none: their list would be long. */
	p->given = root_open_in(dir, "pids.events");
	if (p->given >= 0 && !cgroup_alone(r, dir)) {
		close(p->given);
		p->given = -1;
	}
	if (dir >= 0)
		close(dir);
	if (p->own >= 0 || p->given >= 0)
		p->limit = d && d->known ? find_limit(r, d) : (double)NAN;
	p->before = count_refused(p);
}

double pids_limit_refused(const struct pids_limit *p)
{
	return p->open ? count_refused(p) - p->before : (double)NAN;
}

void pids_limit_close(struct pids_limit *p)
{
	if (p->open && p->own >= 0)
		close(p->own);
	if (p->open && p->given >= 0)
		close(p->given);
	p->open = false;
}
