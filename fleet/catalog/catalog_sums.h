/*
 * catalog_sums: the outputs of one group of runs, summed up run by run, for SQLite, which has none
 * of these aggregates.
 *
 * Values that make no sense (the file may be anybody's) are left out; memory is bounded by the
 * number of different keys.
 */
#ifndef FLEET_CATALOG_CATALOG_SUMS_H
#define FLEET_CATALOG_CATALOG_SUMS_H

#include "fleet/catalog/catalog_engine.h"

/* The outputs that are summed up, none of them plain. Borrowed. */
struct catalog_sums_plan {
	const struct catalog_output *output;
	size_t n;
	/* Whether the source of row a comes after that of row b. */
	bool (*later)(void *ctx, double a, double b);
	void *ctx;
};

struct catalog_sums_map {
	double *slot; /* cap of them, 1 + width numbers each; the key plus 1, so 0 is empty */
	uint32_t n, cap, width;
};

/* By score, then wall and need, -1 if unknown: numbers that decide nearly always, because to look
 * up the sources of two rows takes long. */
struct catalog_sums_best {
	double score, wall, need, row;
};

/* The state of an output. */
union catalog_sums_output {
	struct catalog_sums_map map;
	double extreme; /* NAN: none */
	struct {
		struct catalog_sums_map map; /* since catalog_sums_split */
		double *row;                 /* n of them: start, key, values */
		size_t n, cap;
	} starts;
	struct {
		struct catalog_sums_best *v; /* of NEWEST one, of TOP several; best first */
		size_t n;
	} best;
};

/* {0} is valid: not begun. */
struct catalog_sums {
	union catalog_sums_output *of;
	size_t bytes; /* of memory */
};

/* -1 without memory. */
int catalog_sums_begin(struct catalog_sums *s, const struct catalog_sums_plan *p);

/* Adds a run, its columns (NAN: NULL) and the number of its row. -1 without memory. */
int catalog_sums_add(struct catalog_sums *s, const struct catalog_sums_plan *p,
                     const double column[CATALOG_COLUMNS], double row);

/* For groups with CATALOG_OUT_QUARTERS, before the results: the first adds their starts to `out`,
 * or counts them if it is NULL; the second makes their maps, with the first starts of the last
 * three quarters. -1 without memory. */
size_t catalog_sums_starts(const struct catalog_sums *s, const struct catalog_sums_plan *p,
                           double *out);
int catalog_sums_split(struct catalog_sums *s, const struct catalog_sums_plan *p,
                       const double quarter[3]);

/* The results, which borrow from the state; nothing can be added afterwards. Rows are left as
 * numbers: of NEWEST and TOP in .map, as the keys of a map without values. */
void catalog_sums_results(struct catalog_sums *s, const struct catalog_sums_plan *p,
                          struct catalog_result *out);

void catalog_sums_free(struct catalog_sums *s, const struct catalog_sums_plan *p);

#endif
