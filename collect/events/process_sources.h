/*
 * process_sources: which of the kernel's reports of processes this machine would give (--info).
 */
#ifndef COLLECT_EVENTS_PROCESS_SOURCES_H
#define COLLECT_EVENTS_PROCESS_SOURCES_H

#include <stdbool.h>

#include "collect/procfs/root.h"
#include "core/base/err.h"
#include "core/json/json_write.h"

/* Why a source cannot be used ("": it can), and what an administrator could change about it; NULL:
 * nothing that is known. */
struct process_sources {
	bool captured; /* the machine: of .perf is known what its limit says, and no more */
	struct err perf, connector;
	const char *change_perf;
};

/* Tries each for a moment, but not those of a captured machine. */
void process_sources_try(const struct root *r, struct process_sources *out);

/* The source of a recording without --events, as rtrack.tree has it. NULL: not known. */
const char *process_sources_usual(const struct process_sources *s);

/* Writes the member "processes" into an open object. */
void process_sources_write(const struct process_sources *s, struct json_write *j);

#endif
