/*
 * recommend: from runs to advice and prices.
 */
#ifndef REPORT_RECOMMEND_H
#define REPORT_RECOMMEND_H

#include "report/advice/advice.h"
#include "report/prices/keeper.h"
#include "report/report_options.h"
#include "report/runs/load.h"

/* Large: keep it on the heap. */
struct recommend {
	struct advice advice;
	char basis[160]; /* what the advice stands on: a sentence */
	struct keeper_result keeper;
};

/* What to ask for next time, from v[0] and the runs that are used (of the whole machine, where v[0]
 * tracked no tree), and which servers the Keeper API has for that, by way of fetcher. *out is
 * overwritten. It takes as long as keeper_ask. -1 with a usage sentence where the service knows no
 * such region as was asked for. */
int recommend_runs(const struct runs *r, const struct report_options *o,
                   const struct price_fetcher *fetcher, struct recommend *out, struct err *e);

#endif
