/*
 * fetcher: sends the requests to one service from a worker process, so that the process that reads
 * recordings needs no network access.
 *
 *	fetcher_start(&f, &service, &e);
 *	fetcher_send(&f, &request, on_piece, ctx, &e);
 *	fetcher_stop(&f);
 *
 * The worker sends requests only to URLs below the address that it was started with, writes no
 * files and runs no programs.
 */
#ifndef REPORT_HTTP_FETCHER_H
#define REPORT_HTTP_FETCHER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "report/http/http_call.h"
#include "report/sandbox/worker.h"

#define FETCHER_URL_MAX    ((size_t)128 << 10)
#define FETCHER_BODY_MAX   ((size_t)64 << 20) /* of a request */
#define FETCHER_STREAM_MAX ((uint64_t)4 << 30)

struct fetcher_service {
	const char *base;      /* the address that every URL begins with */
	struct http_call call; /* what all requests have: method, headers, limits */
	bool stream;           /* answers are passed on as they come, and nothing is tried twice */
	/* NULL, or the path of what the server answers at once however long a request takes. It is
	 * asked for on a connection of its own whenever nothing has come for quiet_ms. Without an
	 * answer within ping_ms, the request fails. */
	const char *ping;
	long quiet_ms, ping_ms;
	/* NULL, or adds headers with secrets; runs in the worker, which alone has them. -1 with the
	 * sentence of every request. */
	int (*log_in)(struct http_call *c, struct err *e);
};

/* {0} is valid: no worker; all requests fail. */
struct fetcher {
	struct worker worker;
};

/* service is borrowed until it returns. -1 with a sentence. */
int fetcher_start(struct fetcher *f, const struct fetcher_service *service, struct err *e);

struct fetcher_request {
	const char *url;
	const char *body; /* of a POST */
	size_t len;
	long limit_ms;     /* of all tries and the pauses between them */
	const char *asked; /* NULL, or what the sentence of a failure says was asked; it is cut */
};

/* Gets the body of the answer, piece by piece, and its status. A value other than 0 ends the
 * request, which returns -1 then, with *e as the function set it. */
typedef int fetcher_piece(void *ctx, long status, const char *piece, size_t n, struct err *e);

/* 0 if the server answered, with any status, and its answer is complete; without a body, each was
 * called with n = 0. -1 with a sentence. */
int fetcher_send(const struct fetcher *f, const struct fetcher_request *q, fetcher_piece *each,
                 void *ctx, struct err *e);

/* Ends the worker: no more requests are possible. */
void fetcher_stop(struct fetcher *f);

#endif
