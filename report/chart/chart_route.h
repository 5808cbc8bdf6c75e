/*
 * chart_route: the critical path as lines below the bars of processes (chart_lanes.h). Pure.
 */
#ifndef REPORT_CHART_CHART_ROUTE_H
#define REPORT_CHART_CHART_ROUTE_H

#include "core/base/buf.h"
#include "report/chart/chart_lanes.h"

/* Appends "M0 4H30M30 24H50": x from 0 to CHART_LANES_PX for the time from from_s on, y `each` a
 * lane, at `below` in it. Where the path changes more often, the line is at the bar that has most
 * of it. */
void chart_route_path(const struct chart_lanes *l, const struct critical_path *path, double from_s,
                      double span_s, double each, double below, struct buf *out);

#endif
