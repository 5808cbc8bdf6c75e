/* runs_report: the rows of a catalog → the list of runs. */
#include "fleet/list/runs_report.h"

#include <math.h>
#include <time.h>

#include "fleet/catalog/catalog_list.h"
#include "fleet/groups/fleet_money.h"
#include "fleet/groups/keeper_machines.h"
#include "fleet/list/runs_model.h"
#include "fleet/options/fleet_source.h"

static int read_report_list(const struct fleet_options *o, struct catalog *c,
                            const struct catalog_query *query, const double rate[3],
                            struct runs_model *m, double count[CATALOG_CLASSES], struct err *e)
{
	struct catalog_order order = catalog_order_newest;
	size_t n = o->top ? (size_t)o->top : RUNS_MODEL_TOP;

	if (!m)
		return err_set(e, "no memory for the report");
	if (o->sort && catalog_order_parse(o->sort, rate, &order, e))
		return -1;
	return catalog_list_runs(c, query, &order, n, runs_model_add, m, e) ||
	               catalog_list_count(c, query, count, e)
	           ? -1
	           : 0;
}

struct cJSON *runs_report_make(const struct fleet_options *o, struct fleet_workers *w,
                               struct catalog *c, const struct catalog_query *query, size_t read,
                               const struct fleet_failures *failed, struct err *e)
{
	struct runs_model_input in = {
	    .title = o->page.title,
	    .integration = o->page.integration,
	    .where = &o->where,
	    .since = o->since_text,
	    .until = o->until_text,
	    .sort = o->sort,
	    .currency = o->page.currency,
	    .top = (size_t)o->top,
	    .now = isnan(o->page.now) ? (double)time(NULL) : o->page.now,
	    .nextflow = fleet_options_nextflow(o),
	    .of = {.rates = {o->rate_cpu, o->rate_memory, o->rate_gpu},
	           .page = fleet_options_page_file(o)},
	};
	struct runs_model_sums sums = {
	    .failed = failed->kept,
	    .n_failed = failed->n < FLEET_SOURCES_KEPT ? failed->n : FLEET_SOURCES_KEPT,
	    .all_failed = failed->n,
	};
	const double rate[] = {o->rate_cpu, o->rate_memory, o->rate_gpu};
	double count[CATALOG_CLASSES] = {0};
	struct fleet_money money = {0};
	struct buf source = {0};
	cJSON *model = NULL;
	struct runs_model *m;
	int rc;

	fleet_money_begin(&money, o, &w->prices);
	in.of.price_ctx = money.machines;
	in.of.price = money.machines ? keeper_machines_price : NULL;
	m = runs_model_begin(&in);
	rc = read_report_list(o, c, query, rate, m, count, e);
	if (!rc) {
		fleet_money_basis(o, failed->watch, &money);
		fleet_source_text(o->catalog, o->page.input, o->page.n_inputs, (double)read,
		                  &source);
		sums.count = count;
		sums.source = buf_cstr(&source);
		sums.money_basis = buf_cstr(&money.basis);
		sums.attribution = *money.attribution ? money.attribution : NULL;
	}
	if (m)
		model = runs_model_end(m, rc ? NULL : &sums);
	if (!rc && !model)
		err_set(e, "no memory for the report");
	fleet_money_free(&money);
	buf_free(&source);
	return model;
}
