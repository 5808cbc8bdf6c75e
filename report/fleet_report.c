/* fleet_report: files → catalog → fleet, or list of runs → model. */
#include "report/fleet_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc_failed.h"
#include "report/advice/recommend.h"
#include "report/ask_report.h"
#include "report/fleet/fleet.h"
#include "report/fleet/fleet_source.h"
#include "report/input/store_address.h"
#include "report/model_fleet/fleet_model.h"
#include "report/model_runs/runs_columns.h"
#include "report/model_runs/runs_model.h"
#include "report/options/privdrop.h"
#include "report/prices/keeper.h"
#include "report/prices/keeper_machines.h"
#include "report/units/units.h"

#define SAID_MAX ((size_t)20) /* files that are named on standard error */

/* Objects are fetched by the store's worker, and parsed by this process. */
static bool names_files(const struct report_options *o)
{
	for (size_t i = 0; i < o->n_inputs; i++)
		if (o->input[i].place != INPUT_S3)
			return true;
	return false;
}

int fleet_report_start(struct fleet_workers *w, const struct report_options *o, struct err *e)
{
	*w = (struct fleet_workers){0};
	/* First: it takes the password out of what the others inherit. */
	if (catalog_fetcher_start(&w->catalog, o->catalog, e))
		return -1;
	if ((o->fleet || o->runs) && !o->offline && !report_options_rates(o))
		price_fetcher_start(&w->prices, *o->keeper_url ? o->keeper_url : KEEPER_URL);
	if (names_files(o) && !o->forget)
		scan_start(&w->scan, privdrop_reading, o);
	return 0;
}

void fleet_report_stop(struct fleet_workers *w)
{
	scan_stop(&w->scan);
	catalog_fetcher_stop(&w->catalog);
	price_fetcher_stop(&w->prices);
}

void fleet_report_free(struct fleet_report *r)
{
	cJSON_Delete(r->model);
	gate_results_free(&r->gates);
	buf_free(&r->done);
	*r = (struct fleet_report){0};
}

/* -- adding and removing ----------------------------------------------------------------------- */

/* Files that could not be read: the first ones are kept for the page. */
struct failures {
	const struct fleet_report_watch *watch;
	struct err kept[FLEET_MODEL_INPUTS];
	size_t n, remarks;
};

static void note_failure(void *ctx, const struct err *why)
{
	struct failures *f = ctx;

	if (f->n < SAID_MAX)
		f->watch->say(f->watch->ctx, why);
	if (f->n < FLEET_MODEL_INPUTS)
		f->kept[f->n] = *why;
	f->n++;
}

static void note_remark(void *ctx, const struct err *what)
{
	struct failures *f = ctx;

	if (f->remarks++ < SAID_MAX)
		f->watch->say(f->watch->ctx, what);
}

static void note_progress(void *ctx, size_t done, size_t of)
{
	const struct failures *f = ctx;

	f->watch->progress(f->watch->ctx, done, of);
}

static void say_more_failures(const struct failures *f)
{
	char n[UNITS_SIZE];
	struct err line = {0};

	if (f->n <= SAID_MAX)
		return;
	err_set(&line, "%s more files could not be read",
	        units_count((double)(f->n - SAID_MAX), n));
	f->watch->say(f->watch->ctx, &line);
}

static void say_copies(const struct failures *f, size_t copies)
{
	char n[UNITS_SIZE];
	struct err line = {0};

	if (!copies)
		return;
	err_set(&line, "%s recording%s another one and do%s not count",
	        units_count((double)copies, n), copies == 1 ? " is a copy of" : "s are copies of",
	        copies == 1 ? "es" : "");
	f->watch->say(f->watch->ctx, &line);
}

static int add_sources(const struct report_options *o, struct fleet_workers *w, struct catalog *c,
                       struct failures *f, struct scan_result *r, struct err *e)
{
	const struct scan_input in = {
	    .input = o->input,
	    .n = o->n_inputs,
	    .store = w->store,
	    .failure = note_failure,
	    .remark = note_remark,
	    .progress = note_progress,
	    .ctx = f,
	    .now = fmax((double)time(NULL), o->now), /* fmax ignores a NAN */
	    .once = !o->catalog,
	};
	int failed = in.n ? scan_run(&w->scan, &in, c, r, e) : 0;

