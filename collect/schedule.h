/*
 * schedule: when samples are due. Pure: the time is passed in.
 *
 * Regular samples are at multiples of the interval since the start, so that all rows but the last
 * are equally long: then plain means over the rows, as other tools compute them, are means over
 * time. Deadlines are in CLOCK_MONOTONIC, so setting the time of day moves none. Early samples, 50,
 * 100, 200 and 500 ms after the start if that is within two intervals, are for runs shorter than
 * two intervals. Times are in ns.
 */
#ifndef COLLECT_SCHEDULE_H
#define COLLECT_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#define SCHEDULE_SECOND 1000000000ll

struct schedule {
	int64_t interval, start; /* CLOCK_MONOTONIC */
	int64_t real;            /* CLOCK_REALTIME at start */
	int64_t asleep;          /* time suspended since the start */
	int64_t next;            /* the next regular sample */
	unsigned early;          /* the index of the next early sample */
	uint64_t skipped;        /* regular samples that late wake-ups missed */
};

enum schedule_due { SCHEDULE_NOTHING, SCHEDULE_EARLY, SCHEDULE_REGULAR };

/* real: Unix time at the start, in ns. Time stamps are real and the time since the start. */
void schedule_start(struct schedule *t, double interval_s, int64_t monotonic, int64_t real);

/* Returns when to wake up next. */
int64_t schedule_deadline(const struct schedule *t);

/* Returns the sample that is due now, and moves on to the next one. After a late wake-up only one
 * sample is due: the other slots that have passed are counted as skipped, and so is a following
 * slot less than a tenth of an interval away. */
enum schedule_due schedule_wake(struct schedule *t, int64_t now);

/* Whether the run has lasted two intervals. */
bool schedule_grown(const struct schedule *t, int64_t now);

/* Sets how long the machine has been suspended since the start. CLOCK_MONOTONIC does not count
 * that, so deadlines stay as they are, and no sample is skipped; the time stamps move. */
void schedule_slept(struct schedule *t, int64_t asleep);

/* The collector was stopped until now (SIGSTOP): the samples of that time do not count as skipped.
 * The next sample is due at once, the following ones at their usual times. */
void schedule_stopped(struct schedule *t, int64_t now);

/* Seconds since the start (suspensions included), and Unix time in seconds, of a moment of
 * CLOCK_MONOTONIC that is not before the last suspension. */
double schedule_lasted(const struct schedule *t, int64_t now);
double schedule_unix(const struct schedule *t, int64_t now);

#endif
