/*
 * s3_ask: one request for credentials to a service, and its answer.
 */
#ifndef REPORT_AWS_KEYS_S3_ASK_H
#define REPORT_AWS_KEYS_S3_ASK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/buf.h"
#include "core/base/err.h"

#define S3_ASK_BODY_MAX ((size_t)64 << 10)

struct s3_ask {
	const char *method, *url;
	const char *headers[2]; /* "Name: value"; NULL: none */
	const char *ca_file;    /* as in struct http_call */
	const char *sent;       /* of a POST; NULL: nothing */
	long try_ms;            /* of one try; all of it, from the connection on */
	int tries;
};

/* Waits for the answer. -1 with a sentence that names the host, also for an answer other than 2xx,
 * with its status and code; *status is then the status, and 0 if there was no answer. The caller
 * wipes body. */
int s3_ask(const struct s3_ask *q, struct buf *body, long *status, struct err *e);

#endif
