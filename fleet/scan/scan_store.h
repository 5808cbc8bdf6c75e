/*
 * scan_store: objects in a store → rows, for scan_sources.
 *
 * The listing says which objects are new. Of each of these, one request reads the first SCAN_HEAD
 * bytes, STORE_AT_ONCE at the same time; they are parsed and put into the catalog while further
 * ones arrive. Recordings without a row are read on, one after the other.
 */
#ifndef FLEET_SCAN_SCAN_STORE_H
#define FLEET_SCAN_SCAN_STORE_H

#include "fleet/scan/scan_work.h"

/* Adds what a SOURCE s3://… stands for to the list. What cannot be listed is a failure. */
int scan_store_list(struct scan_work *w, const char *source, struct err *e);

/* Whether there are objects to read. */
bool scan_store_has(const struct scan_work *w);

/* Reads objects: as many beginnings as the batches have, or else one object further. */
int scan_store_read(struct scan_work *w, struct err *e);

#endif
