/*
 * keeper_region: asks the Keeper API for regions, and finds the query's regions among them.
 */
#ifndef REPORT_PRICES_KEEPER_REGION_H
#define REPORT_PRICES_KEEPER_REGION_H

#include <stdbool.h>

#include "report/prices/keeper_fetch.h"
#include "report/prices/keeper_parse.h"

/* Whether `name` is its id, name, API reference, city or an alias, in any case. */
bool keeper_region_is_called(const struct keeper_region *r, const char *name);

/* The name to show: its name, else its API reference, else its id. */
const char *keeper_region_name(const struct keeper_region *r);

/* Some vendors' region ids are plain numbers, which mean nothing to a reader. */
bool keeper_region_is_number(const char *id);

/* The regions of these vendors; of all vendors if the list is empty. 0, or -1 with a sentence. Free
 * *out either way. */
int keeper_region_ask_list(struct keeper_fetch *f, const struct opts_list *vendors,
                           struct keeper_region_list *out, struct err *e);

enum keeper_region_found {
	KEEPER_REGION_FOUND,     /* *out has all of them; it is empty if the query has none */
	KEEPER_REGION_UNKNOWN,   /* e: the service knows no such region; names one that is near */
	KEEPER_REGION_UNCHECKED, /* e: why the regions could not be looked up */
};

/* Finds the regions of f->q->of.region; words gets their names: "A or B". */
enum keeper_region_found keeper_region_ask(struct keeper_fetch *f, struct keeper_region_ids *out,
                                           struct buf *words, struct err *e);

#endif
