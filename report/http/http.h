/*
 * http: the one door to libcurl: a GET or a POST that is bounded in time, in tries and in size.
 *
 * Only https:// is allowed (TLS 1.2 or later, certificates checked), and http:// to this machine
 * itself (127.0.0.0/8, [::1], localhost), which never goes through a proxy. Redirects are not
 * followed and ~/.netrc is not read. The proxy variables of the environment (https_proxy,
 * all_proxy, no_proxy) work as in libcurl. gzip answers are accepted and inflated here.
 *
 * Error sentences name the host and the port, never the whole URL, which may hold a password.
 */
#ifndef REPORT_HTTP_HTTP_H
#define REPORT_HTTP_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "report/http/http_host.h"

#define HTTP_BODY_MAX   ((size_t)16 << 20)
#define HTTP_TRIES      3
#define HTTP_TIMEOUT_MS 2000L
#define HTTP_CONNECT_MS 1500L /* name, connection and TLS; the wait for a host that is down */
#define HTTP_BUDGET_MS  6000L

/* Only url is required: 0 means the defaults above. All pointers are borrowed. */
struct http_request {
	const char *url;
	const char *const *headers; /* "Name: value"; besides User-Agent and Accept-Encoding */
	size_t n_headers;
	long timeout_ms;  /* of one try */
	int tries;        /* 429, 503 and time-outs are retried */
	long budget_ms;   /* of all tries and the pauses between them */
	size_t body_max;  /* bytes after inflating */
	const char *sent; /* the body of a POST */
	size_t sent_len;
	/* Where the answer's body goes, piece by piece, instead of into struct http_answer. Then
	 * nothing is tried twice. A value other than 0 ends the transfer. */
	int (*sink)(void *ctx, long status, const char *piece, size_t n);
	void *ctx;
};

struct http_answer {
	long status; /* 0: no answer */
	char *body;  /* NUL-terminated after len bytes; also for an error status */
	size_t len;
};

/*
 * 0 if the server answered, with any status; -1 with a sentence if it did not, or if the answer is
 * too large. A status of 429 or 503 is retried after the pause that Retry-After asks for, if that
 * fits into the budget, and without Retry-After after 0.25 s, then 0.5 s. A host that cannot be
 * reached is not retried. *a is overwritten, and empty after -1.
 */
int http_get(const struct http_request *q, struct http_answer *a, struct err *e);

/* The same, but sends q->sent, of any type: q->headers says which. */
int http_post(const struct http_request *q, struct http_answer *a, struct err *e);

void http_answer_free(struct http_answer *a);

#endif
