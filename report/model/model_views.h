/*
 * model_views: the run in the terms of other tools, for the outputs other than the HTML page
 * (docs/model.md, "Views").
 */
#ifndef REPORT_MODEL_MODEL_VIEWS_H
#define REPORT_MODEL_MODEL_VIEWS_H

#include "core/base/opts.h"
#include "report/model/model.h"

struct view_options {
	/* "bytes", "kilobytes" … "terabytes", and "seconds" … "days". NULL: gpu_tracker's defaults
	 * (gigabytes, hours) in its dictionary, and the most readable unit in the table. */
	const char *ram_unit, *gpu_ram_unit, *time_unit;
	long expected_cores;   /* 0: all cores of the machine */
	struct opts_list gpus; /* UUIDs, and brands; empty: all GPUs of the machine */
};

/* Adds "gpu_tracker", "snakemake", "nextflow", "openmetrics", "junit" and "sparklines" to a model
 * that model_build made from the same input. Returns 0, or -1 if o->gpus names a GPU that the
 * recording does not have. */
int model_views_add(cJSON *model, const struct model_input *in, const struct view_options *o,
                    struct err *e);

/* -- parts that have a file of their own ------------------------------------------------------- */

/* "gpu_tracker" (model_gpu_tracker.c). */
int model_gpu_tracker_add(cJSON *model, const struct run *run, const struct view_options *o,
                          struct err *e);

/* Whether the overview of its recording, if any, lacks what the dictionary shows. */
bool model_gpu_tracker_needs_rows(const struct run *run);

#endif
