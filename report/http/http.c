/* http: the one door to libcurl: a GET or a POST that is bounded in time, in tries and in size. */
#include "report/http/http.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/buf.h"
#include "report/http/http_handle.h"

#define PAUSE_MS 250L

struct transfer {
	CURL *c;
	const struct http_request *q;
	struct buf body;
	size_t header_bytes, sunk;
	bool headed; /* the headers came to their end */
};

static void sleep_ms(long ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

static size_t on_body(char *p, size_t size, size_t n, void *ctx)
{
	struct transfer *t = ctx;
	long status = 0;

	if (t->q->sink) {
		curl_easy_getinfo(t->c, CURLINFO_RESPONSE_CODE, &status);
		t->sunk += size * n;
		if (t->sunk >= t->body.max || t->q->sink(t->q->ctx, status, p, size * n))
			return 0;
		return size * n;
	}
	buf_add(&t->body, p, size * n);
	return t->body.failed ? 0 : size * n;
}

static size_t on_header(char *p, size_t size, size_t n, void *ctx)
{
	struct transfer *t = ctx;

	t->header_bytes += size * n;
	t->headed = http_handle_headed(t->headed, p, size * n);
	return t->header_bytes > HTTP_HANDLE_HEADER_BYTES ? 0 : size * n;
}

static void set_curl_options(const struct http_target *to, struct curl_slist *headers,
                             struct transfer *t, bool post)
{
	const struct http_request *q = t->q;
	CURL *c = t->c;

	curl_easy_setopt(c, CURLOPT_URL, q->url);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(c, CURLOPT_USERAGENT, "rtrack-report/" RTRACK_VERSION);
	curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "gzip");
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(c, CURLOPT_HEADERDATA, t);
	http_handle_trust_nobody(c);
#if LIBCURL_VERSION_NUM >= 0x075700
	/* Without this, clean-up waits 10 s and more for a name server that does not answer. */
	curl_easy_setopt(c, CURLOPT_QUICK_EXIT, 1L);
#endif
	if (to->loopback)
		http_handle_stay_here(c);
	if (!post)
		return;
	curl_easy_setopt(c, CURLOPT_POST, 1L);
	curl_easy_setopt(c, CURLOPT_POSTFIELDS, q->sent ? q->sent : "");
	curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->sent_len);
}

static CURLcode try_once(CURL *c, struct transfer *t, long timeout_ms)
{
	CURLcode code;
	long status = 0;

	t->headed = false;
	buf_clear(&t->body);
	t->header_bytes = 0;
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, timeout_ms);
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS,
	                 timeout_ms < HTTP_CONNECT_MS ? timeout_ms : HTTP_CONNECT_MS);
	code = curl_easy_perform(c);
	curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
	return !code && (!t->headed || status < 200) ? CURLE_RECV_ERROR : code;
}

/* Milliseconds to wait before retry number `again` (1, 2 …), or -1 if a retry is of no use. */
static long pause_before(CURL *c, const struct http_target *to, CURLcode code, int again)
{
	curl_off_t asked_s = 0;
	long status = 0;

	if (code == CURLE_OPERATION_TIMEDOUT)
		return http_handle_connected(c, to) ? 0 : -1;
	if (code)
		return -1;
	curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status);
	if (status != 429 && status != 503)
		return -1;
	curl_easy_getinfo(c, CURLINFO_RETRY_AFTER, &asked_s);
	if (asked_s > 3600)
		asked_s = 3600;
	return asked_s > 0 ? (long)asked_s * 1000 : PAUSE_MS * again;
}

static CURLcode try_all(CURL *c, struct transfer *t, const struct http_target *to,
                        const struct http_request *q, int *tries)
{
	long timeout_ms = q->timeout_ms > 0 ? q->timeout_ms : HTTP_TIMEOUT_MS;
	int max = q->sink ? 1 : q->tries > 0 ? q->tries : HTTP_TRIES;
	int64_t end = http_handle_now_ms() + (q->budget_ms > 0 ? q->budget_ms : HTTP_BUDGET_MS);

	for (*tries = 1;; ++*tries) {
		int64_t left = end - http_handle_now_ms();
		CURLcode code = try_once(c, t,
		                         left < 1            ? 1
		                         : left < timeout_ms ? (long)left
		                                             : timeout_ms);
		long pause = pause_before(c, to, code, *tries);
		/* A last try of a few milliseconds would only hide the server's answer. */
		if (pause < 0 || *tries >= max || http_handle_now_ms() + pause + 100 > end)
			return code;
		sleep_ms(pause);
	}
}

static int say_failure(CURL *c, CURLcode code, const struct http_target *to,
                       const struct transfer *t, int tries, struct err *e)
{
	if (code != CURLE_WRITE_ERROR) {
		http_handle_say(c, code, to, e);
		if (code == CURLE_OPERATION_TIMEDOUT && http_handle_connected(c, to))
			http_handle_say_tries(tries, e);
		return -1;
	}
	if (t->header_bytes > HTTP_HANDLE_HEADER_BYTES)
		return err_set(e, "%s: the headers of the answer are too large", to->host);
	if (t->q->sink && t->sunk < t->body.max)
		return err_set(e, "%s: the answer was not read to its end", to->host);
	return err_set(e, "%s: the answer is larger than %zu KiB", to->host,
	               (t->body.max - 1) / 1024);
}

static struct curl_slist *header_list(const struct http_request *q)
{
	struct curl_slist *list = NULL;

	for (size_t i = 0; i < q->n_headers; i++) {
		struct curl_slist *longer = curl_slist_append(list, q->headers[i]);
		if (!longer)
			break;
		list = longer;
	}
	return list;
}

static int transfer_all(const struct http_request *q, bool post, struct http_answer *a,
                        struct err *e)
{
	struct transfer t = {.q = q, .body.max = (q->body_max ? q->body_max : HTTP_BODY_MAX) + 1};
	struct curl_slist *headers = NULL;
	struct http_target to;
	CURL *c = NULL;
	CURLcode code;
	int rc = -1, tries = 0;

	*a = (struct http_answer){0};
	if (!http_host_target(q->url, &to))
		return err_set(e, "this is not a complete URL (https://HOST/…)");
	if (!to.https && !(to.http && to.loopback))
		return err_set(e, "%s: only https:// is allowed (http:// only on this machine)",
		               to.host);
	c = curl_easy_init();
	if (!c)
		return err_set(e, "%s: %s", to.host, strerror(ENOMEM));
	headers = header_list(q);
	t.c = c;
	set_curl_options(&to, headers, &t, post);
	code = try_all(c, &t, &to, q, &tries);
	if (code) {
		say_failure(c, code, &to, &t, tries, e);
		goto out;
	}
	curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &a->status);
	a->len = t.body.len;
	a->body = buf_take(&t.body);
	rc = a->body ? 0 : err_set(e, "%s: %s", to.host, strerror(ENOMEM));
out:
	if (rc)
		*a = (struct http_answer){0};
	buf_free(&t.body);
	curl_slist_free_all(headers);
	curl_easy_cleanup(c);
	return rc;
}

int http_get(const struct http_request *q, struct http_answer *a, struct err *e)
{
	return transfer_all(q, false, a, e);
}

int http_post(const struct http_request *q, struct http_answer *a, struct err *e)
{
	return transfer_all(q, true, a, e);
}

void http_answer_free(struct http_answer *a)
{
	free(a->body);
	*a = (struct http_answer){0};
}
