/* http: the one door to libcurl: a GET or a POST that is bounded in time, in tries and in size. */
#include "core/http.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

#include "core/buf.h"

#define HEADER_BYTES_MAX ((size_t)128 << 10)
#define PAUSE_MS         250L

struct target {
	char host[HTTP_HOST_MAX]; /* as error sentences name it */
	bool https, http, loopback;
};

struct transfer {
	CURL *c;
	const struct http_request *q;
	struct buf body;
	size_t header_bytes, sunk;
};

static int64_t monotonic_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void sleep_ms(long ms)
{
	struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&t, NULL);
}

/* Exact matches only: 127.0.0.1.example.com is not this machine. */
static bool is_loopback(const char *host)
{
	struct in_addr v4;

	if (inet_pton(AF_INET, host, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	return strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0;
}

bool http_is_loopback(const struct sockaddr *a)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (a->sa_family == AF_INET) {
		memcpy(&v4, a, sizeof v4);
		return ntohl(v4.sin_addr.s_addr) >> 24 == 127;
	}
	if (a->sa_family != AF_INET6)
		return false;
	memcpy(&v6, a, sizeof v6);
	return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

static bool read_target(const char *url, struct target *t)
{
	char *scheme = NULL, *host = NULL, *port = NULL;
	CURLU *u = curl_url();
	bool ok = u && !curl_url_set(u, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) &&
	          !curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) &&
	          !curl_url_get(u, CURLUPART_HOST, &host, 0) && strlen(host) < 256;

	*t = (struct target){.host = "the address"};
	if (ok) {
		bool with_port = !curl_url_get(u, CURLUPART_PORT, &port, 0);
		snprintf(t->host, sizeof t->host, "%s%s%.5s", host, with_port ? ":" : "",
		         with_port ? port : "");
		t->https = strcasecmp(scheme, "https") == 0;
		t->http = strcasecmp(scheme, "http") == 0;
		t->loopback = is_loopback(host);
	}
	curl_free(scheme);
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(u);
	return ok;
}

void http_host(const char *url, char out[HTTP_HOST_MAX])
{
	struct target t;

	read_target(url, &t);
	memcpy(out, t.host, HTTP_HOST_MAX);
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

	(void)p;
	t->header_bytes += size * n;
	return t->header_bytes > HEADER_BYTES_MAX ? 0 : size * n;
}

/* Checks the address too, because a name server may resolve localhost to another machine. */
static curl_socket_t open_loopback(void *ctx, curlsocktype purpose, struct curl_sockaddr *a)
{
	(void)ctx;
	(void)purpose;
	if (!http_is_loopback(&a->addr))
		return CURL_SOCKET_BAD;
	return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* Clear text must not leave this machine, so it must not go to a proxy either. */
static void stay_here(CURL *c)
{
	curl_easy_setopt(c, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_loopback);
}

/* Mostly libcurl's defaults, set here in case a later version changes them. */
static void trust_nobody(CURL *c)
{
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(c, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_easy_setopt(c, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(c, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x074000
	curl_easy_setopt(c, CURLOPT_HTTP09_ALLOWED, 0L);
#endif
}

static void set_curl_options(const struct target *to, struct curl_slist *headers,
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
	trust_nobody(c);
#if LIBCURL_VERSION_NUM >= 0x075700
	/* Without this, clean-up waits 10 s and more for a name server that does not answer. */
	curl_easy_setopt(c, CURLOPT_QUICK_EXIT, 1L);
#endif
	if (to->loopback)
		stay_here(c);
	if (!post)
		return;
	curl_easy_setopt(c, CURLOPT_POST, 1L);
	curl_easy_setopt(c, CURLOPT_POSTFIELDS, q->sent ? q->sent : "");
	curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->sent_len);
}

static CURLcode try_once(CURL *c, struct transfer *t, long timeout_ms)
{
	buf_clear(&t->body);
	t->header_bytes = 0;
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, timeout_ms);
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS,
	                 timeout_ms < HTTP_CONNECT_MS ? timeout_ms : HTTP_CONNECT_MS);
	return curl_easy_perform(c);
}

/* Includes the TLS handshake: a server that only accepts connections would fail again. */
static bool was_connected(CURL *c, const struct target *to)
{
	curl_off_t us = 0;

	curl_easy_getinfo(c, to->https ? CURLINFO_APPCONNECT_TIME_T : CURLINFO_CONNECT_TIME_T, &us);
	return us > 0;
}

/* Milliseconds to wait before retry number `again` (1, 2 …), or -1 if a retry is of no use. */
static long pause_before(CURL *c, const struct target *to, CURLcode code, int again)
{
	curl_off_t asked_s = 0;
	long status = 0;

	if (code == CURLE_OPERATION_TIMEDOUT)
		return was_connected(c, to) ? 0 : -1;
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

static CURLcode try_all(CURL *c, struct transfer *t, const struct target *to,
                        const struct http_request *q, int *tries)
{
	long timeout_ms = q->timeout_ms > 0 ? q->timeout_ms : HTTP_TIMEOUT_MS;
	int max = q->sink ? 1 : q->tries > 0 ? q->tries : HTTP_TRIES;
	int64_t end = monotonic_ms() + (q->budget_ms > 0 ? q->budget_ms : HTTP_BUDGET_MS);

	for (*tries = 1;; ++*tries) {
		int64_t left = end - monotonic_ms();
		CURLcode code = try_once(c, t,
		                         left < 1            ? 1
		                         : left < timeout_ms ? (long)left
		                                             : timeout_ms);
		long pause = pause_before(c, to, code, *tries);
		/* A last try of a few milliseconds would only hide the server's answer. */
		if (pause < 0 || *tries >= max || monotonic_ms() + pause + 100 > end)
			return code;
		sleep_ms(pause);
	}
}

static int say_time_out(CURL *c, const struct target *to, int tries, struct err *e)
{
	if (!was_connected(c, to))
		return err_set(e, "%s: no connection in time", to->host);
	return err_set(e, "%s: no answer in time (%d %s)", to->host, tries,
	               tries == 1 ? "try" : "tries");
}

/* libcurl's own message is not used: it may quote a proxy's URL, password included. */
static int say_failure(CURL *c, CURLcode code, const struct target *to, const struct transfer *t,
                       int tries, struct err *e)
{
	long os_errno = 0;

	curl_easy_getinfo(c, CURLINFO_OS_ERRNO, &os_errno);
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
		return err_set(e, "%s: the host name is not found (no network?)", to->host);
	case CURLE_COULDNT_RESOLVE_PROXY:
		return err_set(e, "%s: the proxy's host name is not found", to->host);
	case CURLE_COULDNT_CONNECT:
		return err_set(e, "%s: no connection: %s", to->host,
		               os_errno ? strerror((int)os_errno) : "cannot be reached");
	case CURLE_OPERATION_TIMEDOUT:
		return say_time_out(c, to, tries, e);
	case CURLE_WRITE_ERROR:
		if (t->header_bytes > HEADER_BYTES_MAX)
			return err_set(e, "%s: the headers of the answer are too large", to->host);
		if (t->q->sink && t->sunk < t->body.max)
			return err_set(e, "%s: the answer was not read to its end", to->host);
		return err_set(e, "%s: the answer is larger than %zu KiB", to->host,
		               (t->body.max - 1) / 1024);
	case CURLE_PEER_FAILED_VERIFICATION:
		return err_set(e, "%s: its certificate cannot be trusted", to->host);
	default:
		return err_set(e, "%s: %s", to->host, curl_easy_strerror(code));
	}
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
	struct target to;
	CURL *c = NULL;
	CURLcode code;
	int rc = -1, tries = 0;

	*a = (struct http_answer){0};
	if (!read_target(q->url, &to))
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
