/*
 * keeper_filters: the filters of servers (keeper_filters.def), and the values that the Keeper API
 * accepts for them. Regions are as the service lists them (keeper_region.h).
 */
#ifndef REPORT_PRICES_KEEPER_FILTERS_H
#define REPORT_PRICES_KEEPER_FILTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/base/opts.h"

enum keeper_filter {
#define FILTER(id, ...) KEEPER_FILTER_##id,
#include "report/prices/keeper_filters.def"
#undef FILTER
	KEEPER_FILTERS,
	/* Not filters, but checked as they are. */
	KEEPER_FILTER_CURRENCY = KEEPER_FILTERS,
	KEEPER_FILTER_WORKLOAD
};

/* The values of each filter; an empty list accepts everything. */
struct keeper_lists {
#define FILTER(id, member, ...) struct opts_list member;
#include "report/prices/keeper_filters.def"
#undef FILTER
};

/* A row of keeper_filters.def. */
struct keeper_filter_row {
	const char *option, *name, *param, *field;
	size_t at; /* in struct keeper_lists */
};
extern const struct keeper_filter_row keeper_filters[KEEPER_FILTERS];

/* The list of a filter. */
const struct opts_list *keeper_filters_list(const struct keeper_lists *all,
                                            enum keeper_filter filter);

/* A value as the service spells it, and other names for it, "A|B"; NULL: none. */
struct keeper_filter_word {
	const char *value, *names;
};

extern const struct keeper_filter_word keeper_filters_countries[]; /* ends with a NULL value */

/* The service's spelling of a word in any case; static. NULL if it is not a value: e then names the
 * nearest one. */
const char *keeper_filters_value(enum keeper_filter filter, const char *word, struct err *e);

/* Replaces each word of each list with its value, and drops duplicates; regions stay as they are.
 * -1 with a sentence that names the option. */
int keeper_filters_values(struct keeper_lists *all, struct err *e);

/* The service's spelling of a word of a filter; the word itself if it has none. */
const char *keeper_filters_spelled(enum keeper_filter filter, const char *word);

/* The edit distance between two words in any case (edit_distance.h); EDIT_DISTANCE_FAR if b is NULL
 * or "". */
size_t keeper_filters_distance(const char *a, const char *b);

/* Words further apart than this from a word are not what was meant; 0 of a short one. */
size_t keeper_filters_tolerance(const char *word);

struct keeper_vendor {
	const char *id;            /* as the service spells it: "hcloud" */
	const char *short_name;    /* for narrow columns: "Hetzner" */
	double min_s, increment_s; /* billing, if the service does not have it */
};

extern const struct keeper_vendor keeper_filters_vendors[]; /* ends with a NULL id */

/* By id, in any case; NULL if there is none. */
const struct keeper_vendor *keeper_filters_vendor(const char *id);

#endif
