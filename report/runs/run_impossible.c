/* run_impossible: what a recording says of its run and cannot be true. */
#include "report/runs/run_impossible.h"

#include <math.h>
#include <stddef.h>

const char *run_impossible(const struct run_claims *c, double now)
{
	if (now > 0 && c->start + fmax(c->wall_s, 0) > now + RUN_IMPOSSIBLE_CLOCK_S)
		return "it ends in the future";
	if (c->wall_s > 0 &&
	    c->cpu_s > c->wall_s * c->vcpus * RUN_IMPOSSIBLE_CPU + RUN_IMPOSSIBLE_CPU_S)
		return "it used more CPU time than its machine has";
	if (c->memory_b > RUN_IMPOSSIBLE_MEMORY * c->machine_memory_b)
		return "it used more memory than its machine has";
	if (c->asked_cpus > RUN_IMPOSSIBLE_ASKED)
		return "it asked for more CPUs than any machine has";
	return NULL;
}
