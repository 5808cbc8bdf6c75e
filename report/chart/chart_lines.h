/*
 * chart_lines: a picture of several lines with the same axes, as the numbers and strings of an SVG
 * picture (docs/model.md).
 */
#ifndef REPORT_CHART_CHART_LINES_H
#define REPORT_CHART_CHART_LINES_H

#include <cjson/cJSON.h>

#include "core/base/buf.h"
#include "report/chart/chart_path.h"
#include "report/chart/chart_svg_size.h"
#include "report/units/model_json.h"

#define CHART_LINES_MAX 10

/* The style of each line: no two differ in colour alone. */
struct chart_lines_look {
	const char *colour, *dash; /* of an SVG stroke, in pixels; "": solid */
};
extern const struct chart_lines_look chart_lines_looks[CHART_LINES_MAX];

/* A picture that is being made. */
struct chart_lines {
	cJSON *svg, *lines;
	struct buf grid; /* the path of the grid lines; chart_lines_end writes it */
	struct chart_lines_end {
		size_t look;
		char label[64];
		double x, y, at; /* where the line ends, and where its label is */
	} end[CHART_LINES_MAX];
	size_t n;
};

/* Adds "svg" to a chart, with its size and its value axis from 0 to top. */
void chart_lines_begin(struct chart_lines *l, cJSON *chart, enum unit unit, double top);

/* Fills "ticks_x" with times since the start. */
void chart_lines_times(cJSON *ticks, double span);

/* Adds a line in the look of this number. The points are in the units of paths. The band between
 * their tops and bottoms is drawn if `half` (chart_path_band) is above 0. No line without a known
 * point. */
void chart_lines_add(struct chart_lines *l, const char *label, size_t look,
                     struct chart_point *points, size_t n, double half);

/* Writes the grid and the labels. */
void chart_lines_end(struct chart_lines *l);

/* v / top, from 0 to 1. */
double chart_lines_share(double v, double top);

/* The place of x in percent of the plot's width, as "share". */
void chart_lines_tick_share(cJSON *tick, double x);

#endif
