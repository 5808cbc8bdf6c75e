/*
 * http_many: many requests at the same time, over connections that are kept.
 *
 * What http.h says of TLS, redirects, proxies and error sentences holds here, too. Requests may be
 * signed by libcurl with AWS Signature Version 4.
 */
#ifndef CORE_HTTP_MANY_H
#define CORE_HTTP_MANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

#define HTTP_MANY_HEADERS_MAX 16

/* AWS Signature Version 4, by libcurl. The session token is a header of the request
 * (x-amz-security-token), and so is x-amz-content-sha256. */
struct http_sign {
	const char *access, *secret, *region, *service; /* service: "s3" */
};

/* What came back. Header values are "" where the answer has none, and are cut at their size. */
struct http_reply {
	long status;
	const char *body; /* NUL-terminated; "" with a sink */
	size_t len;
	uint64_t
	    size; /* of the whole object: Content-Range, else Content-Length; UINT64_MAX: unknown */
	char etag[128], request_id[128],
	    region[64]; /* ETag, x-amz-request-id, x-amz-bucket-region */
	char type[64];  /* Content-Type */
};

/* One request. Only method and url are required; all pointers are borrowed until done is called. */
struct http_call {
	const char *method; /* GET, HEAD, PUT, POST, DELETE */
	const char *url;
	const char *headers[HTTP_MANY_HEADERS_MAX]; /* "Name: value"; NULL ends them */
	const struct http_sign *sign;               /* NULL: not signed */
	bool clear; /* http:// to another machine is allowed: the user named the endpoint */

	/* What is sent: n bytes, from memory or else from sent_fd at sent_at. */
	const char *sent;
	int sent_fd;
	uint64_t sent_at, sent_n;

	size_t body_max; /* bytes of an answer that is kept in memory; 0: HTTP_BODY_MAX */
	/* Or where the body of a 2xx answer goes, piece by piece. A value other than 0 ends the
	 * transfer, without a retry. */
	int (*sink)(void *ctx, const char *piece, size_t n);

	/* Once for each call of http_many_add, from http_many_work. why: empty if a was answered. */
	void (*done)(struct http_call *c, const struct http_reply *a, const struct err *why);
	void *ctx;   /* the caller's; also of sink */
	void *state; /* http_many's own */
};

struct http_many; /* opaque */

/* at_once: transfers at the same time; others wait. limit_ms: for everything until the next
 * http_many_limit: afterwards calls fail with a sentence. NULL with a sentence. */
struct http_many *http_many_new(unsigned at_once, long limit_ms, struct err *e);
void http_many_limit(struct http_many *m, long limit_ms);

/* Queues a call; may be called from done. -1 without memory. */
int http_many_add(struct http_many *m, struct http_call *c, struct err *e);

/* Works until a call has ended or wait_ms have passed (0: only what can be done now; -1: no end).
 * Also returns when wake_fd (-1: none) becomes readable. Returns the number of calls that have not
 * ended.
 *
 * 429, 500, 502, 503, 504, a body with the code SlowDown, a connection that breaks and a time-out
 * are retried: 6 tries, after a random part of 0.2 s, 0.4 s … 6.4 s (full jitter), or Retry-After
 * if that is longer. */
size_t http_many_work(struct http_many *m, int wake_fd, int wait_ms);

void http_many_free(struct http_many *m);

/* The number of requests that were sent, retries included: for tests and -v. */
uint64_t http_many_sent(const struct http_many *m);

#endif
