/* groups_report: the rows of a catalog → groups → model. */
#include "fleet/groups/groups_report.h"

#include "core/base/alloc_failed.h"
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

static cJSON *make_model(const struct fleet_sources *s, const struct fleet *f,
                         const struct gate_results *gates, struct err *e)
{
	struct buf words = {0};
	struct fleet_model_input in = {
	    .page = fleet_page_of(s),
	    .group_by = &s->o->page.group_by,
	    .money_basis = buf_cstr(&s->money->basis),
	    .attribution = s->money->attribution,
	    .gates = gates,
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
	int rc = -1;

	if (fleet_make(&f, &in, e) || judge(s->o, &f, &out->gates, e))
		goto out;
	fleet_money_basis(s);
	out->model = make_model(s, &f, &out->gates, e);
	rc = out->model ? 0 : -1;
out:
	fleet_free(&f);
	return rc;
}
