/* http_transfer: one request on its way, on a handle of libcurl that is used again and again. */
#include "report/http/http_transfer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "report/http/http_handle.h"
#include "report/http/http_reply.h"
#include "report/http/http_retry.h"

#define BODY_KEPT   ((size_t)64 << 10) /* memory that a handle keeps for the next answer */
#define STALL_BYTES 1024L              /* a second */

static size_t on_body_piece(char *p, size_t size, size_t n, void *ctx)
{
	struct http_transfer *t = ctx;
	const struct http_call *c = t->call;
	long status = 0;

	n *= size;
	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
	if (!c->sink || status < 200 || status > 299) {
		buf_add(&t->body, p, n);
		return t->body.failed ? 0 : n;
	}
	t->sunk = true;
	return c->sink(c->sink_ctx, status, p, n) ? 0 : n;
}

static size_t on_header_line(char *p, size_t size, size_t n, void *ctx)
{
	struct http_transfer *t = ctx;

	n *= size;
	t->header_bytes += n;
	if (t->header_bytes > HTTP_HANDLE_HEADER_BYTES)
		return 0;
	t->headed = http_handle_headed(t->headed, p, n);
	http_reply_header(&t->reply, p, n);
	return n;
}

static size_t on_send(char *p, size_t size, size_t n, void *ctx)
{
	struct http_transfer *t = ctx;
	const struct http_call *c = t->call;
	uint64_t left = c->sent_n - t->sent;
	ssize_t got;

	n *= size;
	if (n > left)
		n = (size_t)left;
	if (!n)
		return 0;
	if (c->sent) {
		memcpy(p, c->sent + t->sent, n);
		t->sent += n;
		return n;
	}
	do
		got = pread(c->sent_fd, p, n, (off_t)(c->sent_at + t->sent));
	while (got < 0 && errno == EINTR);
	if (got <= 0) {
		t->sent_errno = got ? errno : ENODATA;
		return CURL_READFUNC_ABORT;
	}
	t->sent += (uint64_t)got;
	return (size_t)got;
}

/* libcurl rewinds what it sends if a kept connection turns out to be closed. */
static int on_seek(void *ctx, curl_off_t at, int from)
{
	struct http_transfer *t = ctx;

	if (from != SEEK_SET || at < 0 || (uint64_t)at > t->call->sent_n)
		return CURL_SEEKFUNC_FAIL;
	t->sent = (uint64_t)at;
	return CURL_SEEKFUNC_OK;
}

static bool is_sending(const struct http_call *c)
{
	return strcmp(c->method, "PUT") == 0 || strcmp(c->method, "POST") == 0;
}

static bool is_content_type(const char *header)
{
	static const char name[] = "Content-Type:";

	return strncasecmp(header, name, sizeof name - 1) == 0;
}

static int add_request_header(struct http_transfer *t, const char *header, struct err *e)
{
	struct curl_slist *longer;

	for (const char *p = header; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return err_set(e, "%s: a header has a control character", t->to.host);
	longer = curl_slist_append(t->headers, header);
	if (!longer)
		return err_set(e, "%s: %s", t->to.host, strerror(ENOMEM));
	t->headers = longer;
	return 0;
}

static int add_headers(struct http_transfer *t, struct err *e)
{
	const struct http_call *c = t->call;
	bool typed = !is_sending(c);

	for (size_t i = 0; i < HTTP_HEADERS_MAX && c->headers[i]; i++) {
		typed = typed || is_content_type(c->headers[i]);
		if (add_request_header(t, c->headers[i], e))
			return -1;
	}
	/* libcurl would say that it is a form. */
	return typed ? 0 : add_request_header(t, "Content-Type: application/octet-stream", e);
}

/* A body is sent as POST does, with another name: as an upload, libcurl would put `Expect:` before
 * each body, and removing that header breaks the signature up to libcurl 8. So it comes with bodies
 * over 1 MiB only, where it saves sending what is refused. */
static int set_method(struct http_transfer *t, struct err *e)
{
	const struct http_call *c = t->call;
	CURL *h = t->easy;

	if (is_sending(c)) {
		curl_easy_setopt(h, CURLOPT_POST, 1L);
		curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)c->sent_n);
		curl_easy_setopt(h, CURLOPT_INFILESIZE_LARGE, (curl_off_t)c->sent_n);
		curl_easy_setopt(h, CURLOPT_READFUNCTION, on_send);
		curl_easy_setopt(h, CURLOPT_READDATA, t);
		curl_easy_setopt(h, CURLOPT_SEEKFUNCTION, on_seek);
		curl_easy_setopt(h, CURLOPT_SEEKDATA, t);
		curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, c->method);
	} else if (strcmp(c->method, "HEAD") == 0)
		curl_easy_setopt(h, CURLOPT_NOBODY, 1L);
	else if (strcmp(c->method, "DELETE") == 0)
		curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, c->method);
	else if (strcmp(c->method, "GET") != 0)
		return err_set(e, "%s: no method %s", t->to.host, c->method);
	return 0;
}

