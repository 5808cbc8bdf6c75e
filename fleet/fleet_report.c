/* fleet_report: files → catalog → the report of a verb. */
#include "fleet/fleet_report.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

#include "fleet/ask/ask_report.h"
#include "fleet/ci/ci_report.h"
#include "fleet/groups/fleet_money.h"
#include "fleet/groups/groups_report.h"
#include "fleet/list/runs_report.h"
#include "fleet/options/fleet_source.h"
#include "fleet/owners/mail_report.h"
#include "fleet/pipeline/pipeline_report.h"
#include "report/options/privdrop.h"
#include "report/prices/keeper.h"
#include "report/units/others_text.h"

static int make_groups_page(const struct fleet_sources *s, struct fleet_report *out, struct err *e)
{
	if (groups_report_make(s, out, e))
		return -1;
	return s->o->mail ? mail_report_make(s, out, e) : 0;
}

/* The verbs that add and forget have nothing to make; job is the work of job_report. */
static const struct verb {
	fleet_report_maker *make;
	bool scans;    /* it reads recordings */
	bool prices;   /* it says what runs cost */
	bool others;   /* its page counts other people's files with what was left out */
	bool scripted; /* a script takes what it prints: files that failed do not change the status,
	                  and without any run it says so itself */
} verbs[FLEET_VERBS] = {
    [FLEET_GROUPS] = {.make = make_groups_page, .scans = true, .prices = true},
    [FLEET_RUNS] = {.make = runs_report_make, .scans = true, .prices = true, .others = true},
    [FLEET_PIPELINE] = {.make = pipeline_report_make, .scans = true, .others = true},
    [FLEET_CI] = {.make = ci_report_make, .scans = true},
    [FLEET_MAIL] = {.make = mail_report_make, .scans = true, .prices = true},
    [FLEET_ASK] = {.make = ask_report_make, .scans = true, .scripted = true},
    [FLEET_ADD] = {.scans = true},
    [FLEET_FORGET] = {.scans = false},
    [FLEET_JOB] = {.scans = true},
};

/* -- the workers ------------------------------------------------------------------------------- */

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
	const struct verb *verb = &verbs[o->verb];

	*w = (struct fleet_workers){0};
	/* First: it takes the password out of what the others inherit. */
	if (catalog_fetcher_start(&w->catalog, o->catalog, e))
		return -1;
	if (verb->prices && !o->page.offline && !fleet_options_rates(o))
		price_fetcher_start(&w->prices,
		                    *o->page.keeper_url ? o->page.keeper_url : KEEPER_URL,
		                    o->page.keeper_timeout_s);
	if (verb->scans && names_files(o))
		scan_start(&w->scan, privdrop_reading, &o->page);
	return o->sacct_since > 0 ? sacct_program_start(&w->sacct, o->sacct_since, e) : 0;
}

void fleet_report_stop(struct fleet_workers *w)
{
	scan_stop(&w->scan);
	catalog_fetcher_stop(&w->catalog);
	price_fetcher_stop(&w->prices);
	sacct_program_finish(&w->sacct, NULL); /* empty by now, if all went well */
}

/* -- the report -------------------------------------------------------------------------------- */

void fleet_report_free(struct fleet_report *r)
{
	cJSON_Delete(r->model);
	gate_results_free(&r->gates);
	buf_free(&r->done);
	*r = (struct fleet_report){0};
}

static void list_others(struct fleet_failures *f)
{
	struct buf text = {0};

	others_text(&f->others, &text);
	if (text.len && f->n_kept < FLEET_SOURCES_KEPT) {
		f->n_kept++;
		f->n++;
	}
	if (text.len)
		err_set(&f->kept[f->n_kept - 1], "%s", buf_cstr(&text));
	buf_free(&text);
}

static int make_report(const struct fleet_options *o, struct fleet_workers *w, struct catalog *c,
                       const struct scan_result *scanned, struct fleet_failures *failed,
                       struct fleet_report *out, struct err *e)
{
	const struct verb *verb = &verbs[o->verb];
	const struct catalog_query query = {.group_by = &o->page.group_by,
	                                    .where = &o->where,
	                                    .since = o->since,
	                                    .until = o->until};
	struct fleet_sources s = {.o = o, .catalog = c, .query = &query, .failed = failed};
	struct fleet_money money = {0};
	struct buf text = {0};
	int rc;

	out->left_out = verb->scripted ? 0 : failed->n;
	if (!verb->make) {
		fleet_sources_added(o, scanned, failed, &out->done);
		return 0;
	}
	if (!o->catalog && !scanned->added && failed->n)
		return -1; /* each file was said */
	if (!o->catalog && !scanned->added && !verb->scripted) {
		fleet_sources_none(o, &failed->others, e);
		return -1;
	}
	if (verb->others)
		list_others(failed);
	if (verb->prices) {
		fleet_money_begin(&money, o, &w->prices);
		s.money = &money;
	}
	fleet_source_text(o->catalog, o->page.input, o->page.n_inputs, (double)scanned->added,
	                  &text);
	s.text = buf_cstr(&text);
	rc = verb->make(&s, out, e);
	fleet_money_free(&money);
	buf_free(&text);
	return rc;
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
		return fleet_sources_forget(o, &w->catalog, watch, out, e);
	failed = calloc(1, sizeof *failed);
	if (!failed)
		return err_set(e, "no memory");
	failed->watch = watch;
	c = write ? fleet_sources_open(o, &w->catalog, watch, e)
	          : catalog_open(o->catalog, CATALOG_READ, &w->catalog, e);
	if (!c)
		goto out;
	if (write && fleet_sources_add(o, w, c, failed, &scanned, e))
		goto out;
	rc = make_report(o, w, c, &scanned, failed, out, e);
out:
	catalog_close(c);
	free(failed);
	return rc;
}
