/*
 * scan_pages: a page counts as its recording, and only where that is not there.
 *
 * Pages stand after all recordings of a list. A page is left out if a recording with the same id
 * and user was read in this scan, or is in the catalog, or if another page was there before it;
 * and where a
 * recording is put into a catalog that has its page, the page is forgotten. Copies of a recording
 * are left out on demand.
 */
#ifndef FLEET_SCAN_SCAN_PAGES_H
#define FLEET_SCAN_SCAN_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/catalog/catalog.h"

/* {0} is valid: nothing was read yet. */
struct scan_pages {
	bool expected; /* set before: the list has pages */
	bool once;     /* set before: so a recording counts once, however many copies there are */
	bool looked;   /* for pages in the catalog */
	struct scan_pages_run {
		uint64_t id; /* 0: a free slot */
		char *page;  /* the source of a page that is in the catalog, or NULL */
		bool recording;
	} * run; /* hash table */
	size_t n, max;
};

/* Sets put[i] of n runs that are to be put, and forgets the pages of the recordings among them. */
int scan_pages_choose(struct scan_pages *p, struct catalog *c, const struct catalog_run *v,
                      size_t n, bool *put, struct err *e);

void scan_pages_free(struct scan_pages *p);

#endif
