/*
 * keeper_result: the answer to a keeper_query: the cheapest servers, in order of price, and the
 * server that the run was on. Pure.
 */
#ifndef REPORT_PRICES_KEEPER_RESULT_H
#define REPORT_PRICES_KEEPER_RESULT_H

#include <stdbool.h>
#include <stddef.h>

/* Copies text and cuts it to fit, at a UTF-8 character boundary; control characters become
 * spaces. */
void keeper_result_copy(char *out, size_t size, const char *text);

#define KEEPER_SERVERS_MAX  64 /* of one result */
#define KEEPER_SIZED_MAX    48
#define KEEPER_SIZES_MAX    9
#define KEEPER_QUESTION_MAX 1024

struct keeper_records;

#define SPEED_ID_MAX 64

/* A benchmark of the service whose scores are compared. {0} is valid: none was asked for. */
struct speed_measure {
	char id[SPEED_ID_MAX]; /* "geekbench:score" */
	bool one;              /* of one core alone; else of all CPUs, by their number */
};

/* Strings are cut to fit; "" if unknown. Unknown numbers are NAN. A server of the list of the
 * cheapest ones always has both ids and a positive price_hour. */
struct keeper_server {
	char vendor_id[64], vendor_name[128], server_id[128], name[128], api_reference[128],
	    arch[32];
	double vcpus, memory_mib, gpu_count, gpu_memory_total_mib;
	double price_hour; /* the compared price: on demand, or spot if the query asks for it */
	double price_ondemand, price_spot; /* per hour */
	double price_month;                /* on demand, for a whole month */
	double score;                      /* stress-ng, all CPUs */
	double score_asked;                /* of keeper_result.measure */
	double start_s;                    /* until a fresh server runs, on average */
	double billing_min_s, billing_increment_s;
	/* Where it has price_hour, as its vendor's API calls these, and when that was seen,
	 * "2026-07-01"; known of few servers. */
	char region[64], zone[64], price_day[12];
	size_t record; /* its number in keeper_result.records; 0: none */
};

/* A server whose numbers are all NAN. */
struct keeper_server keeper_result_no_server(void);

/* Sets *known to v if *known is NAN. */
void keeper_result_learn(double *known, double v);

struct keeper_result {
	/* The query's, borrowed: the rows of the servers; NULL: not asked for, or not saved. */
	struct keeper_records *records;
	bool known;                                      /* at least one server fits */
	char why[512];                                   /* if not known: a sentence; else "" */
	struct keeper_server server[KEEPER_SERVERS_MAX]; /* cheapest first: [0] is the best */
	size_t n;
	char absurd[200]; /* names of servers that are left out for their prices: "aws x, gcp y" */
	size_t looked_at; /* rows of the answers, including rows that failed the check */

	/* Servers of all sizes, in no order: those of keeper_ask that the caller chose. */
	struct keeper_server sized[KEEPER_SIZED_MAX];
	size_t n_sized;
	char sized_why[256];          /* a sentence: which sizes are not known; or "" */
	struct speed_measure measure; /* whose scores the servers have; none if it was refused */

	bool present_known;
	struct keeper_server present; /* the server of the run; price_hour is on demand */
	char present_where[256];      /* a sentence: which region the price is for */
	char present_why[512];        /* if not known: a sentence; else "" */

	char wrong[512];       /* a usage error if the service knows no such region; else "" */
	char filters_why[512]; /* what the filters left out, or could not check; or "" */
	char currency[8];
	char question[KEEPER_QUESTION_MAX]; /* keeper_query_question */
	char asked[512];     /* the query in words: "at least 2 CPUs, 4 GiB of memory" */
	bool spot;           /* as in the query */
	double retrieved_at; /* Unix time of the oldest answer with prices; NAN without one */
	char age_why[512];   /* a sentence: why expired answers were used; "": all are fresh */
	double file_at;      /* Unix time of the file that has the prices; NAN: none */
	char cache_why[512]; /* a sentence: why the folder cache_dir cannot be used; or "" */
};

/* How .why begins where the service could not be asked. */
#define KEEPER_RESULT_UNKNOWN "The cheapest servers are unknown"

/* .why for a line that already says that there are no prices: without that beginning. */
const char *keeper_result_reason(const struct keeper_result *r);

/* Adds a server to the cheapest `max` of *out, ordered by (price, vendor_id, server_id). A server
 * that is already in the list is kept once, at its lower price. */
void keeper_result_add(struct keeper_result *out, const struct keeper_server *s, size_t max);

/* Copies billing terms between servers of the same vendor, as not every row has them. */
void keeper_result_share_billing(struct keeper_server *v, size_t n);

#endif
