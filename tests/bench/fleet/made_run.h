/*
 * made_run: the recordings of a made-up fleet, one after the other.
 *
 * Groups differ in size by Zipf's law; each of the first jobs is of another group, so that a
 * fleet has as many groups as it should. A job leaves one recording; one of several nodes leaves
 * one of each node, and a job array one of each element.
 */
#ifndef BENCH_MADE_RUN_H
#define BENCH_MADE_RUN_H

#include <stdint.h>

#include "core/base/err.h"
#include "tests/bench/fleet/made_group.h"

enum made_end { MADE_FINE, MADE_FAILED, MADE_OOM, MADE_TIMEOUT, MADE_UNFINISHED };

struct made_run {
	const struct made_group *group;
	uint64_t number, job; /* of the recording; of the scheduler's job */
	double array, index;  /* the array's job, and the element; NAN: none */
	size_t node;          /* of group->nodes */
	size_t user, host;
	double pid, start, wall_s, interval;
	size_t samples;
	double asked_memory_b;      /* the group's, or more once it grew */
	double peak_b, cores, gpus; /* gpus: mean usage */
	enum made_end end;
	int code, signal;
};

#define MADE_SAMPLES_MAX 1000

struct made_fleet {
	uint64_t seed;
	size_t groups;
	double *sum;        /* of the shares of groups up to each */
	double end, period; /* when the last run started at the latest; seconds */
	size_t samples;     /* of a recording at most, up to MADE_SAMPLES_MAX */
	/* Where it is: */
	uint64_t number, submission;
	size_t elements, element, node;
	double submitted;
	struct made_group group;
	struct made_run run;
};

/* groups 0: as many as fit that many recordings. -1 without memory. */
int made_fleet_open(struct made_fleet *f, uint64_t seed, size_t groups, size_t recordings,
                    struct err *e);

/* The next recording, borrowed until the next call. */
const struct made_run *made_fleet_next(struct made_fleet *f);

void made_fleet_close(struct made_fleet *f);

#endif
