/* http_many: many requests at the same time, over connections that are kept. */
#include "report/http/http_many.h"

#include <curl/curl.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/http/http_handle.h"
#include "report/http/http_reply.h"
#include "report/http/http_retry.h"
#include "report/http/http_transfer.h"

#define LAST_TRY_MS   100
#define BEFORE_END_MS 20 /* a try ends before the whole does: its own error says more */
#define FOREVER       INT64_MAX

/* A call that has not ended: it waits for an idle handle, or for its next try, or is on its way. */
struct waiting {
	struct http_call *call;
	struct waiting *next;
	int64_t due; /* of the next try */
	int tries;   /* that were begun */
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

static void finish_transfer(struct http_many *m, struct http_transfer *t, CURLcode code)
{
	struct waiting *w = t->call->state;
	struct err why = {0};
	curl_off_t asked_s;
	bool again = http_transfer_end(t, &code, &asked_s);

	if (!again || !try_again(m, w, asked_s)) {
		if (code) {
			http_transfer_say(t, code, &why);
			fail_call(m, w, &why);
		} else
			end_call(m, w, &t->reply, &why);
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

	*o->status = *why->msg ? 0 : a->status;
	buf_add(o->body, a->body, a->len);
	if (*why->msg)
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
