/*
 * phase_usage: what each phase of a run used.
 *
 * Phases of one name are one row. A phase ends where the next begins, and with the run at the
 * latest.
 */
#ifndef REPORT_STATS_PHASE_USAGE_H
#define REPORT_STATS_PHASE_USAGE_H

#include "core/numbers/phase_sums.h"
#include "core/recording/states.h"
#include "report/stats/usage_column.h"
#include "report/units/units.h"

#define PHASE_USAGE_NAMES_MAX PHASE_SUMS_NAMES_MAX
#define PHASE_USAGE_SPANS_MAX ((size_t)300)

enum phase_usage_measure {
	PHASE_USAGE_CPU,
	PHASE_USAGE_MEMORY,
	PHASE_USAGE_READ,
	PHASE_USAGE_WRITE,
	PHASE_USAGE_GPU,
	PHASE_USAGE_VRAM,
	PHASE_USAGE_MEASURES,
};

struct phase_usage_column {
	const char *id, *label;
	enum usage usage;
	enum unit unit;
	bool gpu; /* only for machines that have a GPU */
};
extern const struct phase_usage_column phase_usage_columns[PHASE_USAGE_MEASURES];

/* All phases of one name. */
struct phase_usage_name {
	const char *name; /* borrowed from the run's snapshot */
	size_t count;
	double total_s;
	struct phase_stats of[PHASE_USAGE_MEASURES];
	double states_s[STATES_N]; /* where its time went; all 0: not measured */
};

/* One phase that has a length. */
struct phase_usage_span {
	size_t name;     /* its row */
	double from, to; /* Unix seconds, to the millisecond */
};

/* Valid when zero: a run without phases. About 20 kB: keep it on the heap. */
struct phase_usage {
	struct phase_usage_name name[PHASE_USAGE_NAMES_MAX]; /* in the order of their first phase */
	size_t n;
	struct phase_usage_span span[PHASE_USAGE_SPANS_MAX]; /* ascending; the first of them */
	size_t n_spans;
	size_t left_out; /* phases that are in no row */
	bool measured[PHASE_USAGE_MEASURES];
};

/* Whether the overview of its recording, if any, lacks a phase. */
bool phase_usage_needs_rows(const struct run *run);

/* The run has its rows, or an overview that lacks none. -1 without memory. */
int phase_usage_of(const struct run *run, struct phase_usage *out, struct err *e);

#endif