static int set_signature(struct http_transfer *t, struct err *e)
{
	const struct http_sign *s = t->call->sign;
	char scope[256];
	int n;

	if (!s)
		return 0;
	if (!http_handle_signs(curl_version_info(CURLVERSION_NOW)->version_num))
		return err_set(e,
		               "%s: libcurl %s cannot sign such requests: 7.87.0 or later is "
		               "needed",
		               t->to.host, curl_version_info(CURLVERSION_NOW)->version);
	n = snprintf(scope, sizeof scope, "aws:amz:%s:%s", s->region, s->service);
	if (n < 0 || (size_t)n >= sizeof scope)
		return err_set(e, "%s: the name of the region is too long", t->to.host);
	if (curl_easy_setopt(t->easy, CURLOPT_AWS_SIGV4, scope) ||
	    curl_easy_setopt(t->easy, CURLOPT_USERNAME, s->access) ||
	    curl_easy_setopt(t->easy, CURLOPT_PASSWORD, s->secret))
		return err_set(e, "%s: this libcurl cannot sign", t->to.host);
	return 0;
}

static void set_transfer_times(struct http_transfer *t, long left_ms)
{
	const struct http_call *c = t->call;
	long connect_ms = c->connect_ms > 0 ? c->connect_ms : HTTP_CONNECT_MS;

	if (c->try_ms > 0)
		curl_easy_setopt(t->easy, CURLOPT_TIMEOUT_MS,
		                 c->try_ms < left_ms ? c->try_ms : left_ms);
	curl_easy_setopt(t->easy, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
	/* A store answers some POST slowly, with a blank now and then. */
	curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_LIMIT,
	                 strcmp(c->method, "POST") == 0 ? 1L : STALL_BYTES);
	curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_TIME,
	                 c->stall_s > 0 ? c->stall_s : HTTP_STALL_S);
}

