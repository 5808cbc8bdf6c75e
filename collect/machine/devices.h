/*
 * devices: the parts that the machine's sums are made of, for --detail: each CPU, network
 * interface, file system and disk.
 *
 * Whoever adds a device's growth to a sum adds it here too (net, disk, mounts, machine). A device
 * gets its cells when it is seen first, and keeps them: one that comes back under its name goes on.
 */
#ifndef COLLECT_MACHINE_DEVICES_H
#define COLLECT_MACHINE_DEVICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/recording/detail.h"

struct devices_entry {
	enum detail_kind kind;
	size_t cell;    /* its first */
	unsigned seen;  /* the reading that saw it last */
	double shown_s; /* of a CPU: its time as reported at the last reading */
	char name[DETAIL_NAME_MAX];
};

/* Valid when zero: without room for any. About 150 KiB: allocate it once. */
struct devices {
	size_t room, used; /* cells */
	size_t n;
	unsigned reading;
	size_t hint; /* where the next device is likely to be */
	int64_t at;  /* of the reading before, CLOCK_MONOTONIC, ns */
	double value[DETAIL_CELLS_MAX];
	enum metric_kind kind[DETAIL_CELLS_MAX];
	size_t now_left[DETAIL_KINDS], left[DETAIL_KINDS]; /* without room: now, and at most */
	struct devices_entry v[DETAIL_DEVICES_MAX];
};

/* Begins a reading. */
void devices_begin(struct devices *d);

/* Adds to the device's amounts. d NULL: nothing to do. */
void devices_add(struct devices *d, enum detail_kind kind, const char *name, double first,
                 double second);

/* Sets its states; of a CPU, its seconds. */
void devices_set(struct devices *d, enum detail_kind kind, const char *name, double first,
                 double second);

/* Ends the reading, which was made at this time: fills out, .room cells, with what the
 * amounts (a sum that never falls) and states of all devices are. NAN: not there. A CPU's seconds
 * grow by no more than time has passed; the rest comes with the next reading, because the kernel
 * counts whole ticks. */
void devices_end(struct devices *d, int64_t at, double *out);

#endif
