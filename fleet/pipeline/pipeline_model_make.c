/* pipeline_model_make: the head of the tree: which run, its verdict, and what is left out. */
#include "fleet/pipeline/pipeline_model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/larger.h"
#include "fleet/pipeline/pipeline_model_parts.h"
#include "fleet/pipeline/pipeline_model_words.h"
#include "report/chart/chart_lanes.h"
#include "report/render/output_formats.h"
#include "report/units/model_json.h"

#define USED 0.5 /* of what was asked for: below, much is wasted */

/* -- tiles ------------------------------------------------------------------------------------- */

static void add_run_tile(cJSON *tiles, const char *id, const char *label, const char *text,
                         const char *note)
{
	cJSON *one = model_json_row(tiles);

	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "label", label);
	cJSON_AddStringToObject(one, "text", text);
	cJSON_AddStringToObject(one, "note", note);
}

static void add_hours_tile(cJSON *tiles, const char *id, const char *label,
                           const struct pipeline_hours *h, const struct pipeline *p)
{
	char asked[32], used[32];
	struct buf note = {0};

	if (!(h->n > 0))
		return;
	buf_printf(&note, "%s used", pipeline_model_words_hours(h->used, used));
	if (h->asked > 0)
		buf_printf(&note, ", %s", UNITS_SHARE(h->used / h->asked));
	if (h->n < (double)p->n)
		buf_printf(&note, "; known of %s of %s attempts", UNITS_COUNT(h->n),
		           UNITS_COUNT((double)p->n));
	add_run_tile(tiles, id, label, pipeline_model_words_hours(h->asked, asked),
	             buf_cstr(&note));
	buf_free(&note);
}

static void add_run_tiles(cJSON *model, const struct pipeline *p)
{
	cJSON *tiles = cJSON_AddArrayToObject(model, "tiles");
	double wall_s = p->end - p->begin;
	struct buf note = {0};

	buf_printf(&note, "%s failed, %s retried", UNITS_COUNT((double)p->failed),
	           UNITS_COUNT((double)p->retried));
	add_run_tile(tiles, "tasks", "Tasks", UNITS_COUNT((double)p->n_tasks), buf_cstr(&note));
	add_run_tile(tiles, "processes", "Processes", UNITS_COUNT((double)p->n_processes), "");
	add_run_tile(tiles, "wall", "Wall time",
	             isfinite(wall_s) ? UNITS_SECONDS(wall_s) : "unknown",
	             isfinite(wall_s) ? "from the first start to the last end" : "");
	add_hours_tile(tiles, "cores", "Core-hours asked", &p->core_h, p);
	add_hours_tile(tiles, "memory", "GiB-hours asked", &p->gib_h, p);
	buf_free(&note);
}

/* -- sentences --------------------------------------------------------------------------------- */

static void add_run_sentence(cJSON *verdict, const char *id, const char *level, struct buf *text)
{
	cJSON *one = model_json_row(verdict);

	cJSON_AddStringToObject(one, "id", id);
	cJSON_AddStringToObject(one, "level", level);
	model_json_take_cut(one, "text", text, MODEL_JSON_TEXT_MAX);
}

static const char *pipeline_plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void say_ends(cJSON *verdict, const struct pipeline *p)
{
	struct buf text = {0};

	buf_printf(&text, "%s task%s of %s process%s", UNITS_COUNT((double)p->n_tasks),
	           pipeline_plural(p->n_tasks), UNITS_COUNT((double)p->n_processes),
	           p->n_processes == 1 ? "" : "es");
	if (!p->failed && !p->unfinished) {
		buf_str(&text, ": none failed in the end.");
	} else {
		buf_printf(&text, ": %s failed in the end", UNITS_COUNT((double)p->failed));
		if (p->oom)
			buf_printf(&text, ", %s of them for memory", UNITS_COUNT((double)p->oom));
		if (p->unfinished)
			buf_printf(&text, "; the end of %s is unknown",
			           UNITS_COUNT((double)p->unfinished));
		buf_char(&text, '.');
	}
	add_run_sentence(verdict, "ends",
	                 p->failed       ? "bad"
	                 : p->unfinished ? "warn"
	                                 : "good",
	                 &text);
}

