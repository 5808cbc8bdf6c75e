/* run_impossible: what a recording says of its run and cannot be true. */
#include "report/runs/run_impossible.h"

#include <math.h>

static double more_than_none(double v)
{
	return v > 0 ? v : (double)NAN;
}

const char *run_impossible(const struct run_claims *c, double now)
{
	if (now > 0 && c->start + fmax(c->wall_s, 0) > now + RUN_IMPOSSIBLE_CLOCK_S)
		return "it ends in the future";
	if (c->wall_s > 0 &&
	    c->cpu_s > c->wall_s * c->vcpus * RUN_IMPOSSIBLE_CPU + RUN_IMPOSSIBLE_CPU_S)
		return "it used more CPU time than its machine has";
	if (c->memory_b > RUN_IMPOSSIBLE_MEMORY * c->machine_memory_b)
		return "it used more memory than its machine has";
	if (c->asked_cpus >= RUN_IMPOSSIBLE_ASKED_CPUS)
		return "it asked for more CPUs than any machine has";
	if (c->asked_memory_b >= RUN_IMPOSSIBLE_ASKED_MEMORY)
		return "it asked for more memory than any machine has";
	return NULL;
}

void run_impossible_forget(struct snapshot *s, double *duration, double *stop)
{
	*stop = *duration = NAN;
	for (int i = 0; s->asked.known && i < SNAPSHOT_ASKED_N; i++)
		s->asked.of[i].value = NAN;
}

const char *run_impossible_refuse(struct snapshot *s, double start, double *duration, double *stop,
                                  double memory_b, double now)
{
	const struct snapshot_asked *asked = &s->asked;
	const struct run_claims claims = {
	    .start = start,
	    .wall_s = *duration,
	    .cpu_s = s->totals.known ? s->totals.exact_cpu_s : (double)NAN,
	    .memory_b = memory_b,
	    .vcpus = more_than_none(s->server.vcpus),
	    .machine_memory_b = more_than_none(s->server.memory_b),
	    .asked_cpus = asked->known ? asked->of[SNAPSHOT_ASKED_CPUS].value : (double)NAN,
	    .asked_memory_b = asked->known ? asked->of[SNAPSHOT_ASKED_MEMORY].value : (double)NAN,
	};
	const char *why = run_impossible(&claims, now);

	if (!why)
		return NULL;
	run_impossible_forget(s, duration, stop);
	return why;
}
