/*
 * fleet: which jobs of many runs waste most, and what to change: all numbers of the fleet page.
 *
 * docs/fleet.md has every formula with a worked example. Everything here is computed from the
 * groups and histograms that a catalog returns.
 */
#ifndef FLEET_GROUPS_FLEET_H
#define FLEET_GROUPS_FLEET_H

#include "core/end/end_cause.h"
#include "fleet/catalog/catalog.h"
#include "fleet/groups/fleet_worse.h"
#include "report/advice/advice.h"
#include "report/history/memory_fit.h"
#include "report/stats/measure.h"

#define FLEET_GROUPS_MAX  ((size_t)10000) /* kept one by one; the rest is summed */
#define FLEET_DETAILS_MAX ((size_t)100)   /* groups that can be opened */
#define FLEET_CHANGES     ((size_t)3)     /* in the verdict */

/* Hours of a resource. NAN: unknown. */
struct fleet_hours {
	double asked, used, unused; /* core-hours, GiB-hours, GPU-hours */
};

struct fleet_usage {
	struct fleet_hours cores, memory, gpus;
	double money;       /* what was asked for cost; NAN: no price is known */
	double recoverable; /* of it; 0 … money */
	double unpriced;    /* counted runs on machines without a price: not in money */
	/* Machine-hours: wall time × the largest asked share of the machine. NAN: unknown. */
	double machine_h, machine_recoverable_h;
};

/* Percentiles over runs, not weighted; NAN: none. */
struct fleet_spread {
	double p50, p95, p99, max;
};

/* weak: fewer than FLEET_RUNS_FEW runs count; good: the next one fails with at most
 * FLEET_FAIL_GOOD, which takes 59 runs without a failure. */
enum fleet_confidence { FLEET_WEAK, FLEET_FAIR, FLEET_GOOD };
#define FLEET_RUNS_FEW  5
#define FLEET_FAIL_GOOD 0.05

/* The rule for memory, learnt on the earlier half of a group's runs, tried on the later half. runs
 * 0: there is no trial, and the numbers are NAN. */
struct fleet_backtest {
	double learnt, runs; /* of the earlier half; of the later one */
	double ask_b;        /* learnt on the earlier half */
	bool lost; /* the rule did worse there than the largest need × 1.2: all here is of that */
	double failed; /* of runs; all that were killed for memory are among them */
	double
	    wasted_gib_h; /* asked and not needed, and all that was asked for a run that failed */
	/* The same for the memory that was asked for in that time. NAN: unknown. */
	double asked_failed, asked_wasted_gib_h;
	double used_gib_h; /* what runs that were not killed needed, as long as they took */
};

/* How asks are proposed. Zero: the defaults. */
struct fleet_policy {
	double lambda; /* what a failed run is worth, in runs (memory_rule.h) */
	double
	    slowdown; /* by which runs may take longer with fewer CPUs; 0: 10 %, < 0: not at all */
};

/* An ask, per node: 0 and NAN are unknown. */
struct fleet_ask {
	double cpus, memory_b, gpus, time_s;
};

struct fleet_bar {
	double low, high, runs; /* of a bucket; low and high in base units */
};

/* Memory as a line over the input, each run tried with the line through the others. */
struct fleet_line {
	double known; /* runs whose input is known; 0: there is no line */
	struct memory_fit fit;
	struct memory_trial trial;
	double fixed_wasted_b; /* what the same ask for each of trial.runs wastes */
};

/* The parts of a group that are kept if it can be opened. */
struct fleet_detail {
	struct fleet_bar *memory, *wall; /* their histograms, ascending */
	size_t n_memory, n_wall;
	struct catalog_detail runs;
	struct fleet_line line;
	struct fleet_worse worse;
	struct advice advice; /* the proposed ask, for snippets.h */
};

