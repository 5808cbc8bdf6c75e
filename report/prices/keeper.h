/*
 * keeper: asks the Spare Cores Keeper API which servers are cheapest, and what the present one
 * costs.
 *
 * Calls, checks, cache and errors: docs/keeper.md. Whatever the network does, the calls end
 * within KEEPER_BUDGET_MS (a host that is not there: within 2 s), and what is not known has a
 * sentence that says why.
 */
#ifndef REPORT_PRICES_KEEPER_H
#define REPORT_PRICES_KEEPER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/opts.h"

#define KEEPER_URL         "https://keeper.sparecores.net"
#define KEEPER_SERVERS_MAX 64
#define KEEPER_BUDGET_MS   6000L /* for all calls together */

struct price_fetcher;

/* What is wanted. Strings and lists are borrowed. NAN or 0: not asked for. */
struct keeper_query {
	const char *base_url; /* NULL or "": KEEPER_URL */
	bool offline;         /* ask nothing: what the cache has serves, whatever its age */
	const struct price_fetcher *courier; /* who asks; NULL: this process by itself */
	/* NULL: the user's own (keeper_cache_default); "": none. Made where it is missing. */
	const char *cache_dir;
	double vcpus, memory_mib, gpu, vram_mib;
	/* As filters.h spells them. */
	struct opts_list vendor; /* aws, gcp, hcloud … */
	struct opts_list region; /* VENDOR~REGION, or a region's id, name, API reference or alias */
	struct opts_list country, compliance, cpu_allocation;
	struct opts_list arch;      /* x86_64, arm64 (aarch64 and amd64 are understood) */
	bool spot;                  /* compare spot prices: a server without one does not fit */
	const char *currency;       /* NULL or "": USD, the service's default */
	int servers;                /* 1 … KEEPER_SERVERS_MAX; 0: 5 */
	const char *present_vendor; /* NULL, "" or "unknown": not known; so the next two */
	const char *present_type;   /* id or API reference */
	const char *present_region; /* id, name, API reference or alias */
};

/* Strings are cut at their size. Numbers are NAN where the answer does not tell; the ids and a
 * positive price are always there. */
struct keeper_server {
	char vendor_id[64], vendor_name[128], server_id[128], name[128], api_reference[128],
	    arch[32];
	double vcpus, memory_mib, gpu_count, gpu_memory_total_mib;
	double
	    price_hour; /* the one that is compared: on demand, or spot where that was asked for */
	double price_ondemand, price_spot; /* per hour */
	double price_month;                /* on demand, for a whole month */
	double score;                      /* stress-ng, all cores */
	double billing_min_s, billing_increment_s;
};

struct keeper_result {
	bool known;                                      /* at least one server fits */
	char why[512];                                   /* a sentence where not known, else "" */
	struct keeper_server server[KEEPER_SERVERS_MAX]; /* cheapest first: [0] is the best */
	size_t n;
	size_t looked_at; /* rows of the answer, those included that failed the check */

	bool present_known;
	struct keeper_server present; /* price_hour is on demand; the rest as far as it is told */
	char present_where[256];      /* which region's price it is: a sentence */
	char present_why[512];        /* a sentence where not known, else "" */

	char wrong[512]; /* a usage sentence where the service knows no such region, else "" */
	char filters_why[512]; /* what the filters left out, or could not be checked; or "" */
	char currency[8];
	char asked[512];     /* what was asked for, in words: "at least 2 CPUs, 4 GiB of memory" */
	bool spot;           /* as it was asked for */
	double retrieved_at; /* Unix time of the oldest answer with prices; NAN without one */
	double age_s;      /* of the oldest of these that is past its time; 0 where all are fresh */
	char age_why[512]; /* why that one was used: a sentence, or "" */
	char cache_why[512]; /* why the folder in cache_dir cannot be used: a sentence, or "" */
};

/* Asks. *out is overwritten. Returns 0 where known or present_known, else -1. Nothing is known
 * where out->wrong says why. */
int keeper_ask(const struct keeper_query *q, struct keeper_result *out);

/* The line that must stand beside prices, for keeper_result.retrieved_at. */
void keeper_attribution(double retrieved_at, char out[160]);

#endif
