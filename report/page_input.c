/* page_input: a page of ours as the only input. */
#include "report/page_input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/standard_input.h"
#include "core/recording/snapshot_fields.h"
#include "report/runs/load_name.h"
#include "report/units/model_json.h"
#include "report/units/page_model.h"

static const char *only_input(const struct report_options *o)
{
	if (o->n_files + (o->current != NULL) != 1)
		return NULL;
	return o->current ? o->current : o->files[0];
}

/* Options of what the page does not have, or has in other units: then it is a run like others. */
static bool computes_anew(const struct report_options *o)
{
	return o->fail_if.n || o->compare || o->ram_unit || o->gpu_ram_unit || o->time_unit ||
	       o->expected_cores || o->gpus.n || o->group_by.n || o->bytes || o->human_names ||
	       o->schema;
}

bool page_input_is(const struct report_options *o)
{
	const char *path = only_input(o);

	return path && !computes_anew(o) && !load_is_address(path) &&
	       !load_is_recording_name(load_file_name(path)) && page_model_is_html(path);
}

cJSON *page_input_model(const struct report_options *o, struct err *said, struct err *e)
{
	enum page_model_without without;
	const char *path = only_input(o);
	cJSON *model = page_model_read(path, &without, e);

	if (model && without == PAGE_MODEL_WITHOUT_PAGE) {
		err_set(e,
		        "%s: this page had no room for more of its model than a history needs, so "
		        "it cannot be written again",
		        standard_input_name(path));
		cJSON_Delete(model);
		return NULL;
	}
	if (model && without)
		err_set(said, "%s: the page had no room for %s", standard_input_name(path),
		        page_model_without_text(without));
	return model;
}

/* What --model is given by mistake. */
static const char *other_than_model(const char *path, const cJSON *model)
{
	const char *name = load_file_name(path);
	struct stat st;

	if (model && cJSON_GetObjectItemCaseSensitive(model, SNAPSHOT_KEY_META) &&
	    cJSON_GetObjectItemCaseSensitive(model, SNAPSHOT_KEY_SERVER))
		return "recording";
	if (model || stat(path, &st))
		return NULL;
	return load_is_journal_name(name)                                  ? "recording"
	       : load_is_page_name(name) || load_is_packed_page_name(name) ? "page"
	                                                                   : NULL;
}

cJSON *page_input_given_model(const char *path, struct err *e)
{
	cJSON *model = model_json_read(path, e);
	const char *what = other_than_model(path, model);
	char *journal = model ? NULL : load_name_unfinished(path);

	if (journal)
		err_set(e,
		        "%s: no such file; %s is a recording that has not ended, and --model takes "
		        "what --json wrote; give it without --model",
		        path, journal);
	free(journal);
	if (!what)
		return model;
	err_set(e, "%s is a %s, and --model takes what --json wrote; give it without --model",
	        standard_input_name(path), what);
	cJSON_Delete(model);
	return NULL;
}

int page_input_spare(const struct report_options *o, struct runs *r, struct err *e)
{
	const char *paths[REPORT_OPTIONS_OUTPUTS_MAX];
	size_t n = report_options_outputs(o, paths);

	for (size_t i = 0; i < n; i++) {
		struct load_file_id id;
		if (strcmp(paths[i], "-") == 0) /* standard output */
			continue;
		id = load_known_id(paths[i]);
		if (load_known_add(&r->known, &id))
			return err_set(e, "no memory");
	}
	return 0;
}

int page_input_check(const struct report_options *o, const struct run *run, struct err *e)
{
	const char *option = o->csv              ? "--csv"
	                     : o->gpus.n         ? "--gpu"
	                     : o->ram_unit       ? "--ram-unit"
	                     : o->gpu_ram_unit   ? "--gpu-ram-unit"
	                     : o->time_unit      ? "--time-unit"
	                     : o->expected_cores ? "--expected-cores"
	                                         : NULL;

	if (!run->page || !option)
		return 0;
	return err_set(e, "%s: a page has no samples, which %s needs", run->file, option);
}

/* -- a run from a page ------------------------------------------------------------------------- */

static void take_member(cJSON *model, cJSON *page, const char *key)
{
	cJSON *there = cJSON_DetachItemFromObjectCaseSensitive(page, key);

	if (there && !cJSON_ReplaceItemInObjectCaseSensitive(model, key, there))
		cJSON_Delete(there);
}

static cJSON *verdict_named(cJSON *model, const char *id)
{
	cJSON *one;

	cJSON_ArrayForEach (one, cJSON_GetObjectItemCaseSensitive(model, "verdict")) {
		const char *is = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "id"));
		if (is && strcmp(is, id) == 0)
			return one;
	}
	return NULL;
}

/* A sentence that is made of rows. */
static void take_verdict(cJSON *model, cJSON *page, const char *id)
{
	cJSON *all = cJSON_GetObjectItemCaseSensitive(model, "verdict");
	cJSON *here = verdict_named(model, id), *there = verdict_named(page, id);

	if (there)
		cJSON_DetachItemViaPointer(cJSON_GetObjectItemCaseSensitive(page, "verdict"),
		                           there);
	if (there && here)
		cJSON_ReplaceItemViaPointer(all, here, there);
	else if (there)
		cJSON_AddItemToArray(all, there);
	else if (here)
		cJSON_Delete(cJSON_DetachItemViaPointer(all, here));
}

cJSON *page_input_inherit(cJSON *model, const struct runs *r, struct err *e)
{
	static const char *const keys[] = {"gpus",        "processes",  "phases", "charts",
	                                   "gpu_tracker", "sparklines", "notes",  "has_notes"};
	enum page_model_without without;
	cJSON *page;

	if (!model || !r->v[0].page)
		return model;
	page = page_model_read(r->v[0].file, &without, e);
	if (!page) {
		cJSON_Delete(model);
		return NULL;
	}
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		take_member(model, page, keys[i]);
	take_verdict(model, page, "bottleneck");
	cJSON_Delete(page);
	return model;
}
