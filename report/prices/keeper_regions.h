/*
 * keeper_regions: regions as people call them, and as the Keeper API knows them.
 */
#ifndef REPORT_PRICES_KEEPER_REGIONS_H
#define REPORT_PRICES_KEEPER_REGIONS_H

#include "report/prices/keeper_fetch.h"
#include "report/prices/keeper_parse.h"

/* Asks for the regions of these vendors; of all where the list is empty. 0, or -1 with a sentence.
 * Free *out either way. */
int keeper_regions_ask(struct keeper_fetch *f, const struct opts_list *vendors,
                       struct keeper_regions *out, struct err *e);

/* Whether it is called name: by id, name, API reference or alias, in any case. */
bool keeper_region_is_called(const struct keeper_region *r, const char *name);

/* What people call it. */
const char *keeper_region_name(const struct keeper_region *r);

/* Ids of some vendors are numbers, which say nothing to anybody. */
bool keeper_region_is_number(const char *id);

enum keeper_regions_found {
	KEEPER_REGIONS_FOUND,   /* *out has them all; none where none was asked for */
	KEEPER_REGIONS_UNKNOWN, /* e: the service knows no such region, but the nearest is … */
	KEEPER_REGIONS_UNASKED, /* e: they could not be looked up */
};

/* The regions of f->q->region; words: how they are called in "region A or B", put into *asked. */
enum keeper_regions_found keeper_regions_wanted(struct keeper_fetch *f, struct keeper_places *out,
                                                struct buf *words, struct err *e);

#endif
