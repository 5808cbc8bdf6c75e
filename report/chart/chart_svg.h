/*
 * chart_svg: a chart as the numbers and strings of an SVG picture, which a template only prints.
 */
#ifndef REPORT_CHART_CHART_SVG_H
#define REPORT_CHART_CHART_SVG_H

#include <cjson/cJSON.h>

#include "report/chart/chart_series.h"

/* The size of the picture, and of the plot in it, in pixels. The page stretches the plot to the
 * width that it has, never its height: "share" is a place in percent of the plot's width. Paths of
 * data are in units of half a pixel, from the plot's upper left corner. The height, and the room
 * above and below the plot, are those of the script's charts (assets/chart.js): one replaces the
 * other. */
#define CHART_SVG_WIDTH   780
#define CHART_SVG_HEIGHT  240
#define CHART_SVG_LEFT    76
#define CHART_SVG_TOP     22
#define CHART_SVG_PLOT_W  576
#define CHART_SVG_PLOT_H  174
#define CHART_SVG_UNIT    0.5
#define CHART_SVG_POINTS  160 /* at most; longer grids are joined, their extremes kept */
#define CHART_SVG_PHASES  60  /* bands at most */
#define CHART_SVG_LABEL_H 14  /* from one label at a line's end to the next, at least */

/* "svg" of a chart (docs/model.md), added to it. Only the first picture of a page has what all
 * share, the axis of time and the phases: the others refer to it. */
void chart_svg_add(cJSON *chart, const struct chart_view *v, bool first);

#endif
