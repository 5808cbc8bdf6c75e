/*
 * chart_path: points → the text of an SVG path, as short as half a unit of error allows.
 *
 * Points are in the units of the path, y downwards. They are in the order of x; a point without a
 * value, and the place after a point that is broken, is a gap.
 */
#ifndef REPORT_CHART_CHART_PATH_H
#define REPORT_CHART_CHART_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"

#define CHART_PATH_POINTS_MAX 512

struct chart_point {
	double x, y;        /* of the mean */
	double top, bottom; /* of the maximum and of the minimum */
	bool known, broken; /* known: has a value; broken: the line ends here */
};

/* The line of means: "M0 12l4-3 4 2". A point between two gaps becomes a short dash. */
void chart_path_line(struct buf *out, const struct chart_point *p, size_t n);

/* The area between maxima and minima, which it never cuts; a point between two gaps gets half a
 * width on either side. Nothing where it would nowhere differ from the line. */
void chart_path_band(struct buf *out, const struct chart_point *p, size_t n, double half);

#endif
