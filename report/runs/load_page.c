/* load_page: a page of ours as a recording. */
#include "report/runs/load_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/standard_input.h"
#include "core/recording/snapshot_fields.h"
#include "core/recording/snapshot_head.h"
#include "report/input/store_address.h"
#include "report/runs/load_name.h"
#include "report/runs/load_page_points.h"
#include "report/units/model_json.h"
#include "report/units/page_model.h"

/* -- which files ------------------------------------------------------------------------------- */

bool load_page_is(const char *path)
{
	const char *name = load_file_name(path);

	return !load_is_recording_name(name) &&
	       (load_is_address(path) ? load_is_page_name(name)
	                              : load_is_packed_page_name(name) || page_model_is_html(path));
}

/* -1 with a sentence for a page that is not read where it is. */
static int refuse_place(const char *path, struct err *e)
{
	char shown[STORE_SHOWN_MAX];

	if (load_is_address(path))
		return err_set(e, "%s: a page in a store is no input; copy it to a file first",
		               store_address_shown(path, shown));
	return load_is_packed_page_name(load_file_name(path))
	           ? err_set(e, "%s: a gzipped page is no input; unpack it with gunzip first", path)
	           : 0;
}

bool load_page_in_folder(const char *path, const char *name)
{
	return load_is_page_name(name) && page_model_has_row(path);
}

/* -- the recording ----------------------------------------------------------------------------- */

static int read_block(struct snapshot *s, const cJSON *recording, const char *key)
{
	const cJSON *block = cJSON_GetObjectItemCaseSensitive(recording, key);
	struct json_write j = {.exponents = true};
	int failed = 0;

	if (!cJSON_IsObject(block))
		return 0;
	model_json_write(&j, NULL, block);
	failed = !json_write_finish(&j) || snapshot_head(s, key, buf_cstr(&j.b), j.b.len);
	json_write_free(&j);
	return failed ? -1 : 0;
}

static void read_column_of(struct stats *out, const cJSON *list)
{
	size_t n;
	const struct snapshot_field *f = snapshot_fields_of(SNAPSHOT_STATISTICS, &n);
	const cJSON *v = cJSON_IsArray(list) ? list->child : NULL;

	if (!cJSON_IsNumber(v) || !(v->valuedouble >= 0 && v->valuedouble <= FRAME_ROWS_MAX))
		return;
	out->n = (size_t)v->valuedouble;
	for (size_t i = 0; i < n && v; i++) {
		v = v->next;
		*(double *)((char *)out + f[i].offset) =
		    cJSON_IsNumber(v) && isfinite(v->valuedouble) ? v->valuedouble : (double)NAN;
	}
}

static void read_columns_of(struct snapshot *s, const cJSON *recording)
{
	const cJSON *all = cJSON_GetObjectItemCaseSensitive(recording, LOAD_PAGE_STATISTICS);

	s->summary = snapshot_alloc(s, METRIC_COUNT * sizeof *s->summary);
	for (int id = 0; s->summary && id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		char name[64];
		s->summary[id] = stats_none();
		snprintf(name, sizeof name, "%s_%s", metric_scope_name(m->scope),
		         m->name[SCHEMA_1]);
		read_column_of(&s->summary[id], cJSON_GetObjectItemCaseSensitive(all, name));
	}
}

static const char *why_no_recording(const cJSON *model)
{
	const char *format =

	    cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(model, "format"));

	if (format && strcmp(format, "rtrack-model") != 0)
		return "a page about many runs is not a run";
	return "this page cannot stand for its run: not all of the job was recorded, or it is of a "
	       "model without a recording";
}

static int fill_from_model(struct snapshot *s, const cJSON *model, const char *path,
                           enum snapshot_want want, struct err *e)
{
	static const char *const blocks[] = {SNAPSHOT_KEY_META, SNAPSHOT_KEY_SERVER,
	                                     SNAPSHOT_KEY_CLOUD, SNAPSHOT_KEY_RTRACK};
	const cJSON *recording = cJSON_GetObjectItemCaseSensitive(model, LOAD_PAGE_RECORDING);
	const char *name = standard_input_name(path);

	if (!cJSON_IsObject(recording))
		return err_set(e, "%s: %s", name, why_no_recording(model));
	s->schema = SCHEMA_1;
	snapshot_head_defaults(s);
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		if (read_block(s, recording, blocks[i]))
			return err_set(e, "%s: the model in this page is damaged", name);
	s->head_only = true;
	read_columns_of(s, recording);
	if (want != SNAPSHOT_WANT_HEAD)
		load_page_points(s, model);
	return 0;
}

static bool is_joined(const cJSON *model)
{
	const cJSON *recording = cJSON_GetObjectItemCaseSensitive(model, LOAD_PAGE_RECORDING);

	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(recording, LOAD_PAGE_JOINED));
}

int load_page_read(struct snapshot *s, const char *path, enum snapshot_want want,
                   const struct load_page **page, struct err *e)
{
	enum page_model_without without;
	cJSON *model = refuse_place(path, e)        ? NULL
	               : want == SNAPSHOT_WANT_HEAD ? page_model_read_recording(path, e)
	                                            : page_model_read(path, &without, e);
	int failed = model ? fill_from_model(s, model, path, want, e) : -1;
	struct load_page *own = failed ? NULL : snapshot_alloc(s, sizeof *own);

	if (own)
		own->joined = is_joined(model);
	*page = own;
	if (!failed && (!own || alloc_failed()))
		failed = err_set(e, "%s: no memory to read it", standard_input_name(path));
	if (failed) {
		snapshot_free(s);
		*page = NULL;
	}
	cJSON_Delete(model);
	return failed;
}
