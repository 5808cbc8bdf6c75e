/*
 * packed_points: the points of a chart as the page has them (docs/model.md, "packed").
 */
#ifndef REPORT_UNITS_PACKED_POINTS_H
#define REPORT_UNITS_PACKED_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#define PACKED_POINTS_MAX        2000 /* points, and */
#define PACKED_POINTS_SERIES_MAX 64   /* series of a chart that are unpacked */

enum packed_points_of { PACKED_POINTS_MEAN, PACKED_POINTS_MIN, PACKED_POINTS_MAXIMUM };

/* {0} is valid: no points. */
struct packed_points {
	double from, step; /* Unix seconds; seconds between points */
	size_t n, series;
	bool band;     /* min and max are there; else they equal the mean */
	double *x;     /* seconds since from, ascending */
	double *cells; /* of each series the means, the minima, the maxima: n each. NAN: a gap */
};

/* Unpacks "packed" of a chart. Pure. -1 if it is malformed, too large, or without memory; *p is
 * then {0}. */
int packed_points_read(const cJSON *packed, struct packed_points *p);

/* The n values of a series. */
const double *packed_points_cells(const struct packed_points *p, size_t series,
                                  enum packed_points_of which);

/* "data" of the same chart. *room: how many values it may have; what it has is taken from it. NULL
 * if packed is malformed, finds no room, or without memory. */
cJSON *packed_points_data(const cJSON *packed, size_t *room);

void packed_points_free(struct packed_points *p);

#endif
