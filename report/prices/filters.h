/*
 * filters: the values that the Keeper API knows for the filters of servers.
 *
 * Regions are not here: the service lists them (keeper_regions.h).
 */
#ifndef REPORT_PRICES_FILTERS_H
#define REPORT_PRICES_FILTERS_H

#include "core/err.h"
#include "core/opts.h"

enum filter {
	FILTER_VENDOR,
	FILTER_COUNTRY,
	FILTER_COMPLIANCE,
	FILTER_ARCH,
	FILTER_CPU_ALLOCATION,
	FILTER_CURRENCY
};

/* A value as the service spells it, and another name for it (NULL: none). */
struct filter_word {
	const char *value, *other;
};

extern const struct filter_word filter_countries[]; /* the last one's value is NULL */

/* The service's own spelling of a word in any case: static. NULL where it knows no such value; e
 * then has a sentence that names the nearest one. */
const char *filter_value(enum filter filter, const char *word, struct err *e);

/* Replaces each word of the list by its value, and drops repeated ones. -1 with a sentence
 * that names the option. */
int filter_values(enum filter filter, struct opts_list *list, struct err *e);

#endif
