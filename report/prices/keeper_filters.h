/*
 * keeper_filters: the values that the Keeper API accepts for the filters of servers.
 *
 * Regions are not here: the service lists them (keeper_region_search.h).
 */
#ifndef REPORT_PRICES_KEEPER_FILTERS_H
#define REPORT_PRICES_KEEPER_FILTERS_H

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

/* A value as the service spells it, and another name for it (NULL: none). A value may have several
 * rows. */
struct keeper_filter_word {
	const char *value, *other;
};

/* End with a NULL value. A vendor's id has the names that people use, in adjacent rows. */
extern const struct keeper_filter_word keeper_countries[];
extern const struct keeper_filter_word keeper_vendor_words[];

/* The service's spelling of a word in any case; static. NULL if it is not a value: e then names the
 * nearest one. */
const char *keeper_filters_value(enum keeper_filter filter, const char *word, struct err *e);

/* Replaces each word of the list with its value, and drops duplicates. -1 with a sentence that
 * names the option. */
int keeper_filters_values(enum keeper_filter filter, struct opts_list *list, struct err *e);

/* The edit distance between two words in any case (edit_distance.h); EDIT_DISTANCE_FAR if b is NULL
 * or "". */
size_t keeper_filters_distance(const char *a, const char *b);

#endif
