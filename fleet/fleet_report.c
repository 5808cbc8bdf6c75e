/* fleet_report: files → catalog → what the mode makes of many runs. */
#include "fleet/fleet_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc_failed.h"
#include "fleet/ask/ask_report.h"
#include "fleet/ci/ci_report.h"
#include "fleet/groups/fleet.h"
#include "fleet/groups/fleet_model.h"
#include "fleet/groups/fleet_money.h"
#include "fleet/groups/keeper_machines.h"
#include "fleet/list/runs_report.h"
#include "fleet/options/fleet_source.h"
#include "fleet/owners/mail_report.h"
#include "fleet/pipeline/pipeline_report.h"
#include "report/advice/recommend.h"
#include "report/input/store_address.h"
#include "report/options/privdrop.h"
#include "report/units/others_text.h"
#include "report/units/units.h"

/* Objects are fetched by the store's worker, and parsed by this process. */
static bool names_files(const struct fleet_options *o)
{
	for (size_t i = 0; i < o->page.n_inputs; i++)
		if (o->page.input[i].place != INPUT_S3)
			return true;
	return false;
}

int fleet_report_start(struct fleet_workers *w, const struct fleet_options *o, struct err *e)
{
	*w = (struct fleet_workers){0};
	/* First: it takes the password out of what the others inherit. */
	if (catalog_fetcher_start(&w->catalog, o->catalog, e))
		return -1;
	if ((o->verb == FLEET_GROUPS || o->verb == FLEET_RUNS || o->mail) && !o->page.offline &&
	    !fleet_options_rates(o))
		price_fetcher_start(&w->prices,
		                    *o->page.keeper_url ? o->page.keeper_url : KEEPER_URL,
		                    o->page.keeper_timeout_s);
	if (names_files(o) && o->verb != FLEET_FORGET)
		scan_start(&w->scan, privdrop_reading, o);
	return o->sacct_since > 0 ? sacct_program_start(&w->sacct, o->sacct_since, e) : 0;
}

void fleet_report_stop(struct fleet_workers *w)
{
	scan_stop(&w->scan);
	catalog_fetcher_stop(&w->catalog);
	price_fetcher_stop(&w->prices);
	sacct_program_finish(&w->sacct, NULL); /* empty by now, if all went well */
}

void fleet_report_free(struct fleet_report *r)
{
	cJSON_Delete(r->model);
	gate_results_free(&r->gates);
	buf_free(&r->done);
	*r = (struct fleet_report){0};
}

/* -- the page ---------------------------------------------------------------------------------- */

static int judge(const struct fleet_options *o, const struct fleet *f, struct gate_results *out,
                 struct err *e)
{
	double values[MEASURE_FLEET_NAMES];

	fleet_measures(f, values);
	return gate_results_of_fleet(&o->page.fail_if, values,
	                             o->page.currency ? o->page.currency : "", out, e);
}

static cJSON *make_model(const struct fleet_options *o, const struct fleet *f,
                         const struct fleet_failures *failed, const struct fleet_money *money,
                         const char *source, const struct gate_results *gates, struct err *e)
{
	struct buf words = {0};
	struct fleet_model_input in = {
	    .title = o->page.title,
	    .integration = o->page.integration,
	    .source = source,
	    .where = &o->where,
	    .group_by = &o->page.group_by,
	    .since = o->since_text,
	    .until = o->until_text,
	    .currency = o->page.currency,
	    .money_basis = buf_cstr(&money->basis),
	    .attribution = *money->attribution ? money->attribution : NULL,
	    .gates = gates,
	    .failed = failed->kept,
	    .n_failed = failed->n < FLEET_SOURCES_KEPT ? failed->n : FLEET_SOURCES_KEPT,
	    .all_failed = failed->n,
	    .others = failed->others,
	    .page = fleet_options_page_file(o),
	    .top = (size_t)o->top,
	    .now = isnan(o->page.now) ? (double)time(NULL) : o->page.now,
	};
	cJSON *model;

	fleet_source_words(o->catalog, o->page.input, o->page.n_inputs, &words);
	in.words = buf_cstr(&words);
	model = alloc_failed() ? NULL : fleet_model(f, &in);
	buf_free(&words);
	if (model && !alloc_failed())
		return model;
	err_set(e, "no memory for the report");
	cJSON_Delete(model);
	return NULL;
}

