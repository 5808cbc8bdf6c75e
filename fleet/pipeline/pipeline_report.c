/* pipeline_report: a catalog → the rows of one run of a workflow → the model. */
#include "fleet/pipeline/pipeline_report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/pipeline/pipeline.h"
#include "fleet/pipeline/pipeline_model.h"
#include "report/advice/recommend.h"
#include "report/units/model_json.h"

#define NAMED 5             /* runs, in a sentence */
#define NAME  ((size_t)100) /* bytes of each */

/* -- which run --------------------------------------------------------------------------------- */

/* The newest runs, the newest first. */
struct workflow_runs {
	struct workflow_run {
		char *name;
		double last; /* start */
	} v[PIPELINE_MODEL_RUNS + 1];
	size_t n, all;
	struct buf seen; /* the run of the cell before */
};

static void free_workflow_runs(struct workflow_runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->v[i].name);
	buf_free(&r->seen);
}

/* The cells of one run follow each other, but each may be the newest. */
static int note_workflow_run(void *ctx, const struct catalog_cell *cell, struct err *e)
{
	struct workflow_runs *r = ctx;
	struct workflow_run one = {.last = isnan(cell->last) ? -1 : cell->last};
	size_t at = 0;

	if (!*cell->group[0])
		return 0;
	if (strcmp(buf_cstr(&r->seen), cell->group[0]) != 0) {
		buf_clear(&r->seen);
		buf_str(&r->seen, cell->group[0]);
		r->all++;
	}
	while (at < r->n && strcmp(r->v[at].name, cell->group[0]) != 0)
		at++;
	if (at < r->n) {
		if (one.last <= r->v[at].last)
			return 0;
		one.name = r->v[at].name;
		memmove(&r->v[at], &r->v[at + 1], (--r->n - at) * sizeof one);
	} else if (!(one.name = strdup(cell->group[0]))) {
		return err_set(e, "%s", strerror(ENOMEM));
	}
	for (at = r->n; at && r->v[at - 1].last < one.last;)
		at--;
	if (r->n == sizeof r->v / sizeof *r->v) {
		if (at == r->n) {
			free(one.name);
			return 0;
		}
		free(r->v[--r->n].name);
	}
	memmove(&r->v[at + 1], &r->v[at], (r->n - at) * sizeof one);
	r->v[at] = one;
	r->n++;
	return 0;
}

static int refuse_run(const char *run, const struct workflow_runs *r, bool filtered, struct err *e)
{
	struct buf names = {0};

	for (size_t i = 0; i < r->n && i < NAMED; i++) {
		buf_str(&names, i ? ", " : "");
		model_json_cut_text(&names, r->v[i].name, NAME);
	}
	if (!r->n)
		err_set(e,
		        "no recording%s says which run of a workflow it is a task of "
		        "(docs/pipelines.md has the lines that make it say so)",
		        filtered ? " that the conditions choose" : "");
	else
		err_set(e, "--run: there is no run \"%s\"; the newest are %s", run,
		        buf_cstr(&names));
	buf_free(&names);
	return -1;
}

/* -- its rows ---------------------------------------------------------------------------------- */

static int read_workflow_run(struct catalog *c, const struct catalog_query *query, const char *run,
                             struct pipeline *p, struct err *e)
{
	struct opts_list where = {.n = 0};
	struct catalog_query of = *query;
	struct buf condition = {0};
	int failed;

	if (query->where)
		where = *query->where;
	if (where.n == OPTS_LIST_MAX)
		return err_set(e, "--where: too many conditions");
	buf_printf(&condition, "workflow_run=%s", run);
	where.v[where.n++] = buf_cstr(&condition);
	of.where = &where;
	of.group_by = NULL;
	failed = catalog_list(c, &of, PIPELINE_ROWS_MAX + 1, pipeline_row_add, p, e) ||
	         pipeline_make(p, e);
	buf_free(&condition);
	return failed ? -1 : 0;
}

static cJSON *model_of_run(const struct fleet_sources *s, const struct pipeline *p, const char *run,
                           const struct workflow_runs *r, struct err *e)
{
	const char *other[PIPELINE_MODEL_RUNS];
	struct pipeline_model_input in;
	size_t n = 0;

	for (size_t i = 0; i < r->n && n < PIPELINE_MODEL_RUNS; i++)
		if (strcmp(r->v[i].name, run) != 0)
			other[n++] = r->v[i].name;
	in = (struct pipeline_model_input){
	    .page = fleet_page_of(s),
	    .run = run,
	    .other = other,
	    .n_others = n,
	    .all_others = r->all > 0 ? r->all - 1 : 0,
	    .policy = {.lambda = recommend_lambda(s->o->page.risk),
	               .slowdown = s->o->page.slowdown > 0 ? s->o->page.slowdown : -1},
	};
	return pipeline_model_make(p, &in, e);
}

/* -- the whole --------------------------------------------------------------------------------- */

int pipeline_report_make(const struct fleet_sources *s, struct fleet_report *out, struct err *e)
{
	const struct opts_list by_run = {.v = {"workflow_run"}, .n = 1};
	struct catalog_query runs = *s->query;
	struct workflow_runs all = {.n = 0};
	struct pipeline p = {.n = 0};
	const char *run = s->o->run ? s->o->run : "";
	bool filtered = runs.since > 0 || runs.until > 0 || s->o->where.n;

	runs.group_by = &by_run;
	if (catalog_overview(s->catalog, &runs, note_workflow_run, NULL, &all, e))
		goto out;
	if (!*run && all.n)
		run = all.v[0].name;
	if (*run && read_workflow_run(s->catalog, s->query, run, &p, e))
		goto out;
	if (p.rows)
		out->model = model_of_run(s, &p, run, &all, e);
	else
		refuse_run(run, &all, filtered, e);
out:
	pipeline_free(&p);
	free_workflow_runs(&all);
	return out->model ? 0 : -1;
}
