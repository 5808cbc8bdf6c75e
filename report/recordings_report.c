/* recordings_report: the model of a report on one run. */
#include "report/recordings_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc_failed.h"
#include "report/advice/recommend.h"
#include "report/chart/comparison.h"
#include "report/history/history_changes.h"
#include "report/inputs.h"
#include "report/model/model_views.h"
#include "report/prices/keeper.h"
#include "report/prices/keeper_file.h"
#include "report/prices/keeper_records.h"
#include "report/prices/offer.h"
#include "report/runs/parts_join.h"
#include "report/runs/settle.h"
#include "report/stats/history.h"
#include "report/units/model_json.h"
#include "report/verdict/warnings.h"

static void warn(recordings_report_say *say, struct err line)
{
	if (*line.msg)
		say(&line);
}

static bool is_text(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (((unsigned char)s[i] < ' ' && !strchr("\t\r\n", s[i])) || s[i] == 0x7f)
			return false;
	return n && (unsigned char)*s < 0x80 && !strchr("{[<", *s);
}

/* A text may be what another program wrote about jobs. */
static void explain_text(struct load_failure *f)
{
	char head[256];

	if (strstr(f->err.msg, "not a snapshot") &&
	    is_text(head, input_beginning(f->file, head, sizeof head)))
		err_set(&f->err,
		        "%s: not a recording; rtrack-fleet reads what other programs wrote about "
		        "jobs (docs/import.md)",
		        f->file);
}

int recordings_report_load(const struct report_options *o, struct runs *r, struct read_ahead *ahead,
                           const struct store *store, recordings_report_say *say, struct err *e)
{
	r->ahead = ahead;
	r->store = store;
	r->current = o->current.name;
	r->group_by = &o->group_by;
	r->now = inputs_latest_now(o);
	if (inputs_spare_outputs(o, r, e) || (o->current.name && load_input(r, o->current, e)))
		return -1;
	for (size_t i = 0; i < o->n_inputs; i++)
		if (load_input(r, o->input[i], e))
			return -1;
	for (size_t i = 0; i < r->n_failed; i++)
		explain_text(&r->failed[i]);
	if (settle_runs(r, e) || ((!o->parts || strcmp(o->parts, "off") != 0) && parts_join(r, e)))
		return -1;
	for (size_t i = 0; i < r->n_failed; i++)
		say(&r->failed[i].err);
	warn(say, warnings_others(r));
	warn(say, warnings_copies(r));
	warn(say, warnings_future(r));
	return 0;
}

static cJSON *add_model_views(cJSON *model, const struct model_input *in,
                              const struct report_options *o, struct err *e)
{
	const struct view_options views = {
	    .ram_unit = o->ram_unit,
	    .gpu_ram_unit = o->gpu_ram_unit,
	    .time_unit = o->time_unit,
	    .expected_cores = o->expected_cores,
	    .gpus = o->gpus,
	};

	/* A failed allocation leaves a value out of the model without an error of its own. */
	if (model && !alloc_failed() && model_views_add(model, in, &views, e) == 0 &&
	    !alloc_failed())
		return model;
	if (!*e->msg)
		err_set(e, "no memory for the report");
	cJSON_Delete(model);
	return NULL;
}

static int check_two_runs(const struct runs *r, struct err *e)
{
	if (r->n >= 2 || r->n_failed)
		return 0;
	return err_set(e, "--compare needs two runs or more, and this is one: name another "
	                  "recording, or a folder of them");
}

/* Chooses this run and what it is compared with. */
static int prepare_runs(const struct recordings_report *from, struct comparison **compare,
                        bool *usage, struct err *e)
{
	const struct report_options *o = from->o;
	struct runs *r = from->runs;
	struct err short_steps;

	if (history_choose(r, o->history, e) || inputs_load_rows(&r->v[0], o, e))
		return -1;
	warn(from->say, warnings_missing_parts(&r->v[0]));
	short_steps = load_short_text(r, &r->v[0]);
	if (*short_steps.msg)
		snapshot_note(&r->v[0].snapshot, "%s.", short_steps.msg);
	if (o->note)
		snapshot_note(&r->v[0].snapshot, "%s.", o->note);
	*usage = o->compare && check_two_runs(r, e);
	if (*usage)
		return -1;
	if (o->compare && !(*compare = comparison_new(r, &o->names, e)))
		return -1;
	load_tell_status(&r->v[0], o->status);
	return 0;
}

