/* model_recording: the recording that the page of this run carries (docs/model.md). It is made
 * from what was read, so that every input has one: a journal, CSV, another tool's file. */
#include <math.h>
#include <stdlib.h>

#include "core/base/alloc_failed.h"
#include "core/base/base64.h"
#include "core/base/gz.h"
#include "core/files/snapshot_write.h"
#include "core/head/detail_file.h"
#include "core/head/overview.h"
#include "core/head/overview_make.h"
#include "core/head/overview_write.h"
#include "core/json/json_write.h"
#include "core/processes/process_tree_write.h"
#include "core/recording/gaps.h"
#include "core/recording/snapshot_fields.h"
#include "report/model/model.h"
#include "report/prices/keeper_saved.h"
#include "report/runs/parts.h"
#include "report/runs/run_row.h"
#include "report/stats/time_at_run.h"
#include "report/units/model_json.h"

#define LEVEL     9
#define ROWS_MAX  BUCKETS_MAX    /* rows of a run that has no more take less than its overview */
#define ROWS_MOST OVERVIEW_LEAST /* where no overview can be made */
#define TREE_MOST 300 /* processes: of more only their number, because the path needs all */

/* A run as it is written. */
struct carried {
	struct snapshot s; /* borrows from the run's */
	struct snapshot_columns columns;
	const struct overview *overview; /* NULL: the rows are written */
	struct snapshot own;             /* its arena has an overview that was made here */
	struct time_at time_at;          /* where the rows are left out */
};

/* -- the head ---------------------------------------------------------------------------------- */

static void write_all_totals(void *ctx, struct json_write *j)
{
	const struct snapshot *s = ctx;

	snapshot_fields_write(j, SNAPSHOT_TOTALS_TREE, SCHEMA_1, &s->totals);
	snapshot_fields_object(j, SNAPSHOT_TOTALS_CGROUP, SCHEMA_1, &s->totals);
}

static void write_process_table(struct json_write *j, enum snapshot_block block,
                                const struct snapshot_process *p, size_t n)
{
	json_write_array(j, snapshot_fields_key(block));
	for (size_t i = 0; i < n; i++) {
		json_write_object(j, NULL);
		snapshot_fields_write(j, block, SCHEMA_1, &p[i]);
		snapshot_fields_process_states(j, p[i].states_s);
		if (p[i].n_waits)
			json_write_array(j, snapshot_fields_key(SNAPSHOT_WAIT));
		for (size_t k = 0; k < p[i].n_waits; k++)
			snapshot_fields_element(j, SNAPSHOT_WAIT, &p[i].waits[k]);
		if (p[i].n_waits)
			json_write_array_end(j);
		json_write_object_end(j);
	}
	json_write_array_end(j);
}

static void write_all_members(void *ctx, struct json_write *j)
{
	const struct snapshot *s = ctx;
	const struct snapshot_processes *p = &s->processes;

	if (s->limits.known)
		snapshot_fields_object(j, SNAPSHOT_LIMITS, SCHEMA_1, &s->limits);
	json_write_array(j, snapshot_fields_key(SNAPSHOT_GPU));
	for (size_t i = 0; i < s->n_gpus; i++)
		snapshot_fields_element(j, SNAPSHOT_GPU, &s->gpus[i]);
	json_write_array_end(j);
	snapshot_fields_states(j, &s->states, NULL, NULL);
	if (!p->known)
		return;
	json_write_object(j, snapshot_fields_key(SNAPSHOT_PROCESSES));
	snapshot_fields_write(j, SNAPSHOT_PROCESSES, SCHEMA_1, p);
	write_process_table(j, SNAPSHOT_PROCESS, p->top, p->n_top);
	write_process_table(j, SNAPSHOT_PROCESS_GROUP, p->others, p->n_others);
	json_write_object_end(j);
}

/* -- the rows ---------------------------------------------------------------------------------- */

/* As a recorder spells it, but for a cell that was finer: other tools round less. */
static double cell_in_file(const struct metric *m, double v)
{
	double scale = metric_scale(m->unit, SCHEMA_1), spelled = metric_spell(m, SCHEMA_1, v);

	return fabs(spelled * scale - v) > 1e-9 * fabs(v) ? v / scale : spelled;
}

/* A cell that was not measured is null. */
static void write_carried_rows(struct json_write *j, const struct carried *c,
                               enum metric_scope scope)
{
	const struct frame *f = &c->s.rows[scope];

	json_write_object(j, scope == METRIC_SCOPE_PROCESS ? SNAPSHOT_KEY_PROCESS
	                                                   : SNAPSHOT_KEY_SYSTEM);
	for (int id = 0; id < METRIC_COUNT && !c->overview; id++) {
		const double *col = frame_col(f, (enum metric_id)id);
		if (metrics[id].scope != scope || !col)
			continue;
		json_write_array(j, metrics[id].name[SCHEMA_1]);
		for (size_t i = 0; i < f->rows; i++)
			if (!gaps_has(&c->s, i))
				json_write_num(j, NULL, cell_in_file(&metrics[id], col[i]));
		json_write_array_end(j);
	}
	json_write_object_end(j);
}

/* -- the whole --------------------------------------------------------------------------------- */

static bool has_rows_to_carry(const struct snapshot *s, size_t most)
{
	size_t process = s->rows[METRIC_SCOPE_PROCESS].rows;
	size_t system = s->rows[METRIC_SCOPE_SYSTEM].rows;

	return (process || system) && process <= most && system <= most;
}

