/* groups_report: the rows of a catalog → groups → model. */
#include "fleet/groups/groups_report.h"

#include "core/base/alloc_failed.h"
#include "fleet/catalog/catalog_list.h"
#include "fleet/groups/fleet_model.h"
#include "fleet/groups/fleet_money.h"
#include "fleet/options/fleet_source.h"

static int judge(const struct fleet_options *o, const struct fleet *f, struct gate_results *out,
                 struct err *e)
{
	double values[MEASURE_FLEET_NAMES];

	fleet_measures(f, values);
	return gate_results_of_fleet(&o->page.fail_if, values,
	                             o->page.currency ? o->page.currency : "", out, e);
}

/* How many of the runs that count asked for nothing, so that their machine stands for the ask. */
static int count_unasked(const struct fleet_sources *s, double *unasked, struct err *e)
{
	double count[CATALOG_CLASSES] = {0};
	struct catalog_query query = *s->query;
	struct opts_list where = {.n = 0};
	int failed = 0;

	if (query.where)
		where = *query.where;
	if (where.n + 2 <= OPTS_LIST_MAX) {
		where.v[where.n++] = "asked_cpus_source=machine";
		where.v[where.n++] = "asked_memory_source=machine";
		query.where = &where;
		failed = catalog_list_count(s->catalog, &query, count, e);
	}
	*unasked = count[CATALOG_COUNTED];
	return failed;
}

static cJSON *make_model(const struct fleet_sources *s, const struct fleet *f,
                         const struct gate_results *gates, double unasked, struct err *e)
{
	struct buf words = {0};
	struct fleet_model_input in = {
	    .page = fleet_page_of(s),
	    .group_by = &s->o->page.group_by,
	    .money_basis = buf_cstr(&s->money->basis),
	    .attribution = s->money->attribution,
	    .gates = gates,
	    .unasked = unasked,
	    .others = s->failed->others,
	};
	cJSON *model;

	fleet_source_words(s->o->catalog, s->o->page.input, s->o->page.n_inputs, &words);
	in.words = buf_cstr(&words);
	model = alloc_failed() ? NULL : fleet_model(f, &in);
	buf_free(&words);
	if (model && !alloc_failed())
		return model;
	err_set(e, "no memory for the report");
	cJSON_Delete(model);
	return NULL;
}

int groups_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e)
{
	const struct fleet_input in = fleet_money_input(s);
	struct fleet f = {0};
	double unasked = 0;
	int rc = -1;

	if (fleet_make(&f, &in, e) || judge(s->o, &f, &out->gates, e) ||
	    count_unasked(s, &unasked, e))
		goto out;
	fleet_money_basis(s);
	out->model = make_model(s, &f, &out->gates, unasked, e);
	rc = out->model ? 0 : -1;
out:
	fleet_free(&f);
	return rc;
}
