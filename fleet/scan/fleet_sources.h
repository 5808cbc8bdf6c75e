/*
 * fleet_sources: the SOURCEs of many runs, read into a catalog or removed from it, and what is said
 * of those that are left out.
 */
#ifndef FLEET_SCAN_FLEET_SOURCES_H
#define FLEET_SCAN_FLEET_SOURCES_H

#include "fleet/catalog/catalog_fetcher.h"
#include "fleet/import/sacct_program.h"
#include "fleet/options/fleet_options.h"
#include "fleet/scan/scan_sources.h"
#include "report/advice/gate_results.h"
#include "report/prices/price_fetcher.h"

#define FLEET_SOURCES_KEPT ((size_t)100) /* sentences about files, for the page */

/* Started before privdrop. {0} is valid: none. */
struct fleet_workers {
	struct scan scan;
	struct catalog_fetcher catalog;
	struct price_fetcher prices;
	struct sacct_program sacct; /* with --sacct-since; its output is IMPORT_SACCT */
	const struct store *store;  /* borrowed; set after the start */
};

/* How main.c, which alone prints, shows what happens meanwhile. */
struct fleet_report_watch {
	/* A message, such as a file that cannot be read. */
	void (*say)(void *ctx, const struct err *line);
	scan_progress *progress;
	void *ctx; /* of both */
};

/* Sentences about what was left out (scan_failure): the first ones are kept for the page. */
struct fleet_failures {
	const struct fleet_report_watch *watch;
	struct err kept[FLEET_SOURCES_KEPT];
	size_t n_kept, n, remarks;
	struct input_others others; /* not among them */
	size_t older;               /* rows that keep what they have (catalog_older) */
};

/* The runs that a verb reports on. Borrowed. */
struct fleet_sources {
	const struct fleet_options *o;
	struct catalog *catalog;
	const struct catalog_query *query; /* of the command line */
	const struct fleet_failures *failed;
	const char *text;          /* where they are from, without any secret */
	struct fleet_money *money; /* what they cost (fleet_money.h); NULL: the verb does not say */
};

/* The report that a verb made of them. {0} is valid: nothing. */
struct fleet_report {
	struct cJSON *model;       /* of the page; NULL: the verb has none */
	struct gate_results gates; /* of --fail-if */
	struct buf done;           /* what is printed instead of a page */
	size_t left_out;           /* sentences about what was left out */
};

/* Makes the report of a verb. -1 with a sentence. */
typedef int fleet_report_maker(const struct fleet_sources *s, struct fleet_report *out,
                               struct err *e);

/* Opens the catalog of the options to write; watch says if it was one of an older version. NULL
 * with a sentence. */
struct catalog *fleet_sources_open(const struct fleet_options *o,
                                   const struct catalog_fetcher *fetcher,
                                   const struct fleet_report_watch *watch, struct err *e);

/* Adds the SOURCEs, and what sacct has. -1 with a sentence. */
int fleet_sources_add(const struct fleet_options *o, struct fleet_workers *w, struct catalog *c,
                      struct fleet_failures *f, struct scan_result *r, struct err *e);

/* Appends the line that says what was added. */
void fleet_sources_added(const struct fleet_options *o, const struct scan_result *r,
                         const struct fleet_failures *failed, struct buf *out);

/* Removes the SOURCEs from the catalog, or with --files old recordings below them, and appends the
 * line that says how many they were. watch: says what cannot be removed. -1 with a sentence. */
int fleet_sources_forget(const struct fleet_options *o, const struct catalog_fetcher *fetcher,
                         const struct fleet_report_watch *watch, struct fleet_report *done,
                         struct err *e);

/* Sets the sentence for SOURCEs without recordings. */
void fleet_sources_none(const struct fleet_options *o, const struct input_others *others,
                        struct err *e);

#endif
