/*
 * states: where the time of a job went: the states of job_states.def, which add up to its time.
 */
#ifndef CORE_RECORDING_STATES_H
#define CORE_RECORDING_STATES_H

#include "core/numbers/metric.h"
#include "core/numbers/stats.h"

enum states_id {
#define STATE(id, ...) STATES_##id,
#include "core/numbers/job_states.def"
#undef STATE
	STATES_N
};

/* "disk". */
const char *states_word(enum states_id id);

/* The state of a word; STATES_N for another text. */
enum states_id states_find(const char *word);

/* The column with the seconds of a state. */
enum metric_id states_metric(enum states_id id);

/* The state of a column; STATES_N for another column. */
enum states_id states_of_metric(enum metric_id id);

/* Groups of states, for lists of runs. Catalogs hold these numbers: a new one comes last. */
enum states_group {
	STATES_GROUP_CPU,    /* on one, or waiting for one */
	STATES_GROUP_MEMORY, /* and so on: "memory" */
	STATES_GROUP_DISK,
	STATES_GROUP_NET,
	STATES_GROUP_IDLE, /* all other waits */
	STATES_GROUP_UNKNOWN,
	STATES_GROUPS
};
const char *states_group_word(enum states_group group);

/* STATES_GROUPS for another text. */
enum states_group states_group_find(const char *word);

/* The word of the group that took most of the time, from the statistics of all columns by metric;
 * "": not measured. */
const char *states_mostly(const struct stats *columns);

#endif
