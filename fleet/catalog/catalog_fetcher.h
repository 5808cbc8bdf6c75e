/*
 * catalog_fetcher: sends the requests to a ClickHouse server from a worker process
 * (report/http/fetcher.h), which alone has the user's name and password.
 *
 * It takes the user's name from RTRACK_CATALOG_USER, and the password from RTRACK_CATALOG_PASSWORD
 * or from the file that RTRACK_CATALOG_PASSWORD_FILE names, which only its owner may read. They go
 * into headers of the request, never into its URL.
 */
#ifndef FLEET_CATALOG_CATALOG_FETCHER_H
#define FLEET_CATALOG_CATALOG_FETCHER_H

#include "fleet/catalog/clickhouse_address.h"
#include "report/http/fetcher.h"

/* A page of many runs takes the server minutes, in which it sends nothing. After 20 s it is asked
 * whether it is there. */
#define CATALOG_FETCHER_TIMEOUT_MS 600000L
#define CATALOG_FETCHER_QUIET_MS   20000L
#define CATALOG_FETCHER_PING_MS    10000L

/* {0} is valid: no worker; all requests fail. */
struct catalog_fetcher {
	struct fetcher fetcher;
	struct clickhouse_address address;
};

/* Starts the worker, before anything is read. place: as catalog_open takes it; of a file, no worker
 * is needed, and none is started. Takes RTRACK_CATALOG_PASSWORD out of this process's
 * environment, so start other workers later. -1 with a sentence. */
int catalog_fetcher_start(struct catalog_fetcher *f, const char *place, struct err *e);

struct catalog_request {
	const char *parameters; /* of the URL, encoded: "database=…&query=…" */
	const char *body;
	size_t len;
	const char *asked; /* the statement, for the sentence of a failure */
};

/* POSTs a request. 0 if the server answered, with any status, and its answer is complete. */
int catalog_fetcher_send(const struct catalog_fetcher *f, const struct catalog_request *q,
                         fetcher_piece *each, void *ctx, struct err *e);

/* Ends the worker: no more requests are possible. */
void catalog_fetcher_stop(struct catalog_fetcher *f);

#endif
