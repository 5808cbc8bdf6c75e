/*
 * frontier: what a run would take and cost on each server, and which servers are worth it: those
 * than which no other one is faster and cheaper. Pure.
 *
 *	frontier_point(&job, &server, &v[n++]);    (for each server)
 *	n = frontier_sort(v, n);
 *	picks = frontier_picks(v, n, now_s, now_cost);
 */
#ifndef REPORT_PRICES_FRONTIER_H
#define REPORT_PRICES_FRONTIER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/numbers/time_at.h"
#include "report/prices/keeper_result.h"

/* The facts of the run. Pointers are borrowed. */
struct frontier_job {
	const struct time_at *time;
	double nodes;                     /* each is a server of its own; time is that of one */
	const struct keeper_server *here; /* with the scores of the run's own server */
	double cpus;                      /* of its machine; NAN: unknown */
};

/* The sizes to look at, in CPUs of a server: 1, 2, 4 … until more would not help, 256 at most.
 * Returns their number; 0 if the times with other CPUs are not known. */
size_t frontier_sizes(const struct frontier_job *job, double size[KEEPER_SIZES_MAX]);

/* By which score the speeds of cores are compared. */
enum frontier_score {
	FRONTIER_SCORE_UNKNOWN, /* one of the two is unknown: taken to be equally fast */
	FRONTIER_SCORE_ONE,     /* of one core alone */
	FRONTIER_SCORE_ALL,     /* of all cores, by their number */
};

struct frontier_point {
	const struct keeper_server *server;
	struct time_at_range time; /* seconds */
	double cost;               /* the price of this time, of all nodes */
	double alone;              /* as its vendor bills a fresh server */
	double speed;              /* of a core there: 2 is twice as fast as here */
	enum frontier_score score;
	bool now;     /* what was measured, on the run's own server */
	bool on;      /* on the frontier */
	bool end;     /* its cheapest, or its fastest */
	size_t alike; /* further servers with exactly this time and cost, not on it themselves */
};

/* Time and cost on a server, at its price_hour; NAN if unknown. */
void frontier_point(const struct frontier_job *job, const struct keeper_server *s,
                    struct frontier_point *out);

/* That of one core if the job kept at most half of its machine's CPUs busy while it ran on them, as
 * two CPUs often share a core. */
enum frontier_score frontier_score(const struct frontier_job *job);

/* The time and cost of the run on its own server, at its price_hour. */
void frontier_point_now(const struct frontier_job *job, const struct keeper_server *s,
                        double duration_s, struct frontier_point *out);

/* Drops points without a time or a cost, orders the others by cost, then time, then names, and
 * marks those on the frontier. Returns how many are left. */
size_t frontier_sort(struct frontier_point *v, size_t n);

/* Points on the frontier; NULL: none. */
struct frontier_picks {
	const struct frontier_point *cheapest, *fastest;
	const struct frontier_point *as_fast; /* the cheapest that takes at most as long as now */
	const struct frontier_point *within;  /* the fastest that costs at most as much as now */
};

/* Chooses among sorted points. now_s, now_cost: those of the run; NAN: unknown. */
struct frontier_picks frontier_picks(const struct frontier_point *v, size_t n, double now_s,
                                     double now_cost);

/* Keeps the points on the frontier, what was measured, and of the others those nearest to it, at
 * most max; none that is twice as dear or slow as all of these. Sorts; returns their number. */
size_t frontier_keep(struct frontier_point *v, size_t n, size_t max);

#endif
