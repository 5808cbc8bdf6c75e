/*
 * http_handle: what all handles of libcurl have in common: whom they trust, where they may go, and
 * the sentences for their failures.
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
void http_handle_secure(CURL *c);

/* The authorities that the user names, in place of the machine's: a file by $CURL_CA_BUNDLE, else
 * $SSL_CERT_FILE; a folder with certificates under their hashes by $SSL_CERT_DIR. NULL: not named.
 * Returns the variable that counts, of the file if both are named; NULL: none. */
const char *http_handle_ca_named(const char **file, const char **folder);

/* The machine's: own (libcurl's; may be NULL) if it can be read, else the first place of a
 * distribution that can be read: libcurl has only one built in. If there is none, the name of a
 * file that is missing, which libcurl then says, instead of trusting no authority. */
const char *http_handle_ca_found(const char *own);

/* Connects to this machine only, and not through a proxy. */
void http_handle_loopback_only(CURL *c);

/* Whether there was a connection, with its TLS handshake: a server that only accepts connections
 * would fail again. */
bool http_handle_connected(CURL *c);

/* Whether a libcurl of this version signs as stores need it: earlier ones leave out the x-amz
 * headers, and every request would be refused as wrongly signed. */
bool http_handle_signs(unsigned version);

/* Whether the headers of an answer have come to their end with this line: to libcurl, a connection
 * that ends within them is the end of an answer. Further lines are trailers. */
bool http_handle_headed(bool before, const char *line, size_t n);

/* The sentence for a failure. Always returns -1. */
int http_handle_say(CURL *c, CURLcode code, const struct http_target *to, struct err *e);

#endif
