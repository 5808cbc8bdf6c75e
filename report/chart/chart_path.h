/*
 * chart_path: turns points into the text of an SVG path, simplified: a line has an error of at most
 * `slack` units, and an area of twice as much. CHART_PATH_FINE is invisible.
 *
 * Points are in the units of the path, y downwards, and sorted by x. A point without a value is a
 * gap, and so is the space after a broken point.
 */
#ifndef REPORT_CHART_CHART_PATH_H
#define REPORT_CHART_CHART_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"

#define CHART_PATH_POINTS_MAX 512
#define CHART_PATH_FINE       0.5

struct chart_point {
	double x, y;        /* y: of the mean */
	double top, bottom; /* y of the maximum and of the minimum */
	bool known, broken; /* known: has a value; broken: the line ends here */
};

/* Appends the line of means: "M0 12l4-3 4 2". A point between two gaps becomes a short dash. */
void chart_path_line(struct buf *out, const struct chart_point *p, size_t n, double slack);

/* Appends the area between minima and maxima; simplified, it still covers all of them. A point
 * between two gaps extends by `half` to both sides. Omits stretches where the area would look the
 * same as the line. */
void chart_path_band(struct buf *out, const struct chart_point *p, size_t n, double half,
                     double slack);

#endif
