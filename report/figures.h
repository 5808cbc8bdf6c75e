/*
 * figures: the default set of statistics, with the names and units of resource-tracker's stats().
 */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "load.h"
#include "tree.h"

enum figure_how { FIGURE_MEAN, FIGURE_MAX, FIGURE_SUM, FIGURE_DURATION };

struct figure {
	enum metric_id id; /* METRIC_COUNT: the duration, of column "timestamp" */
	enum figure_how how;
	const char *label; /* for people: "CPU, mean" */
};

#define FIGURES 14
extern const struct figure figures[FIGURES];

/* "process_cpu_usage" (out takes 64 bytes) and "mean". */
void figure_column(const struct figure *f, char out[64]);
const char *figure_statistic(const struct figure *f);

/* The value for one run in base units; NAN where not measured. */
double figure_base(const struct figure *f, const struct run *run);

/* The same as people are shown it: the duration is stop - start, not the statistic of the samples.
 */
double figure_shown(const struct figure *f, const struct run *run);
enum tree_unit figure_unit(const struct figure *f);

/* Whether it is of GPUs: a machine without any has no use for these. */
bool figure_is_gpu(const struct figure *f);

/* Its id in the model: column and statistic, "duration" of what is shown as that. */
void figure_id(const struct figure *f, char out[96]);

/* A base value in schema 1's unit, to 2 decimals. */
double figure_spell(const struct figure *f, double base);

/* Over runs v[from] … v[n - 1] (those used, and v[0]): means and durations → their arithmetic mean,
 * maxima and sums → the maximum. NAN without values. Base units. */
double figure_aggregate(const struct figure *f, const struct runs *r, size_t from);

#endif
