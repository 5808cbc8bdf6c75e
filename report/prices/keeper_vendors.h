/*
 * vendors: the cloud vendors that the Keeper API has, once: names, and how they bill.
 */
#ifndef REPORT_PRICES_KEEPER_VENDORS_H
#define REPORT_PRICES_KEEPER_VENDORS_H

#include <stddef.h>

struct keeper_vendor {
	const char *id;            /* the service's: "hcloud" */
	const char *short_name;    /* for a narrow column: "Hetzner" */
	double min_s, increment_s; /* of its bills, where the service does not say */
};

extern const struct keeper_vendor keeper_vendors[]; /* the last one's id is NULL */

/* By id, in any case; NULL where it is none of them. */
const struct keeper_vendor *keeper_vendors_find(const char *id);

#endif
