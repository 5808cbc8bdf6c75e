/*
 * chart_series: the charts, and the lines of each: which metrics, how they look, their names.
 */
#ifndef REPORT_CHART_CHART_SERIES_H
#define REPORT_CHART_CHART_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "report/chart/chart_grid.h"
#include "report/units/model_json.h"

#define CHART_SERIES_MAX 8

/* How a line looks. No two lines of a chart differ in colour alone. The colours are those of the
 * light theme of report.css, for SVG without a style sheet. */
struct chart_look {
	const char *name; /* "tree-2": the second line of the job */
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

/* A horizontal line at a limit of the data. */
struct chart_limit {
	bool known, drawn; /* not drawn if far above the data, which would look flat */
	double value;
	char text[96]; /* "Memory limit 4.00 GiB" */
	char mark[40]; /* short, for the end of the line */
};

struct chart {
	enum metric_chart chart;
	const char *id, *title;
	enum unit unit;
	bool gpu;     /* shown only where the machine has GPUs */
	size_t least; /* the chart is shown only with so many series */
};

/* One chart of one run. */
struct chart_view {
	const struct chart *chart;
	const struct run *run;
	const struct chart_grid *grid;
	struct chart_series series[CHART_SERIES_MAX];
	size_t n;
	const struct metric
	    *apart;  /* measured, but too large to be drawn with the others; or NULL */
	double peak; /* of all series */
	struct chart_limit limit;
};

/* Returns the charts in their order; *n gets their number. */
const struct chart *chart_list(size_t *n);

/* Whether the page of this run shows the chart. */
bool chart_shown(const struct chart *c, const struct run *run);

/* Fills the series (without cells; the job's first), the peak and the limit. The caller has set
 * v->chart, v->run and v->grid. */
void chart_series_choose(struct chart_view *v);

/* "Job: CPU usage" */
void chart_series_label(const struct metric *m, char out[128]);

#endif
