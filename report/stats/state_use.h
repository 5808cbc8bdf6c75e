/*
 * state_use: where the time of a run went: seconds and share of each state, and the words for it.
 *
 * On several nodes, a state is the mean over those that run at each moment (parts_grid.h). A
 * recording without states has none: nothing is estimated from other columns.
 */
#ifndef REPORT_STATS_STATE_USE_H
#define REPORT_STATS_STATE_USE_H

#include "core/base/buf.h"
#include "core/recording/states.h"
#include "report/runs/load.h"

/* A state other than that of running on a CPU is worth a sentence from this share on. */
#define STATE_USE_WORTH 0.3
/* Bounds of a state that are further apart, as shares of the time, are shown as a range. */
#define STATE_USE_RANGE 0.05

struct state_words {
	const char *name; /* of a legend and a table: "disk" */
	const char *is;   /* "waiting for the disk" */
	const char *was;  /* of "62% of the time it …": "waited for the disk" */
	const char *colour;
};

extern const struct state_words state_words[STATES_N];

struct state_use {
	bool known;
	double total_s; /* the sum of the states */
	struct state_use_one {
		double s, least_s, most_s; /* bounds: NAN if unknown */
		double share;              /* 0 to 1 */
	} of[STATES_N];
	double exact, sampled, bound;      /* shares of the time that is known so; NAN: not told */
	const struct snapshot_wait *waits; /* borrowed from the run; of all threads together */
	size_t n_waits;
};

/* The states of a whole run. */
struct state_use state_use_of(const struct run *run);

/* The states from seconds by state, NAN: not measured; without bounds. */
struct state_use state_use_of_seconds(const double s[STATES_N]);

/* Whether the bounds of a state are far apart. */
bool state_use_has_range(const struct state_use *u, enum states_id state);

/* The states that have time, in order: largest first. Returns their number. */
size_t state_use_sorted(const struct state_use *u, enum states_id order[STATES_N]);

/* The largest named wait of a state; NULL: none. *mostly: it is at least half of the state's time,
 * and of its waits that have names. */
const struct snapshot_wait *state_use_wait(const struct state_use *u, enum states_id state,
                                           bool *mostly);

/* Appends "62%", or its range: "55% to 70%". */
void state_use_share(const struct state_use *u, enum states_id state, struct buf *out);

/* The share of a state in a run, 0 to 1; NAN: not known. */
double state_use_of_run(const struct run *run, enum states_id state);

/* The same from the columns alone, which all runs of a history have. */
double state_use_sampled(const struct run *run, enum states_id state);

/* The node with the largest share of a state, and that share. NULL: one node, or unknown. */
const struct parts_node *state_use_most(const struct run *run, enum states_id state, double *share);

#endif
