/*
 * detail_sums: what a report shows of each series of --detail, made from the rows (rtrack.detail,
 * docs/snapshot.md).
 */
#ifndef CORE_HEAD_DETAIL_SUMS_H
#define CORE_HEAD_DETAIL_SUMS_H

#include "core/recording/detail.h"
#include "core/recording/snapshot.h"
#include "core/recording/written.h"

#define DETAIL_BUSY 0.9 /* usage of a CPU from which on it counts as busy */

/* NAN: not known, or does not apply (docs/snapshot.md, detail). */
struct detail_series {
	enum detail_kind kind;
	size_t measure;
	const char *device;
	double n, mean, max, sum, first, last, busy;
	const double *points; /* one for each bucket; NAN: a gap */
};

/* Whether a series, but for its points, and the time of the buckets are what can be; a file or a
 * journal may hold anything. */
bool detail_sums_valid(const struct detail_series *v);
bool detail_sums_valid_time(double from, double step);

/* The details of a recording, for readers. */
struct detail {
	double from, step; /* Unix seconds; seconds of a bucket */
	size_t buckets;
	size_t n;
	struct detail_series v[DETAIL_CELLS_MAX];
};

/* Calls each with every series of r->s->devices that was measured; its points are valid during the
 * call. begin is called before, with the buckets. r->stats and r->write are not used. 0, or -1. */
struct detail_sums_to {
	void (*begin)(void *ctx, const struct buckets *b);
	void (*each)(void *ctx, const struct detail_series *series);
	void *ctx;
};
int detail_sums(const struct written *r, const struct detail_sums_to *to, struct err *e);

/* Makes s->detail from the rows of a journal that was read; nothing where it has no devices. 0, or
 * -1. */
int detail_sums_of_journal(struct snapshot *s, struct err *e);

#endif
