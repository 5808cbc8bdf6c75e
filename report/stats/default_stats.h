/*
 * default_stats: the default set of statistics, with the names and units of resource-tracker's
 * stats().
 */
#ifndef REPORT_STATS_DEFAULT_STATS_H
#define REPORT_STATS_DEFAULT_STATS_H

#include "report/runs/load.h"
#include "report/units/model_json.h"

enum default_stat_how {
	DEFAULT_STAT_MEAN,
	DEFAULT_STAT_MAX,
	DEFAULT_STAT_SUM,
	DEFAULT_STAT_DURATION
};

struct default_stat {
	enum metric_id id; /* METRIC_COUNT: the duration, from column "timestamp" */
	enum default_stat_how how;
	const char *label; /* for people: "CPU, mean" */
};

#define DEFAULT_STATS 14
extern const struct default_stat default_stats[DEFAULT_STATS];

/* The names of the column ("process_cpu_usage") and of the statistic ("mean"). */
void default_stat_column(const struct default_stat *f, char out[64]);
const char *default_stat_statistic(const struct default_stat *f);

/* The value for one run in base units; NAN where not measured. */
double default_stat_base(const struct default_stat *f, const struct run *run);

/* The value for people: the duration is stop - start, not the span of the samples; NAN where 0
 * stands for a value that was not measured (disk space without a disk). */
double default_stat_shown(const struct default_stat *f, const struct run *run);
enum unit default_stat_unit(const struct default_stat *f);

/* Whether the statistic is about GPUs: a machine without GPUs leaves it out. */
bool default_stat_is_gpu(const struct default_stat *f);

/* Whether other programs on the machine change it, as a duration (trend.h). */
bool default_stat_follows_load(const struct default_stat *f);

/* The id in the model: "process_cpu_usage.mean"; "duration" for the duration. */
void default_stat_id(const struct default_stat *f, char out[96]);

/* A base value in schema 1's unit, rounded to 2 decimals. */
double default_stat_spell(const struct default_stat *f, double base);

/* Aggregates the runs v[from] … v[n - 1] that are used, and v[0]: the arithmetic mean of means and
 * durations, the maximum of maxima and sums. In base units; NAN without values. */
double default_stat_aggregate(const struct default_stat *f, const struct runs *r, size_t from);

/* Totals of the job that the default set of resource-tracker does not have; shown before the disk
 * space. */
#define DEFAULT_TOTALS 2
extern const struct default_total {
	enum metric_id id;
	const char *label;
} default_totals[DEFAULT_TOTALS];

/* "process_read_bytes.sum" */
void default_total_id(const struct default_total *t, char out[96]);

#endif
