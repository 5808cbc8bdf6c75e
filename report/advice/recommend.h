/*
 * recommend: runs → advice → prices of servers that fit it.
 */
#ifndef REPORT_ADVICE_RECOMMEND_H
#define REPORT_ADVICE_RECOMMEND_H

#include "report/advice/advice.h"
#include "report/advice/memory_advice.h"
#include "report/prices/frontier.h"
#include "report/prices/keeper.h"
#include "report/runs/load.h"

#define RECOMMEND_BASIS_MAX 320

/* Large: keep it on the heap. */
struct recommend {
	struct advice advice;
	char basis[RECOMMEND_BASIS_MAX]; /* a sentence: the runs behind the advice */
	struct keeper_result keeper;
	struct memory_advice memory;
};

/* How to advise. */
struct recommend_rules {
	const char *risk; /* "thrifty", "balanced", "careful": what a failed run is worth; NULL: by
	                     default */
	double slowdown;  /* the part of its time that the job may take longer with fewer CPUs */
	bool plain;       /* resource-tracker's formulas (advice.h) and nothing that rtrack adds,
	                     but the time limit */
};

/* Advice for the next run, from v[0] and the runs that show what the job needs (history.h), from
 * the whole machine's usage if v[0] tracked no job; and the servers that the Keeper API has for it.
 * prices: which servers, and how to ask; the sizes come from the advice. Takes as long as
 * keeper_ask. Overwrites *out. -1 with a usage error if the service does not know a region that was
 * asked for. */
int recommend_runs(const struct runs *r, const struct recommend_rules *rules,
                   const struct keeper_query *prices, struct recommend *out, struct err *e);

#define RECOMMEND_TYPES_MAX 16 /* types of servers that runs were on */

/* The time and cost of v[0] elsewhere are predicted from this. .job points into the struct, and to
 * strings of the runs. */
struct recommend_job {
	struct frontier_job job;
	struct time_at time;
	struct keeper_server here; /* the run's own, at the price that is compared */
	struct frontier_measured measured[RECOMMEND_TYPES_MAX];
};

void recommend_job(const struct runs *r, const struct keeper_result *k, struct recommend_job *out);

/* The worth of a failed run with this --risk, in runs; NULL: 0, the default. */
double recommend_lambda(const char *risk);

#endif
