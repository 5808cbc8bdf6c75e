/*
 * schedule: when samples are due. Pure: the time is passed in.
 *
 * Regular samples lie on multiples of the interval since the start, so that all rows but the last
 * are equally long: then plain means over the rows, as other tools compute them, are means over
 * time. All deadlines are CLOCK_MONOTONIC, so a clock that is set later moves none. Early samples,
 * 50, 100, 200 and 500 ms after the start where that is within two intervals, serve runs that do
 * not last two intervals. Times are ns.
 */
#ifndef COLLECT_SCHEDULE_H
#define COLLECT_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#define SCHEDULE_SECOND 1000000000ll

struct schedule {
	int64_t interval, start; /* CLOCK_MONOTONIC */
	int64_t real;            /* CLOCK_REALTIME at start */
	int64_t asleep;          /* suspended since the start */
	int64_t next;            /* the next regular sample */
	unsigned early;          /* the next early sample: its place in the list */
	uint64_t skipped;        /* regular slots that late wake-ups left out */
};

enum schedule_due { SCHEDULE_NOTHING, SCHEDULE_EARLY, SCHEDULE_REGULAR };

/* real is Unix time at the start: the samples' time stamps go on from there. */
void schedule_start(struct schedule *t, double interval_s, int64_t monotonic, int64_t real);

/* When to wake up next. */
int64_t schedule_deadline(const struct schedule *t);

/* What is due now, which is then done: of several slots that have passed, only the last is due, and
 * the others are counted as skipped; so is a following slot within a tenth of an interval. */
enum schedule_due schedule_wake(struct schedule *t, int64_t now);

/* Whether the run has lasted two intervals. */
bool schedule_grown(const struct schedule *t, int64_t now);

/* The machine has been suspended for so long since the start, which CLOCK_MONOTONIC does not count.
 * Samples are due after the same time awake as if it had not slept, and none is skipped. */
void schedule_slept(struct schedule *t, int64_t asleep);

/* We were stopped until now: what would have been due meanwhile is not skipped. The next sample is
 * due at once, and those after it when they would have been. */
void schedule_stopped(struct schedule *t, int64_t now);

/* Seconds since the start, and Unix time in seconds, of a moment of CLOCK_MONOTONIC that is not
 * before the last suspension. */
double schedule_lasted(const struct schedule *t, int64_t now);
double schedule_unix(const struct schedule *t, int64_t now);

#endif
