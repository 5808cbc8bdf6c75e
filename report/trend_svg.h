/*
 * trend_svg: a measure over many runs as the numbers and strings of a small SVG picture.
 */
#ifndef REPORT_TREND_SVG_H
#define REPORT_TREND_SVG_H

#include <stddef.h>

#include "tree.h"

#define TREND_SVG_WIDTH  320
#define TREND_SVG_HEIGHT 64
#define TREND_SVG_POINTS 300 /* at most; of more runs, the lowest and the highest of each part */

struct trend_line {
	const double *v; /* finite, the oldest first, with even distances */
	size_t n;
	size_t now;    /* which of them to mark; n: none */
	double median; /* NAN: no line */
	double margin; /* around the median; NAN: no band */
};

/* "svg" (docs/model.md), added to the object. */
void trend_svg_add(cJSON *parent, const struct trend_line *t);

#endif
