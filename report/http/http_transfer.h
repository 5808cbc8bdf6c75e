/*
 * http_transfer: one request on its way, on a handle of libcurl that is used again and again.
 */
#ifndef REPORT_HTTP_HTTP_TRANSFER_H
#define REPORT_HTTP_HTTP_TRANSFER_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/http/http_call.h"
#include "report/http/http_host.h"

struct http_transfer {
	CURL *easy;
	struct http_call *call; /* NULL: idle */
	struct http_target to;
	struct curl_slist *headers;
	struct http_reply reply;
	struct buf body;
	size_t header_bytes;
	uint64_t sent; /* bytes of the body */
	int sent_errno;
	bool headed; /* the headers came to their end */
	bool sunk;   /* the sink has got bytes */
};

/* Checks the call, and sets the handle up for it. left_ms: what is left for it, if it has a limit
 * for each try. */
int http_transfer_begin(struct http_transfer *t, struct http_call *c, long left_ms, struct err *e);

/* To be called once when libcurl is done: fills t->reply, or corrects *code. Returns whether
 * another try may help; *asked_s is the pause that the server asks for. */
bool http_transfer_end(struct http_transfer *t, CURLcode *code, curl_off_t *asked_s);

/* The sentence for a code that is not CURLE_OK. Always returns -1. */
int http_transfer_say(const struct http_transfer *t, CURLcode code, struct err *e);

/* Makes it idle again. */
void http_transfer_clear(struct http_transfer *t);

#endif
