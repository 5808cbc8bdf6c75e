/* asked_sources: what was asked for, put together from its sources. */
#include "collect/job/asked_sources.h"

#include <math.h>
#include <string.h>

#define AFFINITY "sched_getaffinity"

void asked_sources_clear(struct snapshot_asked *a)
{
	a->known = true;
	for (int i = 0; i < SNAPSHOT_ASKED_N; i++)
		a->of[i] = (struct snapshot_ask){NAN, "", "", false};
}

void asked_sources_put(struct snapshot_asked *a, enum snapshot_asked_id id, double value,
                       const char *source, const char *detail, bool share)
{
	if (isnan(a->of[id].value) && asked_grammar_plausible(id, value))
		a->of[id] = (struct snapshot_ask){value, source, detail, share};
}

int asked_sources_put_list(struct snapshot_asked *a, const char *list, const char *source,
                           const char *detail, struct err *e)
{
	double values[SNAPSHOT_ASKED_N];
	/* Where nothing was asked, Kubernetes fills in 0, and workflow engines nothing. */
	bool skip_unset = strcmp(source, SNAPSHOT_ASKED_ENVIRONMENT) == 0;
	int r = asked_grammar_read(list, skip_unset, values, e);

	for (int i = 0; i < SNAPSHOT_ASKED_N; i++)
		asked_sources_put(a, (enum snapshot_asked_id)i, values[i], source, detail, false);
	return r ? err_wrap(e, "%s", detail) : 0;
}

void asked_sources_merge(struct snapshot_asked *a, const struct snapshot_asked *from)
{
	for (int i = 0; i < SNAPSHOT_ASKED_N; i++)
		if (isnan(a->of[i].value))
			a->of[i] = from->of[i];
}

bool asked_sources_shared(enum snapshot_asked_id id)
{
	return id == SNAPSHOT_ASKED_CPUS || id == SNAPSHOT_ASKED_MEMORY ||
	       id == SNAPSHOT_ASKED_GPUS;
}

void asked_sources_put_rest(struct snapshot_asked *a, const struct snapshot_limits *limits,
                            double memory_b, double gpus, double tasks)
{
	bool share = tasks > 1;
	bool own = limits->cpus_from && strcmp(limits->cpus_from, AFFINITY) == 0;

	/* The number of CPUs that are online is a fact, not a limit. */
	if (limits->cpus < limits->cpus_online)
		asked_sources_put(a, SNAPSHOT_ASKED_CPUS, own ? limits->cpus : limits->cpus / tasks,
		                  SNAPSHOT_ASKED_LIMIT, limits->cpus_from, share);
	if (!(limits->memory_b >= memory_b))
		asked_sources_put(a, SNAPSHOT_ASKED_MEMORY, limits->memory_b / tasks,
		                  SNAPSHOT_ASKED_LIMIT, limits->memory_from, share);
	asked_sources_put(a, SNAPSHOT_ASKED_CPUS, limits->cpus_online / tasks,
	                  SNAPSHOT_ASKED_MACHINE, "online CPUs", share);
	asked_sources_put(a, SNAPSHOT_ASKED_MEMORY, memory_b / tasks, SNAPSHOT_ASKED_MACHINE,
	                  "MemTotal", share);
	if (gpus > 0)
		asked_sources_put(a, SNAPSHOT_ASKED_GPUS, gpus / tasks, SNAPSHOT_ASKED_MACHINE,
		                  "GPUs", share);
}
