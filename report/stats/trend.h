/*
 * trend: the measures by which runs of a job are compared.
 */
#ifndef REPORT_STATS_TREND_H
#define REPORT_STATS_TREND_H

#include "report/runs/load.h"
#include "report/units/model_json.h"

enum trend_id {
	TREND_DURATION,
	TREND_CPU,
	TREND_MEMORY,
	TREND_CPU_TIME,
	TREND_BYTES,
	TREND_GPU_TIME,
	TREND_COST, /* the duration at a price: not judged on its own */
	TREND_MEASURES
};
#define TREND_JUDGED TREND_COST /* so many, from the first on */

struct trend_measure {
	const char *id, *label; /* "memory", "Peak memory" */
	const char *name;       /* in a sentence: "peak memory" */
	const char *more;       /* "18% more memory" */
	const char *gate;       /* the name of it in gates; NULL: none */
	enum unit unit;
	bool less_is_good; /* and more is worth a warning */
	bool spoken;       /* the verdict mentions it */
	bool follows_load; /* other programs on the machine change it */
};

extern const struct trend_measure trend_measures[TREND_MEASURES];

/* The value of run i: the job's, or the machine's if v[0] tracked no job, so that all runs are read
 * from the same column. The cost is at price_hour. NAN: not measured. */
double trend_value(enum trend_id id, const struct runs *r, size_t i, double price_hour);

/* Whether other programs on the machine change a column: it is an amount per time, or a time other
 * than that on a CPU. */
bool trend_metric_follows_load(enum metric_id id);

/* Whether the run ended in a way that can be compared: it did not fail, and all of its parts were
 * recorded. */
bool trend_ended(const struct run *run);

#endif
