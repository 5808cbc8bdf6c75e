/*
 * chart_devices: the devices of a kind that stand out, as lines (--detail).
 */
#ifndef REPORT_CHART_CHART_DEVICES_H
#define REPORT_CHART_CHART_DEVICES_H

#include <cjson/cJSON.h>

#include "report/stats/device_use.h"

#define CHART_DEVICES_MAX 8 /* lines of devices; of CPUs, their mean and range is one more */

/* Adds "charts" to parent: one chart, or none where nothing stands out (docs/model.md). */
void chart_devices_add(cJSON *parent, const struct run *run, const struct device_uses *u);

#endif
