/*
 * inputs: what the inputs of a report must be, and how much of them is read.
 */
#ifndef REPORT_INPUTS_H
#define REPORT_INPUTS_H

#include <cjson/cJSON.h>

#include "report/options/report_options.h"
#include "report/runs/load.h"

/* The model of --model. NULL with a sentence, also for a recording or a page. */
cJSON *inputs_model(struct input in, struct err *e);

/* A run that starts after this time is in the future. --now can only move it forward: in a
 * reproducible build, $SOURCE_DATE_EPOCH is the time of the sources, before the recordings. */
double inputs_latest_now(const struct report_options *o);

/* Before loading: of a folder, a page that this command writes is not read. -1 without memory. */
int inputs_spare_outputs(const struct report_options *o, struct runs *r, struct err *e);

/* Reads the run's overview (core/head/overview.h), from which a report is made, or its rows
 * where the recording has no overview, or where the options or the overview itself require them. -1
 * with a sentence; the run is unchanged then. */
int inputs_load_rows(struct run *run, const struct report_options *o, struct err *e);

#endif
