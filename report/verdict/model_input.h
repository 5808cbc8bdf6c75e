/*
 * model_input: what the verdict and the model of a run are made from.
 */
#ifndef REPORT_VERDICT_MODEL_INPUT_H
#define REPORT_VERDICT_MODEL_INPUT_H

#include "report/advice/advice.h"
#include "report/advice/gate_results.h"
#include "report/advice/memory_advice.h"
#include "report/chart/comparison.h"
#include "report/history/history_changes.h"
#include "report/prices/cost.h"
#include "report/prices/keeper.h"
#include "report/runs/load.h"

/* All pointers are borrowed. */
struct model_input {
	const struct runs *runs; /* v[0] is this run */
	const struct advice *advice;
	const struct memory_advice *memory; /* NULL: as of no run */
	const char *basis;                  /* a sentence: the runs behind the advice */
	const struct keeper_result *keeper;
	const struct history_changes *history; /* NULL: runs are not compared */
	const struct comparison *compare;      /* NULL: not asked for */
	const char *title;                     /* NULL: the job's name */
	const char *integration;               /* the tool that made the report; NULL: unknown */
	double now;                            /* Unix seconds */
	long runs_per_month;                   /* 0: unknown */
	const struct gate_results *gates;      /* NULL: none */
	bool no_recording;                     /* no page is made that carries it */
	double every_s; /* the page reloads itself so often; 0: it does not */
};

#endif
