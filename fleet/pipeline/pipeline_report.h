/*
 * pipeline_report: one run of a workflow, from the rows of a catalog to the model of its page.
 */
#ifndef FLEET_PIPELINE_PIPELINE_REPORT_H
#define FLEET_PIPELINE_PIPELINE_REPORT_H

#include "fleet/catalog/catalog.h"
#include "fleet/options/fleet_options.h"

/* Where the rows are from, and why files could not be read. Borrowed. */
struct pipeline_report_files {
	const char *source;
	const struct err *failed; /* the first ones */
	size_t n_failed, all_failed;
};

/* query: of the command line; a run of o->run, or the newest of those, is chosen. The catalog
 * has whole rows (catalog_list.h). NULL with a sentence, also where there is no such run. */
struct cJSON *pipeline_report_make(const struct fleet_options *o, struct catalog *c,
                                   const struct catalog_query *query,
                                   const struct pipeline_report_files *files, struct err *e);

#endif
