/* report_options_fleet: the options of many runs (--fleet, --runs, --add, --forget …). */
#include <math.h>
#include <string.h>
#include <time.h>

#include "report/catalog/catalog.h"
#include "report/catalog/clickhouse_address.h"
#include "report/fleet/when.h"
#include "report/input/store_address.h"
#include "report/model_fleet/fleet_model.h"
#include "report/model_runs/runs_columns.h"
#include "report/options/report_options.h"
#include "report/runs/job_name.h"

bool report_options_rates(const struct report_options *o)
{
	return o->rate_cpu > 0 || o->rate_memory > 0 || o->rate_gpu > 0;
}

/* The modes that are about many runs. */
static const struct {
	bool many, reads; /* reads: what is in a catalog */
	const char *page; /* that it writes; NULL: none */
} manys[REPORT_MODES] = {
    [REPORT_ADD] = {true, false, NULL},
    [REPORT_FORGET] = {true, false, NULL},
    [REPORT_ASK] = {true, true, NULL},
    [REPORT_MAIL] = {true, true, NULL},
    [REPORT_FLEET] = {true, true, "fleet.html"},
    [REPORT_RUNS] = {true, true, "runs.html"},
    [REPORT_PIPELINE] = {true, true, "pipeline.html"},
    [REPORT_CI] = {true, true, "ci.html"},
};

bool report_options_many(const struct report_options *o)
{
	return manys[o->mode].many;
}

const char *report_options_page(const struct report_options *o)
{
	return manys[o->mode].many ? manys[o->mode].page : "report.html";
}

const char *report_options_page_file(const struct report_options *o)
{
	const char *page = o->file[FORMAT_HTML];

	return page && store_kind_of(page) == STORE_NONE ? page : NULL;
}

/* An address may hold a password, so it is not shown. */
static int check_place(const char *place, struct err *e)
{
	struct clickhouse_address address;

	if (!*place)
		return err_set(e, "--catalog: the name is empty");
	if (strcmp(place, "-") == 0)
		return err_set(e,
		               "--catalog: a database cannot be standard input or output (./- is a "
		               "file of that name)");
	if (store_kind_of(place) == STORE_S3)
		return err_set(e, "--catalog: a database cannot be in an object store, as the "
		                  "recordings that it is made of can: use a file");
	if (!clickhouse_is_address(place) && strstr(place, "://"))
		return err_set(e, "--catalog: an address begins with https:// or http://");
	return clickhouse_is_address(place) && clickhouse_address_parse(place, &address, e)
	           ? err_wrap(e, "--catalog")
	           : 0;
}

/* For --forget, it would be all below this folder. */
static int check_source_names(const struct report_options *o, struct err *e)
{
	for (size_t i = 0; i < o->n_inputs; i++)
		if (!*o->input[i].name)
			return err_set(e, "the name of a SOURCE is empty");
	return 0;
}

static int check_catalog(const struct report_options *o, struct err *e)
{
	const char *what = o->add ? "--add" : "--forget";
	const char *reader = report_modes[o->mode].said;
	bool sources = o->n_inputs || o->sacct_since_text, reads = manys[o->mode].reads;
	char needs[128];

	if ((o->catalog && check_place(o->catalog, e)) || check_source_names(o, e))
		return -1;
	if ((o->add || o->forget) && report_options_standard_input(o))
		return err_set(e,
		               "%s: standard input has no name by which a catalog could know it; "
		               "write it to a file first (./- is a file of that name)",
		               what);
	if ((o->add || o->forget) && !o->catalog)
		return err_set(e, "%s needs --catalog DATABASE", what);
	if (reads && !o->catalog && !sources) {
		snprintf(needs, sizeof needs, "%s needs SOURCEs, or --catalog DATABASE", reader);
		return report_options_row_no_input(o, needs, e);
	}
	if (reads && o->catalog && sources && !o->add)
		return err_set(e,
		               "%s shows what the catalog has: use --add to add %s to "
		               "it first, or leave %s out",
		               reader, o->n_inputs ? "SOURCEs" : "what sacct has",
		               o->n_inputs ? "them" : "--sacct-since");
	/* Of a server, this creates the tables. */
	if (sources || (o->add && clickhouse_is_address(o->catalog)) || (reads && !o->add))
		return 0;
	return err_set(e, "%s needs SOURCEs: recordings, or folders", what);
}

