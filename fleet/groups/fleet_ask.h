/*
 * fleet_ask: what the next runs of a group should ask for, and how many of the known runs would
 * have failed with that. Pure. docs/fleet.md has the formulas with examples.
 */
#ifndef FLEET_GROUPS_FLEET_ASK_H
#define FLEET_GROUPS_FLEET_ASK_H

#include "fleet/groups/fleet.h"
#include "fleet/groups/fleet_time.h"
#include "fleet/groups/fleet_weights.h"
#include "report/advice/memory_rule.h"

/* -- thresholds -------------------------------------------------------------------------------- */

#define FLEET_ASK_TIME_PERCENT  99
#define FLEET_ASK_CORES_PERCENT 95 /* CPUs and GPUs */
/* In so many percent of the runs a job was short of CPU that needed so many times the cores that it
 * used (a fifth of its thread time it waited: docs/advice.md). */
#define FLEET_ASK_SHORT_PERCENT 50
#define FLEET_ASK_SHORT_TIMES   1.25
/* Fewer runs, in percent of those that count, do not show what the others need. */
#define FLEET_ASK_KNOWN_PERCENT 95
#define FLEET_ASK_COUNT_MAX     1e6       /* CPUs, GPUs */
#define FLEET_ASK_TIME_MAX      315360000 /* seconds: ten years */

/* Memory needs by quarters of the runs, in the order of their starts. */
#define FLEET_QUARTERS 4
struct fleet_quarters {
	struct fleet_weights of[FLEET_QUARTERS]; /* sum: wall seconds of all nodes */
	double asked_byte_s;                     /* of the last two; 0: unknown */
};

/* The runs of a group that count. */
struct fleet_needs {
	struct fleet_weights memory; /* bytes; sum: wall seconds of all nodes */
	struct fleet_quarters quarters;
	struct fleet_weights wall;  /* seconds; sum: recordings */
	struct fleet_weights cores; /* cores that they needed */
	struct fleet_weights gpus;  /* GPUs in use at the peak */
	struct fleet_times times;
	double wall_s; /* of all nodes */
	double counted;
	double most_memory_b;  /* the largest ask; NAN: unknown */
	double today_memory_b; /* the mean ask over time; NAN: unknown, or whole machines */
	double today_cpus;     /* likewise */
	double used_cores;     /* the mean over time; not above 0: unknown */
	/* The largest limit that killed a run, if no run that started later finished; NAN: one
	 * did, or none was killed. */
	double killed_b;
	double killed_most_b; /* the largest limit that killed a run; NAN: none was */
};

struct fleet_proposal {
	struct fleet_ask ask;
	double again_b;            /* memory that a run which failed for memory is run again with */
	struct memory_rule memory; /* what ask.memory_b was made of */
	struct fleet_backtest backtest;
	double cores_p95, gpus_p95, wall_p99_s;
	double slowdown; /* that was allowed; NAN: CPUs are not from the time with others */
	bool kept;     /* CPUs that the time alone would take away: most runs were short of them */
	double longer; /* times as long as with the CPUs that were asked for; NAN: unknown */
	double fail_memory, fail_time; /* runs; all that were killed for memory are in the former */
	double unknown; /* of them, runs that were killed with less: nobody knows what they need */
};

/* The weight of a failed run, from the policy. */
double fleet_ask_lambda(const struct fleet_policy *policy);

/* The rule over a histogram of n lists, up to FLEET_QUARTERS. NAN and no runs where there are none,
 * or no memory to merge them. */
void fleet_ask_rule(const struct fleet_weights *const *w, size_t n,
                    const struct memory_situation *now, struct memory_rule *out);

/* The rule for memory, tried on the later half of the group's own runs, learnt on the earlier
 * half. runs is 0 where there is none: fewer than MEMORY_RULE_RUNS runs in the earlier half. */
void fleet_ask_backtest(const struct fleet_quarters *q, double today_b, double lambda,
                        struct fleet_backtest *out);

void fleet_ask_propose(const struct fleet_needs *in, const struct fleet_policy *policy,
                       struct fleet_proposal *out);

/* The proposal as advice with its formulas, for snippets.h. */
void fleet_ask_advice(const struct fleet_proposal *p, struct advice *out);

#endif
