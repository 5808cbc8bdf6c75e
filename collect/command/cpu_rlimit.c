/* cpu_rlimit: the CPU time limit of rtrack-collect itself. */
#include "collect/command/cpu_rlimit.h"

#include <sys/resource.h>
#include <time.h>

#include "collect/machine/clocks.h"

/* The process's own CPUCLOCK_PROF (kernel/time/posix-cpu-timers.c), the clock that the kernel
 * checks RLIMIT_CPU against. With tick-based accounting this clock charges a process that wakes up
 * with the tick, as rtrack-collect does, more than CLOCK_PROCESS_CPUTIME_ID. */
#define CLOCK_OF_LIMIT ((clockid_t)-8)

#define LIMIT_SHARE 0.8
#define STEPS_LEFT  4 /* a sample of many processes costs several times as much on a busy machine */

static double used_cpu_s(void)
{
	double ticks_s = (double)clocks_now(CLOCK_OF_LIMIT) / 1e9;
	double exact_s = (double)clocks_now(CLOCK_PROCESS_CPUTIME_ID) / 1e9;

	return ticks_s > exact_s ? ticks_s : exact_s;
}

void cpu_rlimit_open(struct cpu_rlimit *l)
{
	struct rlimit limit;

	*l = (struct cpu_rlimit){0};
	if (getrlimit(RLIMIT_CPU, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_CPU, &limit) || getrlimit(RLIMIT_CPU, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY)
		return;
	l->limit_s = (double)limit.rlim_cur;
	l->used_s = used_cpu_s();
}

bool cpu_rlimit_spent(struct cpu_rlimit *l)
{
	double used_s, step_s;

	if (l->limit_s <= 0)
		return false;
	used_s = used_cpu_s();
	step_s = used_s - l->used_s;
	l->used_s = used_s;
	if (step_s > l->max_step_s)
		l->max_step_s = step_s;
	return used_s > LIMIT_SHARE * l->limit_s ||
	       used_s + STEPS_LEFT * l->max_step_s > l->limit_s;
}
