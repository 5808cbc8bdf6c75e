/* runs_report: the rows of a catalog → the list of runs. */
#include "fleet/list/runs_report.h"

#include "fleet/catalog/catalog_list.h"
#include "fleet/groups/fleet_money.h"
#include "fleet/groups/keeper_machines.h"
#include "fleet/list/runs_model.h"
#include "fleet/options/fleet_source.h"

static int read_runs(const struct fleet_sources *s, struct runs_model *m,
                     double count[CATALOG_CLASSES], struct err *e)
{
	const struct fleet_options *o = s->o;
	const double rate[] = {o->rate_cpu, o->rate_memory, o->rate_gpu};
	struct catalog_order order = catalog_order_newest;
	size_t n = o->top ? (size_t)o->top : RUNS_MODEL_TOP;

	if (o->sort && catalog_order_parse(o->sort, rate, &order, e))
		return -1;
	if (catalog_list_runs(s->catalog, s->query, &order, n, runs_model_add, m, e))
		return -1;
	return catalog_list_count(s->catalog, s->query, count, e);
}

int runs_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e)
{
	const struct fleet_options *o = s->o;
	const struct fleet_input cost = fleet_money_input(s);
	const struct runs_model_input in = {
	    .page = fleet_page_of(s),
	    .sort = o->sort,
	    .nextflow = fleet_options_nextflow(o),
	    .of = {.rates = cost.rates,
	           .price = cost.price,
	           .price_ctx = cost.price_ctx,
	           .page = fleet_options_page_file(o)},
	};
	double count[CATALOG_CLASSES] = {0};
	struct runs_model_sums sums = {.count = count};
	struct runs_model *m = runs_model_begin(&in);

	if (!m)
		return err_set(e, "no memory for the report");
	if (read_runs(s, m, count, e)) {
		runs_model_end(m, NULL);
		return -1;
	}
	fleet_money_basis(s);
	sums.money_basis = buf_cstr(&s->money->basis);
	sums.attribution = s->money->attribution;
	out->model = runs_model_end(m, &sums);
	return out->model ? 0 : err_set(e, "no memory for the report");
}
