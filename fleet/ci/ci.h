/*
 * ci: the runs of CI jobs, and which runner each should have: the numbers of rtrack-fleet ci.
 * docs/ci.md has every formula.
 *
 * A run of a job is all recordings of it in one run of the workflow on one machine: its steps. They
 * follow each other, so their times add up.
 */
#ifndef FLEET_CI_CI_H
#define FLEET_CI_CI_H

#include <stdint.h>

#include "core/base/quantity.h"
#include "fleet/catalog/catalog.h"
#include "fleet/ci/ci_prices.h"
#include "fleet/groups/fleet.h"
#include "report/advice/memory_rule.h"

#define CI_ROWS_MAX  ((size_t)100000) /* recordings that are read: the newest */
#define CI_JOBS_MAX  ((size_t)2000)
#define CI_STEPS_MAX ((size_t)20) /* of a job */
#define CI_MONTH_S   (QUANTITY_DAY_S * 365.25 / 12)

/* Memory that the machine needs beside the job: the system, the runner's agent, services. */
#define CI_BESIDE_B QUANTITY_GIB

/* By so much shorter or cheaper is worth a change. */
#define CI_FASTER  0.05
#define CI_CHEAPER 0.01

/* The share of a job's time that must be in runs whose time with other CPUs is known. */
#define CI_TIMES_KNOWN 0.95

/* Seconds and bytes; NAN: unknown. */
struct ci_run {
	uint64_t key; /* of the recordings of one run; 0: it has one recording */
	size_t step;  /* of a recording; CI_STEPS_MAX: not among the job's */
	double start, wall_s;
	double at_s[CATALOG_TIMES]; /* the time with 1, 2, 4 … free CPUs */
	double need_b, limit_b;     /* as in struct memory_need */
	double vcpus, memory_b;     /* of the machine */
	bool finished, killed;      /* killed: memory ran out */
};

struct ci_step {
	char *name; /* owned */
	double runs, p50_s, memory_b;
};

/* Time and cost of runs on a runner. NAN: unknown. */
struct ci_figures {
	double p50_s, p95_s, most_s; /* of those that finished */
	double minutes, usd;         /* billed, of all */
	/* Where the machine is another one, whose speed is not known (speed.h); else as above. */
	double p95_least_s, p95_most_s, usd_least, usd_most;
};

struct ci_offer {
	const struct ci_runner *runner; /* NULL: none; borrowed from the prices */
	struct ci_figures after;
	/* Runs that would not have had memory enough, all that were killed for memory among them,
	 * of those whose memory is known. */
	double fails, tried;
};

enum ci_group { CI_FAILS_LESS, CI_SAVES_MONEY, CI_SAVES_TIME, CI_TEST_FIRST, CI_KEEP, CI_GROUPS };

struct ci_job {
	char *provider, *repository, *workflow, *name; /* owned; "": unknown */
	struct ci_run *run;                            /* by their start */
	size_t n, cap;
	size_t others; /* older runs on another machine than the newest, which are left out */
	struct ci_step step[CI_STEPS_MAX];
	size_t n_steps, more_steps; /* recordings of steps beyond */
	/* From the newest run: */
	char arch[16];     /* "": unknown */
	char named[256];   /* labels of the runner, as given; "": unknown */
	char machine[128]; /* the name of the runner */
	bool self_hosted;
	double vcpus, memory_b;
	/* Filled in by ci_choose. */
	const struct ci_runner *today; /* NULL: unknown */
	bool several;                  /* because several runners of the table fit */
	double finished, killed;
	struct ci_figures before;
	struct memory_rule memory;
	bool times_known;
	struct ci_offer offer;          /* what to change to; the runner of today: nothing */
	struct ci_offer fastest, other; /* costs no more than today; other: another architecture, or
	                                 * a container */
	/* The cheapest runner with enough memory, for a job that stays as it is although the
	 * rule calls for more memory than its runner has. NULL: there is none, or the runner has
	 * enough. */
	const struct ci_runner *safer;
	enum ci_group group;
	enum fleet_confidence confidence;
	double fail_at_most; /* of the next run, with the offer */
};

/* Valid when zero. */
struct ci {
	struct ci_job *v; /* by group, then by what the change saves */
	size_t n;
	size_t rows;       /* recordings that were read */
	bool cut;          /* there may be older ones */
	size_t more_jobs;  /* recordings of jobs beyond CI_JOBS_MAX */
	size_t unfinished; /* recordings without an end, or whose numbers cannot be true */
	double first, last, period_s; /* of the runs; NAN: unknown, or less than a day */
};

struct ci_input {
	struct catalog *catalog; /* borrowed, as all of it */
	const struct catalog_query *query;
	const struct ci_prices *prices;
	struct fleet_policy policy;
	double now;
};

/* The value of a key in "key=value;key=value"; *n: its bytes. NULL: there is none. Pure. */
const char *ci_gather_pair(const char *pairs, const char *key, size_t *n);

/* The recordings of a query as jobs, each with its runs by their start: all but the choice. */
int ci_gather(struct ci *out, const struct ci_input *in, struct err *e);

/* Leave it empty. An empty one is fine. */
void ci_free(struct ci *c);

/* An amount of the period as an amount of a month. NAN: the period is not known. */
double ci_monthly(const struct ci *c, double v);

#endif
