/*
 * frontier: what a run would take and cost on each server, with the range in which that lies, and
 * which servers are worth it: those than which no other one is faster and cheaper. Pure.
 *
 *	frontier_point(&job, &server, &v[n++]);    (for each server)
 *	n = frontier_sort(v, n);
 *	picks = frontier_picks(v, n, &now);
 */
#ifndef REPORT_PRICES_FRONTIER_H
#define REPORT_PRICES_FRONTIER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/numbers/time_at.h"
#include "report/prices/keeper_result.h"
#include "report/prices/speed.h"

/* Runs of the job on one type of server. Strings are borrowed. */
struct frontier_measured {
	const char *vendor, *type; /* id or API reference */
	double median_s, least_s, most_s;
	size_t runs;
};

/* The facts of the run. Pointers are borrowed. */
struct frontier_job {
	const struct time_at *time; /* NULL: not known; all of duration_s is then time on a CPU */
	double duration_s;
	double nodes;                     /* each is a server of its own; time is that of one */
	const struct keeper_server *here; /* with the scores of the run's own server */
	double cpus;                      /* of its machine; NAN: unknown */
	struct speed_measure measure;     /* whose scores the servers have */
	const struct frontier_measured *measured;
	size_t n_measured;
};

/* The sizes to look at, in CPUs of a server: 1, 2, 4 … until more would not help, 256 at most.
 * Returns their number; 0 if the times with other CPUs are not known. */
size_t frontier_sizes(const struct frontier_job *job, double size[KEEPER_SIZES_MAX]);

struct frontier_point {
	const struct keeper_server *server;
	struct time_at_range time; /* seconds */
	struct time_at_range cost; /* the price of this time, of all nodes */
	double alone;       /* as its vendor bills a fresh server, which has to start first */
	struct speed speed; /* of a core there */
	size_t measured;    /* runs on such a server, whose median .time is; 0: predicted */
	bool now;           /* what was measured, on the run's own server */
	bool on;            /* on the frontier */
	bool end;           /* its cheapest, or its fastest */
	size_t alike; /* further servers with exactly this time and cost, not on it themselves */
};

/* Time and cost on a server, at its price_hour; NAN if unknown. */
void frontier_point(const struct frontier_job *job, const struct keeper_server *s,
                    struct frontier_point *out);

/* Seconds of the run in which no thread of the job could run: they are the same elsewhere. */
double frontier_idle_s(const struct frontier_job *job);

/* Whether the speed of a core alone counts: the job kept at most half of its machine's CPUs busy
 * while it ran on them. As two CPUs often share a core, more slow each other down. */
bool frontier_one_core(const struct frontier_job *job);

/* Whether p's range holds that of another point: they are about as fast. */
bool frontier_about_as_fast(const struct frontier_point *p, const struct frontier_point *other);

/* The time and cost of the run on its own server, at its price_hour. */
void frontier_point_now(const struct frontier_job *job, const struct keeper_server *s,
                        double duration_s, struct frontier_point *out);

/* Drops points without a time or a cost, orders the others by cost, then time, then names, and
 * marks those on the frontier. Returns how many are left. */
size_t frontier_sort(struct frontier_point *v, size_t n);

/* Points on the frontier; NULL: none. */
struct frontier_picks {
	const struct frontier_point *cheapest, *fastest;
	/* The cheapest that takes at most as long as now, or about as long. */
	const struct frontier_point *as_fast;
	const struct frontier_point *within; /* the fastest that costs at most as much as now */
};

/* Chooses among sorted points. now: that of the run; its cost may be NAN. */
struct frontier_picks frontier_picks(const struct frontier_point *v, size_t n,
                                     const struct frontier_point *now);

/* Keeps the points on the frontier, what was measured, and of the others those nearest to it, at
 * most max; none that is twice as dear or slow as all of these. Sorts; returns their number. */
size_t frontier_keep(struct frontier_point *v, size_t n, size_t max);

#endif
