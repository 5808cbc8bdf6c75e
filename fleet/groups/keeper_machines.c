/* keeper_machines: prices per hour of the types of machines that many runs were on. */
#include "fleet/groups/keeper_machines.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc_failed.h"
#include "core/base/fnv1a.h"
#include "report/prices/keeper_fetch.h"
#include "report/prices/keeper_region.h"
#include "report/prices/keeper_result.h"
#include "report/prices/keeper_type.h"
#include "report/units/units.h"

#define SLOTS   ((size_t)2048) /* of the hash table; a power of two, and over KEEPER_MACHINES_MAX */
#define VENDORS ((size_t)16)   /* whose regions are kept */

_Static_assert(SLOTS > KEEPER_MACHINES_MAX && (SLOTS & (SLOTS - 1)) == 0, "free slots remain");

/* A vendor's type: its prices in all regions. */
struct priced_type {
	char vendor[32], instance[64];
	struct keeper_price *price; /* NULL: none is known */
	size_t n;
};

/* A type in a region, as runs have it. */
struct priced_machine {
	char vendor[32], instance[64], region[48];
	double price_hour;
};

struct vendor_regions {
	char vendor[32];
	struct keeper_region_list all;
};

struct keeper_machines {
	struct keeper_query q; /* present_*: what is asked for now */
	struct keeper_fetch fetch;
	bool begun; /* fetch is set up */
	char currency[8];
	struct keeper_prices answer; /* of the type that is asked for now */
	struct priced_type *type;    /* room for KEEPER_MACHINES_MAX */
	struct priced_machine *machine;
	size_t types, machines;
	uint16_t slot[SLOTS]; /* of machine + 1; 0: free */
	struct vendor_regions regions[VENDORS];
	size_t vendors;
	size_t unpriced, spotless, lowest, unknown;
	bool full;      /* there were more than KEEPER_MACHINES_MAX */
	struct err why; /* why the first type has no price */
};

struct keeper_machines *keeper_machines_new(const struct keeper_query *q)
{
	struct keeper_machines *k = alloc_failed_note(calloc(1, sizeof *k));

	if (!k)
		return NULL;
	k->q = *q;
	keeper_result_copy(k->currency, sizeof k->currency, keeper_query_currency(q));
	for (char *c = k->currency; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	k->type = alloc_failed_note(calloc(KEEPER_MACHINES_MAX, sizeof *k->type));
	k->machine = alloc_failed_note(calloc(KEEPER_MACHINES_MAX, sizeof *k->machine));
	if (k->type && k->machine)
		return k;
	keeper_machines_free(k);
	return NULL;
}

void keeper_machines_free(struct keeper_machines *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->types; i++)
		free(k->type[i].price);
	for (size_t i = 0; i < k->vendors; i++)
		keeper_parse_free_regions(&k->regions[i].all);
	if (k->begun)
		keeper_fetch_end(&k->fetch);
	free(k->type);
	free(k->machine);
	free(k);
}

/* -- a type's prices --------------------------------------------------------------------------- */

/* The time starts when the first price is needed. */
static void begin_requests(struct keeper_machines *k)
{
	if (k->begun)
		return;
	keeper_fetch_begin(&k->fetch, &k->q, KEEPER_MACHINES_BUDGET_S);
	k->begun = true;
}

static void ask_type(struct keeper_machines *k, struct priced_type *t)
{
	struct err e = {0};

	begin_requests(k);
	k->answer.n = 0;
	if (keeper_type_ask(&k->fetch, k->currency, &k->answer, &e) == 0)
		t->price = alloc_failed_note(malloc(k->answer.n * sizeof *t->price));
	if (t->price) {
		memcpy(t->price, k->answer.v, k->answer.n * sizeof *t->price);
		t->n = k->answer.n;
		return;
	}
	k->unpriced++;
	if (!*k->why.msg)
		k->why = e;
}