static void say_retries(cJSON *verdict, const struct pipeline *p)
{
	struct buf text = {0};
	char hours[32];

	if (!p->retries)
		return;
	buf_printf(&text, "%s task%s tried again, %s time%s in all",
	           UNITS_COUNT((double)p->retried), p->retried == 1 ? " was" : "s were",
	           UNITS_COUNT((double)p->retries), pipeline_plural(p->retries));
	if (isfinite(p->retries_core_h))
		buf_printf(&text, ": attempts that were not the last used %s core-hours",
		           pipeline_model_words_hours(p->retries_core_h, hours));
	buf_char(&text, '.');
	add_run_sentence(verdict, "retries", "warn", &text);
}

static void say_use(cJSON *verdict, const char *id, const char *what,
                    const struct pipeline_hours *h)
{
	struct buf text = {0};
	char asked[32], used[32];

	if (!(h->n > 0) || !(h->asked > 0))
		return;
	buf_printf(&text, "Of %s %s asked for, %s were used (%s).",
	           pipeline_model_words_hours(h->asked, asked), what,
	           pipeline_model_words_hours(h->used, used), UNITS_SHARE(h->used / h->asked));
	add_run_sentence(verdict, id, h->used < USED * h->asked ? "warn" : "info", &text);
}

static void say_chain(cJSON *verdict, const struct pipeline_parts *x)
{
	const struct pipeline_chain *c = &x->chain;
	double all = c->run_s + c->before_s + c->slot_s;
	struct buf text = {0};

	if (!c->n || !(all > 0))
		return;
	buf_str(&text, "The chain of tasks that ended last has ");
	if (c->n == 1)
		buf_str(&text, "one: it");
	else
		buf_printf(&text, "%s: they", UNITS_COUNT((double)c->n));
	buf_printf(&text, " ran for %s of its %s", UNITS_SHARE(c->run_s / all), UNITS_SECONDS(all));
	if (c->slot_s > 0)
		buf_printf(&text, ", and waited for a slot for %s", UNITS_SHARE(c->slot_s / all));
	buf_str(&text, ". The last was ");
	pipeline_model_words_name(x, &x->p->attempt[c->link[c->n - 1].at], &text);
	buf_char(&text, '.');
	add_run_sentence(verdict, "chain", "info", &text);
}

static void say_make_missing(cJSON *verdict, const struct pipeline *p)
{
	struct buf text = {0};

	if (p->rows > PIPELINE_ROWS_MAX)
		buf_printf(&text,
		           "The run has more than %s recordings: this page has the newest ones. ",
		           UNITS_COUNT((double)PIPELINE_ROWS_MAX));
	if (p->impossible)
		buf_printf(&text, "%s recording%s left out, because the numbers cannot be true. ",
		           UNITS_COUNT((double)p->impossible),
		           p->impossible == 1 ? " is" : "s are");
	if (p->undated)
		buf_printf(&text,
		           "It is unknown when %s attempt%s ran: %s in no picture over time, and "
		           "not in the chain.",
		           UNITS_COUNT((double)p->undated), pipeline_plural(p->undated),
		           p->undated == 1 ? "it is" : "they are");
	if (text.len)
		add_run_sentence(verdict, "left_out", "warn", &text);
}

static void add_verdict(cJSON *model, const struct pipeline_parts *x)
{
	cJSON *verdict = cJSON_AddArrayToObject(model, "verdict");

	say_ends(verdict, x->p);
	say_retries(verdict, x->p);
	say_use(verdict, "cores", "core-hours", &x->p->core_h);
	say_use(verdict, "memory", "GiB-hours", &x->p->gib_h);
	say_chain(verdict, x);
	say_make_missing(verdict, x->p);
}

/* -- which run --------------------------------------------------------------------------------- */

static const char *workflow_name(const struct pipeline *p)
{
	static const struct {
		const char *word, *name;
	} names[] = {{"nextflow", "Nextflow"},
	             {"snakemake", "Snakemake"},
	             {"airflow", "Airflow"},
	             {"metaflow", "Metaflow"},
	             {"slurm", "Slurm"},
	             {"gitlab", "GitLab CI"},
	             {"github-actions", "GitHub Actions"}};
	const char *word = p->workflow ? p->workflow : "";

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i].word, word) == 0)
			return names[i].name;
	return word;
}

