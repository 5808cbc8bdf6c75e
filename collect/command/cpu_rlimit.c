/* cpu_rlimit: the CPU time that the collector may use. */
#include "collect/command/cpu_rlimit.h"

#include <sys/resource.h>
#include <time.h>

#include "collect/machine/clocks.h"

/* clock_gettime(2) of the process's own CPUCLOCK_PROF (kernel/time/posix-cpu-timers.c). The kernel
 * holds RLIMIT_CPU against this clock. Where it accounts by ticks, a process that wakes up with the
 * tick, as the collector does, is charged more by it than by CLOCK_PROCESS_CPUTIME_ID. */
#define CLOCK_OF_LIMIT ((clockid_t)-8)

#define PART    0.8
#define DEAREST 4 /* a sample of many processes costs several times as much on a busy machine */

static double used(void)
{
	double ticks_s = (double)clocks_now(CLOCK_OF_LIMIT) / 1e9;
	double exact_s = (double)clocks_now(CLOCK_PROCESS_CPUTIME_ID) / 1e9;

	return ticks_s > exact_s ? ticks_s : exact_s;
}

void cpu_rlimit_open(struct cpu_rlimit *a)
{
	struct rlimit limit;

	*a = (struct cpu_rlimit){0};
	if (getrlimit(RLIMIT_CPU, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_CPU, &limit) || getrlimit(RLIMIT_CPU, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY)
		return;
	a->limit_s = (double)limit.rlim_cur;
	a->used_s = used();
}

bool cpu_rlimit_spent(struct cpu_rlimit *a)
{
	double used_s, step_s;

	if (a->limit_s <= 0)
		return false;
	used_s = used();
	step_s = used_s - a->used_s;
	a->used_s = used_s;
	if (step_s > a->dearest_s)
		a->dearest_s = step_s;
	return used_s > PART * a->limit_s || used_s + DEAREST * a->dearest_s > a->limit_s;
}
