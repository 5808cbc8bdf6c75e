/*
 * overview: what a report draws and computes from the rows of a long recording, made once, when the
 * recording is written (rtrack.overview, docs/snapshot.md). A reader then needs no rows.
 *
 * A recording of more than OVERVIEW_LEAST samples has one. Its buckets are the points of the
 * report's charts (report/chart/chart_grid.h), so the pictures are the same as from all rows.
 */
#ifndef CORE_HEAD_OVERVIEW_H
#define CORE_HEAD_OVERVIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/numbers/buckets.h"
#include "core/numbers/metric.h"
#include "core/numbers/phase_sums.h"
#include "core/numbers/usage.h"
#include "core/recording/snapshot.h"

#define OVERVIEW_LEAST       2000        /* samples: a recording of more has an overview */
#define OVERVIEW_BUCKETS     BUCKETS_MAX /* that are written */
#define OVERVIEW_BUCKETS_MAX 1000        /* that a reader takes */
/* The digits of a number. With fewer, the four digits that a picture has would sometimes be others
 * than those of the rows, because they were rounded twice. */
#define OVERVIEW_DIGITS     12
#define OVERVIEW_SHARES_MAX 16
#define OVERVIEW_PHASES_MAX PHASE_SUMS_NAMES_MAX

/* Whether it has buckets of a column: those that charts draw, and states. */
bool overview_has_column(const struct metric *m);

/* A column, in base units; amounts (METRIC_KIND_DELTA) as rates per second. */
struct overview_column {
	const double *min, *mean, *max; /* of each bucket; NAN: a gap. NULL: no such column */
	const double *seconds;      /* that the samples of each bucket cover; 0: a gap. Where there
	                               is a column, there is this as well */
	double rate_mean, rate_max; /* of an amount, over the whole run */
};

/* The part of the time in which cpu_usage lay between two numbers of cores, both included. */
struct overview_share {
	enum metric_id id; /* METRIC_PROCESS_CPU_USAGE or METRIC_SYSTEM_CPU_USAGE */
	double from, to;   /* to: INFINITY is written as null */
	double share;      /* 0 to 1 */
};

/* Row by row all - part, not below 0: peak and mean (gpu_tracker's "descendants"). */
struct overview_difference {
	enum metric_id all, part;
	double max, mean;
};

/* The samples of all phases of one name: as phase_sums.h defines them. */
struct overview_phase {
	const char *name;
	struct phase_stats of[METRIC_COUNT]; /* of overview_phase_column; NAN: no samples */
};

/* The columns of which phases have statistics: those in usage.h, the job's states, and its peak
 * memory between samples. METRIC_COUNT: the scope has no such column. */
#define OVERVIEW_PHASE_COLUMNS (USAGES + STATES_N + 1)
enum metric_id overview_phase_column(int i, enum metric_scope scope);

struct cJSON;

struct overview {
	double from, step; /* Unix seconds; seconds of a bucket */
	double gap;        /* seconds: the line breaks between samples further apart than this */
	size_t n;          /* buckets */
	const double *seconds; /* of most columns */
	struct overview_column column[METRIC_COUNT];
	struct overview_share share[OVERVIEW_SHARES_MAX];
	size_t n_shares;
	struct overview_difference *difference;
	size_t n_differences;
	struct overview_phase *phase;
	size_t n_phases;
};

/* The pairs of columns whose differences it has. */
#define OVERVIEW_PAIRS 6
extern const struct overview_pair {
	enum metric_id all, part;
} overview_pairs[OVERVIEW_PAIRS];

/* Reads the member "overview" of rtrack into the arena of s. NULL if o is not an overview, or if
 * anything in it is not as docs/snapshot.md says; members and columns that are not known are
 * skipped. */
struct overview *overview_read(struct snapshot *s, const struct cJSON *o);

/* Whether each bucket of a column has all of its numbers, in order, or none. If not,
 * a reader reads the rows. */
bool overview_is_sound(const struct overview *v);

/* The keys of rtrack.overview. */
#define OVERVIEW_KEY             "overview"
#define OVERVIEW_KEY_SCHEMA      "schema"
#define OVERVIEW_KEY_FROM        "from"
#define OVERVIEW_KEY_STEP        "step"
#define OVERVIEW_KEY_GAP         "gap"
#define OVERVIEW_KEY_BUCKETS     "buckets"
#define OVERVIEW_KEY_SECONDS     "seconds"
#define OVERVIEW_KEY_COLUMNS     "columns"
#define OVERVIEW_KEY_PACKED      "packed"
#define OVERVIEW_KEY_MIN         "min"
#define OVERVIEW_KEY_MEAN        "mean"
#define OVERVIEW_KEY_MAX         "max"
#define OVERVIEW_KEY_SD          "sd"
#define OVERVIEW_KEY_RATE_MEAN   "rate_mean"
#define OVERVIEW_KEY_RATE_MAX    "rate_max"
#define OVERVIEW_KEY_SHARES      "shares"
#define OVERVIEW_KEY_COLUMN      "column"
#define OVERVIEW_KEY_TO          "to"
#define OVERVIEW_KEY_SHARE       "share"
#define OVERVIEW_KEY_DIFFERENCES "differences"
#define OVERVIEW_KEY_ALL         "all"
#define OVERVIEW_KEY_PART        "part"
#define OVERVIEW_KEY_PHASES      "phases"
#define OVERVIEW_KEY_NAME        "name"

#endif
