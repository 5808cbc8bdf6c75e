/*
 * asked: what was asked for a run, and what the run used of it (docs/snapshot.md, asked).
 */
#ifndef REPORT_STATS_ASKED_H
#define REPORT_STATS_ASKED_H

#include "report/runs/load.h"

enum asked_resource {
	ASKED_CPUS = SNAPSHOT_ASKED_CPUS,
	ASKED_MEMORY = SNAPSHOT_ASKED_MEMORY,
	ASKED_GPUS = SNAPSHOT_ASKED_GPUS,
	ASKED_TIME = SNAPSHOT_ASKED_TIME,
	ASKED_RESOURCES /* none of them */
};

/* From this share on, what was asked was nearly too little. */
#define ASKED_FULL 0.95

/* One resource. Amounts are cores, bytes, GPUs, seconds; of a run of several nodes, sums over them.
 * NAN: unknown. Without an amount all that depends on it is NAN too. */
struct asked {
	double amount;
	const char *source; /* SNAPSHOT_ASKED_OPTION …; "": unknown */
	const char *detail; /* the recording's words, or "" */
	bool requested;     /* somebody asked; else it is what limits or the machine left */
	bool share;         /* one task's share of what its node got */
	double mean, peak;  /* used; of the time both are NAN */
	double used;        /* what is compared: mean CPUs and GPUs, peak memory, the duration */
	double efficiency;  /* used / amount */
	double unused; /* seconds × cores, bytes or GPUs; 0 where more was used; of the time NAN */
};

struct asked asked_of(const struct run *run, enum asked_resource of);

/* The amount, if somebody asked for it; else NAN. */
double asked_requested(const struct run *run, enum asked_resource of);

/* An amount that was asked for: "16 CPUs", "64.0 GiB", "1 GPU", "4 h". */
const char *asked_text(enum asked_resource of, double amount, char out[64]);

/* The ask of the next run if nothing is changed: what was asked for, else the limit that was set.
 * NAN: there was neither, and what the machine has is not an ask. */
double asked_today(const struct run *run, enum asked_resource of);

/* The resource that a column of the job is compared with. */
enum asked_resource asked_of_column(enum metric_id id);

/* The memory that the run shows to be needed: its peak, also between samples and, where memory ran
 * out, what was too little. NAN: not measured. */
double asked_memory_needed(const struct run *run);

/* How many of the runs that show what the job needs, this one included, another ask would have
 * failed. One that was killed for memory fails with any: nobody knows what it needs. Of
 * others that failed or still run, only those count for which it would have been too little. */
struct asked_trial {
	size_t runs;                 /* whose need is known */
	size_t failed, memory, time; /* by either, by memory, by time */
	size_t unknown; /* of `memory`: killed with less than this, so it may be enough */
};

/* In bytes, for each node of a run, and seconds; NAN: not tried. */
struct asked_trial asked_try(const struct runs *r, double node_memory_b, double time_s);

#endif