static void set_transfer_options(struct http_transfer *t)
{
	const struct http_call *c = t->call;
	CURL *h = t->easy;

	curl_easy_reset(h);
	http_handle_secure(h);
	if (t->to.loopback)
		http_handle_loopback_only(h);
	if (t->to.link_local)
		curl_easy_setopt(h, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(h, CURLOPT_PRIVATE, t);
	curl_easy_setopt(h, CURLOPT_URL, c->url);
	if (c->ca_file) {
		curl_easy_setopt(h, CURLOPT_CAINFO, c->ca_file);
		curl_easy_setopt(h, CURLOPT_CAPATH, NULL);
	}
	/* A key may have segments "." and "..". */
	curl_easy_setopt(h, CURLOPT_PATH_AS_IS, 1L);
	curl_easy_setopt(h, CURLOPT_USERAGENT, "rtrack-report/" RTRACK_VERSION);
	curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, on_body_piece);
	curl_easy_setopt(h, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, on_header_line);
	curl_easy_setopt(h, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
	/* With HTTP/2 all would share one connection, and its loss and its window. */
	curl_easy_setopt(h, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	if (c->gzip)
		curl_easy_setopt(h, CURLOPT_ACCEPT_ENCODING, "gzip");
#if LIBCURL_VERSION_NUM >= 0x075700
	/* Without this, clean-up waits 10 s and more for a name server that does not answer. */
	curl_easy_setopt(h, CURLOPT_QUICK_EXIT, 1L);
#endif
}

int http_transfer_begin(struct http_transfer *t, struct http_call *c, long left_ms, struct err *e)
{
	if (!http_host_target(c->url, &t->to))
		return err_set(e, "this is not a complete URL (https://HOST/…)");
	if (!t->to.https && !(t->to.http && (t->to.loopback || c->clear)))
		return err_set(e, "%s: only https:// is allowed (http:// only on this machine)",
		               t->to.host);
	t->call = c;
	t->body.max = (c->body_max ? c->body_max : HTTP_BODY_MAX) + 1;
	t->header_bytes = 0;
	t->sent = 0;
	t->sent_errno = 0;
	t->headed = t->sunk = false;
	http_reply_begin(&t->reply);
	set_transfer_options(t);
	set_transfer_times(t, left_ms);
	if (set_method(t, e) || set_signature(t, e) || add_headers(t, e)) {
		http_transfer_clear(t);
		return -1;
	}
	curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->headers);
	return 0;
}

bool http_transfer_end(struct http_transfer *t, CURLcode *code, curl_off_t *asked_s)
{
	struct http_reply *a = &t->reply;

	*asked_s = 0;
	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &a->status);
	if (!*code && (!t->headed || a->status < 200))
		*code = CURLE_RECV_ERROR;
	if (*code)
		return !t->sunk && http_retry_failure(t->easy, *code) &&
		       (!t->call->if_reached || http_handle_connected(t->easy));
	a->body = buf_cstr(&t->body);
	a->len = t->body.len;
	curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, asked_s);
	return http_retry_answer(a);
}

static int say_unwritten(const struct http_transfer *t, struct err *e)
{
	if (t->header_bytes > HTTP_HANDLE_HEADER_BYTES)
		return err_set(e, "%s: the headers of the answer are too large", t->to.host);
	if (!t->body.failed)
		return err_set(e, "%s: the answer was not read to its end", t->to.host);
	if ((t->body.max - 1) % 1024 == 0)
		return err_set(e, "%s: the answer is larger than %zu KiB", t->to.host,
		               (t->body.max - 1) / 1024);
	return err_set(e, "%s: the answer is larger than %zu bytes", t->to.host, t->body.max - 1);
}

static int say_unsent(const struct http_transfer *t, struct err *e)
{
	if (t->sent_errno == ENODATA)
		return err_set(e, "%s: the file became shorter while it was sent", t->to.host);
	return err_set(e, "%s: the file that is sent cannot be read: %s", t->to.host,
	               strerror(t->sent_errno));
}

int http_transfer_say(const struct http_transfer *t, CURLcode code, struct err *e)
{
	switch (code) {
	case CURLE_OUT_OF_MEMORY: /* so libcurl calls a header line over its own limit of 100 KiB */
		if (t->headed || !http_handle_connected(t->easy))
			return http_handle_say(t->easy, code, &t->to, e);
		return err_set(e, "%s: the headers of the answer are too large", t->to.host);
	case CURLE_WRITE_ERROR:
		return say_unwritten(t, e);
	case CURLE_ABORTED_BY_CALLBACK:
		return say_unsent(t, e);
	case CURLE_PARTIAL_FILE:
		return err_set(e, "%s: the answer broke off", t->to.host);
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
		return err_set(e, "%s: the connection broke", t->to.host);
	case CURLE_PEER_FAILED_VERIFICATION:
		if (!t->call->ca_file)
			return http_handle_say(t->easy, code, &t->to, e);
		return err_set(e, "%s: its certificate cannot be trusted (the authorities: %s)",
		               t->to.host, t->call->ca_file);
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_WEIRD_SERVER_REPLY:
		return err_set(e, "%s: the answer is not HTTP", t->to.host);
	default:
		return http_handle_say(t->easy, code, &t->to, e);
	}
}

void http_transfer_clear(struct http_transfer *t)
{
	t->call = NULL;
	curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(t->headers);
	t->headers = NULL;
	buf_clear(&t->body);
	if (t->body.cap > BODY_KEPT)
		buf_free(&t->body);
}
