/*
 * http_retry: which requests are sent again, how often, and after which pause.
 *
 * The statuses 429, 500, 502, 503, 504, an error with the code SlowDown, a connection that is
 * refused or breaks, and a time-out: HTTP_RETRY_TRIES tries, unless the call says otherwise, after
 * a random part of 0.2 s, 0.4 s … 3.2 s (full jitter), or after Retry-After if that is longer. A
 * server that takes the request and then goes silent (HTTP_STALL_S) gets HTTP_RETRY_SILENT tries.
 */
#ifndef REPORT_HTTP_HTTP_RETRY_H
#define REPORT_HTTP_HTTP_RETRY_H

#include <curl/curl.h>
#include <stdbool.h>

#include "report/http/http_call.h"

#define HTTP_RETRY_TRIES  6
#define HTTP_RETRY_SILENT 2

/* Whether the server is busy, or had a failure. */
bool http_retry_answer(const struct http_reply *a);

/* Whether a transfer that libcurl ended with this code may succeed the next time. */
bool http_retry_failure(CURL *h, CURLcode code);

/* The pause after so many tries. asked_s: of Retry-After; 0: none. */
long http_retry_pause_ms(int tries, curl_off_t asked_s);

#endif
