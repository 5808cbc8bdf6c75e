/*
 * model_views: the run as other tools measure and name it, for the companions of the report
 * (docs/model.md, "Views").
 */
#ifndef REPORT_MODEL_MODEL_VIEWS_H
#define REPORT_MODEL_MODEL_VIEWS_H

#include "core/opts.h"
#include "report/model/model.h"

struct view_options {
	/* "bytes", "kilobytes" … "terabytes", and "seconds" … "days"; NULL: gpu_tracker's own
	 * (gigabytes, hours) in its dictionary, and what reads best in the table */
	const char *ram_unit, *gpu_ram_unit, *time_unit;
	long expected_cores;   /* 0: all of the machine */
	struct opts_list gpus; /* UUID[,UUID]…; empty: all of the machine */
};

/* Adds all of the below to a model that model_build made of this input. 0, or -1 where an option
 * asks for a GPU that the recording does not have. */
int views_add(cJSON *model, const struct model_input *in, const struct view_options *o,
              struct err *e);

/* What an amount per interval comes to over the run: as it was counted exactly, where the recording
 * tells, else the sum of the samples. NAN where neither is known. */
double views_total(const struct run *run, enum metric_id id);

/* -- its parts, each in a file of its own ------------------------------------------------------ */

/* "gpu_tracker" (model_gpu_tracker.c). */
int gpu_tracker_add(cJSON *model, const struct run *run, const struct view_options *o,
                    struct err *e);

/* "openmetrics" (model_openmetrics.c). */
void openmetrics_add(cJSON *model, const struct model_input *in);

/* "junit" (model_junit.c). */
void junit_add(cJSON *model, const struct model_input *in);

#endif