static int check_prices(const struct report_options *o, struct err *e)
{
	const char *rate = "--rate-gpu";

	if (!o->spot || !report_options_rates(o))
		return 0;
	if (o->rate_cpu > 0 || o->rate_memory > 0)
		rate = o->rate_cpu > 0 ? "--rate-cpu" : "--rate-memory";
	return err_set(
	    e, "--spot and %s cannot be used together: with a rate, no prices are asked for", rate);
}

static bool is_nextflow(const char *template)
{
	size_t n = strcspn(template, "=");

	return n == strlen("@trace.txt") && strncmp(template, "@trace.txt", n) == 0;
}

/* What is built in is made of one run, but a trace may have many. */
static int check_templates(const struct report_options *o, struct err *e)
{
	for (size_t i = 0; i < o->templates.n; i++) {
		if (*o->templates.v[i] != '@' || (o->runs && is_nextflow(o->templates.v[i])))
			continue;
		return err_set(e, "%s and --template @NAME cannot be used together%s",
		               report_modes[o->mode].said, o->runs ? ", but for @trace.txt" : "");
	}
	return 0;
}

bool report_options_fleet_nextflow(const struct report_options *o)
{
	bool found = false;

	for (size_t i = 0; i < o->templates.n; i++)
		found = found || is_nextflow(o->templates.v[i]);
	return found;
}

static int check_list(const struct report_options *o, struct err *e)
{
	const struct fleet_rates rates = {o->rate_cpu, o->rate_memory, o->rate_gpu};
	struct catalog_order order;

	if (o->fleet && o->runs)
		return err_set(e, "--fleet and --runs cannot be used together");
	if (o->fleet && o->top > (long)FLEET_MODEL_ROWS)
		return err_set(e, "--top: %ld is not between 1 and %zu", o->top, FLEET_MODEL_ROWS);
	return o->sort ? runs_columns_sort(o->sort, &rates, &order, e) : 0;
}

static int check_since(const char *option, const char *text, double now, double *out, struct err *e)
{
	if (text && when_parse(text, now, out, e))
		return err_wrap(e, "%s", option);
	return 0;
}

static int check_period(struct report_options *o, struct err *e)
{
	double now = isnan(o->now) ? (double)time(NULL) : o->now;

	if (check_since("--since", o->since_text, now, &o->since, e) ||
	    check_since("--until", o->until_text, now, &o->until, e) ||
	    check_since("--sacct-since", o->sacct_since_text, now, &o->sacct_since, e))
		return -1;
	if (o->since > 0 && o->until > 0 && o->since >= o->until)
		return err_set(e, "--since %s is not before --until %s", o->since_text,
		               o->until_text);
	return 0;
}

/* --group-by name,user → its two keys. */
static int split_keys(struct opts_list *keys, struct err *e)
{
	struct opts_list all = {.n = 0};

	for (size_t i = 0; i < keys->n; i++)
		for (char *rest = (char *)keys->v[i], *key; (key = strsep(&rest, ","));) {
			if (all.n == CATALOG_KEYS)
				return err_set(e, "--group-by: more than %d keys", CATALOG_KEYS);
			all.v[all.n++] = key;
		}
	*keys = all;
	return 0;
}

static int check_query(struct report_options *o, struct err *e)
{
	const struct catalog_query by = {.group_by = &o->group_by}, where = {.where = &o->where};

	if (split_keys(&o->group_by, e))
		return -1;
	if (catalog_query_check(&by, e))
		return err_wrap(e, "--group-by");
	return catalog_query_check(&where, e) ? err_wrap(e, "--where") : 0;
}

int report_options_fleet_check(struct report_options *o, struct err *e)
{
	return report_options_mail_check(o, e) || check_list(o, e) || check_templates(o, e) ||
	               check_catalog(o, e) || check_prices(o, e) || check_period(o, e) ||
	               check_query(o, e)
	           ? -1
	           : 0;
}

int report_options_fleet_job(struct report_options *o, struct err *e)
{
	struct job_name name;

	if (job_name_parse(o->job, &name, e))
		return err_wrap(e, "--job");
	if ((o->catalog && check_place(o->catalog, e)) || check_source_names(o, e))
		return -1;
	if (!o->catalog && !o->n_inputs)
		return report_options_row_no_input(o, "--job needs SOURCEs, or --catalog DATABASE",
		                                   e);
	if (o->catalog && o->n_inputs)
		return err_set(e, "--job looks in SOURCEs or in --catalog, not in both");
	if (report_options_standard_input(o))
		return err_set(e, "--job looks for files, and standard input has no name (./- is a "
		                  "file of that name)");
	return 0;
}