static struct recommend_rules rules_of(const struct report_options *o)
{
	return (struct recommend_rules){
	    .risk = o->risk,
	    .slowdown = o->slowdown,
	    .plain = o->rules && strcmp(o->rules, "resource-tracker") == 0,
	};
}

static int read_prices_file(const struct report_options *o, struct keeper_file *file,
                            struct keeper_query *q, struct err *e)
{
	if (!o->keeper_file)
		return 0;
	q->file = file;
	return keeper_file_read(file, o->keeper_file, e) ? err_wrap(e, "--keeper-file") : 0;
}

cJSON *recordings_report_make(const struct recordings_report *from, struct gate_results *gates,
                              bool *usage, struct err *e)
{
	const struct report_options *o = from->o;
	struct runs *r = from->runs;
	struct price_fetcher *fetcher = from->fetcher;
	struct keeper_query prices = report_options_prices(o, fetcher);
	struct keeper_records records = {0};
	struct keeper_file file = {.saved_at = 0};
	const struct recommend_rules rules = rules_of(o);
	struct model_input in;
	struct recommend *c;
	struct history_changes *history = NULL;
	struct comparison *compare = NULL;
	cJSON *model = NULL;

	if (prepare_runs(from, &compare, usage, e))
		return NULL;
	prices.records = o->keeper_records ? &records : NULL;
	c = calloc(1, sizeof *c);
	if (!c) {
		err_set(e, "no memory for the report");
	} else if (read_prices_file(o, &file, &prices, e)) {
		*usage = false;
	} else if (recommend_runs(r, &rules, &prices, c, e)) {
		*usage = true;
	} else if (!(history = history_changes_new(r, offer_price_of_run(&c->keeper).hour))) {
		err_set(e, "no memory for the history");
	} else if (gate_results_of(&o->fail_if, r, &c->keeper, history, gates, e) == 0) {
		price_fetcher_stop(fetcher);
		if (!o->offline)
			warn(from->say, warnings_no_prices(&c->keeper, r->now));
		in = (struct model_input){
		    .runs = r,
		    .advice = &c->advice,
		    .memory = &c->memory,
		    .basis = c->basis,
		    .keeper = &c->keeper,
		    .no_recording = o->no_model || !(o->file[FORMAT_HTML] || o->file[FORMAT_JSON]),
		    .history = history,
		    .compare = compare,
		    .title = o->title,
		    .integration = o->integration,
		    .gates = gates,
		    .now = isnan(o->now) ? (double)time(NULL) : o->now,
		    .runs_per_month = o->runs_per_month,
		    .every_s = o->every_s,
		};
		model = add_model_views(model_build(&in), &in, o, e);
	}
	free(c);
	free(history);
	keeper_records_free(&records);
	keeper_file_free(&file);
	comparison_free(compare);
	return model;
}

int recordings_report_bisect(struct runs *r, struct buf *commits, struct err *change, struct err *e)
{
	struct history_changes *h;
	const struct change_point *c;
	const struct history_series *s;
	const char *bad, *good;
	struct buf text = {0};
	enum trend_id id;

	if (history_choose(r, 0, e))
		return -1;
	h = history_changes_new(r, (double)NAN);
	if (!h)
		return err_set(e, "no memory for the history");
	c = history_newest(r, h, &id);
	if (!c) {
		size_t n = 0;
		for (int i = 0; i < TREND_JUDGED; i++)
			n = h->of[i].series.n > n ? h->of[i].series.n : n;
		free(h);
		return err_set(
		    e, "no measure changed in the last %zu comparable run%s of the job%s", n,
		    n == 1 ? "" : "s", n < 2 * CHANGE_LEAST ? ": that is too few to tell" : "");
	}
	s = &h->of[id].series;
	bad = history_commit(&r->v[s->run[c->at]]);
	good = history_commit(&r->v[s->run[c->at - 1]]);
	history_change_text(r, id, s, c, &text);
	if (!*bad || !*good)
		err_set(e, "%s But its runs have no label git.commit", buf_cstr(&text));
	else if (strcmp(bad, good) == 0)
		err_set(e, "%s", buf_cstr(&text));
	else
		buf_printf(commits, "%s %s\n", bad, good);
	err_set(change, "%s: %s", trend_measures[id].label, buf_cstr(&text));
	buf_free(&text);
	free(h);
	return commits->len ? 0 : -1;
}
