/*
 * runs_values: a run of the list, from its row in the catalog.
 */
#ifndef FLEET_LIST_RUNS_VALUES_H
#define FLEET_LIST_RUNS_VALUES_H

#include "core/base/buf.h"
#include "fleet/catalog/catalog_list.h"
#include "fleet/groups/fleet.h"

/* What a row does not say. Borrowed. */
struct runs_values_input {
	struct fleet_rates rates; /* what runs cost at the site's own rates, else at a machine's */
	fleet_price *price;       /* NULL: none is known */
	void *price_ctx;
	const char *page; /* path of the page; NULL and "-": reports cannot be linked */
};

/* A run: of several recordings, CPUs and hours are sums, and memory that of the node or task with
 * the most. NAN and "": unknown. Texts are borrowed from the row, or in `made`. */
struct runs_values {
	const char *id, *job_id, *name, *user, *account, *host, *signal, *mostly, *origin;
	const char *workflow_run, *source, *report;
	const char *end;   /* "finished", "its time was up" … */
	const char *level; /* "", "warn", "bad" */
	double start, submit, wall_s, asked_time_s, code, recordings, class;
	double asked_cpus, cpus, cpu_efficiency;
	double asked_memory_b, memory_b, memory_efficiency;
	bool memory_bound; /* it used at least memory_b, by accounting */
	double asked_gpus, gpus, gpu_efficiency;
	double unused_core_h, unused_gib_h, unused_gpu_h, cost;
	struct buf made[3]; /* id, end, report */
};

void runs_values_fill(struct runs_values *r, const struct catalog_result v[CATALOG_COLUMNS],
                      const struct runs_values_input *in);
void runs_values_free(struct runs_values *r);

#endif
