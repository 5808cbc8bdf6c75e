/*
 * chart_series: the list of charts, the measures that each shows, and their names and looks.
 */
#ifndef REPORT_CHART_CHART_SERIES_H
#define REPORT_CHART_CHART_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "report/chart/chart_grid.h"
#include "report/units/model_json.h"

#define CHART_SERIES_MAX 8

/* How a line looks. Lines of a chart never differ in colour alone. The colours equal report.css in
 * its light theme, for readers without style sheets. */
struct chart_look {
	const char *name; /* style class: "tree-2" is the second line of the job */
	const char *colour;
	const char *dash; /* stroke-dasharray in pixels; "": solid */
};

struct chart_series {
	const struct metric *m;
	bool tree;
	bool apart; /* measured, but not drawn at first: the job's lines would look flat */
	const struct chart_look *look;
	const char *mark; /* short name: "Machine write" */
	char id[64], label[128];
	double mean, max;           /* over the whole run */
	const struct bucket *cells; /* one for each point of the grid; borrowed */
};

struct chart {
	enum metric_chart chart;
	const char *id, *title;
	enum unit unit;
	bool gpu;     /* shown only if the machine has GPUs */
	size_t least; /* number of series that it needs to be shown */
};

/* The upper bound of a chart's measures: CPUs, memory, disk space, GPUs. */
struct chart_limit {
	bool known;
	bool drawn; /* false if it is far above the data, which would look flat */
	double value;
	char text[96]; /* "Memory limit 4.00 GiB" */
	char mark[40]; /* a short form for the end of the line */
};

/* One chart of a run, with all that it shows. */
struct chart_view {
	const struct chart *chart;
	const struct run *run;
	const struct chart_grid *grid;
	struct chart_series series[CHART_SERIES_MAX];
	size_t n;
	double peak; /* of the series that are drawn */
	struct chart_limit limit;
};

/* The charts in their order on the page; *n gets their number. */
const struct chart *chart_list(size_t *n);

/* Whether a report of this run has the chart. */
bool chart_shown(const struct chart *c, const struct run *run);

/* Whether the overview of its recording, if any, lacks a column that is drawn. */
bool chart_needs_rows(const struct run *run);

/* Sets the series (without cells; the job's come first), the peak, and the limit. v->chart, v->run
 * and v->grid must be set. */
void chart_series_choose(struct chart_view *v);

/* "Job: CPU usage" */
void chart_series_label(const struct metric *m, char out[128]);

#endif
