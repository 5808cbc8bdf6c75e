/*
 * clocks: what the machine's clocks did while a recording went on.
 *
 * Rows lie on CLOCK_MONOTONIC, which nobody sets, and which stands still while the machine is
 * suspended. How long that was tells CLOCK_BOOTTIME, which goes on; whether the time of day was set
 * tells CLOCK_REALTIME beside it.
 */
#ifndef COLLECT_MACHINE_CLOCKS_H
#define COLLECT_MACHINE_CLOCKS_H

#include <stdint.h>
#include <time.h>

#include "core/snapshot.h"

struct clocks {
	int64_t apart;  /* CLOCK_BOOTTIME less CLOCK_MONOTONIC at the start, ns */
	int64_t offset; /* CLOCK_REALTIME less CLOCK_BOOTTIME at the start */
	int64_t asleep; /* suspended since */
	int64_t set;    /* how far the time of day was set, as seen at most; below 0: back */
};

int64_t clocks_now(clockid_t clock); /* ns; 0 where there is no such clock */

void clocks_start(struct clocks *c);

/* Looks at them. What we are kept waiting meanwhile is not taken for a suspension, nor for a clock
 * that was set. */
void clocks_look(struct clocks *c);

void clocks_notes(const struct clocks *c, struct snapshot *s);

#endif
