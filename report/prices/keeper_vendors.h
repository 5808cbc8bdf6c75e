/*
 * keeper_vendors: the cloud vendors of the Keeper API: names, and how they bill.
 */
#ifndef REPORT_PRICES_KEEPER_VENDORS_H
#define REPORT_PRICES_KEEPER_VENDORS_H

#include <stddef.h>

struct keeper_vendor {
	const char *id;            /* as the service spells it: "hcloud" */
	const char *short_name;    /* for narrow columns: "Hetzner" */
	double min_s, increment_s; /* billing, if the service does not have it */
};

extern const struct keeper_vendor keeper_vendors[]; /* ends with a NULL id */

/* By id, in any case; NULL if there is none. */
const struct keeper_vendor *keeper_vendors_find(const char *id);

#endif
