/*
 * consult: from runs to advice and prices.
 */
#ifndef REPORT_CONSULT_H
#define REPORT_CONSULT_H

#include "advice.h"
#include "keeper.h"
#include "load.h"
#include "options.h"

/* Large: keep it on the heap. */
struct consult {
	struct advice advice;
	char basis[160]; /* what the advice stands on: a sentence */
	struct keeper_result keeper;
};

/* What to ask for next time, from v[0] and the runs that are used (of the whole machine, where v[0]
 * tracked no tree), and which servers the Keeper API has for that, by way of courier. *out is
 * overwritten. It takes as long as keeper_ask. -1 with a usage sentence where the service knows no
 * such region as was asked for. */
int consult_runs(const struct runs *r, const struct options *o, const struct courier *courier,
                 struct consult *out, struct err *e);

#endif
