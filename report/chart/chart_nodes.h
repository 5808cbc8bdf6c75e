/*
 * chart_nodes: the nodes of a run side by side: a line for each, or of many the median, the range
 * and the two worst.
 */
#ifndef REPORT_CHART_CHART_NODES_H
#define REPORT_CHART_CHART_NODES_H

#include <cjson/cJSON.h>

#include "report/runs/parts.h"

#define CHART_NODES_EACH 8 /* nodes that have a line of their own */

/* Adds "charts" (docs/model.md) to parent: CPU and memory, and of GPUs if any; empty for a run on
 * one node. 0, or -1 without memory. */
int chart_nodes_add(cJSON *parent, const struct run *run);

#endif
