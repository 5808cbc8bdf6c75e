/*
 * keeper_query: what to ask the Keeper API for, and the same in words. Pure.
 */
#ifndef REPORT_PRICES_KEEPER_QUERY_H
#define REPORT_PRICES_KEEPER_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/opts.h"
#include "report/prices/keeper_filters.h"
#include "report/prices/keeper_result.h"

#define KEEPER_URL       "https://keeper.sparecores.net"
#define KEEPER_CALLS_MAX 8 /* with sizes; filters may take more without them */

struct price_fetcher;
struct keeper_file;
struct keeper_records;

/* Strings and lists are borrowed. For a size, NAN and 0 mean no minimum. */
struct keeper_query {
	const char *base_url;                /* NULL or "": KEEPER_URL */
	bool offline;                        /* use the cache only, whatever its age */
	const struct price_fetcher *fetcher; /* not with offline */
	const struct keeper_file *file;      /* answers instead of the service; NULL: none */
	struct keeper_file *save;            /* gets the answers; NULL: none */
	double timeout_s; /* for all calls together; 0: KEEPER_FETCH_BUDGET_S, or of a fleet
	                     KEEPER_MACHINES_BUDGET_S */
	/* Created if missing. NULL: the user's own (keeper_cache_default); "": no cache. */
	const char *cache_dir;
	double vcpus, memory_mib, gpu, vram_mib;
	bool room; /* a server must hold memory_mib and its own system */
	/* A sentence: why no size is known, so that no servers are asked for, as any would fit; or
	 * NULL. The present server is asked for all the same. */
	const char *unsized;
	struct keeper_lists of;         /* region: [VENDOR~]REGION: an id, name, or alias */
	struct opts_list where;         /* keeper_where.h */
	struct keeper_records *records; /* gets the rows of the servers; NULL: none */
	bool spot;                      /* compare spot prices: a server without one does not fit */
	const char *currency;           /* NULL or "": USD, the service's default */
	int servers;                    /* 1 … KEEPER_SERVERS_MAX; 0: 5 */
	/* Sizes in CPUs, upwards, each of which is asked for, too, as long as all calls are at most
	 * KEEPER_CALLS_MAX. */
	double size[KEEPER_SIZES_MAX];
	size_t sizes;
	const char *workload;         /* speed_check; NULL: by default */
	struct speed_measure measure; /* whose scores are asked for; {0}: none */
	const char *present_vendor;   /* NULL, "" or "unknown": unknown; likewise the next two */
	const char *present_type;     /* id or API reference */
	const char *present_region;   /* id, name, API reference or alias */
};

/* Whether a string of a recording has a value: not NULL, "" or "unknown". */
bool keeper_query_is_known(const char *s);

/* The memory that a server must have, in MiB; 0: any. */
double keeper_query_memory(const struct keeper_query *q);

/* v if it is positive, up to 1e9, else 0: no minimum. */
double keeper_query_amount(double v);

/* The number of servers to list: 1 … KEEPER_SERVERS_MAX. */
size_t keeper_query_count(const struct keeper_query *q);

/* The currency as the query spells it; "USD" by default. */
const char *keeper_query_currency(const struct keeper_query *q);

/* "at least 2 CPUs, 4 GiB of memory; vendor aws". regions: names of the regions, "A or B"; "" uses
 * the query's own spelling. */
void keeper_query_words(const struct keeper_query *q, const char *regions, char out[512]);

/* All of the query on which the answer depends: an answer is one to any query with the same. */
void keeper_query_question(const struct keeper_query *q, char out[KEEPER_QUESTION_MAX]);

/* -- URLs (docs/keeper.md): all functions append to *out --------------------------------------- */

/* The length of the service's address, with which each URL begins. */
size_t keeper_query_base(const struct keeper_query *q);

#define KEEPER_REGION_IDS_MAX 64

/* Regions to ask for, by id. */
struct keeper_region_ids {
	struct {
		char vendor_id[64], region_id[64];
	} v[KEEPER_REGION_IDS_MAX];
	size_t n;
};

/* /servers. ids: replaces q->of.region; NULL or empty: q->of.region is sent as it is. all: request
 * as many rows as the service returns at once. */
void keeper_query_servers_url(struct buf *out, const struct keeper_query *q,
                              const struct keeper_region_ids *ids, bool all);

/* The page-th page, from 1 on, of the servers of all sizes. The filters that each row is checked
 * for are left out; vendors only without frameworks. */
#define KEEPER_PAGE_ROWS 250
void keeper_query_page_url(struct buf *out, const struct keeper_query *q,
                           const struct keeper_region_ids *ids, size_t page);

/* How many rows keeper_query_servers_url requests. */
size_t keeper_query_limit(const struct keeper_query *q, bool all);

/* /servers with only a vendor and a compliance framework: the answer has only this vendor's rows
 * if it complies, and rows of other vendors if it does not. */
void keeper_query_compliance_url(struct buf *out, const struct keeper_query *q, const char *vendor,
                                 const char *framework);

/* /server_prices: the lowest prices of a server, with their regions and zones. ids: as above. */
void keeper_query_place_url(struct buf *out, const struct keeper_query *q,
                            const struct keeper_region_ids *ids, const struct keeper_server *s);

/* The server of the run, q->present_*: /server/{vendor}/{server}/prices, /v2/server/{vendor}/
 * {server}, and /server/{vendor}/{server}/benchmarks. */
void keeper_query_prices_url(struct buf *out, const struct keeper_query *q);
void keeper_query_specs_url(struct buf *out, const struct keeper_query *q);
void keeper_query_benchmarks_url(struct buf *out, const struct keeper_query *q);

/* /regions of these vendors; of all vendors if the list is empty. */
void keeper_query_regions_url(struct buf *out, const struct keeper_query *q,
                              const struct opts_list *vendors);

#endif
