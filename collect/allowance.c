/* allowance: the CPU time that we may use ourselves. */
#include "allowance.h"

#include <sys/resource.h>
#include <time.h>

#include "clocks.h"

#define PART 0.8

void allowance_open(struct allowance *a)
{
	struct rlimit limit;

	*a = (struct allowance){0};
	if (getrlimit(RLIMIT_CPU, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_CPU, &limit) || getrlimit(RLIMIT_CPU, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY)
		return;
	a->most_s = PART * (double)limit.rlim_cur;
}

bool allowance_spent(const struct allowance *a)
{
	return a->most_s > 0 && (double)clocks_now(CLOCK_PROCESS_CPUTIME_ID) / 1e9 > a->most_s;
}