/* The service compares ids in any case. */
static struct priced_type *type_of(struct keeper_machines *k, const struct catalog_machine *m)
{
	struct priced_type *t;

	for (size_t i = 0; i < k->types; i++)
		if (!strcasecmp(k->type[i].instance, m->instance) &&
		    !strcasecmp(k->type[i].vendor, m->vendor))
			return &k->type[i];
	/* Each machine adds at most one type, so there is room. */
	t = &k->type[k->types++];
	keeper_result_copy(t->vendor, sizeof t->vendor, m->vendor);
	keeper_result_copy(t->instance, sizeof t->instance, m->instance);
	ask_type(k, t);
	return t;
}

/* -- the price in a region --------------------------------------------------------------------- */

static const struct keeper_region_list *regions_of(struct keeper_machines *k)
{
	static const struct keeper_region_list none;
	struct opts_list vendor = {.v = {k->q.present_vendor}, .n = 1};
	struct vendor_regions *r;

	for (size_t i = 0; i < k->vendors; i++)
		if (!strcasecmp(k->regions[i].vendor, k->q.present_vendor))
			return &k->regions[i].all;
	if (k->vendors == VENDORS)
		return &none;
	r = &k->regions[k->vendors++];
	keeper_result_copy(r->vendor, sizeof r->vendor, k->q.present_vendor);
	keeper_region_ask_list(&k->fetch, &vendor, &r->all, NULL);
	return &r->all;
}

static double compared_price(const struct keeper_machines *k, const struct keeper_price *p)
{
	return k->q.spot ? p->spot : p->price_hour;
}

static double lowest_price(const struct keeper_machines *k, const struct keeper_prices *p)
{
	double best = NAN;

	for (size_t i = 0; i < p->n; i++)
		if (!(best <= compared_price(k, &p->v[i])) && !isnan(compared_price(k, &p->v[i])))
			best = compared_price(k, &p->v[i]);
	return best;
}

static double price_in_region(struct keeper_machines *k, const struct priced_type *t)
{
	const struct keeper_price *here = NULL;

	memcpy(k->answer.v, t->price, t->n * sizeof *t->price);
	k->answer.n = t->n;
	if (keeper_query_is_known(k->q.present_region)) {
		here = keeper_type_in_region(&k->answer, k->q.present_region);
		if (!here)
			here = keeper_type_in_named_region(regions_of(k), &k->q, &k->answer);
	}
	if (here)
		return compared_price(k, here);
	k->lowest++;
	return lowest_price(k, &k->answer);
}

static double ask_machine(struct keeper_machines *k, const struct catalog_machine *m)
{
	const struct priced_type *t;
	double price;

	k->q.present_vendor = m->vendor;
	k->q.present_type = m->instance;
	k->q.present_region = m->region;
	if (!keeper_type_is_askable(&k->q)) {
		k->unknown++;
		return NAN;
	}
	t = type_of(k, m);
	if (!t->n)
		return NAN;
	price = price_in_region(k, t);
	k->spotless += k->q.spot && isnan(price);
	return price > 0 ? price : (double)NAN;
}

/* -- each machine once ------------------------------------------------------------------------- */

static size_t machine_hash(const struct catalog_machine *m)
{
	uint64_t h = FNV1A_BEGIN;

	h = fnv1a_add(fnv1a_add(fnv1a_add(h, m->vendor), m->instance), m->region);
	return (size_t)(h ^ (h >> 32)) & (SLOTS - 1);
}

static bool is_machine(const struct priced_machine *a, const struct catalog_machine *b)
{
	return strcmp(a->instance, b->instance) == 0 && strcmp(a->region, b->region) == 0 &&
	       strcmp(a->vendor, b->vendor) == 0;
}

