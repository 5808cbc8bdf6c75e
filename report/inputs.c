/* inputs: what the inputs of a report must be, and how much of them is read. */
#include "report/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "core/base/standard_input.h"
#include "core/recording/snapshot_fields.h"
#include "report/chart/chart_series.h"
#include "report/model/model_views.h"
#include "report/runs/parts_join.h"
#include "report/stats/bottleneck.h"
#include "report/stats/phase_usage.h"
#include "report/units/model_json.h"

/* Another kind of file, given to --model by mistake. NULL: none. */
static const char *other_than_model(struct input in, const cJSON *model)
{
	struct stat st;

	if (model && cJSON_GetObjectItemCaseSensitive(model, SNAPSHOT_KEY_META) &&
	    cJSON_GetObjectItemCaseSensitive(model, SNAPSHOT_KEY_SERVER))
		return "recording";
	if (model || stat(in.name, &st))
		return NULL;
	if (in.kind == INPUT_JOURNAL)
		return "recording";
	return in.kind == INPUT_PAGE || in.kind == INPUT_PACKED_PAGE ? "page" : NULL;
}

cJSON *inputs_model(struct input in, struct err *e)
{
	cJSON *model = model_json_read(in.name, e);
	const char *what = other_than_model(in, model);
	char *journal = model ? NULL : input_unfinished(in);

	if (journal)
		err_set(e,
		        "%s: no such file; %s is a recording that has not ended, and --model takes "
		        "what --json wrote; give it without --model",
		        in.name, journal);
	free(journal);
	if (!what)
		return model;
	err_set(e, "%s is a %s, and --model takes what --json wrote; give it without --model",
	        standard_input_name(in.name), what);
	cJSON_Delete(model);
	return NULL;
}

double inputs_latest_now(const struct report_options *o)
{
	double now = (double)time(NULL);

	return o->now > now ? o->now : now;
}

int inputs_spare_outputs(const struct report_options *o, struct runs *r, struct err *e)
{
	const char *paths[REPORT_OPTIONS_OUTPUTS_MAX];
	size_t n = report_options_outputs(o, paths);

	for (size_t i = 0; i < n; i++) {
		struct load_file_id id = load_known_id(input_of(paths[i]));
		if (load_known_add(&r->known, &id))
			return err_set(e, "no memory");
	}
	return 0;
}

/* -- how much of a recording ------------------------------------------------------------------- */

/* Whether an output or a gate needs rows. */
static bool options_need_rows(const struct run *run, const struct report_options *o)
{
	return o->csv || o->trace /* write them */
	       || o->compare      /* the runs' rows, in turn */
	       || o->gpus.n       /* sums of the chosen GPUs, row by row */
	       || run->parts;     /* sums of the parts, row by row */
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

int inputs_load_rows(struct run *run, const struct report_options *o, struct err *e)
{
	const char *option = NULL;

	if (!options_need_rows(run, o)) {
		if (load_again(run, SNAPSHOT_WANT_OVERVIEW, e))
			return -1;
		if (!overview_lacks(run))
			return 0;
	}
	if (parts_load_whole(run, e))
		return -1;
	if (o->csv)
		option = "--csv";
	else if (o->trace)
		option = "--trace";
	else if (o->gpus.n)
		option = "--gpu";
	if (option && run->page && !load_has_rows(run))
		return err_set(e,
		               "%s: a page has no samples of a run of this length, which %s needs",
		               run->file, option);
	return 0;
}
