/*
 * trend: the measures by which runs of a job are compared.
 */
#ifndef REPORT_STATS_TREND_H
#define REPORT_STATS_TREND_H

#include "report/runs/load.h"
#include "report/stats/state_use.h"
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

#define TREND_CHANGE     0.1 /* of the median */
#define TREND_DEVIATIONS 3
#define TREND_RUNS       3

/* When a change is news, for all of the report: with at least TREND_RUNS earlier values, and
 * further from their median than a tenth of it and than three deviations. The deviation is 1.4826 ×
 * the median absolute deviation (MAD), the standard deviation of a normal distribution.
 *
 * Without values all but n are NAN; margin is NAN below TREND_RUNS values. */
struct trend_noise {
	size_t n;
	double mean, median;
	double margin; /* a distance from the median up to this is noise */
};

/* The noise of n numbers; overwrites v. */
struct trend_noise trend_noise_of(double *v, size_t n);

/* False with too few values, and if now is NAN. */
bool trend_beyond(const struct trend_noise *noise, double now);

/* Mean, median and noise of the used runs of the history. -1 without memory. */
int trend_noise(enum trend_id id, const struct runs *r, double price_hour, struct trend_noise *out);

/* The same of the share of a state, as the columns have it in all of them. */
int trend_noise_of_state(enum states_id state, const struct runs *r, struct trend_noise *out);

/* Whether the run ended in a way that can be compared: it did not fail, and all of its parts were
 * recorded. */
bool trend_ended(const struct run *run);

#endif
