/*
 * store: objects in an S3 store, through a worker process that alone has the network and the keys.
 *
 *	struct store_grant g = store_rights_grant("s3://b/runs/", STORE_MAY_READ);
 *	store_start(&s, &g, 1, STORE_LIMIT_S, &e);
 *	store_read(&s, "s3://b/runs/a.json.gz", 0, "", bytes, sizeof bytes, &range, &e);
 *	store_stop(&s);
 *
 * The process that reads recordings has no network: it asks the worker. Addresses are as
 * store_address.h takes them. Sentences name the address, the server's code and request id, never
 * a key, a token, or the query of a URL.
 */
#ifndef REPORT_STORE_STORE_H
#define REPORT_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "report/input/store_address.h"
#include "report/sandbox/worker.h"
#include "report/store/store_protocol.h"
#include "report/store/store_rights.h"

#define STORE_LIMIT_S 600 /* default of --time-limit */

/* {0} is valid: no worker; all requests fail. */
struct store {
	struct worker worker;
	bool stdin_stops; /* what is asked fails soon once standard input is readable, or ends;
	                   * not for store_heads */
};

/* Starts the worker, before anything is read, and takes the secrets out of this process's
 * environment. Only what is granted can be asked for. limit_s: for everything together; 0: no
 * limit. -1 with a sentence. */
int store_start(struct store *s, const struct store_grant *granted, size_t n, double limit_s,
                struct err *e);
void store_stop(struct store *s);

/* Whether the worker has ended by itself: all requests fail then. */
bool store_is_lost(const struct store *s);

struct store_object {
	const char *address; /* s3://bucket/key */
	uint64_t size;
	double modified;         /* Unix seconds */
	char tag[STORE_TAG_MAX]; /* changes with the content */
};

/* A value other than 0 ends the request, which returns -1 then, with *e as the function set it. */
typedef int store_each(void *ctx, const struct store_object *o, struct err *e);

/* Lists all objects whose key begins with the address's, in the order of their keys: one request
 * for each 1,000. */
int store_list(const struct store *s, const char *address, store_each *each, void *ctx,
               struct err *e);

/* Reads up to n bytes from `at` on, by Range. tag: if not "", the object must still have it, else
 * -1 with a sentence: it was replaced meanwhile. At the end of the object, n is 0. */
int store_read(const struct store *s, const char *address, uint64_t at, const char *tag, void *p,
               size_t n, struct store_range *out, struct err *e);

/* The beginnings of many objects, STORE_AT_ONCE at the same time.
 * next: sets *address (valid until its next call) and *item, which comes back with the answer;
 * false: no more. each: in any order; why: empty, or a sentence that begins with the address. */
struct store_heads {
	bool (*next)(void *ctx, const char **address, void **item);
	void (*each)(void *ctx, void *item, const char *p, const struct store_range *r,
	             const struct err *why);
	void *ctx;
	size_t n; /* bytes of each beginning, at most 64 KiB */
};
int store_heads(const struct store *s, const struct store_heads *h, struct err *e);

/* Writes one object, whole or not at all: begin, any number of writes, then end. In between no
 * other request may be made. In parts above STORE_PART_AT.
 * *exists: with only_new, there was one; may be NULL. */
struct store_put {
	const char *address; /* s3://… or https://… */
	bool only_new;       /* do not replace an object (If-None-Match: *) */
};
int store_put_begin(const struct store *s, const struct store_put *p, struct err *e);
int store_put_write(const struct store *s, const void *p, size_t n, struct err *e);
int store_put_end(const struct store *s, bool *exists, struct err *e);
void store_put_drop(const struct store *s);

/* Deletes one object; it is not an error if there is none. */
int store_delete(const struct store *s, const char *address, struct err *e);

/* The requests that were sent so far, retries included. */
uint64_t store_requests(const struct store *s);

#endif
