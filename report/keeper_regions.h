/*
 * keeper_regions: regions as people call them, as the ids that the Keeper API knows them by.
 */
#ifndef REPORT_KEEPER_REGIONS_H
#define REPORT_KEEPER_REGIONS_H

#include "keeper_fetch.h"
#include "keeper_parse.h"

/* Asks for the regions of these vendors (of all where there is none), and puts those that are
 * called by one of the names into *out, which is overwritten. A name may be VENDOR~NAME: a region
 * of that vendor. 0, or -1 with a sentence and nothing found. */
int keeper_regions_ask(struct keeper_fetch *f, const struct opts_list *vendors,
                       const struct opts_list *names, struct keeper_places *out, struct err *e);

/* What /servers must be asked for instead of q->region; empty where the ids stand there already, or
 * where one of them is not known. *e tells why the regions could not be asked, if so. */
void keeper_regions_wanted(struct keeper_fetch *f, struct keeper_places *out, struct err *e);

#endif
