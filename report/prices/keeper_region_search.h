/*
 * keeper_region_search: asks the Keeper API for regions, and finds the query's regions among them.
 */
#ifndef REPORT_PRICES_KEEPER_REGION_SEARCH_H
#define REPORT_PRICES_KEEPER_REGION_SEARCH_H

#include "report/prices/keeper_fetch.h"
#include "report/prices/keeper_region.h"

/* The regions of these vendors; of all vendors if the list is empty. 0, or -1 with a sentence. Free
 * *out either way. */
int keeper_region_search_list(struct keeper_fetch *f, const struct opts_list *vendors,
                              struct keeper_region_list *out, struct err *e);

enum keeper_region_found {
	KEEPER_REGION_FOUND,     /* *out has all of them; it is empty if the query has none */
	KEEPER_REGION_UNKNOWN,   /* e: the service knows no such region; names the nearest one */
	KEEPER_REGION_UNCHECKED, /* e: why the regions could not be looked up */
};

/* Finds the regions of f->q->region; words gets their names: "A or B". */
enum keeper_region_found keeper_region_search(struct keeper_fetch *f, struct keeper_region_ids *out,
                                              struct buf *words, struct err *e);

#endif
