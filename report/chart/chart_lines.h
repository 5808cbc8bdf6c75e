/*
 * chart_lines: a picture of several lines with the same axes, as the numbers and strings of an SVG
 * picture (docs/model.md). Sizes are in pixels.
 *
 * The page stretches the plot to the available width, never its height: in the model, "share" is a
 * position in percent of the plot's width. Data paths are in units of CHART_SVG_UNIT, from the
 * plot's top left corner. The height, and the space above and below the plot, equal those of the
 * script's charts (assets/chart.js), because one replaces the other.
 */
#ifndef REPORT_CHART_CHART_LINES_H
#define REPORT_CHART_CHART_LINES_H

#include <cjson/cJSON.h>

#include "core/base/buf.h"
#include "report/chart/chart_path.h"
#include "report/units/model_json.h"

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

/* The style of each line: no two differ in colour alone. */
#define CHART_LINES_MAX 10
struct chart_lines_look {
	const char *colour, *dash; /* of an SVG stroke, in pixels; "": solid */
};
extern const struct chart_lines_look chart_lines_looks[CHART_LINES_MAX];

/* Where a line ends, and the label beside the plot. Valid when zero. */
struct chart_lines_end {
	char label[64];
	const char *colour, *look; /* look: its name; NULL: none */
	double x, y;
	double at; /* y of the label: set by chart_lines_labels */
	size_t order;
};

/* A picture that is being made. */
struct chart_lines {
	cJSON *svg, *lines, *key;
	enum unit unit;
	double top;
	struct buf grid;    /* the path of the grid lines; chart_lines_end writes it */
	struct buf summary; /* "a 2.00 cores, b 1.00 cores": the caller's */
	struct chart_lines_end end[CHART_LINES_MAX];
	size_t n;
};

/* Adds "svg" to a chart, with its size and its value axis from 0 to top. */
void chart_lines_begin(struct chart_lines *l, cJSON *chart, enum unit unit, double top);

/* Adds a chart with a "key" to an array, and begins its picture, whose time axis has this span. */
struct chart_lines_kind {
	const char *id, *title;
	enum unit unit;
};
cJSON *chart_lines_chart(struct chart_lines *l, cJSON *charts, const struct chart_lines_kind *kind,
                         double top, double span);

/* Fills "ticks_x" with times since the start. */
void chart_lines_times(cJSON *ticks, double span);

/* A point of the picture, at x from 0 to 1 of the plot's width; where v is NAN, a gap. */
struct chart_point chart_lines_point(const struct chart_lines *l, double x, double least, double v,
                                     double most);

/* Adds a line in the look of this number. The points are in the units of paths. The band between
 * their tops and bottoms is drawn if `half` (chart_path_band) is above 0. No line without a known
 * point. */
void chart_lines_add(struct chart_lines *l, const char *label, size_t look,
                     struct chart_point *points, size_t n, double half);

/* Adds a label of at most max bytes and this look to the key. */
void chart_lines_key(cJSON *key, const char *label, size_t max, size_t look);

/* Appends "name 1.00 cores" to the summary. */
void chart_lines_say(struct chart_lines *l, const char *name, double v);

/* Writes the grid and the labels. */
void chart_lines_end(struct chart_lines *l);

/* v / top, from 0 to 1. */
double chart_lines_share(double v, double top);

/* The place of x in percent of the plot's width, as "share". */
void chart_lines_tick_share(cJSON *tick, double x);

/* -- parts of other pictures of the same size -------------------------------------------------- */

/* Adds "width" to "axis". */
void chart_lines_size(cJSON *svg);

/* Adds "ticks_y", and the grid lines to the path. whole: lines are at whole units of paths. */
void chart_lines_values(cJSON *svg, struct buf *grid, enum unit unit, double top, bool whole);

/* Adds "labels", which are between the heights low and high, and do not overlap. Sorts them. */
void chart_lines_labels(cJSON *svg, struct chart_lines_end *end, size_t n, double low, double high);

#endif
