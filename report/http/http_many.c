/* http_many: many requests at the same time, over connections that are kept. */
#include "report/http/http_many.h"

#include <curl/curl.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/program_name.h"
#include "core/base/version.h"
#include "report/http/http_handle.h"
#include "report/http/http_host.h"
#include "report/http/http_reply.h"
#include "report/http/http_retry.h"

/* -- one request on its way -------------------------------------------------------------------- */

struct http_transfer {
	CURL *easy;
	struct http_call *call; /* NULL: idle */
	struct http_target to;
	struct curl_slist *headers;
	struct http_reply reply;
	struct buf body;
	size_t header_bytes;
	int64_t heard_ms; /* when something last came, for this call or one before it */
	uint64_t sent;    /* bytes of the body */
	int sent_errno;
	bool headed; /* the headers came to their end */
	bool sunk;   /* the sink has got bytes */
};

#define BODY_KEPT    ((size_t)64 << 10) /* memory that a handle keeps for the next answer */
#define STALL_BYTES  1024L              /* a second */
#define KEEP_ALIVE_S 20L

static size_t on_body_piece(char *p, size_t size, size_t n, void *ctx)
{
	struct http_transfer *t = ctx;
	const struct http_call *c = t->call;
	long status = 0;

	n *= size;
	t->heard_ms = http_handle_now_ms();
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
	t->heard_ms = http_handle_now_ms();
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

static long stall_s(const struct http_call *c)
{
	return c->stall_s > 0 ? c->stall_s : HTTP_STALL_S;
}

static void set_transfer_times(struct http_transfer *t, long left_ms)
{
	const struct http_call *c = t->call;
	long connect_ms = c->connect_ms > 0 ? c->connect_ms : HTTP_CONNECT_MS;

	if (c->try_ms > 0)
		curl_easy_setopt(t->easy, CURLOPT_TIMEOUT_MS,
		                 c->try_ms < left_ms ? c->try_ms : left_ms);
	curl_easy_setopt(t->easy, CURLOPT_CONNECTTIMEOUT_MS, connect_ms);
	/* A machine that was started again meanwhile answers that it knows of no connection. */
	curl_easy_setopt(t->easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(t->easy, CURLOPT_TCP_KEEPIDLE, KEEP_ALIVE_S);
	curl_easy_setopt(t->easy, CURLOPT_TCP_KEEPINTVL, KEEP_ALIVE_S);
	/* A store answers some POST slowly, with a blank now and then. */
	curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_LIMIT,
	                 strcmp(c->method, "POST") == 0 ? 1L : STALL_BYTES);
	curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_TIME, stall_s(c));
}

static void set_transfer_options(struct http_transfer *t)
{
	const struct http_call *c = t->call;
	CURL *h = t->easy;
	char agent[64];

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
	snprintf(agent, sizeof agent, "%s/%s", program_name(), rtrack_version);
	curl_easy_setopt(h, CURLOPT_USERAGENT, agent);
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

/* Makes it idle again. */
static void http_transfer_clear(struct http_transfer *t)
{
	t->call = NULL;
	curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(t->headers);
	t->headers = NULL;
	buf_clear(&t->body);
	if (t->body.cap > BODY_KEPT)
		buf_free(&t->body);
}

/* Checks the call, and sets the handle up for it. left_ms: what is left for it, if it has a limit
 * for each try. */
static int http_transfer_begin(struct http_transfer *t, struct http_call *c, long left_ms,
                               struct err *e)
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

/* To be called once when libcurl is done: fills t->reply, or corrects *code. Returns whether
 * another try may help; *asked_s is the pause that the server asks for. */
static bool http_transfer_end(struct http_transfer *t, CURLcode *code, curl_off_t *asked_s)
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

/* The sentence for a code that is not CURLE_OK. Always returns -1. */
static int http_transfer_say(const struct http_transfer *t, CURLcode code, struct err *e)
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

/* -- many requests ----------------------------------------------------------------------------- */

#define LAST_TRY_MS   100
#define BEFORE_END_MS 20 /* a try ends before the whole does: its own error says more */
#define FOREVER       INT64_MAX

/* A call that has not ended: it waits for an idle handle, or for its next try, or is on its way. */
struct waiting {
	struct http_call *call;
	struct waiting *next;
	int64_t due; /* of the next try */
	int tries;   /* that were begun */
	int silent;  /* of these, those in which the server, once connected, said nothing more */
};

struct http_many {
	CURLM *multi;
	struct http_transfer *transfers;
	unsigned at_once, busy;
	struct waiting *first, **last; /* those that wait */
	size_t open;
	uint64_t ended, sent;
	int64_t end;
	long limit_ms;
	CURLMcode failed; /* libcurl itself: nothing can go on */
	/* A server that went silent: until then, calls to it fail with the same sentence. */
	char silent_host[HTTP_HOST_MAX];
	int64_t silent_until_ms;
	struct err silent_why;
};

struct http_many *http_many_new(unsigned at_once, long limit_ms, struct err *e)
{
	struct http_many *m = calloc(1, sizeof *m);
	bool ok = m && (m->multi = curl_multi_init()) &&
	          (m->transfers = calloc(at_once, sizeof *m->transfers));

	for (; ok && m->at_once < at_once; m->at_once++)
		ok = (m->transfers[m->at_once].easy = curl_easy_init()) != NULL;
	if (!ok) {
		err_set(e, "%s", strerror(ENOMEM));
		http_many_free(m);
		return NULL;
	}
	m->last = &m->first;
	curl_multi_setopt(m->multi, CURLMOPT_MAXCONNECTS, (long)at_once);
	curl_multi_setopt(m->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)at_once);
	m->limit_ms = limit_ms;
	m->end = limit_ms == HTTP_MANY_NO_LIMIT ? FOREVER : http_handle_now_ms() + limit_ms;
	return m;
}