	say_more_failures(f);
	say_copies(f, r->copies);
	scan_stop(&w->scan);
	return failed;
}

static void say_added(const struct report_options *o, const struct scan_result *r, size_t failed,
                      struct buf *out)
{
	char added[UNITS_SIZE], listed[UNITS_SIZE], left[UNITS_SIZE];

	if (!o->n_inputs) {
		buf_str(out, "the catalog exists; no SOURCE was given to add\n");
		return;
	}
	units_count((double)r->added, added);
	units_count((double)r->listed, listed);
	buf_printf(out, "added %s of %s recording%s", added, listed, r->listed == 1 ? "" : "s");
	if (failed)
		buf_printf(out, "; %s could not be read", units_count((double)failed, left));
	buf_str(out, "\n");
}

/* Opening a catalog for writing makes it; --forget must not. */
static int forget_named_sources(const struct report_options *o,
                                const struct catalog_fetcher *fetcher, struct buf *done,
                                struct err *e)
{
	struct catalog *c = catalog_open(o->catalog, CATALOG_READ, fetcher, e);
	char count[UNITS_SIZE], path[FLEET_SOURCE_MAX];
	int failed = 0;
	size_t n = 0;

	if (!c)
		return -1;
	catalog_close(c);
	c = catalog_open(o->catalog, CATALOG_WRITE, fetcher, e);
	if (!c)
		return -1;
	for (size_t i = 0; !failed && i < o->n_inputs; i++)
		failed =
		    fleet_source_path(o->input[i].name, path, e) || catalog_forget(c, path, &n, e);
	catalog_close(c);
	if (!failed)
		buf_printf(done, "removed %s recording%s\n", units_count((double)n, count),
		           n == 1 ? "" : "s");
	return failed ? -1 : 0;
}

/* -- prices ------------------------------------------------------------------------------------ */

struct money {
	struct keeper_machines *machines; /* NULL: the site's own rates */
	struct buf basis;
	char attribution[160];
};

static void rate_text(struct buf *out, double rate, const char *currency, const char *of)
{
	char text[UNITS_SIZE];

	if (rate > 0)
		buf_printf(out, "%s%s per %s", out->len ? ", " : "",
		           units_money(rate, currency, text), of);
}

static void rates_basis(const struct report_options *o, struct buf *out)
{
	struct buf rates = {0};

	rate_text(&rates, o->rate_cpu, o->currency, "core-hour");
	rate_text(&rates, o->rate_memory, o->currency, "GiB-hour of memory");
	rate_text(&rates, o->rate_gpu, o->currency, "GPU-hour");
	buf_printf(out, "The site's own rates: %s%s.", buf_cstr(&rates),
	           o->rate_cpu > 0 && o->rate_memory > 0
	               ? "; of CPUs and memory, what costs more counts"
	               : "");
	buf_free(&rates);
}

static void price_basis(const struct report_options *o, const struct fleet_report_watch *watch,
                        struct money *m)
{
	struct keeper_machines_count n;
	struct err line = {0};

	if (!m->machines) {
		rates_basis(o, &m->basis);
		return;
	}
	keeper_machines_basis(m->machines, &m->basis);
	n = keeper_machines_counted(m->machines);
	if (n.types > n.unpriced)
		keeper_attribution(n.retrieved_at, m->attribution);
	else if (n.types && !o->offline) {
		err_set(&line, "no prices: %s", keeper_machines_why(m->machines));
		watch->say(watch->ctx, &line);
	}
}

/* -- the page ---------------------------------------------------------------------------------- */

static int judge(const struct report_options *o, const struct fleet *f, struct gate_results *out,
                 struct err *e)
{
	double values[MEASURE_FLEET_NAMES];

	fleet_measures(f, values);
	return gate_results_of_fleet(&o->fail_if, values, o->currency ? o->currency : "", out, e);
}

