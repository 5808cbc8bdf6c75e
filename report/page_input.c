/* page_input: the model of --model, and the pages that this command writes. */
#include "report/page_input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/standard_input.h"
#include "core/recording/snapshot_fields.h"
#include "report/runs/load_name.h"
#include "report/units/model_json.h"

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
