/*
 * event_budget: the share of a core that events of processes may take. Pure.
 *
 * A reading that used more than its share is followed by a pause, in which events come together;
 * much more, and the next ones are made without the files of processes.
 */
#ifndef COLLECT_EVENTS_EVENT_BUDGET_H
#define COLLECT_EVENTS_EVENT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* Times are CLOCK_MONOTONIC, ns. */
struct event_budget {
	double saved_ns;  /* CPU time that may be used now */
	int64_t refilled; /* of the last reading */
	int64_t pause;    /* until then nothing is read */
	bool hurries;     /* nothing is to be read of /proc */
};

struct event_budget event_budget_full(void);

/* Counts the CPU time of a reading of n events. concerned: one of them was of the job. */
void event_budget_charge(struct event_budget *b, int64_t now, int64_t used_ns, int n,
                         bool concerned);

#endif
