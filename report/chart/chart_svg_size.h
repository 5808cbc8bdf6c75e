/*
 * chart_svg_size: the size of a chart's SVG picture and of its parts, in pixels.
 *
 * The page stretches the plot to the available width, never its height: in the model, "share" is a
 * position in percent of the plot's width. Data paths are in units of CHART_SVG_UNIT, from the
 * plot's top left corner. The height, and the space above and below the plot, equal those of the
 * script's charts (assets/chart.js), because one replaces the other.
 */
#ifndef REPORT_CHART_CHART_SVG_SIZE_H
#define REPORT_CHART_CHART_SVG_SIZE_H

#include <cjson/cJSON.h>

#define CHART_SVG_WIDTH   780
#define CHART_SVG_HEIGHT  240
#define CHART_SVG_LEFT    76
#define CHART_SVG_TOP     22
#define CHART_SVG_PLOT_W  576
#define CHART_SVG_PLOT_H  174
#define CHART_SVG_RIGHT   (CHART_SVG_LEFT + CHART_SVG_PLOT_W)
#define CHART_SVG_BOTTOM  (CHART_SVG_TOP + CHART_SVG_PLOT_H)
#define CHART_SVG_UNIT    0.8
#define CHART_SVG_POINTS  160 /* at most; longer grids are merged, and keep their extremes */
#define CHART_SVG_PHASES  60  /* bands at most */
#define CHART_SVG_LABEL_H 14  /* least distance between two labels at the ends of lines */

/* Adds the sizes of a picture to its object: "width" to "axis" (docs/model.md). */
void chart_svg_size_add(cJSON *svg);

#endif
