/*
 * http_many: many requests at the same time, over connections that are kept; the one door to the
 * network.
 *
 *	struct http_many *m = http_many_new(32, 600000, &e);
 *	http_many_add(m, &(struct http_call){.method = "GET", .url = url, .done = on_end}, &e);
 *	while (http_many_work(m, -1, -1)) continue;
 *
 * Only https:// is allowed (TLS 1.2 or later, certificates checked), and http:// to this machine
 * itself (127.0.0.0/8, [::1], localhost), which never goes through a proxy; to another machine if
 * the call says so. The proxy variables of the environment (https_proxy, http_proxy, all_proxy,
 * no_proxy) work as in libcurl, but not for link-local addresses (metadata services). Redirects are
 * not followed and ~/.netrc is not read. What is tried again, and when: http_retry.h.
 *
 * Error sentences name the host and the port, never the whole URL, which may contain a password.
 *
 * The process should ignore SIGPIPE: libcurl does not prevent it in every TLS library.
 */
#ifndef REPORT_HTTP_HTTP_MANY_H
#define REPORT_HTTP_HTTP_MANY_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/http/http_call.h"

#define HTTP_MANY_NO_LIMIT LONG_MAX

struct http_many; /* opaque */

/* at_once: transfers at the same time; others wait. limit_ms: for everything; afterwards calls fail
 * with a sentence, and no retry begins that would reach beyond it. NULL with a sentence. */
struct http_many *http_many_new(unsigned at_once, long limit_ms, struct err *e);

/* Queues a call; may be called from done. -1 without memory. */
int http_many_add(struct http_many *m, struct http_call *c, struct err *e);

/* Works until a call has ended or wait_ms have passed (0: only what can be done now; -1: no end).
 * Also returns when wake_fd (-1: none) becomes readable. Returns the number of calls that have not
 * ended. */
size_t http_many_work(struct http_many *m, int wake_fd, int wait_ms);

/* Drops what has not ended, without calling done. */
void http_many_free(struct http_many *m);

/* The number of requests that were sent, retries included: for tests and -v. */
uint64_t http_many_sent(const struct http_many *m);

/* Sends one call, whose done is not called, and waits for its end. 0 if the server answered, with
 * any status; its body is appended. -1 with a sentence if it did not; *status is 0 then. */
int http_many_only(const struct http_call *c, long limit_ms, long *status, struct buf *body,
                   struct err *e);

#endif
