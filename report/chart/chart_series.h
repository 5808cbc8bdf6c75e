/*
 * chart_series: which charts there are, which measures each shows, and what they are called.
 */
#ifndef REPORT_CHART_CHART_SERIES_H
#define REPORT_CHART_CHART_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "report/chart/chart_grid.h"
#include "report/chart/chart_limit.h"
#include "report/units/model_json.h"

#define CHART_SERIES_MAX 8

/* How a line looks: no two of a chart differ in colour alone. The colours are those of report.css
 * in light, for where no style sheet is. */
struct chart_look {
	const char *name; /* "tree-2": the second line of the tree */
	const char *colour;
	const char *dash; /* of an SVG stroke, in pixels; "": solid */
};

struct chart_series {
	const struct metric *m;
	bool tree;
	const struct chart_look *look;
	const char *mark; /* its short name: "Machine write" */
	char id[64], label[128];
	double mean, max;               /* over the whole run */
	const struct chart_cell *cells; /* as many as the grid has points; borrowed */
};

struct chart {
	enum metric_chart chart;
	const char *id, *title;
	enum unit unit;
	bool gpu;     /* shown only where the machine has GPUs */
	size_t least; /* series that it must have, to be shown */
};

/* One chart with all that is shown in it. */
struct chart_view {
	const struct chart *chart;
	const struct run *run;
	const struct chart_grid *grid;
	struct chart_series series[CHART_SERIES_MAX];
	size_t n;
	const struct metric *apart; /* measured, but so much larger that it is not drawn; NULL */
	double peak;                /* of all series */
	struct chart_limit limit;
};

/* The charts in their order; n gets how many. */
const struct chart *chart_list(size_t *n);

/* Whether a run has this chart at all. */
bool chart_shown(const struct chart *c, const struct run *run);

/* The series of v->chart without their cells, the tree's first, the peak, and the limit. v->chart,
 * v->run and v->grid must be set. */
void chart_series_choose(struct chart_view *v);

/* "Job: CPU usage" */
void chart_series_label(const struct metric *m, char out[128]);

#endif