static int make_page(const struct fleet_options *o, const struct fleet_input *in,
                     const struct fleet_failures *failed, struct fleet_money *money,
                     const char *source, struct fleet_report *out, struct err *e)
{
	struct fleet f = {0};
	int rc = -1;

	if (fleet_make(&f, in, e) == 0 && judge(o, &f, &out->gates, e) == 0) {
		fleet_money_basis(o, failed->watch, money);
		out->model = make_model(o, &f, failed, money, source, &out->gates, e);
		rc = out->model ? 0 : -1;
	}
	fleet_free(&f);
	return rc;
}

/* What was done goes to standard output; beside a page, which may go there, it is a message. */
static int make_mails(const struct fleet_options *o, const struct fleet_input *in,
                      const struct fleet_failures *failed, struct fleet_money *money,
                      const char *source, struct fleet_report *out, struct err *e)
{
	const struct opts_list keys = mail_report_keys(o);
	struct catalog_query query = *in->query;
	struct fleet_input by_owner = *in;
	struct fleet f = {0};
	struct err line = {0};
	int rc;

	query.group_by = &keys;
	by_owner.query = &query;
	rc = fleet_make(&f, &by_owner, e);
	if (rc == 0 && !money->basis.len)
		fleet_money_basis(o, failed->watch, money);
	if (rc == 0)
		rc = mail_report_write(o, &f, buf_cstr(&money->basis), source, &out->done, e);
	if (rc == 0 && o->verb == FLEET_GROUPS) {
		err_set(&line, "%.*s", (int)out->done.len - 1, buf_cstr(&out->done));
		failed->watch->say(failed->watch->ctx, &line);
	}
	fleet_free(&f);
	return rc;
}

/* The page, and the messages. read: recordings that were read. */
static int make_reports(const struct fleet_options *o, struct fleet_workers *w, struct catalog *c,
                        const struct catalog_query *query, size_t read,
                        const struct fleet_failures *failed, struct fleet_report *out,
                        struct err *e)
{
	struct fleet_input in = {
	    .catalog = c,
	    .query = query,
	    .rates = {o->rate_cpu, o->rate_memory, o->rate_gpu},
	    .policy = {.lambda = recommend_lambda(o->page.risk),
	               .slowdown = o->page.slowdown > 0 ? o->page.slowdown : -1}};
	struct fleet_money money = {0};
	struct buf source = {0};
	int rc = 0;

	fleet_money_begin(&money, o, &w->prices);
	in.price_ctx = money.machines;
	in.price = money.machines ? keeper_machines_price : NULL;
	fleet_source_text(o->catalog, o->page.input, o->page.n_inputs, (double)read, &source);
	if (o->verb == FLEET_GROUPS)
		rc = make_page(o, &in, failed, &money, buf_cstr(&source), out, e);
	if (rc == 0 && o->mail)
		rc = make_mails(o, &in, failed, &money, buf_cstr(&source), out, e);
	fleet_money_free(&money);
	buf_free(&source);
	return rc;
}

static int make_list(const struct fleet_options *o, struct fleet_workers *w, struct catalog *c,
                     const struct catalog_query *query, size_t read,
                     const struct fleet_failures *failed, struct fleet_report *out, struct err *e)
{
	out->model = runs_report_make(o, w, c, query, read, failed, e);
	return out->model ? 0 : -1;
}

/* The same of one run of a workflow. */
static int make_pipeline(const struct fleet_options *o, struct fleet_workers *w, struct catalog *c,
                         const struct catalog_query *query, size_t read,
                         const struct fleet_failures *failed, struct fleet_report *out,
                         struct err *e)
{
	struct pipeline_report_files files = {
	    .failed = failed->kept,
	    .n_failed = failed->n < FLEET_SOURCES_KEPT ? failed->n : FLEET_SOURCES_KEPT,
	    .all_failed = failed->n};
	struct buf source = {0};

