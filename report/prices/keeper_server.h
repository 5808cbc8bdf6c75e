/*
 * keeper_server: one server as the Keeper API describes it: names, size, prices, billing.
 */
#ifndef REPORT_PRICES_KEEPER_SERVER_H
#define REPORT_PRICES_KEEPER_SERVER_H

#define KEEPER_SERVERS_MAX 64 /* of one result */

/* Strings are cut to fit; "" if unknown. Unknown numbers are NAN. A server of the list of the
 * cheapest ones always has both ids and a positive price_hour. */
struct keeper_server {
	char vendor_id[64], vendor_name[128], server_id[128], name[128], api_reference[128],
	    arch[32];
	double vcpus, memory_mib, gpu_count, gpu_memory_total_mib;
	double price_hour; /* the compared price: on demand, or spot if the query asks for it */
	double price_ondemand, price_spot; /* per hour */
	double price_month;                /* on demand, for a whole month */
	double score;                      /* stress-ng, all cores */
	double billing_min_s, billing_increment_s;
};

/* A server whose numbers are all NAN. */
struct keeper_server keeper_server_unknown(void);

/* Sets *known to v if *known is NAN. */
void keeper_server_learn(double *known, double v);

#endif
