/* process_sources: which of the kernel's reports of processes this machine would give. */
#include "collect/events/process_sources.h"

#include <unistd.h>

#include "collect/events/perf_events.h"
#include "collect/events/proc_events.h"
#include "core/processes/process_tree.h"

void process_sources_try(const struct root *r, struct process_sources *out)
{
	struct perf_events perf;
	struct proc_events connector;

	*out = (struct process_sources){.captured = r->replayed};
	if (out->captured) {
		(void)perf_events_allowed(r, &out->change_perf, &out->perf);
		return;
	}
	if (perf_events_open(&perf, getpid(), r, &out->perf) == 0)
		out->perf = (struct err){0};
	out->change_perf = perf.change;
	perf_events_close(&perf);
	if (proc_events_open_all(&connector, &out->connector) == 0)
		out->connector = (struct err){0};
	proc_events_close(&connector);
}

const char *process_sources_usual(const struct process_sources *s)
{
	if (s->captured)
		return NULL;
	if (!*s->perf.msg)
		return PROCESS_TREE_PERF;
	return *s->connector.msg ? PROCESS_TREE_SAMPLES : PROCESS_TREE_CONNECTOR;
}

static void write_process_source(struct json_write *j, const char *name, const struct err *why,
                                 const char *change)
{
	json_write_object(j, name);
	json_write_str(j, "refused", *why->msg ? why->msg : NULL);
	json_write_str(j, "change", change);
	json_write_object_end(j);
}

void process_sources_write(const struct process_sources *s, struct json_write *j)
{
	if (s->captured && !*s->perf.msg) {
		json_write_null(j, "processes");
		return;
	}
	json_write_object(j, "processes");
	json_write_str(j, "source", process_sources_usual(s));
	write_process_source(j, PROCESS_TREE_PERF, &s->perf, s->change_perf);
	if (s->captured)
		json_write_null(j, PROCESS_TREE_CONNECTOR);
	else
		write_process_source(j, PROCESS_TREE_CONNECTOR, &s->connector, NULL);
	json_write_object_end(j);
}
