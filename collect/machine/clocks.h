/*
 * clocks: notices that the machine was suspended, or that its time of day was set, during a
 * recording.
 *
 * Rows lie on CLOCK_MONOTONIC, which nobody can set, and which stands still while the machine is
 * suspended. CLOCK_BOOTTIME goes on then: the difference is the time of suspension. A change of
 * CLOCK_REALTIME against CLOCK_BOOTTIME means that the time of day was set.
 */
#ifndef COLLECT_MACHINE_CLOCKS_H
#define COLLECT_MACHINE_CLOCKS_H

#include <stdint.h>
#include <time.h>

#include "core/recording/snapshot.h"

struct clocks {
	int64_t apart;  /* CLOCK_BOOTTIME less CLOCK_MONOTONIC at the start, ns */
	int64_t offset; /* CLOCK_REALTIME less CLOCK_BOOTTIME at the start */
	int64_t asleep; /* time suspended since the start */
	int64_t set;    /* the largest change of the time of day so far; below 0: set back */
};

/* In ns; 0 where there is no such clock. */
int64_t clocks_now(clockid_t clock);

void clocks_start(struct clocks *c);

/* Reads the clocks again. A collector that had to wait for a CPU between two readings does not take
 * that for a suspension, nor for a clock that was set. */
void clocks_look(struct clocks *c);

/* Notes a suspension of half a second or more, and a clock that was set by a second or more. */
void clocks_notes(const struct clocks *c, struct snapshot *s);

#endif
