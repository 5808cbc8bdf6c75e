/*
 * metric: the table of metric.def and its two spellings.
 *
 * In memory every value is in base units (bytes, seconds, cores, counts, Unix time); NAN means not
 * measured. kB, MiB and GB exist only in the spellings: schema 1 (resource-tracker up to 0.4) and
 * schema 2 (from 0.5).
 */
#ifndef CORE_NUMBERS_METRIC_H
#define CORE_NUMBERS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"

enum metric_id {
#define METRIC(scope, id, ...) METRIC_##scope##_##id,
#include "core/numbers/metric.def"
#undef METRIC
	METRIC_COUNT
};

/* The first so many GPUs of rtrack.gpus have columns of their own. */
#define METRIC_GPUS 8

enum metric_scope { METRIC_SCOPE_PROCESS, METRIC_SCOPE_SYSTEM, METRIC_SCOPES };

enum metric_unit {
	METRIC_UNIT_TIME, /* Unix seconds */
	METRIC_UNIT_SECONDS,
	METRIC_UNIT_CORES,
	METRIC_UNIT_MEMORY, /* bytes; kB (1024 B) in schema 1, MiB in schema 2 */
	METRIC_UNIT_VRAM,   /* bytes; MiB in both */
	METRIC_UNIT_SPACE,  /* bytes; 1024^3 in schema 1, 10^9 in schema 2 */
	METRIC_UNIT_BYTES,
	METRIC_UNIT_GPUS,
	METRIC_UNIT_COUNT,
	METRIC_UNIT_SHARE, /* 0 to 1 */
	METRIC_UNIT_LOAD,  /* tasks, on average */
};

/* A metric's kind says what a row holds. The source of a DELTA or a RATE gives a sum that never
 * falls. */
enum metric_kind {
	METRIC_KIND_GAUGE, /* the state at the sample */
	METRIC_KIND_DELTA, /* the growth of the sum in the interval */
	METRIC_KIND_RATE   /* that growth, divided by the elapsed time: no amount, but a level */
};

enum metric_chart {
	METRIC_CHART_NONE,
	METRIC_CHART_CPU,
	METRIC_CHART_MEMORY,
	METRIC_CHART_DISK_IO,
	METRIC_CHART_SPACE,
	METRIC_CHART_NET,
	METRIC_CHART_PRESSURE,
	METRIC_CHART_TASKS,
	METRIC_CHART_GPU,
	METRIC_CHART_GPUS,
	METRIC_CHART_VRAM,
	METRIC_CHART_GPU_EACH,
	METRIC_CHART_VRAM_EACH,
	METRIC_CHARTS
};

enum schema { SCHEMA_1 = 1, SCHEMA_2 = 2 };

/* One row of metric.def, which explains the cells. */
struct metric {
	enum metric_id id;
	enum metric_scope scope;
	enum metric_kind kind;
	enum metric_unit unit;
	const char *name[3]; /* by enum schema; [0] is not used */
	const char *label, *source, *help;
	const char *human; /* NULL: rtrack's own column */
	bool documented;   /* human is set */
	enum metric_chart chart;
	const char *mark; /* NULL where there is no chart */
	struct {
		enum metric_id id;
		double peak; /* 0: always draw */
	} draw_if;
	bool whole_label;
	const char *family; /* NULL: not in OpenMetrics */
	const char *member; /* NULL: the scope's (metric.def) */
};

extern const struct metric metrics[METRIC_COUNT];

/* The block's name without "_metrics", which is also the prefix in statistics: "process". */
const char *metric_scope_name(enum metric_scope scope);

/* How a schema writes a unit: its divisor, and its name ("kB"). */
double metric_scale(enum metric_unit unit, enum schema schema);
const char *metric_unit_name(enum metric_unit unit, enum schema schema);

/* A base value as the schema spells it: scaled and rounded. NAN stays NAN. */
double metric_spell(const struct metric *m, enum schema schema, double base);

/* Finds the metric of this scope by its name in either schema, schema 1 first; or NULL. *schema
 * gets the schema of the name, or 0 if both schemas have the same name. */
const struct metric *metric_find(enum metric_scope scope, const char *name, int *schema);

/* A name with the scope's before it, in either schema: "process_cpu_usage" →
 * METRIC_PROCESS_CPU_USAGE. METRIC_COUNT for an unknown one. */
enum metric_id metric_of_column(const char *name);

/* Writes that name: "process_cpu_usage", of schema 1. Returns out. */
#define METRIC_NAME_MAX 64
const char *metric_column_name(enum metric_id id, char out[METRIC_NAME_MAX]);

/* The column with the time stamps of a scope. */
enum metric_id metric_time_of(enum metric_scope scope);

/* The columns of one GPU alone, counted from 0 to METRIC_GPUS - 1. */
enum metric_id metric_gpu_usage(size_t gpu);
enum metric_id metric_gpu_vram(size_t gpu);
bool metric_is_of_one_gpu(const struct metric *m);
/* A column of one GPU or of all. */
bool metric_is_of_gpus(const struct metric *m);

/* --list-metrics: one line for each metric, in columns. */
void metric_list(struct buf *out);

#endif
