/*
 * http_reply: the headers of an answer.
 */
#ifndef REPORT_HTTP_HTTP_REPLY_H
#define REPORT_HTTP_HTTP_REPLY_H

#include <stddef.h>

#include "report/http/http_call.h"

void http_reply_begin(struct http_reply *a);

/* One header line, with or without its line end. A status line begins a new answer: what came
 * before was of a proxy, or an interim answer. */
void http_reply_header(struct http_reply *a, const char *line, size_t n);

#endif