double keeper_machines_price(void *machines, const struct catalog_machine *m)
{
	struct keeper_machines *k = machines;
	struct priced_machine *new;
	size_t at = machine_hash(m);

	for (; k->slot[at]; at = (at + 1) & (SLOTS - 1))
		if (is_machine(&k->machine[k->slot[at] - 1], m))
			return k->machine[k->slot[at] - 1].price_hour;
	if (k->machines == KEEPER_MACHINES_MAX) {
		k->full = true;
		return NAN;
	}
	new = &k->machine[k->machines++];
	k->slot[at] = (uint16_t)k->machines;
	memcpy(new->vendor, m->vendor, sizeof new->vendor);
	memcpy(new->instance, m->instance, sizeof new->instance);
	memcpy(new->region, m->region, sizeof new->region);
	new->price_hour = ask_machine(k, m);
	return new->price_hour;
}

_Static_assert(sizeof((struct priced_machine *)0)->vendor ==
                       sizeof((struct catalog_machine *)0)->vendor &&
                   sizeof((struct priced_machine *)0)->instance ==
                       sizeof((struct catalog_machine *)0)->instance &&
                   sizeof((struct priced_machine *)0)->region ==
                       sizeof((struct catalog_machine *)0)->region,
               "copied whole");

/* -- where the prices are from ----------------------------------------------------------------- */

struct keeper_machines_count keeper_machines_counted(const struct keeper_machines *k)
{
	return (struct keeper_machines_count){
	    .types = k->types,
	    .unpriced = k->unpriced,
	    .lowest = k->lowest,
	    .unknown = k->unknown,
	    .retrieved_at = k->begun ? k->fetch.oldest : (double)NAN,
	};
}

static void say_types(size_t n, struct buf *out)
{
	char count[UNITS_SIZE];

	buf_printf(out, "%s machine type%s", units_count((double)n, count), n == 1 ? "" : "s");
}

static void say_none(const struct keeper_machines *k, struct buf *out)
{
	if (!k->types)
		buf_str(out, k->unknown ? "No price is known: no recording names a machine type of "
		                          "a cloud vendor."
		                        : "No price was needed.");
	else if (k->q.offline)
		buf_str(out, "Prices were not requested (--offline).");
	else
		buf_printf(out, "No price is known: %s.", k->why.msg);
}

static void say_exceptions(const struct keeper_machines *k, struct buf *out)
{
	char age[UNITS_SIZE];

	if (k->unpriced) {
		buf_str(out, " Of ");
		say_types(k->unpriced, out);
		buf_printf(out, " no price is known: %s.",
		           k->q.offline ? "no request was sent (--offline)" : k->why.msg);
	}
	if (k->spotless) {
		buf_str(out, " Of ");
		say_types(k->spotless, out);
		buf_str(out, " no spot price is known.");
	}
	if (k->lowest)
		buf_printf(out, " Where the region is unknown or has no price, it is the lowest of "
		                "all regions.");
	if (k->full)
		buf_printf(out, " Only the first %zu machine types were asked for.",
		           KEEPER_MACHINES_MAX);
	if (k->fetch.age_s > 0)
		buf_printf(out, " Prices are up to %s old, from the cache: %s.",
		           units_seconds(k->fetch.age_s, age), k->fetch.age_why.msg);
	if (*k->fetch.cache_why.msg)
		buf_printf(out, " Prices are not cached: %s.", k->fetch.cache_why.msg);
}

void keeper_machines_basis(const struct keeper_machines *k, struct buf *out)
{
	char when[UNITS_SIZE];

	if (k->types == k->unpriced) {
		say_none(k, out);
		return;
	}
	buf_str(out, "Prices per hour of ");
	say_types(k->types - k->unpriced, out);
	buf_printf(out, ", %s, in %s, from the Spare Cores Keeper, retrieved %s.",
	           k->q.spot ? "spot" : "on demand", k->currency,
	           units_time_text(k->fetch.oldest, when));
	say_exceptions(k, out);
}

const char *keeper_machines_why(const struct keeper_machines *k)
{
	return k->why.msg;
}
