/* page_rows: reads as much of the recording that a report is about as the report needs. */
#include "report/page_rows.h"

#include "report/chart/chart_series.h"
#include "report/model/model_views.h"
#include "report/runs/parts_join.h"
#include "report/stats/bottleneck.h"
#include "report/stats/phase_usage.h"

/* What only rows have. */
static bool options_need_rows(const struct run *run, const struct report_options *o)
{
	return o->csv         /* writes them */
	       || o->compare  /* the runs' rows, in turn */
	       || o->gpus.n   /* sums of the chosen GPUs, row by row */
	       || run->parts; /* sums of the parts, row by row */
}

/* Whether the overview lacks a number that the report shows: it was written for other limits, or by
 * another version. */
static bool overview_lacks(const struct run *run)
{
	static bool (*const lacks[])(const struct run *run) = {
	    chart_needs_rows, bottleneck_needs_rows, phase_usage_needs_rows,
	    model_gpu_tracker_needs_rows};

	for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
		if (lacks[i](run))
			return true;
	return false;
}

int page_rows_load(struct run *run, const struct report_options *o, struct err *e)
{
	if (!options_need_rows(run, o)) {
		if (load_overview(run, e))
			return -1;
		if (!overview_lacks(run))
			return 0;
	}
	if (parts_load_whole(run, e))
		return -1;
	if ((o->csv || o->gpus.n) && run->page && !load_has_rows(run))
		return err_set(e,
		               "%s: a page has no samples of a run of this length, which %s needs",
		               run->file, o->csv ? "--csv" : "--gpu");
	return 0;
}