/* Links lead from the page to files beside it. */
static bool is_page_file(const struct report_options *o)
{
	const char *page = o->file[FORMAT_HTML];

	return page && store_kind_of(page) == STORE_NONE;
}

static cJSON *make_model(const struct report_options *o, const struct fleet *f,
                         const struct failures *failed, const struct money *money,
                         const char *source, const struct gate_results *gates, struct err *e)
{
	struct buf words = {0};
	struct fleet_model_input in = {
	    .title = o->title,
	    .integration = o->integration,
	    .source = source,
	    .where = &o->where,
	    .group_by = &o->group_by,
	    .since = o->since_text,
	    .until = o->until_text,
	    .currency = o->currency,
	    .money_basis = buf_cstr(&money->basis),
	    .attribution = *money->attribution ? money->attribution : NULL,
	    .gates = gates,
	    .failed = failed->kept,
	    .n_failed = failed->n < FLEET_MODEL_INPUTS ? failed->n : FLEET_MODEL_INPUTS,
	    .all_failed = failed->n,
	    .page = is_page_file(o) ? o->file[FORMAT_HTML] : NULL,
	    .top = (size_t)o->top,
	    .now = isnan(o->now) ? (double)time(NULL) : o->now,
	};
	cJSON *model;

	fleet_source_words(o->catalog, o->input, o->n_inputs, &words);
	in.words = buf_cstr(&words);
	model = alloc_failed() ? NULL : fleet_model(f, &in);
	buf_free(&words);
	if (model && !alloc_failed())
		return model;
	err_set(e, "no memory for the report");
	cJSON_Delete(model);
	return NULL;
}

/* -- the list ---------------------------------------------------------------------------------- */

static int read_list(const struct report_options *o, struct catalog *c,
                     const struct catalog_query *query, const struct fleet_rates *rates,
                     struct runs_model *m, double count[CATALOG_CLASSES], struct err *e)
{
	struct catalog_order order = catalog_order_newest;
	size_t n = o->top ? (size_t)o->top : RUNS_MODEL_TOP;

	if (!m)
		return err_set(e, "no memory for the report");
	if (o->sort && runs_columns_sort(o->sort, rates, &order, e))
		return -1;
	return catalog_list_runs(c, query, &order, n, runs_model_add, m, e) ||
	               catalog_list_count(c, query, count, e)
	           ? -1
	           : 0;
}

/* read: recordings that were read. */
static int make_list(const struct report_options *o, struct fleet_workers *w, struct catalog *c,
                     const struct catalog_query *query, size_t read, const struct failures *failed,
                     struct fleet_report *out, struct err *e)
{
	const struct keeper_query prices = report_options_prices(o, &w->prices);
	struct runs_model_input in = {
	    .title = o->title,
	    .integration = o->integration,
	    .where = &o->where,
	    .since = o->since_text,
	    .until = o->until_text,
	    .sort = o->sort,
	    .currency = o->currency,
	    .top = (size_t)o->top,
	    .now = isnan(o->now) ? (double)time(NULL) : o->now,
	    .nextflow = report_options_fleet_nextflow(o),
	    .of = {.rates = {o->rate_cpu, o->rate_memory, o->rate_gpu},
	           .page = is_page_file(o) ? o->file[FORMAT_HTML] : NULL},
	};
	struct runs_model_sums sums = {
	    .failed = failed->kept,
	    .n_failed = failed->n < RUNS_MODEL_INPUTS ? failed->n : RUNS_MODEL_INPUTS,
	    .all_failed = failed->n,
	};
	double count[CATALOG_CLASSES] = {0};
	struct money money = {0};
	struct buf source = {0};
	struct runs_model *m;
	int rc;

