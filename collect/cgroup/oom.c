/* oom: whether the kernel's OOM killer ended the command. */
#include "collect/cgroup/oom.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_memory_events(const struct root *r, const struct cgroup *where,
                              const struct cgroup_own *own)
{
	static const char *const files[] = {"memory.oom_control", "memory.events"};
	const struct cgroup_dir *d;
	bool v2;
	int dir = cgroup_own_memory(own, &v2);

	if (dir >= 0)
		return root_open_in(dir, files[v2]);
	d = cgroup_of(where, CGROUP_MEMORY, &v2);
	return d && d->known ? cgroup_open(r, d, strlen(d->path), files[v2]) : -1;
}

void oom_open(struct oom *o, const struct root *r, const struct cgroup *where,
              const struct cgroup_own *own)
{
	*o = (struct oom){.open = true, .kills = NAN, .kills_all = NAN};
	o->events = open_memory_events(r, where, own);
	o->vmstat = root_openat(r, "proc/vmstat");
	o->before = cgroup_key(o->events, "oom_kill");
	o->before_all = cgroup_key(o->vmstat, "oom_kill");
}

void oom_read(struct oom *o)
{
	if (!o->open)
		return;
	o->kills = cgroup_key(o->events, "oom_kill") - o->before;
	o->kills_all = cgroup_key(o->vmstat, "oom_kill") - o->before_all;
}

enum oom_cause oom_cause(const struct oom *o, int status)
{
	bool killed = (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ||
	              (WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGKILL);

	if (!killed)
		return OOM_NO;
	if (isnan(o->kills))
		return o->kills_all > 0 ? OOM_LIKELY : OOM_NO;
	return o->kills > 0 ? OOM_YES : OOM_NO;
}

void oom_notes(const struct oom *o, int status, struct snapshot *s)
{
	enum oom_cause cause = oom_cause(o, status);

	if (cause == OOM_LIKELY)
		snapshot_note(s, "The command was killed while the kernel's OOM killer was "
		                 "active; whether it was the victim is not known.");
	else if (o->kills > 0)
		snapshot_note(s, "The kernel's OOM killer ended %.0f process%s of the job.",
		              o->kills, o->kills == 1 ? "" : "es");
}

void oom_close(struct oom *o)
{
	if (o->open && o->events >= 0)
		close(o->events);
	if (o->open && o->vmstat >= 0)
		close(o->vmstat);
	o->open = false;
}
