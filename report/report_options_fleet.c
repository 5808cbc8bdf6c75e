/* report_options_fleet: which options go together for many runs (--fleet, --add, --forget), and
 * which are for single runs. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "report/catalog/catalog.h"
#include "report/catalog/clickhouse_address.h"
#include "report/fleet/when.h"
#include "report/input/store_address.h"
#include "report/report_options.h"

struct given {
	const char *name;
	bool is;
};

/* The name of the first option that was given, or NULL. */
static const char *first_given(const struct given *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].is)
			return v[i].name;
	return NULL;
}

static const char *of_single_runs(const struct report_options *o)
{
	const struct given all[] = {
	    {"--current", o->current},
	    {"--history", o->history >= 0},
	    {"--parts", o->parts},
	    {"--compare", o->compare},
	    {"--name", o->names.n},
	    {"--status", o->status},
	    {"--bytes", o->bytes},
	    {"--human-names", o->human_names},
	    {"--schema", o->schema},
	    {"--process-prefix", o->job_prefix},
	    {"--system-prefix", o->machine_prefix},
	    {"--ram-unit", o->ram_unit},
	    {"--gpu-ram-unit", o->gpu_ram_unit},
	    {"--time-unit", o->time_unit},
	    {"--expected-cores", o->expected_cores},
	    {"--gpu", o->gpus.n},
	    {"--servers", o->servers},
	    {"--vendor", o->vendor.n},
	    {"--region", o->region.n},
	    {"--country", o->country.n},
	    {"--compliance", o->compliance.n},
	    {"--arch", o->arch.n},
	    {"--cpu-allocation", o->cpu_allocation.n},
	    {"--runs-per-month", o->runs_per_month},
	};

	for (size_t i = 0; i < o->templates.n; i++)
		if (*o->templates.v[i] == '@')
			return "--template @NAME";
	return first_given(all, sizeof all / sizeof *all);
}

/* What --add and --forget do not need, as they write no page. */
static const char *of_page(const struct report_options *o)
{
	const struct given all[] = {
	    {"--output", o->file[FORMAT_HTML]},
	    {"--json", o->file[FORMAT_JSON]},
	    {"--markdown", o->file[FORMAT_MARKDOWN]},
	    {"--text", o->file[FORMAT_TEXT]},
	    {"--openmetrics", o->file[FORMAT_OPENMETRICS]},
	    {"--junit", o->file[FORMAT_JUNIT]},
	    {"--csv", o->csv},
	    {"--template", o->templates.n},
	    {"--title", o->title},
	    {"--integration", o->integration},
	    {"--open", o->open},
	    {"--group-by", o->group_by.n},
	    {"--fail-if", o->fail_if.n},
	};

	return first_given(all, sizeof all / sizeof *all);
}

/* The options of the page about many runs only. */
static const char *of_fleet(const struct report_options *o)
{
	const struct given all[] = {
	    {"--where", o->where.n},         {"--since", o->since_text},
	    {"--until", o->until_text},      {"--top", o->top},
	    {"--rate-cpu", o->rate_cpu > 0}, {"--rate-memory", o->rate_memory > 0},
	    {"--rate-gpu", o->rate_gpu > 0},
	};

	return first_given(all, sizeof all / sizeof *all);
}

bool report_options_many(const struct report_options *o)
{
	return o->fleet || o->add || o->forget;
}

int report_options_fleet_refuse(const struct report_options *o, struct err *e)
{
	const char *other = of_fleet(o);

	if (other)
		return err_set(e, "%s needs --fleet", other);
	if (o->catalog)
		return err_set(e, "--catalog needs --fleet, --add or --forget");
	return 0;
}

/* -- what goes together ------------------------------------------------------------------------ */

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
	for (int i = 0; i < o->n_files; i++)
		if (!*o->files[i])
			return err_set(e, "the name of a SOURCE is empty");
	return 0;
}

static int check_catalog(const struct report_options *o, struct err *e)
{
	const char *what = o->add ? "--add" : "--forget";

	if (o->add && o->forget)
		return err_set(e, "--add and --forget cannot be used together");
	if (o->forget && o->fleet)
		return err_set(e, "--forget and --fleet cannot be used together");
	if ((o->catalog && check_place(o->catalog, e)) || check_source_names(o, e))
		return -1;
	if ((o->add || o->forget) && report_options_standard_input(o))
		return err_set(e,
		               "%s: standard input has no name by which a catalog could know it; "
		               "write it to a file first (./- is a file of that name)",
		               what);
	if ((o->add || o->forget) && !o->catalog)
		return err_set(e, "%s needs --catalog DATABASE", what);
	if (o->fleet && !o->catalog && !o->n_files)
		return err_set(e, "--fleet needs SOURCEs, or --catalog DATABASE");
	if (o->fleet && o->catalog && o->n_files && !o->add)
		return err_set(e, "--fleet shows what the catalog has: use --add to add SOURCEs to "
		                  "it first, or leave them out");
	/* Of a server, this creates the tables. */
	if (o->n_files || (o->add && clickhouse_is_address(o->catalog)) || (o->fleet && !o->add))
		return 0;
	return err_set(e, "%s needs SOURCEs: recordings, or folders", what);
}

static int check_prices(const struct report_options *o, struct err *e)
{
	if (o->spot && report_options_rates(o))
		return err_set(e,
		               "--spot and %s cannot be used together: with a rate, no prices "
		               "are asked for",
		               of_fleet(&(struct report_options){.rate_cpu = o->rate_cpu,
		                                                 .rate_memory = o->rate_memory,
		                                                 .rate_gpu = o->rate_gpu}));
	return 0;
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
	    check_since("--until", o->until_text, now, &o->until, e))
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
	const char *what = o->fleet ? "--fleet" : o->add ? "--add" : "--forget";
	const char *other = of_single_runs(o);

	if (other)
		return err_set(e, "%s is about single runs, and cannot be used with %s", other,
		               what);
	other = of_page(o) ? of_page(o) : of_fleet(o);
	if (!o->fleet && other)
		return err_set(e, "%s needs --fleet: %s alone writes no report", other, what);
	return check_catalog(o, e) || check_prices(o, e) || check_period(o, e) || check_query(o, e)
	           ? -1
	           : 0;
}
