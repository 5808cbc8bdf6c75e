/*
 * runs_model: everything that the list of runs shows, as one JSON tree (docs/runs_model.md).
 *
 * Runs are added one by one, in their order, so that only the tree grows:
 *
 *	struct runs_model *m = runs_model_begin(&in);
 *	failed = catalog_list_runs(c, &q, &order, n, runs_model_add, m, e);
 *	model = runs_model_end(m, &sums);
 */
#ifndef FLEET_LIST_RUNS_MODEL_H
#define FLEET_LIST_RUNS_MODEL_H

#include <cjson/cJSON.h>

#include "core/base/err.h"
#include "fleet/catalog/catalog_list.h"
#include "fleet/groups/fleet.h"
#include "fleet/page/fleet_page.h"

#define RUNS_MODEL_TOP  ((size_t)1000) /* runs that are listed, without --top */
#define RUNS_MODEL_TEXT ((size_t)50)   /* of them in the texts, without --top */
#define RUNS_MODEL_ROWS ((size_t)1000) /* that the page and the texts show */

/* Input that a row does not have itself. Borrowed. */
struct runs_values_input {
	struct fleet_rates rates; /* what runs cost at the site's own rates, else at a machine's */
	fleet_price *price;       /* NULL: none is known */
	void *price_ctx;
	const char *page; /* path of the page; NULL and "-": reports cannot be linked */
};

/* Input that a list does not have itself. Borrowed until the end. NULL and 0: none, unknown, or the
 * default. */
struct runs_model_input {
	struct fleet_page page;
	const char *sort;            /* a text of catalog_order_parse */
	bool nextflow;               /* also as rows of Nextflow's trace, for --template */
	struct runs_values_input of; /* its runs */
};

/* Input that is known once all runs are there. */
struct runs_model_sums {
	const double *count;                   /* all runs of the query, by enum catalog_class */
	const char *money_basis, *attribution; /* sentences: where prices are from */
};

struct runs_model;

/* NULL without memory. */
struct runs_model *runs_model_begin(const struct runs_model_input *in);

/* model: struct runs_model. A catalog_each_listed. */
int runs_model_add(void *model, const struct catalog_result v[CATALOG_COLUMNS], struct err *e);

/* The whole tree, which the caller owns, and frees m. sums: NULL: only frees it. NULL only without
 * memory. */
cJSON *runs_model_end(struct runs_model *m, const struct runs_model_sums *sums);

#endif
