/* fetcher: sends the requests to one service from a worker process. */
#include "report/http/fetcher.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "core/base/buf.h"
#include "report/http/http_host.h"
#include "report/http/http_many.h"

#define PIECE_MAX ((size_t)64 << 10)

/* The fields of a question, whose bytes are the URL; its body follows in pieces. */
struct question {
	size_t body;
	long limit_ms;
};

/* The fields of a piece of an answer. */
struct answer {
	long status;
	unsigned char last; /* no bytes; or why there is no answer */
};

/* In pieces of messages with the same fields. */
static bool send_pieces(int fd, const void *fields, size_t n_fields, const char *p, size_t n)
{
	for (size_t some; n; p += some, n -= some) {
		some = n < PIECE_MAX ? n : PIECE_MAX;
		if (!worker_send(fd, fields, n_fields, p, some, NULL))
			return false;
	}
	return true;
}

/* -- in the worker ----------------------------------------------------------------------------- */

struct server {
	int fd;
	struct fetcher_service service;
	struct err why; /* why it cannot log in; or empty */
	uint64_t streamed;
	char url[FETCHER_URL_MAX + 1], piece[PIECE_MAX];
};

static bool is_below(const char *url, const char *base)
{
	size_t n = strlen(base);

	while (n && base[n - 1] == '/')
		n--;
	return strncmp(url, base, n) == 0 && url[n] == '/';
}

static int pass_on(void *ctx, long status, const char *p, size_t n)
{
	struct server *s = ctx;
	const struct answer a = {.status = status};

	s->streamed += n;
	if (s->streamed > FETCHER_STREAM_MAX || !send_pieces(s->fd, &a, sizeof a, p, n))
		return -1;
	return 0;
}

static bool take_body(struct server *s, size_t n, struct buf *body)
{
	size_t some;

	for (; n; n -= some) {
		if (!worker_receive(s->fd, NULL, 0, s->piece, sizeof s->piece, &some, NULL) ||
		    !some || some > n)
			return false;
		buf_add(body, s->piece, some);
	}
	return true;
}

static bool answer_fetch(struct server *s, const struct question *q, const struct buf *sent)
{
	struct http_call call = s->service.call;
	struct answer a = {0};
	struct buf body = {0};
	struct err why = s->why;
	bool answered = true, failed = true;

	call.url = s->url;
	call.sent = buf_cstr(sent);
	call.sent_n = sent->len;
	s->streamed = 0;
	if (s->service.stream) {
		call.sink = pass_on;
		call.sink_ctx = s;
		call.tries = 1;
	}
	if (sent->failed)
		err_set(&why, "%s", strerror(ENOMEM));
	else if (!is_below(s->url, s->service.base))
		err_set(&why, "this URL is not below the configured address");
	if (!*why.msg)
		failed = http_many_only(&call, q->limit_ms, &a.status, &body, &why) != 0;
	if (!failed)
		answered = send_pieces(s->fd, &a, sizeof a, buf_cstr(&body), body.len);
	a.last = true;
	answered = answered && worker_send(s->fd, &a, sizeof a, NULL, 0, failed ? &why : NULL);
	buf_free(&body);
	return answered;
}

static bool serve_fetch(struct server *s)
{
	struct buf sent = {.max = FETCHER_BODY_MAX + 1};
	struct question q;
	size_t n;
	bool served = worker_receive(s->fd, &q, sizeof q, s->url, FETCHER_URL_MAX, &n, NULL) &&
	              q.body <= FETCHER_BODY_MAX && take_body(s, q.body, &sent);

	if (served) {
		s->url[n] = '\0';
		served = answer_fetch(s, &q, &sent);
	}
	buf_free(&sent);
	return served;
}

static void serve_service(int fd, const void *service)
{
	struct server *s = calloc(1, sizeof *s);

	if (!s)
		return;
	s->fd = fd;
	s->service = *(const struct fetcher_service *)service;
	prctl(PR_SET_DUMPABLE, 0); /* a core dump would have the password */
	if (s->service.log_in)
		s->service.log_in(&s->service.call, &s->why);
	worker_keep_network();
	while (serve_fetch(s))
		continue;
	free(s);
}

/* -- in this process --------------------------------------------------------------------------- */

int fetcher_start(struct fetcher *f, const struct fetcher_service *service, struct err *e)
{
	return worker_start(&f->worker, serve_service, service, e);
}

static int say_fetcher_lost(const struct fetcher *f, const char *url, struct err *e)
{
	char host[HTTP_HOST_MAX];

	http_host(url, host);
	return worker_say_lost(&f->worker, host, "sends requests", e);
}

/* A piece that the caller no longer wants is read all the same: the next answer follows it. */
static int take_pieces(const struct fetcher *f, const char *url, fetcher_piece *each, void *ctx,
                       struct err *e)
{
	char *piece = malloc(PIECE_MAX + 1);
	struct answer a = {0};
	struct err why = {0};
	size_t n;
	int rc = piece ? 0 : err_set(e, "%s", strerror(ENOMEM));

	while (piece && !a.last) {
		if (!worker_receive(f->worker.fd, &a, sizeof a, piece, PIECE_MAX, &n, &why)) {
			rc = say_fetcher_lost(f, url, e);
			break;
		}
		piece[n] = '\0';
		if (rc)
			continue;
		if (*why.msg)
			rc = err_set(e, "%s", why.msg);
		else if (each(ctx, a.status, piece, n, e))
			rc = -1;
	}
	free(piece);
	return rc;
}

int fetcher_send(const struct fetcher *f, const struct fetcher_request *q, fetcher_piece *each,
                 void *ctx, struct err *e)
{
	const struct question question = {.body = q->len, .limit_ms = q->limit_ms};
	size_t n = strlen(q->url);

	if (!f->worker.pid)
		return say_fetcher_lost(f, q->url, e);
	if (n > FETCHER_URL_MAX || q->len > FETCHER_BODY_MAX)
		return err_set(e, "the request is too long");
	/* If the worker has ended, reading its answer fails. */
	(void)(worker_send(f->worker.fd, &question, sizeof question, q->url, n, NULL) &&
	       send_pieces(f->worker.fd, NULL, 0, q->body, q->len));
	return take_pieces(f, q->url, each, ctx, e);
}

void fetcher_stop(struct fetcher *f)
{
	worker_stop(&f->worker);
}
