/*
 * trend: the measures by which runs of a job are compared.
 */
#ifndef REPORT_STATS_TREND_H
#define REPORT_STATS_TREND_H

#include "report/runs/load.h"
#include "report/stats/change_detect.h"
#include "report/units/model_json.h"

enum trend_id { TREND_DURATION, TREND_CPU, TREND_MEMORY, TREND_BYTES, TREND_COST, TREND_MEASURES };

struct trend_measure {
	const char *id, *label; /* "memory", "Peak memory" */
	const char *name;       /* in a sentence: "peak memory" */
	enum unit unit;
	bool less_is_good; /* and more is worth a warning */
	bool spoken;       /* the verdict mentions it */
};

extern const struct trend_measure trend_measures[TREND_MEASURES];

/* The value of run i: the job's, or the machine's if v[0] tracked no job, so that all runs are read
 * from the same column. The cost is at price_hour. NAN: not measured. */
double trend_value(enum trend_id id, const struct runs *r, size_t i, double price_hour);

/* Mean, median and noise of the used runs of the history. -1 without memory. */
int trend_noise(enum trend_id id, const struct runs *r, double price_hour,
                struct change_detect *out);

/* Whether the run ended in a way that can be compared: it did not fail, and all of its parts were
 * recorded. */
bool trend_ended(const struct run *run);

#endif