/* As the recorder would have written it. NULL: there can be none. */
static const struct overview *overview_of_rows(struct carried *c, struct err *e)
{
	struct snapshot_source source = snapshot_source_of(&c->s);
	const struct written rows = {&c->s, &source, SCHEMA_1, c->columns.stats, c->columns.write};
	const struct overview *o;

	return overview_make(&c->own, &rows, &o, e) == 0 && o && overview_is_sound(o) ? o : NULL;
}

/* False: neither the rows nor an overview can be carried. */
static bool choose_form(struct carried *c, const struct run *run, struct err *e)
{
	struct stats *memory = &c->columns.stats[METRIC_PROCESS_MEMORY];

	c->s = run->snapshot;
	c->s.more = (struct snapshot_more){
	    .totals = write_all_totals, .members = write_all_members, .ctx = &c->s};
	c->s.meta.start_time = run->start;
	if (isnan(c->s.meta.stop_time))
		c->s.meta.stop_time = run->start + run->duration;
	c->s.meta.interval = run->interval;
	if (run->snapshot.unfinished)
		c->s.exit.cause = "unfinished";
	load_stats_of_head(run, c->columns.stats);
	if (!run->snapshot.summary && memory->n)
		memory->max = run->memory_sampled_b;
	for (int id = 0; id < METRIC_COUNT; id++)
		c->columns.write[id] = c->columns.stats[id].n > 0;
	if (has_rows_to_carry(&c->s, ROWS_MAX))
		return true;
	if (time_at_run(run, &c->time_at))
		c->s.time_at = &c->time_at;
	c->overview = c->s.overview ? c->s.overview : overview_of_rows(c, e);
	return c->overview || has_rows_to_carry(&c->s, ROWS_MOST);
}

static void write_carried_tree(struct json_write *j, const struct process_tree *tree)
{
	struct process_tree t = *tree;
	struct process_tree_rows rows;
	struct err e = {{0}};

	if (t.kept > TREE_MOST || t.n_groups)
		t.kept = t.n_groups = 0;
	rows = process_tree_rows_of(&t);
	if (process_tree_write(j, &rows, &e))
		alloc_failed_note(NULL);
}

static void write_carried(struct json_write *j, struct carried *c)
{
	json_write_object(j, NULL);
	snapshot_write_head(&c->s, j, SCHEMA_1, &c->columns);
	if (c->overview)
		overview_write(j, c->overview, SCHEMA_1, true);
	if (c->s.detail)
		detail_file_write_read(j, c->s.detail);
	if (c->s.tree)
		write_carried_tree(j, c->s.tree);
	json_write_object_end(j);
	for (int scope = 0; scope < METRIC_SCOPES; scope++)
		write_carried_rows(j, c, (enum metric_scope)scope);
	json_write_object_end(j);
}

/* Packs a text as an element of the page has it. NULL without memory. */
static cJSON *packed_text(struct json_write *j)
{
	struct buf zipped = {0}, text = {0};
	struct err e = {{0}};
	cJSON *out = NULL;

	if (json_write_finish(j) && gz_pack(&zipped, buf_cstr(&j->b), j->b.len, LEVEL, &e) == 0) {
		base64_add(&text, zipped.s, zipped.len);
		out = text.failed ? NULL : cJSON_CreateString(buf_cstr(&text));
	}
	alloc_failed_note(out);
	json_write_free(j);
	buf_free(&zipped);
	buf_free(&text);
	return out;
}

static void add_prices(cJSON *recording, const struct keeper_result *k)
{
	struct json_write j = {.sink = NULL};

	if (!k->known && !k->present_known)
		return;
	keeper_saved_write(&j, k);
	cJSON_AddItemToObject(recording, "packed_prices", packed_text(&j));
}

static void add_carried(cJSON *recording, const struct run *run)
{
	struct carried *c = alloc_failed_note(calloc(1, sizeof *c));
	struct json_write j = {.exponents = true};
	struct err e = {{0}};

	if (c && choose_form(c, run, &e)) {
		write_carried(&j, c);
		cJSON_AddBoolToObject(recording, "overview", c->overview != NULL);
		cJSON_AddItemToObject(recording, "packed", packed_text(&j));
	}
	if (c)
		snapshot_free(&c->own);
	free(c);
}

/* A catalog counts the nodes of a run by its recordings, so the page of a run of several recordings
 * has no row. Of a run that is not whole, it cannot stand for its recordings. */
void model_recording_add(cJSON *model, const struct model_input *in)
{
	const struct run *run = &in->runs->v[0];
	bool several = run->parts && run->parts->n > 1;
	struct json_write j = {.sink = NULL};
	cJSON *recording = NULL;

	if (!parts_missing(run->parts)) {
		json_write_object(&j, NULL);
		if (several)
			json_write_null(&j, RTRACK_ROW_KEY);
		else
			run_row_write(run, &j);
		json_write_object_end(&j);
		if (json_write_finish(&j))
			recording = alloc_failed_note(cJSON_Parse(buf_cstr(&j.b)));
		json_write_free(&j);
	}
	if (recording && !in->no_recording)
		add_carried(recording, run);
	if (recording && !in->no_recording && !several)
		add_prices(recording, in->keeper);
	cJSON_AddItemToObject(model, "recording", recording ? recording : cJSON_CreateNull());
}
