/* model_recording: what the history and a catalog need of this run, so that its page can stand for
 * its recording. report/runs/load_page.c reads it. */
#include <stdio.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/recording/gaps.h"
#include "core/recording/snapshot_fields.h"
#include "report/model/model.h"
#include "report/runs/load_page.h"
#include "report/runs/parts.h"
#include "report/runs/run_row.h"
#include "report/units/model_json.h"

#define LIST_MAX ((size_t)16 << 10) /* bytes of the words of the command line, and of other lists */

static void write_own_block(struct json_write *j, const struct snapshot *s)
{
	if (!s->job.known)
		return;
	json_write_object(j, SNAPSHOT_KEY_RTRACK);
	json_write_num(j, SNAPSHOT_KEY_FORMAT, SNAPSHOT_FORMAT);
	snapshot_fields_object(j, SNAPSHOT_JOB, SCHEMA_1, &s->job);
	snapshot_fields_asked(j, &s->asked);
	snapshot_fields_part(j, &s->part);
	snapshot_fields_exit(j, s);
	if (s->totals.known) {
		json_write_object(j, snapshot_block_key(SNAPSHOT_TOTALS));
		snapshot_fields_write(j, SNAPSHOT_TOTALS, SCHEMA_1, &s->totals);
		snapshot_fields_write(j, SNAPSHOT_TOTALS_TREE, SCHEMA_1, &s->totals);
		snapshot_fields_object(j, SNAPSHOT_TOTALS_CGROUP, SCHEMA_1, &s->totals);
		json_write_object_end(j);
	}
	if (s->limits.known)
		snapshot_fields_object(j, SNAPSHOT_LIMITS, SCHEMA_1, &s->limits);
	snapshot_fields_object(j, SNAPSHOT_MACHINE, SCHEMA_1, &s->machine);
	json_write_object_end(j);
}

/* As they are in the recording's head: that is what the history has of other recordings, too. */
static void write_columns(struct json_write *j, const struct run *run)
{
	const struct snapshot *s = &run->snapshot;
	struct stats of[METRIC_COUNT];
	size_t fields;
	const struct snapshot_field *f = snapshot_fields_of(SNAPSHOT_STATISTICS, &fields);

	load_stats_of_head(run, of);
	json_write_object(j, LOAD_PAGE_STATISTICS);
	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = &metrics[id];
		const struct stats *v = &of[id];
		bool time = m->unit == METRIC_UNIT_TIME;
		char name[64];
		if (!v->n)
			continue;
		snprintf(name, sizeof name, "%s_%s", metric_scope_name(m->scope),
		         m->name[SCHEMA_1]);
		json_write_array(j, name);
		json_write_num(j, NULL, (double)(v->n - (time ? gaps_rows(s) : 0)));
		for (size_t i = 0; i < fields; i++)
			json_write_num(j, NULL, *(const double *)((const char *)v + f[i].offset));
		json_write_array_end(j);
	}
	json_write_object_end(j);
}

/* A catalog counts the nodes of a run by its recordings, so a run of several has no row. */
static void write_row_of_page(struct json_write *j, const struct run *run)
{
	if (run->parts && run->parts->n > 1)
		json_write_null(j, RTRACK_ROW_KEY);
	else
		run_row_write(run, j);
}

static void write_recording(struct json_write *j, const struct run *run)
{
	const struct snapshot *s = &run->snapshot;

	json_write_object(j, NULL);
	write_row_of_page(j, run);
	json_write_bool(j, LOAD_PAGE_JOINED, run->parts && run->parts->n > 1);
	json_write_object(j, SNAPSHOT_KEY_META);
	snapshot_fields_object(j, SNAPSHOT_META_TOOL, SCHEMA_1, &s->meta);
	snapshot_fields_write(j, SNAPSHOT_META, SCHEMA_1, &s->meta);
	json_write_object_end(j);
	if (s->server.known)
		snapshot_fields_object(j, SNAPSHOT_SERVER, SCHEMA_1, &s->server);
	snapshot_fields_object(j, SNAPSHOT_CLOUD, SCHEMA_1, &s->cloud);
	write_own_block(j, s);
	write_columns(j, run);
	json_write_object_end(j);
}

/* misc-no-recursion: as deep as write_recording() has written it */
static void cut_texts(cJSON *o)
{
	cJSON *one, *next;
	size_t bytes = 0;

	for (one = o->child; one; one = next) {
		const char *text = cJSON_GetStringValue(one);
		struct buf cut = {0};
		next = one->next;
		cut_texts(one);
		if (!text)
			continue;
		bytes += cJSON_IsArray(o) ? strlen(text) : 0;
		if (bytes > LIST_MAX)
			cJSON_Delete(cJSON_DetachItemViaPointer(o, one));
		else if (strlen(text) > MODEL_JSON_TEXT_MAX) {
			model_json_cut_text(&cut, text, MODEL_JSON_TEXT_MAX);
			alloc_failed_note(cJSON_SetValuestring(one, buf_cstr(&cut)));
		}
		buf_free(&cut);
	}
}

/* Of a run that is not whole, the page cannot stand for its recordings. */
void model_recording_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	struct json_write j = {.sink = NULL};
	cJSON *recording = NULL;

	if (!parts_missing(run->parts)) {
		write_recording(&j, run);
		if (json_write_finish(&j))
			recording = alloc_failed_note(cJSON_Parse(buf_cstr(&j.b)));
		if (recording)
			cut_texts(recording);
	}
	cJSON_AddItemToObject(model, LOAD_PAGE_RECORDING,
	                      recording ? recording : cJSON_CreateNull());
	json_write_free(&j);
}
