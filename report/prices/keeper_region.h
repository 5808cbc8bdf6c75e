/*
 * keeper_region: a vendor's region as the Keeper API lists it. Pure.
 */
#ifndef REPORT_PRICES_KEEPER_REGION_H
#define REPORT_PRICES_KEEPER_REGION_H

#include <stdbool.h>
#include <stddef.h>

#define KEEPER_REGION_LIST_MAX ((size_t)2048)
#define KEEPER_REGION_IDS_MAX  64

struct keeper_region {
	char vendor_id[64], region_id[64];
	char name[64], api_reference[64]; /* "": unknown */
	char aliases[256];                /* each followed by a line feed */
};

/* {0} is valid: empty. */
struct keeper_region_list {
	struct keeper_region *v;
	size_t n;
};

/* Regions to ask for, by id. */
struct keeper_region_ids {
	struct {
		char vendor_id[64], region_id[64];
	} v[KEEPER_REGION_IDS_MAX];
	size_t n;
};

/* Whether `name` is its id, name, API reference or an alias, in any case. */
bool keeper_region_is_called(const struct keeper_region *r, const char *name);

/* The name to show: its name, else its API reference, else its id. */
const char *keeper_region_name(const struct keeper_region *r);

/* Some vendors' region ids are plain numbers, which mean nothing to a reader. */
bool keeper_region_is_number(const char *id);

void keeper_region_list_free(struct keeper_region_list *r);

#endif