	if (!report_options_rates(o)) {
		in.of.price_ctx = money.machines = keeper_machines_new(&prices);
		in.of.price = money.machines ? keeper_machines_price : NULL;
	}
	m = runs_model_begin(&in);
	rc = read_list(o, c, query, &in.of.rates, m, count, e);
	if (!rc) {
		price_basis(o, failed->watch, &money);
		fleet_source_text(o->catalog, o->input, o->n_inputs, (double)read, &source);
		sums.count = count;
		sums.source = buf_cstr(&source);
		sums.money_basis = buf_cstr(&money.basis);
		sums.attribution = *money.attribution ? money.attribution : NULL;
	}
	if (m)
		out->model = runs_model_end(m, rc ? NULL : &sums);
	if (!rc && !out->model)
		rc = err_set(e, "no memory for the report");
	keeper_machines_free(money.machines);
	buf_free(&money.basis);
	buf_free(&source);
	return rc;
}

/* read: recordings that were read. */
static int make_page(const struct report_options *o, struct fleet_workers *w, struct catalog *c,
                     const struct catalog_query *query, size_t read, const struct failures *failed,
                     struct fleet_report *out, struct err *e)
{
	const struct keeper_query prices = report_options_prices(o, &w->prices);
	struct fleet_input in = {.catalog = c,
	                         .query = query,
	                         .rates = {o->rate_cpu, o->rate_memory, o->rate_gpu},
	                         .policy = {.lambda = recommend_lambda(o->risk),
	                                    .slowdown = o->slowdown > 0 ? o->slowdown : -1}};
	struct money money = {0};
	struct buf source = {0};
	struct fleet f = {0};
	int rc = -1;

	if (!report_options_rates(o)) {
		in.price_ctx = money.machines = keeper_machines_new(&prices);
		in.price = money.machines ? keeper_machines_price : NULL;
	}
	if (fleet_make(&f, &in, e) == 0 && judge(o, &f, &out->gates, e) == 0) {
		price_basis(o, failed->watch, &money);
		fleet_source_text(o->catalog, o->input, o->n_inputs, (double)read, &source);
		out->model = make_model(o, &f, failed, &money, buf_cstr(&source), &out->gates, e);
		rc = out->model ? 0 : -1;
	}
	fleet_free(&f);
	keeper_machines_free(money.machines);
	buf_free(&money.basis);
	buf_free(&source);
	return rc;
}

int fleet_report_make(const struct report_options *o, struct fleet_workers *w,
                      const struct fleet_report_watch *watch, struct fleet_report *out,
                      struct err *e)
{
	const struct catalog_query query = {
	    .group_by = &o->group_by, .where = &o->where, .since = o->since, .until = o->until};
	bool write = o->add || !o->catalog;
	struct failures *failed;
	struct scan_result scanned = {0};
	struct catalog *c;
	int rc = -1;

	if (o->forget)
		return forget_named_sources(o, &w->catalog, &out->done, e);
	failed = calloc(1, sizeof *failed);
	if (!failed)
		return err_set(e, "no memory");
	failed->watch = watch;
	c = catalog_open(o->catalog, write ? CATALOG_WRITE : CATALOG_READ, &w->catalog, e);
	/* Single runs have all columns. */
	if (c && (o->catalog || o->ask_for.n || o->runs || catalog_keep(c, &query, e) == 0) &&
	    (!write || add_sources(o, w, c, failed, &scanned, e) == 0)) {
		/* Status 4 would make "|| echo" of a submit script add to what is printed. */
		out->left_out = o->ask_for.n ? 0 : failed->n;
		if (o->ask_for.n && (o->catalog || scanned.added || !failed->n)) {
			rc = ask_report_make(o, c, &query, &out->done, e);
		} else if (o->ask_for.n) {
			rc = -1; /* said of each file */
		} else if (!o->fleet && !o->runs) {
			say_added(o, &scanned, failed->n, &out->done);
			rc = 0;
		} else if (o->catalog || scanned.added) {
			rc = (o->runs ? make_list : make_page)(o, w, c, &query, scanned.added,
			                                       failed, out, e);
		} else if (!failed->n) {
			err_set(e, "%s%s: no recordings there", o->input->name,
			        o->n_inputs > 1 ? " and others" : "");
		}
	}
	catalog_close(c);
	free(failed);
	return rc;
}
