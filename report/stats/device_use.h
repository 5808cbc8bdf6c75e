/*
 * device_use: the devices of a recording with --detail, and which of them stand out.
 *
 * A CPU stands out if it was busy (DETAIL_BUSY) in at least 30 % of the time while all CPUs
 * together were less than 70 % busy, which is work that does not spread; and the busiest always
 * does. A line of network or disk traffic (one device, one direction) does if it has at least 10 %
 * of the bytes of all. A file system does if its use grew by at least 1 % of its size, or reached
 * 90 %.
 */
#ifndef REPORT_STATS_DEVICE_USE_H
#define REPORT_STATS_DEVICE_USE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/head/detail_sums.h"
#include "report/runs/load.h"

#define DEVICE_USE_BUSY    0.3  /* of the time */
#define DEVICE_USE_SPREAD  0.7  /* of all CPUs */
#define DEVICE_USE_TRAFFIC 0.1  /* of the bytes of all */
#define DEVICE_USE_GROWN   0.01 /* of the size */
#define DEVICE_USE_FULL    0.9

struct device_use {
	const char *name;
	const struct detail_series *of[2]; /* by measure; NULL: not measured */
	double by;                         /* sorted by it, the highest first */
	double full, grown; /* of a file system: most and growth, parts of its size; else NAN */
	bool stands[2];     /* out: by measure; of a file system [0] is for both */
};

struct device_uses {
	enum detail_kind kind;
	const struct detail *detail;
	struct device_use *v; /* n of them */
	size_t n;
};

/* Whether the report of a run shows its devices: of a run of several recordings it does not. */
bool device_use_known(const struct run *run);

/* The devices of a kind; none where it was not recorded. Free ->v. 0, or -1 without memory. */
int device_use_make(struct device_uses *u, const struct run *run, enum detail_kind kind,
                    struct err *e);

/* The part of a file system that is used at a point; NAN: not known. */
double device_use_full(const struct device_use *d, size_t point);

#endif
