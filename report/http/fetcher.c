/* fetcher: sends the requests to one service from a worker process. */
#include "report/http/fetcher.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "core/base/buf.h"
#include "report/http/http_handle.h"
#include "report/http/http_host.h"
#include "report/http/http_many.h"

#define PIECE_MAX   ((size_t)64 << 10)
#define ASKED_MAX   80
#define HEARD_BYTES 1024 /* a byte now and then does not count */

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
	struct err why;           /* why it cannot log in; or empty */
	uint64_t streamed, heard; /* bytes of an answer, and those that came by heard_ms */
	int64_t heard_ms;         /* when the server last sent HEARD_BYTES, or answered a ping */
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
	if (s->streamed - s->heard >= HEARD_BYTES) {
		s->heard = s->streamed;
		s->heard_ms = http_handle_now_ms();
	}
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

/* A request on its way. */
struct exchange {
	struct server *s;
	struct http_call call, ping;
	long status;
	struct buf body;
	bool ended, pinging;
	struct err why; /* why there is no answer; or empty */
};

static void on_answer(struct http_call *c, const struct http_reply *a, const struct err *why)
{
	struct exchange *x = c->ctx;

	x->ended = true;
	x->status = a->status;
	buf_add(&x->body, a->body, a->len);
	if (why)
		x->why = *why;
	else if (x->body.failed)
		err_set(&x->why, "%s", strerror(ENOMEM));
}

static void on_ping(struct http_call *c, const struct http_reply *a, const struct err *why)
{
	struct exchange *x = c->ctx;
	int64_t now = http_handle_now_ms();
	char host[HTTP_HOST_MAX];

	(void)a; /* any answer will do: a proxy may not let it through */
	x->pinging = false;
	if (why && !x->ended) {
		http_host(c->url, host);
		err_set(&x->why, "%s: no answer for %.3g s, nor one to %s", host,
		        (double)(now - x->s->heard_ms) / 1000, x->s->service.ping);
		x->ended = true;
	}
	x->s->heard_ms = now;
}

/* Waits for the answer, and asks whether the server is still there while it sends nothing. */
static void run_exchange(struct exchange *x, long limit_ms)
{
	const struct fetcher_service *service = &x->s->service;
	struct http_many *m = http_many_new(2, limit_ms, &x->why);

	x->s->heard_ms = http_handle_now_ms();
	if (!m || http_many_add(m, &x->call, &x->why))
		x->ended = true;
	while (!x->ended) {
		int64_t now = http_handle_now_ms(), quiet = x->s->heard_ms + service->quiet_ms;
		if (service->ping && !x->pinging && now >= quiet)
			x->pinging = !http_many_add(m, &x->ping, NULL);
		http_many_work(m, -1, service->ping && now < quiet ? (int)(quiet - now) : -1);
	}
	http_many_free(m);
}

static bool answer_fetch(struct server *s, const struct question *q, const struct buf *sent)
{
	struct exchange x = {.s = s, .call = s->service.call, .why = s->why};
	struct buf ping = {0};
	struct answer a = {.last = true};
	bool answered = true;

	x.call.url = s->url;
	x.call.sent = buf_cstr(sent);
	x.call.sent_n = sent->len;
	x.call.done = on_answer;
	s->streamed = s->heard = 0;
	if (s->service.stream) {
		x.call.sink = pass_on;
		x.call.sink_ctx = s;
		x.call.tries = 1;
	}
	if (s->service.ping)
		buf_printf(&ping, "%s%s", s->service.base, s->service.ping);
	x.ping = (struct http_call){.method = "GET",
	                            .url = buf_cstr(&ping),
	                            .tries = 1,
	                            .try_ms = s->service.ping_ms,
	                            .done = on_ping};
	x.call.ctx = x.ping.ctx = &x;
	if (sent->failed || ping.failed)
		err_set(&x.why, "%s", strerror(ENOMEM));
	else if (!is_below(s->url, s->service.base))
		err_set(&x.why, "this URL is not below the configured address");
	if (!*x.why.msg)
		run_exchange(&x, q->limit_ms);
	a.status = x.status;
	if (!*x.why.msg) {
		a.last = false;
		answered = send_pieces(s->fd, &a, sizeof a, buf_cstr(&x.body), x.body.len);
		a.last = true;
	}
	answered = answered && worker_send(s->fd, &a, sizeof a, NULL, 0, &x.why);
	buf_free(&x.body);
	buf_free(&ping);
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
static int take_pieces(const struct fetcher *f, const struct fetcher_request *q,
                       fetcher_piece *each, void *ctx, struct err *e)
{
	char *piece = malloc(PIECE_MAX + 1);
	struct answer a = {0};
	struct err why = {0};
	size_t n;
	int rc = piece ? 0 : err_set(e, "%s", strerror(ENOMEM));

	while (piece && !a.last) {
		if (!worker_receive(f->worker.fd, &a, sizeof a, piece, PIECE_MAX, &n, &why)) {
			rc = say_fetcher_lost(f, q->url, e);
			break;
		}
		piece[n] = '\0';
		if (rc)
			continue;
		if (*why.msg && q->asked)
			rc = err_set(e, "%s (asked: %.*s)", why.msg, ASKED_MAX, q->asked);
		else if (*why.msg)
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
	return take_pieces(f, q, each, ctx, e);
}

void fetcher_stop(struct fetcher *f)
{
	worker_stop(&f->worker);
}
