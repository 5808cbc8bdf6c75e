/*
 * fleet_collect: the cells of a catalog, gathered group by group. Only one group's histograms are
 * in memory at a time.
 */
#ifndef FLEET_GROUPS_FLEET_COLLECT_H
#define FLEET_GROUPS_FLEET_COLLECT_H

#include "fleet/groups/fleet_ask.h"

/* More types of machines, or buckets over all of them, are an error. */
#define FLEET_COLLECT_CELLS   ((size_t)1 << 16)
#define FLEET_COLLECT_WEIGHTS ((size_t)1 << 21)

/* The runs of a group that count on one type of machine. Seconds are summed over the nodes of a
 * run. */
struct fleet_cell {
	struct catalog_machine machine;
	double runs, wall_s, paid_s;
	double asked_core_s, asked_byte_s, asked_gpu_s;
	double bytes_known_s;  /* of the runs in asked_byte_s */
	struct fleet_ask most; /* the largest asks; NAN: unknown */
	struct fleet_times times;
	/* Filled in when the proposal is known: seconds of runs that it would have failed, which
	 * are run again with again_b of memory; and seconds until a run reached its time. */
	double more_s; /* that the runs take longer with the proposed CPUs; may be below 0 */
	double memory_again_s, time_again_s;
	double again_b;
};

/* A group with all its cells. Valid when zero. */
struct fleet_collect {
	char *key[CATALOG_KEYS]; /* owned */
	size_t keys;
	double classes[CATALOG_CLASSES][CATALOG_SUMS];
	struct fleet_cell *cell;
	size_t n, cap;
	struct fleet_needs needs;
	struct fleet_weights days; /* sum: bytes */
	struct fleet_ask most;     /* the largest asks of all runs */
	double memory_max_b, wall_max_s, first, last;
	double killed_b, killed_last, finished_last;          /* catalog_cell has the same */
	double mostly[CATALOG_MOSTLY], ends[END_CAUSE_COUNT]; /* runs, as in catalog_cell */
	double origins[CATALOG_ORIGINS];
	char *newest; /* owned */
};

/* How many keys --group-by has; without it one, the name. */
size_t fleet_collect_keys(const struct catalog_query *q);

/* The mean ask over the time of the runs whose ask is in the sum: CATALOG_SUM_ASKED_… and
 * CATALOG_SUM_…_KNOWN_S. NAN: of none is it known. */
double fleet_collect_mean(const struct fleet_collect *g, enum catalog_sum asked,
                          enum catalog_sum known_s);

/* Called for each group. The callee may take key[] and newest, and leave NULL there. */
typedef int fleet_collect_each(void *ctx, struct fleet_collect *group, struct err *e);

/* The groups, and the days (catalog.h). */
int fleet_collect_groups(struct catalog *c, const struct catalog_query *q, fleet_collect_each *each,
                         catalog_each_day *each_day, void *ctx, struct err *e);

#endif
