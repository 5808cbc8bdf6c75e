/*
 * http_handle: what all handles of libcurl have in common: whom they trust, where they may go, and
 * how their failures are said.
 */
#ifndef REPORT_HTTP_HTTP_HANDLE_H
#define REPORT_HTTP_HTTP_HANDLE_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "report/http/http_host.h"

#define HTTP_HANDLE_HEADER_BYTES ((size_t)128 << 10) /* of all headers of one answer */

int64_t http_handle_now_ms(void);

/* TLS 1.2 or later, certificates checked, no redirects, no ~/.netrc. */
void http_handle_trust_nobody(CURL *c);

/* Connects to this machine only, and not through a proxy. */
void http_handle_stay_here(CURL *c);

/* Whether a connection stood, with its TLS handshake: a server that only accepts connections would
 * fail again. */
bool http_handle_connected(CURL *c, const struct http_target *to);

/* Whether a libcurl of this version signs as stores need it: earlier ones leave out the x-amz
 * headers, and every request would be refused as wrongly signed. */
bool http_handle_signs(unsigned version);

/* Whether the headers of an answer have come to their end, behind this line: to libcurl, a
 * connection that ends within them is the end of an answer. Further lines are trailers. */
bool http_handle_headed(bool before, const char *line, size_t n);

/* The sentence for a failure. Always returns -1. */
int http_handle_say(CURL *c, CURLcode code, const struct http_target *to, struct err *e);

/* Puts " (N tries)" behind a sentence. Always returns -1. */
int http_handle_say_tries(int tries, struct err *e);

#endif
