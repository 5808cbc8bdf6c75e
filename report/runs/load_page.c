/* load_page: a page of ours as a run. */
#include "report/runs/load_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/alloc_failed.h"
#include "core/fnv1a.h"
#include "core/snapshot_fields.h"
#include "core/snapshot_head.h"
#include "report/runs/load_page_points.h"
#include "report/runs/run_row.h"
#include "report/units/model_json.h"
#include "report/units/page_model.h"

/* -- which files ------------------------------------------------------------------------------- */

bool load_page_is(const char *path)
{
	return !load_is_recording_name(load_file_name(path)) && page_model_is_html(path);
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

static uint64_t id_of(const struct run *run)
{
	struct rtrack_row *row = alloc_failed_note(malloc(sizeof *row));
	uint64_t id = 0;

	if (row) {
		run_row_fill(row, run);
		id = fnv1a_add(FNV1A_BEGIN, row->of[RTRACK_ROW_ID].text);
	}
	free(row);
	return id;
}

/* A page is not joined with others: it has no rows. */
static void set_page(struct run *run, const cJSON *recording)
{
	struct snapshot *s = &run->snapshot;
	bool joined = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(recording, LOAD_PAGE_JOINED));
	struct load_page *page = snapshot_alloc(s, sizeof *page);

	if (!page)
		return;
	page->job = joined && s->part.job ? s->part.job : "";
	page->id = id_of(run);
	s->part.job = "";
	run->page = page;
}

static const char *why_no_recording(const cJSON *model)
{
	const char *format =
	    cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(model, "format"));

	if (format && strcmp(format, "rtrack-model") != 0)
		return "a page about many runs is not a run";
	return "this page cannot stand for its run: not all of the job was recorded, or the page is "
	       "of a model without a recording";
}

static int fill_from_model(struct run *run, const cJSON *model, const char *path,
                           enum snapshot_want want, struct err *e)
{
	static const char *const blocks[] = {SNAPSHOT_KEY_META, SNAPSHOT_KEY_SERVER,
	                                     SNAPSHOT_KEY_CLOUD, SNAPSHOT_KEY_RTRACK};
	const cJSON *recording = cJSON_GetObjectItemCaseSensitive(model, LOAD_PAGE_RECORDING);
	struct snapshot *s = &run->snapshot;

	if (!cJSON_IsObject(recording))
		return err_set(e, "%s: %s", path, why_no_recording(model));
	s->schema = SCHEMA_1;
	snapshot_head_defaults(s);
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		if (read_block(s, recording, blocks[i]))
			return err_set(e, "%s: the model in this page is damaged", path);
	s->head_only = true;
	read_columns_of(s, recording);
	if (want != SNAPSHOT_WANT_HEAD)
		load_page_points(s, model);
	set_page(run, recording);
	return alloc_failed() ? err_set(e, "%s: no memory to read it", path) : 0;
}

int load_page_read(struct run *run, const char *path, enum snapshot_want want, struct err *e)
{
	enum page_model_without without;
	cJSON *model = page_model_read(path, &without, e);
	int failed = model ? fill_from_model(run, model, path, want, e) : -1;

	if (failed)
		snapshot_free(&run->snapshot);
	cJSON_Delete(model);
	return failed;
}

/* -- beside recordings ------------------------------------------------------------------------- */

static bool is_of_job(const struct run *page, const struct run *run)
{
	const struct snapshot_part *p = &run->snapshot.part;

	return *page->page->job && !run->page && p->known && p->job &&
	       strcmp(p->job, page->page->job) == 0;
}

/* Whether run k makes page i superfluous. */
static bool stands_for(const struct runs *r, const uint64_t *id, size_t k, size_t i)
{
	return k != i && (id[k] == id[i] ? !r->v[k].page || k < i : is_of_job(&r->v[i], &r->v[k]));
}

static void drop_run(struct runs *r, uint64_t *id, size_t i)
{
	snapshot_free(&r->v[i].snapshot);
	free(r->v[i].file);
	r->n--;
	memmove(&r->v[i], &r->v[i + 1], (r->n - i) * sizeof *r->v);
	memmove(&id[i], &id[i + 1], (r->n - i) * sizeof *id);
	if (r->keeper > i)
		r->keeper--;
	else if (r->keeper == i)
		r->keeper = 0;
}

int load_page_settle(struct runs *r, struct err *e)
{
	uint64_t *id;
	size_t pages = 0;

	for (size_t i = 0; i < r->n; i++)
		pages += r->v[i].page != NULL;
	id = pages ? calloc(r->n, sizeof *id) : NULL;
	if (!id)
		return pages ? err_set(e, "no memory") : 0;
	for (size_t i = 0; i < r->n; i++)
		id[i] = r->v[i].page ? r->v[i].page->id : id_of(&r->v[i]);
	for (size_t i = r->n; i-- > 0;) {
		size_t k = 0;
		while (r->v[i].page && k < r->n && !stands_for(r, id, k, i))
			k++;
		if (!r->v[i].page || k == r->n)
			continue;
		if (r->current && strcmp(r->current, r->v[i].file) == 0)
			r->current = r->v[k].file;
		drop_run(r, id, i);
	}
	free(id);
	return 0;
}
