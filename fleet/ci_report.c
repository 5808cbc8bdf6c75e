/* ci_report: recordings of CI jobs → runners → model. */
#include "fleet/ci_report.h"

#include <math.h>
#include <time.h>

#include "core/base/alloc_failed.h"
#include "fleet/ci/ci_files.h"
#include "fleet/ci/ci_make.h"
#include "fleet/ci/ci_model.h"
#include "fleet/groups/fleet_ask.h"
#include "report/advice/recommend.h"
#include "report/render/assets.h"

#define TABLE "ci_runners.tsv"

static int read_price_file(const char *path, struct ci_prices *out, struct err *e)
{
	struct buf text = {.len = 0};
	int failed = ci_files_text(path, CI_PRICES_BYTES, &text, e);

	if (!failed && ci_prices_parse(out, buf_cstr(&text), text.len, e))
		failed = err_wrap(e, "%s", path);
	buf_free(&text);
	return failed ? err_wrap(e, "--runner-prices") : 0;
}

static int price_table(const struct fleet_options *o, struct ci_prices *out, struct err *e)
{
	size_t n = 0;
	const char *text = assets_find(NULL, TABLE, &n);

	return o->runner_prices ? read_price_file(o->runner_prices, out, e)
	                        : ci_prices_parse(out, text ? text : "", n, e);
}

void ci_report_list_runners(struct buf *out)
{
	size_t n = 0;
	const char *text = assets_find(NULL, TABLE, &n);

	buf_add(out, text ? text : "", n);
}

static int make_plan(const struct fleet_options *o, const struct ci *ci,
                     const struct ci_prices *prices, struct ci_files *files, struct ci_plan *plan,
                     struct err *e)
{
	if (!o->page.patch && !o->ci_root)
		return 0;
	if (ci_files_read(files, plan->root, e))
		return -1;
	return ci_plan_make(plan, ci, prices, e);
}

struct cJSON *ci_report_make(const struct fleet_options *o, struct catalog *c,
                             const struct catalog_query *query, const char *source, size_t failed,
                             struct err *e)
{
	struct ci_prices prices = {.n = 0};
	struct ci_files files = {.n = 0};
	struct ci_plan plan = {.root = o->ci_root ? o->ci_root : ".", .files = &files};
	struct ci ci = {.n = 0};
	struct ci_input in = {.catalog = c,
	                      .query = query,
	                      .prices = &prices,
	                      .policy = {.lambda = recommend_lambda(o->page.risk),
	                                 .slowdown = o->page.slowdown > 0 ? o->page.slowdown : -1},
	                      .now = isnan(o->page.now) ? (double)time(NULL) : o->page.now};
	const struct ci_model_input shown = {
	    .title = o->page.title,
	    .integration = o->page.integration,
	    .source = source,
	    .where = &o->where,
	    .since = o->since_text,
	    .until = o->until_text,
	    .prices = &prices,
	    .prices_file = o->runner_prices,
	    .plan = o->page.patch || o->ci_root ? &plan : NULL,
	    .lambda = fleet_ask_lambda(&in.policy),
	    .slowdown = o->page.slowdown,
	    .all_failed = failed,
	    .now = in.now,
	};
	cJSON *model = NULL;

	if (price_table(o, &prices, e) == 0 && ci_make(&ci, &in, e) == 0 &&
	    make_plan(o, &ci, &prices, &files, &plan, e) == 0) {
		model = alloc_failed() ? NULL : ci_model_make(&ci, &shown);
		if (!model || alloc_failed())
			err_set(e, "no memory for the report");
	}
	ci_plan_free(&plan);
	ci_files_free(&files);
	ci_free(&ci);
	ci_prices_free(&prices);
	return model;
}
