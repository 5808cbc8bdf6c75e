/*
 * chart_scatter: two values of many runs against each other, as the numbers and strings of an SVG
 * picture (docs/fleet_model.md).
 *
 * Both axes begin at 0, but with `ratios`; one whose values differ by more than
 * CHART_SCATTER_LINEAR is logarithmic.
 */
#ifndef REPORT_CHART_CHART_SCATTER_H
#define REPORT_CHART_CHART_SCATTER_H

#include <stdbool.h>
#include <stddef.h>

#include "report/units/model_json.h"

#define CHART_SCATTER_LINEAR 50
#define CHART_SCATTER_LINES  2
#define CHART_SCATTER_MARKS  4

struct chart_scatter_dot {
	double x, y; /* above 0 */
	double n;    /* how many; its area */
	bool apart;  /* drawn apart from the others */
};

/* A line through points, ascending by x. */
struct chart_scatter_curve {
	const struct chart_scatter_point {
		double x, y; /* 0 or more */
	} * p;
	size_t n;
	const char *dash; /* of SVG; "": none */
};

struct chart_scatter {
	enum unit unit_x, unit_y;
	const char *currency; /* of money; NULL: USD */
	bool ratios; /* axes need not begin at 0, and are logarithmic from a factor of 8 on */
	const struct chart_scatter_dot *dot;
	size_t n;
	struct chart_scatter_line {
		const char *label; /* before the value: "Asked"; static */
		double y;
	} line[CHART_SCATTER_LINES];
	size_t n_lines;
	const struct chart_scatter_curve *curve;
	size_t n_curves;
	const struct chart_scatter_dot *joined; /* further dots, with a line through all of them */
	size_t n_joined;
	/* Of each of ->joined, in which its x may lie; NULL: not shown. */
	const struct chart_scatter_range {
		double least, most;
	} * range;
	/* Names of dots, the most important first: one that would hide another is left out. */
	struct chart_scatter_mark {
		const char *text;
		double x, y;
		bool below; /* its dot, rather than above it */
	} mark[CHART_SCATTER_MARKS];
	size_t n_marks;
};

/* Adds "svg", with "curves" only where there are curves; null without dots. Without
 * memory, alloc_failed() is true. */
void chart_scatter_add(cJSON *parent, const struct chart_scatter *s);

#endif
