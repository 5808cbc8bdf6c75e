/* s3_ask: one request for credentials to a service, and its answer. */
#include "report/aws_keys/s3_ask.h"

#include <errno.h>
#include <string.h>

#include "report/aws_keys/s3_keys.h"
#include "report/http/http_host.h"
#include "report/http/http_many.h"

struct asked {
	struct buf *body;
	long status;
	struct err *e;
	int rc;
};

static void on_answer(struct http_call *c, const struct http_reply *a, const struct err *why)
{
	struct asked *q = c->ctx;

	q->status = *why->msg ? 0 : a->status;
	buf_clear(q->body);
	buf_add(q->body, a->body, a->len);
	if (*why->msg)
		q->rc = err_set(q->e, "%s", why->msg);
	else
		q->rc = q->body->failed ? err_set(q->e, "%s", strerror(ENOMEM)) : 0;
}

/* A try has a limit of its own, which only a client of its own can have. */
static void ask_service_once(const struct s3_ask *q, struct asked *to)
{
	struct http_many *m = http_many_new(1, q->try_ms, to->e);
	struct http_call call = {
	    .method = q->method,
	    .url = q->url,
	    .headers = {q->headers[0], q->headers[0] ? q->headers[1] : NULL},
	    .clear = true,
	    .ca_file = q->ca_file,
	    .sent = q->sent ? q->sent : "",
	    .sent_n = q->sent ? strlen(q->sent) : 0,
	    .body_max = S3_ASK_BODY_MAX,
	    .tries = 1,
	    .connect_ms = q->try_ms,
	    .done = on_answer,
	    .ctx = to,
	};

	to->rc = -1;
	to->status = 0;
	if (m && !http_many_add(m, &call, to->e))
		while (http_many_work(m, -1, -1))
			;
	http_many_free(m);
}

int s3_ask(const struct s3_ask *q, struct buf *body, long *status, struct err *e)
{
	struct asked to = {.body = body, .e = e, .rc = -1};
	char host[HTTP_HOST_MAX], code[S3_KEYS_CODE_MAX];

	for (int i = 0; i < q->tries && (to.rc || to.status == 429 || to.status >= 500); i++)
		ask_service_once(q, &to);
	*status = to.status;
	if (to.rc || to.status / 100 == 2)
		return to.rc;
	http_host(q->url, host);
	s3_keys_error_code(buf_cstr(body), body->len, code);
	return err_set(e, "%s answered %ld%s%s", host, to.status, *code ? " " : "", code);
}