	(void)w;
	fleet_source_text(o->catalog, o->page.input, o->page.n_inputs, (double)read, &source);
	files.source = buf_cstr(&source);
	out->model = pipeline_report_make(o, c, query, &files, e);
	buf_free(&source);
	return out->model ? 0 : -1;
}

/* The same about CI jobs. */
static int make_ci_page(const struct fleet_options *o, struct fleet_workers *w, struct catalog *c,
                        const struct catalog_query *query, size_t read,
                        const struct fleet_failures *failed, struct fleet_report *out,
                        struct err *e)
{
	struct buf source = {0};

	(void)w;
	fleet_source_text(o->catalog, o->page.input, o->page.n_inputs, (double)read, &source);
	out->model = ci_report_make(o, c, query, buf_cstr(&source), failed->n, e);
	buf_free(&source);
	return out->model ? 0 : -1;
}

/* The page of a fleet has a place for them; those of runs and of a pipeline list them with the
 * files that could not be read. */
static void list_others(const struct fleet_options *o, struct fleet_failures *f)
{
	struct buf text = {0};

	if (o->verb == FLEET_RUNS || o->verb == FLEET_PIPELINE)
		others_text(&f->others, &text);
	if (text.len)
		err_set(&f->kept[f->n < FLEET_SOURCES_KEPT ? f->n++ : FLEET_SOURCES_KEPT - 1], "%s",
		        buf_cstr(&text));
	buf_free(&text);
}

/* What each mode makes of a catalog that has been read. */
typedef int make_of_mode(const struct fleet_options *o, struct fleet_workers *w, struct catalog *c,
                         const struct catalog_query *query, size_t read,
                         const struct fleet_failures *failed, struct fleet_report *out,
                         struct err *e);

static make_of_mode *const makers[FLEET_VERBS] = {
    [FLEET_GROUPS] = make_reports,    [FLEET_MAIL] = make_reports, [FLEET_RUNS] = make_list,
    [FLEET_PIPELINE] = make_pipeline, [FLEET_CI] = make_ci_page,
};

static int make_of(const struct fleet_options *o, struct fleet_workers *w, struct catalog *c,
                   const struct scan_result *scanned, struct fleet_failures *failed,
                   struct fleet_report *out, struct err *e)
{
	const struct catalog_query query = {.group_by = &o->page.group_by,
	                                    .where = &o->where,
	                                    .since = o->since,
	                                    .until = o->until};
	bool some = o->catalog || scanned->added;

	/* Status 4 would make "|| echo" of a submit script add to what is printed. */
	out->left_out = o->verb == FLEET_ASK ? 0 : failed->n;
	if (o->verb == FLEET_ADD) {
		fleet_sources_added(o, scanned, failed->n, &out->done);
		return 0;
	}
	if (o->verb == FLEET_ASK)
		return some || !failed->n ? ask_report_make(o, c, &query, &out->done, e)
		                          : -1; /* said of each file */
	if (some) {
		list_others(o, failed);
		return makers[o->verb](o, w, c, &query, scanned->added, failed, out, e);
	}
	if (!failed->n)
		fleet_sources_none(o, &failed->others, e);
	return -1;
}

int fleet_report_make(const struct fleet_options *o, struct fleet_workers *w,
                      const struct fleet_report_watch *watch, struct fleet_report *out,
                      struct err *e)
{
	bool write = o->add || !o->catalog;
	struct scan_result scanned = {0};
	struct fleet_failures *failed;
	struct catalog *c;
	int rc = -1;

	if (o->verb == FLEET_FORGET)
		return fleet_sources_forget(o, &w->catalog, &out->done, e);
	failed = calloc(1, sizeof *failed);
	if (!failed)
		return err_set(e, "no memory");
	failed->watch = watch;
	c = catalog_open(o->catalog, write ? CATALOG_WRITE : CATALOG_READ, &w->catalog, e);
	if (c && (!write || fleet_sources_add(o, w, c, failed, &scanned, e) == 0))
		rc = make_of(o, w, c, &scanned, failed, out, e);
	catalog_close(c);
	free(failed);
	return rc;
}