struct fleet_group {
	char *key[CATALOG_KEYS]; /* owned; "": unknown */
	double runs;             /* all, those that are left out too */
	double failed, oom;      /* oom: killed because memory ran out */
	double counted;          /* what all below is of */
	struct fleet_usage usage;
	struct fleet_spread wall, memory, cores; /* seconds; peak bytes; cores needed */
	struct fleet_ask asked;                  /* means over time (of time: the largest) */
	struct fleet_ask most;                   /* the largest asks */
	struct fleet_ask proposed;
	/* How many of the runs that count would have failed under it; NAN: none counts. A run that
	 * was killed for memory is one of them: `unknown` had less, and nobody knows their need. */
	double would_fail, unknown;
	double fail_at_most; /* the chance that the next run fails, at most (fail_bound.h) */
	double longer;       /* times as long as with the CPUs that were asked for; NAN: unknown */
	double growth;       /* of the needs of memory, by which the ask was multiplied; 1: none */
	struct fleet_backtest backtest;
	enum fleet_confidence confidence;
	double trend; /* change of the mean peak memory from the first to the second half of
	                              the group's days, as a share; NAN: too few runs or days */
	double *days; /* mean peak memory of FLEET_TREND_POINTS equal parts of the time
	                              from its first day to its last; NAN: no run; NULL: one day */
	double first, last;
	/* Runs by the states that took most of their time (enum states_group; CATALOG_MIXED: of
	 * several recordings that differ), and by why they ended. Neither has runs of which it is
	 * unknown. */
	double mostly[CATALOG_MOSTLY], ends[END_CAUSE_COUNT];
	char *newest;                /* source of its newest run */
	struct fleet_detail *detail; /* of the first FLEET_DETAILS_MAX, else NULL */
};

#define FLEET_TREND_POINTS 12

/* Money per hour. All 0: prices of machines are asked for instead. */
struct fleet_rates {
	double cpu, memory, gpu; /* per core-hour, GiB-hour, GPU-hour */
};

/* The price of a machine's type per hour; NAN: unknown. */
typedef double fleet_price(void *ctx, const struct catalog_machine *m);

struct fleet_input {
	struct catalog *catalog; /* borrowed */
	const struct catalog_query *query;
	struct fleet_rates rates;
	struct fleet_policy policy;
	fleet_price *price; /* NULL: none is known */
	void *price_ctx;
};

/* Runs that are left out, by reason. */
struct fleet_left_out {
	double runs, core_h, memory_gib_h; /* asked, where known */
};

struct fleet {
	size_t keys; /* of --group-by */
	double runs, counted, failed, oom;
	double all_groups;  /* n + those of rest */
	double first, last; /* starts; NAN: no runs */
	struct fleet_usage usage;
	struct fleet_group *group; /* by recoverable money, then by recoverable machine-hours (which
	                              alone decide where no price is known), then by key */
	size_t n;                  /* at most FLEET_GROUPS_MAX */
	struct fleet_usage rest;   /* of groups that were not kept */
	double rest_groups, rest_runs;
	/* Sums over the groups of which it is known what was wasted with what was asked for. */
	struct fleet_backtest backtest;
	struct fleet_left_out left_out[CATALOG_CLASSES]; /* [CATALOG_COUNTED] stays 0 */
	double origins[CATALOG_ORIGINS]; /* all runs that can be true, by origin_code */
	struct catalog_day *day;         /* ascending */
	size_t n_days;
	bool rates; /* money is of the site's own rates */
};

/* used / asked, which may be above 1; NAN: unknown. */
double fleet_efficiency(const struct fleet_hours *h);

/* Its statistics by their numbers in measure.h, for gates. NAN: unknown. */
void fleet_measures(const struct fleet *f, double out[MEASURE_FLEET_NAMES]);

/* Fills *f, which was zero. -1 with a sentence; *f can be freed either way. */
int fleet_make(struct fleet *f, const struct fleet_input *in, struct err *e);

void fleet_free(struct fleet *f);

#endif
