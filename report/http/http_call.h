/*
 * http_call: one request of http_many, and what came back.
 */
#ifndef REPORT_HTTP_HTTP_CALL_H
#define REPORT_HTTP_HTTP_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

#define HTTP_HEADERS_MAX 16
#define HTTP_BODY_MAX    ((size_t)16 << 20)
#define HTTP_CONNECT_MS  10000L
#define HTTP_STALL_S     30L /* under 1 KiB/s (POST: 1 B/s) for so long is a time-out */

/* AWS Signature Version 4, by libcurl (7.87 or later: earlier ones do not sign the x-amz headers).
 * The session token is a header of the request (x-amz-security-token), and so is
 * x-amz-content-sha256. libcurl signs the path and the query of the URL as they are: the caller
 * percent-encodes them, and sorts the query. */
struct http_sign {
	const char *access, *secret, *region, *service; /* service: "s3" */
};

/* The answer. Header values are "" where the answer has none, and are cut at their size. They and
 * the body are valid until done returns. */
struct http_reply {
	long status;
	const char *body; /* NUL-terminated; "" with a sink */
	size_t len;
	/* The size of the whole object: Content-Range, else Content-Length. UINT64_MAX: unknown. */
	uint64_t size;
	bool ranged;          /* it has a Content-Range */
	uint64_t at;          /* of the first byte of a 206: Content-Range; UINT64_MAX: unknown */
	char etag[128];       /* ETag, as sent, with its quotes */
	char digests[256];    /* each after a blank: Content-MD5, x-goog-hash, x-amz-checksum-… */
	char type[64];        /* Content-Type */
	char region[64];      /* x-amz-bucket-region */
	char request_id[128]; /* x-amz-request-id */
	char date[64];        /* Date: what the server's clock says */
	int tries;            /* more than 1: the server may have done it before */
};

/* One request. Only method and url are required; all pointers are borrowed until done is called. */
struct http_call {
	const char *method; /* GET, HEAD, PUT, POST, DELETE */
	const char *url;
	const char *headers[HTTP_HEADERS_MAX]; /* "Name: value"; NULL ends them */
	const struct http_sign *sign;          /* NULL: not signed */
	const char *ca_file; /* certificates to trust instead of the system's; NULL */
	bool clear; /* http:// to another machine is allowed: the user named the endpoint */
	bool gzip;  /* gzip answers are accepted, and inflated */

	/* The body of PUT and POST: n bytes, from memory or else from sent_fd at sent_at. Without a
	 * header Content-Type it is application/octet-stream. */
	const char *sent;
	int sent_fd;
	uint64_t sent_at, sent_n;

	size_t body_max; /* bytes of an answer that is kept in memory; 0: HTTP_BODY_MAX */
	/* Or where the body of a 2xx answer goes, piece by piece. A value other than 0 ends the
	 * transfer. Once it has got a piece, nothing is retried. */
	int (*sink)(void *sink_ctx, long status, const char *piece, size_t n);
	void *sink_ctx;

	int tries;       /* 0: HTTP_RETRY_TRIES (http_retry.h) */
	bool if_reached; /* retried only if there was a connection */
	long try_ms;     /* of one try; 0: no limit but that of http_many */
	long connect_ms; /* of one try; 0: HTTP_CONNECT_MS */
	long stall_s;    /* 0: HTTP_STALL_S */

	/* Once for each call of http_many_add, from http_many_work. why is NULL if the server
	 * answered, with any status. */
	void (*done)(struct http_call *c, const struct http_reply *a, const struct err *why);
	void *ctx;   /* the caller's */
	void *state; /* http_many's own */
};

#endif
