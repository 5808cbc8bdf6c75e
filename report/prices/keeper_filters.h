/*
 * filters: the values that the Keeper API knows for the filters of servers.
 *
 * Regions are not here: the service lists them (keeper_regions.h).
 */
#ifndef REPORT_PRICES_KEEPER_FILTERS_H
#define REPORT_PRICES_KEEPER_FILTERS_H

#include "core/err.h"
#include "core/opts.h"

enum keeper_filter {
	KEEPER_FILTER_VENDOR,
	KEEPER_FILTER_COUNTRY,
	KEEPER_FILTER_COMPLIANCE,
	KEEPER_FILTER_ARCH,
	KEEPER_FILTER_CPU_ALLOCATION,
	KEEPER_FILTER_CURRENCY
};

/* A value as the service spells it, and another name for it (NULL: none). */
struct keeper_filter_word {
	const char *value, *other;
};

extern const struct keeper_filter_word keeper_countries[]; /* the last one's value is NULL */

/* The service's own spelling of a word in any case: static. NULL where it knows no such value; e
 * then has a sentence that names the nearest one. */
const char *keeper_filters_value(enum keeper_filter filter, const char *word, struct err *e);

/* Replaces each word of the list by its value, and drops repeated ones. -1 with a sentence
 * that names the option. */
int keeper_filters_values(enum keeper_filter filter, struct opts_list *list, struct err *e);

#endif
