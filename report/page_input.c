/* page_input: a page of ours as the only input. */
#include "report/page_input.h"

#include <string.h>

#include "report/runs/load_name.h"
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
		        path);
		cJSON_Delete(model);
		return NULL;
	}
	if (model && without)
		err_set(said, "%s: the page had no room for %s", path,
		        page_model_without_text(without));
	return model;
}