static void add_make_run(cJSON *model, const struct pipeline *p,
                         const struct pipeline_model_input *in)
{
	cJSON *run = cJSON_AddObjectToObject(model, "run"), *others;
	struct buf more = {0};

	model_json_cut(run, "name", in->run ? in->run : "", MODEL_JSON_NAME_MAX);
	model_json_cut(run, "workflow", workflow_name(p), PIPELINE_MODEL_NAME);
	model_json_time(run, "begin", p->begin);
	model_json_time(run, "end", p->end);
	others = cJSON_AddArrayToObject(model, "others");
	for (size_t i = 0; i < in->n_others; i++)
		model_json_cut(others, NULL, in->other[i], MODEL_JSON_NAME_MAX);
	cJSON_AddBoolToObject(model, "has_others", in->n_others > 0);
	if (in->all_others > in->n_others)
		buf_printf(&more, "and %s more",
		           UNITS_COUNT((double)(in->all_others - in->n_others)));
	model_json_take(model, "others_more", &more);
}

static void add_failed_files(cJSON *model, const struct pipeline_model_input *in)
{
	cJSON *inputs = cJSON_AddArrayToObject(model, "inputs");
	struct buf more = {0};

	for (size_t i = 0; i < in->n_failed; i++)
		model_json_cut(model_json_row(inputs), "error", in->failed[i].msg,
		               MODEL_JSON_TEXT_MAX);
	if (in->all_failed > in->n_failed)
		buf_printf(&more, "%s more files could not be read.",
		           UNITS_COUNT((double)(in->all_failed - in->n_failed)));
	model_json_take(model, "inputs_more", &more);
	cJSON_AddBoolToObject(model, "has_inputs_left_out", in->all_failed > 0);
}

/* -- the whole --------------------------------------------------------------------------------- */

/* Those with most time get the colours. The list is short, or its order does not matter. */
static void rank_by_wall(struct pipeline_parts *x)
{
	const struct pipeline *p = x->p;

	for (size_t k = 0; k < p->n_processes; k++) {
		x->by_wall[k] = k;
		x->colour[k] = CHART_LANES_COLOURS;
	}
	for (size_t i = 0; i < PIPELINE_MODEL_ROWS && i < p->n_processes; i++) {
		size_t best = i, other = x->by_wall[i];
		for (size_t k = i + 1; k < p->n_processes; k++)
			if (p->process[x->by_wall[k]].wall_s > p->process[x->by_wall[best]].wall_s)
				best = k;
		x->by_wall[i] = x->by_wall[best];
		x->by_wall[best] = other;
		if (i < CHART_LANES_COLOURS)
			x->colour[x->by_wall[i]] = i;
	}
}

static int begin_parts(struct pipeline_parts *x, struct err *e)
{
	x->chained = calloc(x->p->n + 1, sizeof *x->chained);
	x->by_wall = calloc(x->p->n_processes + 1, sizeof *x->by_wall);
	x->colour = calloc(x->p->n_processes + 1, sizeof *x->colour);
	if (!x->chained || !x->by_wall || !x->colour)
		return err_set(e, "%s", strerror(ENOMEM));
	if (pipeline_chain_make(x->p, &x->chain, e))
		return -1;
	for (size_t i = 0; i < x->chain.n; i++)
		x->chained[x->chain.link[i].at] = true;
	rank_by_wall(x);
	return 0;
}

cJSON *pipeline_model_make(const struct pipeline *p, const struct pipeline_model_input *in,
                           struct err *e)
{
	struct pipeline_parts x = {.p = p, .in = in};
	cJSON *model = cJSON_CreateObject();
	int failed = model ? begin_parts(&x, e) : -1;

	if (!failed) {
		model_json_head(model, PIPELINE_MODEL_FORMAT, in->integration, in->now,
		                in->title ? in->title : in->run);
		model_json_cut(model, "source", in->source ? in->source : "", MODEL_JSON_TEXT_MAX);
		add_make_run(model, p, in);
		add_run_tiles(model, p);
		add_verdict(model, &x);
		failed = pipeline_model_lanes_add(model, &x, e) ||
		         pipeline_model_load_add(model, &x, e) ||
		         pipeline_model_processes_add(model, &x, e);
		pipeline_model_chain_add(model, &x);
		add_failed_files(model, in);
	}
	pipeline_chain_free(&x.chain);
	free(x.chained);
	free(x.by_wall);
	free(x.colour);
	if (!failed && !alloc_failed())
		return model;
	if (!*e->msg)
		err_set(e, "no memory for the report");
	cJSON_Delete(model);
	return NULL;
}
