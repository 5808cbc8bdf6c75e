/*
 * fleet_page: what the pages of many runs share: the head of the model, tiles, sentences, and
 * quantities that may be unknown.
 *
 *	struct fleet_page page = fleet_page_of(sources);
 *	fleet_page_head(model, OUTPUT_CI_FORMAT, "CI runners", &page);
 *	tiles = cJSON_AddArrayToObject(model, "tiles");
 *	fleet_page_tile(tiles, "runs", "Runs", "12", "1 failed");
 */
#ifndef FLEET_PAGE_FLEET_PAGE_H
#define FLEET_PAGE_FLEET_PAGE_H

#include "core/base/opts.h"
#include "fleet/scan/fleet_sources.h"
#include "report/units/model_json.h"

/* The part of a page that the command line and the SOURCEs say. Borrowed. NULL and 0: none,
 * unknown, or the default. */
struct fleet_page {
	const char *title, *integration;
	const char *source; /* where the runs are from, without any secret */
	const struct opts_list *where;
	const char *since, *until; /* as given */
	const char *currency;      /* NULL: USD */
	const struct err *failed;  /* what was left out, and why: the first sentences */
	size_t n_failed, all_failed;
	const char *file; /* path of the page; NULL and "-": reports cannot be linked */
	size_t top;       /* --top */
	double now;       /* Unix seconds */
};

struct fleet_page fleet_page_of(const struct fleet_sources *s);

/* Adds the first keys of every model, where the runs are from, the conditions that chose them, and
 * what was left out. title: without --title. */
void fleet_page_head(cJSON *model, const char *format, const char *title,
                     const struct fleet_page *p);

/* Adds the sentences that say where prices are from. NULL: none. */
void fleet_page_prices(cJSON *model, const char *basis, const char *attribution);

/* Appends a large number with its label. note: "": none. */
void fleet_page_tile(cJSON *tiles, const char *id, const char *label, const char *text,
                     const char *note);

/* Appends a sentence to the verdict, unless it is empty, and frees it. level: "good", "info",
 * "warn", "bad". */
void fleet_page_sentence(cJSON *verdict, const char *id, const char *level, struct buf *text);

/* A quantity whose text is "unknown" where v is NAN. p: NULL: its currency is not needed. */
void fleet_page_quantity(cJSON *parent, const char *key, enum unit u, double v,
                         const struct fleet_page *p);

/* text, or "unknown" for NULL and "". */
const char *fleet_page_or_unknown(const char *text);

/* Bytes of a text of the model in HTML: escaped. 0: there is none. */
size_t fleet_page_html_length(const cJSON *row, const char *key);

/* The ending of a regular plural: "" or "s". */
const char *fleet_page_plural(double n);

#endif
