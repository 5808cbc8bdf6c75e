/*
 * keeper_filters: the values that the Keeper API accepts for the filters of servers.
 *
 * Regions are not here: the service lists them (keeper_region.h).
 */
#ifndef REPORT_PRICES_KEEPER_FILTERS_H
#define REPORT_PRICES_KEEPER_FILTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/base/opts.h"

enum keeper_filter {
	KEEPER_FILTER_VENDOR,
	KEEPER_FILTER_COUNTRY,
	KEEPER_FILTER_COMPLIANCE,
	KEEPER_FILTER_ARCH,
	KEEPER_FILTER_CPU_ALLOCATION,
	KEEPER_FILTER_CURRENCY
};

/* A value as the service spells it, and other names for it, "A|B"; NULL: none. */
struct keeper_filter_word {
	const char *value, *names;
};

extern const struct keeper_filter_word keeper_filters_countries[]; /* ends with a NULL value */

/* The service's spelling of a word in any case; static. NULL if it is not a value: e then names the
 * nearest one. */
const char *keeper_filters_value(enum keeper_filter filter, const char *word, struct err *e);

/* Replaces each word of the list with its value, and drops duplicates. -1 with a sentence that
 * names the option. */
int keeper_filters_values(enum keeper_filter filter, struct opts_list *list, struct err *e);

/* The edit distance between two words in any case (edit_distance.h); EDIT_DISTANCE_FAR if b is NULL
 * or "". */
size_t keeper_filters_distance(const char *a, const char *b);

struct keeper_vendor {
	const char *id;            /* as the service spells it: "hcloud" */
	const char *short_name;    /* for narrow columns: "Hetzner" */
	double min_s, increment_s; /* billing, if the service does not have it */
};

extern const struct keeper_vendor keeper_filters_vendors[]; /* ends with a NULL id */

/* By id, in any case; NULL if there is none. */
const struct keeper_vendor *keeper_filters_vendor(const char *id);

#endif
