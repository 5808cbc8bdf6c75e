/* s3_ask: one request for credentials to a service, and its answer. */
#include "report/aws_keys/s3_ask.h"

#include <string.h>

#include "report/aws_keys/s3_keys.h"
#include "report/http/http_host.h"
#include "report/http/http_many.h"

#define PAUSES_MS 2000L /* between the tries */

int s3_ask(const struct s3_ask *q, struct buf *body, long *status, struct err *e)
{
	struct http_call call = {
	    .method = q->method,
	    .url = q->url,
	    .headers = {q->headers[0], q->headers[0] ? q->headers[1] : NULL},
	    .clear = true,
	    .ca_file = q->ca_file,
	    .sent = q->sent ? q->sent : "",
	    .sent_n = q->sent ? strlen(q->sent) : 0,
	    .body_max = S3_ASK_BODY_MAX,
	    .tries = q->tries,
	    .try_ms = q->try_ms,
	    .connect_ms = q->try_ms,
	};
	char host[HTTP_HOST_MAX], code[S3_KEYS_CODE_MAX];

	if (http_many_only(&call, q->tries * q->try_ms + PAUSES_MS, status, body, e))
		return -1;
	if (*status / 100 == 2)
		return 0;
	http_host(q->url, host);
	s3_keys_error_code(buf_cstr(body), body->len, code);
	return err_set(e, "%s answered %ld%s%s", host, *status, *code ? " " : "", code);
}
