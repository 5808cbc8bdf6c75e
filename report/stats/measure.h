/*
 * measure: a statistic of a run, by the name that gates use.
 *
 * A name is a column's scope and schema 1 name, a point, and one of stats.h's statistics: min, max,
 * mean, sum, sd, p50 or p95 ("process_memory.max"). Also: "duration" (stop - start);
 * "timestamp.duration" (the same; in recordings of other tools last - first time stamp + interval);
 * "cpu_seconds" (of the job, exact if the recording has it); "cost" (of the run, in the report's
 * currency); "cpu_efficiency", "memory_efficiency", "gpu_efficiency" and "time_efficiency" (shares
 * of what was asked for: asked.h); "on_cpu", "wait_cpu", "wait_disk" … (shares of the time in which
 * the job was in a state: state_use.h); "time_at_4cpus" (the time that the run would take with so
 * many free CPUs: time_at_run.h); "contended" (1 or 0: contention_run.h).
 */
#ifndef REPORT_STATS_MEASURE_H
#define REPORT_STATS_MEASURE_H

#include "core/base/buf.h"
#include "report/runs/load.h"
#include "report/stats/asked.h"
#include "report/stats/state_use.h"

/* Only measures of one unit can be compared. */
enum measure_unit {
	MEASURE_NUMBER,
	MEASURE_BYTES,
	MEASURE_SECONDS,
	MEASURE_MONEY,
	MEASURE_BYTES_HOUR,
	MEASURE_UNITS
};

enum measure_stat {
	MEASURE_MIN,
	MEASURE_MAX,
	MEASURE_MEAN,
	MEASURE_SUM,
	MEASURE_SD,
	MEASURE_P50,
	MEASURE_P95,
	MEASURE_STATS,
};

enum measure_kind {
	MEASURE_OF_COLUMN,
	MEASURE_DURATION,
	MEASURE_SAMPLED_DURATION,
	MEASURE_SAMPLED_MEMORY, /* process_memory.max_sampled */
	MEASURE_CPU_SECONDS,
	MEASURE_COST,
	MEASURE_EFFICIENCY,
	MEASURE_STATE,     /* the share of a state */
	MEASURE_TIME_AT,   /* the time with .cpus */
	MEASURE_GROWTH,    /* of a column while it ran; 0 where it is not straight (growth.h) */
	MEASURE_CONTENDED, /* 1 if other programs kept it waiting, else 0 */
	MEASURE_OF_FLEET,  /* of many runs: measure_fleets */
};

/* The statistics of many runs, by the names in gates of rtrack-fleet: "fleet.memory_efficiency".
 * docs/gates.md says what each is. */
enum measure_fleet_name {
	MEASURE_FLEET_RUNS,
	MEASURE_FLEET_GROUPS,
	MEASURE_FLEET_FAILED,
	MEASURE_FLEET_OOM_KILLS,
	MEASURE_FLEET_CPU_EFFICIENCY,
	MEASURE_FLEET_MEMORY_EFFICIENCY,
	MEASURE_FLEET_GPU_EFFICIENCY,
	MEASURE_FLEET_UNUSED_CORE_HOURS,
	MEASURE_FLEET_UNUSED_GIB_HOURS,
	MEASURE_FLEET_UNUSED_GPU_HOURS,
	MEASURE_FLEET_MONEY,
	MEASURE_FLEET_RECOVERABLE,
	MEASURE_FLEET_BACKTEST_FAILED,
	MEASURE_FLEET_BACKTEST_WASTED,
	MEASURE_FLEET_NAMES
};

extern const struct measure_fleet {
	const char *name;
	enum measure_unit unit;
	bool share;          /* shown as a percentage */
	const char *label;   /* for people, in lower case */
	const char *unknown; /* why there is no value: a clause without a full stop */
} measure_fleets[MEASURE_FLEET_NAMES];

struct measure {
	enum measure_kind kind;
	enum metric_id id;      /* MEASURE_OF_COLUMN and MEASURE_GROWTH only */
	enum measure_stat stat; /* MEASURE_OF_COLUMN only */
	enum states_id state;   /* MEASURE_STATE only */
	enum asked_resource of; /* what it is compared with, or a share of; ASKED_RESOURCES: none */
	enum measure_fleet_name fleet; /* MEASURE_OF_FLEET only */
	double cpus;                   /* MEASURE_TIME_AT only */
};

/* Finds a name of one run's statistics, of n bytes. -1 with a sentence that suggests the nearest
 * right name. */
int measure_find(const char *name, size_t n, struct measure *out, struct err *e);

/* Whether it is the duration, the CPU time or the statistic of a column of this name. */
bool measure_is(const struct measure *m, const char *name);

/* The same of the growth of a column, whose name alone it is: "process_memory". It must be a level
 * in bytes. */
int measure_find_growth(const char *name, size_t n, struct measure *out, struct err *e);

/* The same of the statistics of many runs. */
int measure_find_fleet(const char *name, size_t n, enum measure_fleet_name *out, struct err *e);

/* Appends the names of shares of states, as metric_list has the columns. */
void measure_list_states(struct buf *out);

enum measure_unit measure_unit(const struct measure *m);

/* Appends its name for people, in lower case: "peak memory (PSS)", "mean CPU usage of the
 * machine". */
void measure_label(const struct measure *m, struct buf *out);

/* In base units; NAN: not measured. price_hour is the price of the run's machine; NAN: unknown. */
double measure_value(const struct measure *m, const struct run *run, double price_hour);

/* The run's limit of it: CPUs, memory, GPUs or GPU memory; NAN: there is no such limit. The memory
 * of the machine is no limit of the job's. */
double measure_limit(const struct measure *m, const struct run *run);

/* Whether other programs on the machine change it, as a duration (trend.h). */
bool measure_follows_load(const struct measure *m);

/* How much was asked for: CPUs, memory, GPUs or time; NAN: unknown, or nothing that is asked
 * for. */
double measure_asked(const struct measure *m, const struct run *run);

#endif