static void enqueue(struct http_many *m, struct waiting *w)
{
	w->next = NULL;
	*m->last = w;
	m->last = &w->next;
}

int http_many_add(struct http_many *m, struct http_call *c, struct err *e)
{
	struct waiting *w = calloc(1, sizeof *w);

	if (!w)
		return err_set(e, "%s", strerror(ENOMEM));
	w->call = c;
	c->state = w;
	m->open++;
	enqueue(m, w);
	return 0;
}

/* The first one that is due by now. */
static struct waiting *take_due(struct http_many *m, int64_t now)
{
	for (struct waiting **p = &m->first, *w; (w = *p); p = &w->next)
		if (w->due <= now) {
			*p = w->next;
			if (!*p)
				m->last = p;
			return w;
		}
	return NULL;
}

static void end_call(struct http_many *m, struct waiting *w, struct http_reply *a,
                     const struct err *why)
{
	struct http_call *c = w->call;

	a->tries = w->tries;
	m->open--;
	m->ended++;
	free(w);
	c->state = NULL;
	c->done(c, a, why);
}

static void fail_call(struct http_many *m, struct waiting *w, const struct err *why)
{
	struct http_reply a;
	struct err said = *why;

	http_reply_begin(&a);
	if (w->tries > 1)
		err_set(&said, "%s (%d tries)", why->msg, w->tries);
	end_call(m, w, &a, &said);
}

static void fail_late(struct http_many *m, struct waiting *w)
{
	char host[HTTP_HOST_MAX];
	struct err why;

	http_host(w->call->url, host);
	if (m->failed)
		err_set(&why, "%s: %s", host, curl_multi_strerror(m->failed));
	else
		err_set(&why, "%s: not done within the time limit of %.4g s", host,
		        (double)m->limit_ms / 1000);
	fail_call(m, w, &why);
}

/* Whether there is another try. A last one of a few milliseconds would only hide the server's
 * answer. */
static bool try_again(struct http_many *m, struct waiting *w, curl_off_t asked_s)
{
	int most = w->call->tries > 0 ? w->call->tries : HTTP_RETRY_TRIES;

	w->due = http_handle_now_ms() + http_retry_pause_ms(w->tries, asked_s);
	if (!w->call->tries && w->silent >= HTTP_RETRY_SILENT)
		return false;
	if (w->tries >= most || w->due + LAST_TRY_MS >= m->end)
		return false;
	enqueue(m, w);
	return true;
}

static void release_transfer(struct http_many *m, struct http_transfer *t)
{
	curl_multi_remove_handle(m->multi, t->easy);
	http_transfer_clear(t);
	m->busy--;
}

/* Calls that wait for this server would each wait as long, one after the other. But what came
 * lately, for whichever call, shows that it or the network is only slow. */
static void note_silent(struct http_many *m, const struct http_transfer *t, const struct err *why)
{
	int64_t since = http_handle_now_ms() - stall_s(t->call) * 1000 / 2;

	for (unsigned i = 0; i < m->at_once; i++)
		if (m->transfers[i].heard_ms > since)
			return;
	memcpy(m->silent_host, t->to.host, sizeof m->silent_host);
	m->silent_until_ms = http_handle_now_ms() + HTTP_STALL_S * 1000;
	m->silent_why = *why;
}

static void finish_transfer(struct http_many *m, struct http_transfer *t, CURLcode code)
{
	struct waiting *w = t->call->state;
	struct err why;
	curl_off_t asked_s;
	bool again = http_transfer_end(t, &code, &asked_s);

	w->silent += code == CURLE_OPERATION_TIMEDOUT && http_handle_connected(t->easy);
	if (again && try_again(m, w, asked_s)) {
		release_transfer(m, t);
		return;
	}
	if (code) {
		http_transfer_say(t, code, &why);
		if (w->silent >= HTTP_RETRY_SILENT)
			note_silent(m, t, &why);
		fail_call(m, w, &why);
	} else {
		end_call(m, w, &t->reply, NULL);
	}
	release_transfer(m, t);
}

