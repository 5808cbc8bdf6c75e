/*
 * http_many: many requests at the same time, over connections that are kept.
 *
 * What http.h says of TLS, redirects, proxies and error sentences holds here, too. But http:// to
 * another machine is allowed if the call says so; then http_proxy counts, but not for link-local
 * addresses (metadata services). Bodies come as they are stored: no Accept-Encoding is sent, and
 * nothing is inflated. Requests may be signed by libcurl with AWS Signature Version 4.
 *
 * The process should ignore SIGPIPE: libcurl does not prevent it in every TLS library.
 */
#ifndef REPORT_HTTP_HTTP_MANY_H
#define REPORT_HTTP_HTTP_MANY_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "report/http/http_call.h"

#define HTTP_MANY_NO_LIMIT LONG_MAX

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
 * 429, 500, 502, 503, 504, an error with the code SlowDown, a connection that is refused or breaks,
 * and a time-out are retried: 6 tries, after a random part of 0.2 s, 0.4 s … 3.2 s (full jitter),
 * or after Retry-After if that is longer. A pause that would reach beyond the limit is not made:
 * the call ends with its last answer or failure. */
size_t http_many_work(struct http_many *m, int wake_fd, int wait_ms);

/* Drops what has not ended, without calling done. */
void http_many_free(struct http_many *m);

/* The number of requests that were sent, retries included: for tests and -v. */
uint64_t http_many_sent(const struct http_many *m);

#endif
