/* cgroup_alone: whether a cgroup has the job's processes alone. */
#include "collect/cgroup/cgroup_alone.h"

#include <unistd.h>

#include "collect/cgroup/cgroup_text.h"
#include "collect/procfs/proc_pid.h"

#define ANCESTORS_MAX 64
#define PROCS_MAX     1024 /* bytes of cgroup.procs: of a longer one, nothing is taken */

static bool is_among(const int *pids, size_t n, int pid)
{
	for (size_t i = 0; i < n; i++)
		if (pids[i] == pid)
			return true;
	return false;
}

/* Whether the recorder started it, or a process that it started. */
static bool we_started(const struct root *r, int pid)
{
	const int self = getpid();
	struct proc_pid_stat stat;

	for (int i = 0; i < ANCESTORS_MAX && pid > 1 && pid != self; i++)
		pid = proc_pid_stat_of(r, pid, &stat) == 0 ? stat.ppid : 0;
	return pid == self;
}

/* text: cgroup.procs; a process outside of the namespace is 0. */
static bool has_no_others(const struct root *r, const char *text, size_t n)
{
	int above[ANCESTORS_MAX] = {getpid()}, pids[PROCS_MAX / 2];
	int count = cgroup_text_pids(text, n, pids, sizeof pids / sizeof *pids);
	size_t depth = 1;
	struct proc_pid_stat stat;

	while (depth < ANCESTORS_MAX && above[depth - 1] > 1 &&
	       proc_pid_stat_of(r, above[depth - 1], &stat) == 0)
		above[depth++] = stat.ppid;
	for (int i = 0; i < count; i++)
		if (!pids[i] || !(is_among(above, depth, pids[i]) || we_started(r, pids[i])))
			return false;
	return count >= 0;
}

bool cgroup_alone(const struct root *r, int dir)
{
	char text[PROCS_MAX];
	long n = root_take_fd(root_open_in(dir, "cgroup.procs"), text, sizeof text);

	return n > 0 && (size_t)n < sizeof text && !r->replayed &&
	       has_no_others(r, text, (size_t)n);
}