static void start_transfer(struct http_many *m, struct http_transfer *t, struct waiting *w)
{
	int64_t left_ms = m->end - http_handle_now_ms() - BEFORE_END_MS;
	struct err why = {0};

	if (http_transfer_begin(t, w->call, left_ms > 0 ? (long)left_ms : 1, &why)) {
		fail_call(m, w, &why);
		return;
	}
	if (strcmp(t->to.host, m->silent_host) == 0 && http_handle_now_ms() < m->silent_until_ms) {
		http_transfer_clear(t);
		fail_call(m, w, &m->silent_why);
		return;
	}
	w->tries++;
	m->sent++;
	m->busy++;
	if (curl_multi_add_handle(m->multi, t->easy)) {
		err_set(&why, "%s: %s", t->to.host, strerror(ENOMEM));
		release_transfer(m, t);
		fail_call(m, w, &why);
	}
}

static void start_transfers(struct http_many *m)
{
	int64_t now = http_handle_now_ms();

	for (unsigned i = 0; i < m->at_once; i++) {
		struct waiting *w;
		if (m->transfers[i].call)
			continue;
		w = take_due(m, now);
		if (!w)
			return;
		start_transfer(m, &m->transfers[i], w);
	}
}

static void finish_transfers(struct http_many *m)
{
	const struct CURLMsg *msg;
	int left;

	while ((msg = curl_multi_info_read(m->multi, &left))) {
		char *t = NULL;
		if (msg->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, &t);
		finish_transfer(m, (struct http_transfer *)(void *)t, msg->data.result);
	}
}

/* Ends every call that is open now; what done adds is left for the next time. */
static void end_late(struct http_many *m)
{
	struct waiting *w, *queue = m->first;

	m->first = NULL;
	m->last = &m->first;
	for (unsigned i = 0; i < m->at_once; i++) {
		struct http_transfer *t = &m->transfers[i];
		if (!t->call)
			continue;
		w = t->call->state;
		release_transfer(m, t);
		fail_late(m, w);
	}
	while ((w = queue)) {
		queue = w->next;
		fail_late(m, w);
	}
}

static int poll_ms(const struct http_many *m, int64_t until)
{
	int64_t ms;

	if (m->end < until)
		until = m->end;
	/* Without an idle handle, the end of a transfer comes first. */
	for (const struct waiting *w = m->first; w && m->busy < m->at_once; w = w->next)
		if (w->due < until)
			until = w->due;
	ms = until - http_handle_now_ms();
	if (ms > INT_MAX)
		return INT_MAX;
	return ms < 0 ? 0 : (int)ms;
}

size_t http_many_work(struct http_many *m, int wake_fd, int wait_ms)
{
	uint64_t ended = m->ended;
	int64_t until = wait_ms < 0 ? FOREVER : http_handle_now_ms() + wait_ms;
	int running, ready;

	for (;;) {
		struct curl_waitfd wake = {.fd = wake_fd, .events = CURL_WAIT_POLLIN};
		bool late = http_handle_now_ms() >= m->end;
		if (!late)
			start_transfers(m);
		if (!m->failed)
			m->failed = curl_multi_perform(m->multi, &running);
		finish_transfers(m); /* also when it is late: a try's own limit may end with it */
		if (m->failed || late)
			end_late(m);
		if (!m->open || m->ended != ended || http_handle_now_ms() >= until)
			return m->open;
		if (m->failed)
			continue;
		m->failed =
		    curl_multi_poll(m->multi, &wake, wake_fd >= 0, poll_ms(m, until), &ready);
		if (wake.revents)
			return m->open;
	}
}

void http_many_free(struct http_many *m)
{
	struct waiting *w;

	if (!m)
		return;
	for (unsigned i = 0; i < m->at_once; i++) {
		struct http_transfer *t = &m->transfers[i];
		if (t->call) {
			free(t->call->state);
			release_transfer(m, t);
		}
		buf_free(&t->body);
		curl_easy_cleanup(t->easy);
	}
	while ((w = take_due(m, FOREVER)))
		free(w);
	free(m->transfers);
	curl_multi_cleanup(m->multi);
	free(m);
}

uint64_t http_many_sent(const struct http_many *m)
{
	return m->sent;
}

/* -- one request ------------------------------------------------------------------------------- */

struct only {
	long *status;
	struct buf *body;
	struct err *e;
	int rc;
};

static void on_only(struct http_call *c, const struct http_reply *a, const struct err *why)
{
	struct only *o = c->ctx;

	*o->status = why ? 0 : a->status;
	buf_add(o->body, a->body, a->len);
	if (why)
		o->rc = err_set(o->e, "%s", why->msg);
	else
		o->rc = o->body->failed ? err_set(o->e, "%s", strerror(ENOMEM)) : 0;
}

int http_many_only(const struct http_call *c, long limit_ms, long *status, struct buf *body,
                   struct err *e)
{
	struct http_many *m = http_many_new(1, limit_ms, e);
	struct only o = {.status = status, .body = body, .e = e, .rc = -1};
	struct http_call call = *c;

	call.done = on_only;
	call.ctx = &o;
	*status = 0;
	if (m && !http_many_add(m, &call, e))
		while (http_many_work(m, -1, -1))
			continue;
	http_many_free(m);
	return o.rc;
}
