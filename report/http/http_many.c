/* http_many: many requests at the same time, over connections that are kept. */
#include "report/http/http_many.h"

#include <curl/curl.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "report/http/http_handle.h"
#include "report/http/http_reply.h"
#include "report/http/http_transfer.h"

#define PAUSE_FIRST_MS 200L
#define LAST_TRY_MS    100
#define FOREVER        INT64_MAX

/* A call that has not ended: it waits in the queue, or pauses before its next try, or is on its
 * way. */
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
	struct waiting *first, **last; /* the queue */
	struct waiting **pauses;       /* a heap: the one that is due first is at 0 */
	size_t n_pauses, pauses_cap;
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
	http_many_limit(m, limit_ms);
	return m;
}

void http_many_limit(struct http_many *m, long limit_ms)
{
	m->limit_ms = limit_ms;
	m->end = limit_ms == HTTP_MANY_NO_LIMIT ? FOREVER : http_handle_now_ms() + limit_ms;
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

static struct waiting *dequeue(struct http_many *m)
{
	struct waiting *w = m->first;

	if (!w)
		return NULL;
	m->first = w->next;
	if (!m->first)
		m->last = &m->first;
	return w;
}

static void swap_pauses(struct http_many *m, size_t i, size_t j)
{
	struct waiting *w = m->pauses[i];

	m->pauses[i] = m->pauses[j];
	m->pauses[j] = w;
}

static bool push_pause(struct http_many *m, struct waiting *w)
{
	size_t i = m->n_pauses;

	if (i == m->pauses_cap) {
		size_t cap = i ? i * 2 : 64;
		struct waiting **p = reallocarray(m->pauses, cap, sizeof *p);
		if (!p)
			return false;
		m->pauses = p;
		m->pauses_cap = cap;
	}
	m->pauses[m->n_pauses++] = w;
	for (; i && m->pauses[(i - 1) / 2]->due > w->due; i = (i - 1) / 2)
		swap_pauses(m, i, (i - 1) / 2);
	return true;
}

/* The one that is due first, if that is by now. */
static struct waiting *pop_pause(struct http_many *m, int64_t now)
{
	struct waiting *w = m->n_pauses ? m->pauses[0] : NULL;

	if (!w || w->due > now)
		return NULL;
	m->pauses[0] = m->pauses[--m->n_pauses];
	for (size_t i = 0, child; (child = 2 * i + 1) < m->n_pauses; i = child) {
		if (child + 1 < m->n_pauses && m->pauses[child + 1]->due < m->pauses[child]->due)
			child++;
		if (m->pauses[i]->due <= m->pauses[child]->due)
			break;
		swap_pauses(m, i, child);
	}
	return w;
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

static void fail_call(struct http_many *m, struct waiting *w, struct err *why)
{
	struct http_reply a;

	http_reply_begin(&a);
	if (w->tries > 1)
		http_handle_say_tries(w->tries, why);
	end_call(m, w, &a, why);
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

/* Full jitter: a random part of 0.2 s, doubled with each try. */
static long jitter_ms(int tries)
{
	long most = PAUSE_FIRST_MS << (tries > 10 ? 9 : tries - 1);
	unsigned r;

	if (getrandom(&r, sizeof r, 0) != sizeof r)
		return most / 2;
	return (long)(r % ((unsigned long)most + 1));
}

static bool pause_call(struct http_many *m, struct waiting *w, long asked_ms)
{
	int most = w->call->tries > 0 ? w->call->tries : HTTP_MANY_TRIES;
	long ms = jitter_ms(w->tries);
	int64_t now = http_handle_now_ms();

	if (ms < asked_ms)
		ms = asked_ms;
	w->due = now + ms;
	/* A last try of a few milliseconds would only hide the server's answer. */
	return w->tries < most && w->due + LAST_TRY_MS < m->end && push_pause(m, w);
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
	long asked_ms;
	bool again = http_transfer_end(t, &code, &asked_ms);

	if (!again || !pause_call(m, w, asked_ms)) {
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
	struct err why = {0};

	if (http_transfer_begin(t, w->call, &why)) {
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
		w = pop_pause(m, now);
		if (!w)
			w = dequeue(m);
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
	while ((w = pop_pause(m, FOREVER)))
		fail_late(m, w);
	while ((w = queue)) {
		queue = w->next;
		fail_late(m, w);
	}
}

static int poll_ms(const struct http_many *m, int64_t until)
{
	int64_t ms, now = http_handle_now_ms();

	if (m->end < until)
		until = m->end;
	/* Without an idle handle, the end of a transfer comes first. */
	if (m->n_pauses && m->busy < m->at_once && m->pauses[0]->due < until)
		until = m->pauses[0]->due;
	ms = until - now;
	return ms < 0 ? 0 : ms > INT_MAX ? INT_MAX : (int)ms;
}

size_t http_many_work(struct http_many *m, int wake_fd, int wait_ms)
{
	uint64_t ended = m->ended;
	int64_t until = wait_ms < 0 ? FOREVER : http_handle_now_ms() + wait_ms;
	int running, ready;

	for (;;) {
		struct curl_waitfd wake = {.fd = wake_fd, .events = CURL_WAIT_POLLIN};
		if (m->failed || http_handle_now_ms() >= m->end)
			end_late(m);
		else {
			start_transfers(m);
			m->failed = curl_multi_perform(m->multi, &running);
			finish_transfers(m);
		}
		if (!m->open || m->ended != ended || http_handle_now_ms() >= until)
			return m->open;
		if (m->failed || (m->first && m->busy < m->at_once))
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
	while ((w = pop_pause(m, FOREVER)) || (w = dequeue(m)))
		free(w);
	free(m->pauses);
	free(m->transfers);
	curl_multi_cleanup(m->multi);
	free(m);
}

uint64_t http_many_sent(const struct http_many *m)
{
	return m->sent;
}
