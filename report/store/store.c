/* store: objects in an S3 store, through a worker process that alone has the network. */
#include "report/store/store.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/aws_keys/s3_credentials.h"
#include "report/store/store_protocol.h"
#include "report/store/store_worker.h"

#define ADDRESS_MAX (sizeof "s3://" + STORE_BUCKET_MAX + STORE_KEY_MAX)

int store_start(struct store *s, const struct store_grant *granted, size_t n, double limit_s,
                struct err *e)
{
	const struct store_worker_job job = {.rights = {.v = granted, .n = n}, .limit_s = limit_s};
	int rc;

	*s = (struct store){0};
	rc = worker_start(&s->worker, store_worker_serve, &job, e);
	s3_credentials_forget();
	return rc;
}

void store_stop(struct store *s)
{
	worker_stop(&s->worker);
}

bool store_is_lost(const struct store *s)
{
	struct pollfd p = {.fd = s->worker.fd};

	return !s->worker.pid || (poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR));
}

/* -- questions and answers --------------------------------------------------------------------- */

static int say_store_lost(const struct store *s, const char *place, struct err *e)
{
	char shown[STORE_SHOWN_MAX];

	return worker_say_lost(&s->worker, store_address_shown(place, shown), "speaks to the store",
	                       e);
}

static int ask(const struct store *s, const struct store_question *q, const char *place,
               const void *bytes, size_t n, struct err *e)
{
	char shown[STORE_SHOWN_MAX];

	if (s->worker.pid && strlen(place) > STORE_PLACE_MAX)
		return err_set(e, "%s: the address is too long", store_address_shown(place, shown));
	if (s->worker.pid && worker_send(s->worker.fd, q, sizeof *q, bytes, n, NULL))
		return 0;
	return say_store_lost(s, place, e);
}

/* The question that is being asked then ends, so the answer comes soon in any case. */
static void stop_by_stdin(const struct store *s)
{
	struct pollfd p[] = {{.fd = s->worker.fd, .events = POLLIN},
	                     {.fd = STDIN_FILENO, .events = POLLIN}};
	struct store_question stop = {.kind = STORE_ASK_STOP};

	if (!s->stdin_stops)
		return;
	while (poll(p, 2, -1) < 0 && errno == EINTR)
		;
	if (!p[0].revents)
		(void)ask(s, &stop, "", NULL, 0, NULL);
}

/* An answer with up to max bytes at p, *n of them. Its sentence is in *why; -1 with *e if there is
 * none. */
static int take(const struct store *s, const char *place, struct store_answer *a, void *p,
                size_t max, size_t *n, struct err *why, struct err *e)
{
	stop_by_stdin(s);
	if (!worker_receive(s->worker.fd, a, sizeof *a, p, max, n, why) ||
	    !memchr(a->tag, '\0', sizeof a->tag))
		return say_store_lost(s, place, e);
	return 0;
}

/* A question with one answer, without bytes. */
static int ask_and_take(const struct store *s, const struct store_question *q, const char *place,
                        struct store_answer *a, struct err *e)
{
	struct err why;

	if (ask(s, q, place, place, strlen(place), e) || take(s, place, a, NULL, 0, NULL, &why, e))
		return -1;
	return *why.msg ? err_set(e, "%s", why.msg) : 0;
}

/* -- list -------------------------------------------------------------------------------------- */

struct listing {
	const struct store *s;
	const char *place;
	struct store_address to;
	char key[STORE_KEY_MAX]; /* the last one */
	store_each *each;
	void *ctx;
};

/* The order is checked as well: a server that repeats itself must not keep us for ever. */
static int take_object(struct listing *l, const struct store_answer *a, const char *key, size_t n,
                       struct err *e)
{
	char address[ADDRESS_MAX];
	struct store_object o = {.address = address, .size = a->size, .modified = a->modified};

	if (strlen(key) != n || strncmp(key, l->to.key, strlen(l->to.key)) != 0 ||
	    strcmp(key, l->key) <= 0)
		return say_store_lost(l->s, l->place, e);
	memcpy(l->key, key, n + 1);
	memcpy(o.tag, a->tag, sizeof o.tag);
	snprintf(address, sizeof address, "s3://%s/%s", l->to.bucket, key);
	return l->each(l->ctx, &o, e);
}

/* 1: there is another page. Objects that nobody wants any more are read all the same: the next
 * answer follows them. */
static int list_page(struct listing *l, struct err *e)
{
	const struct store_question q = {.kind = STORE_ASK_LIST};
	char key[STORE_KEY_MAX], from[STORE_PLACE_MAX + 1 + STORE_KEY_MAX];
	size_t n = strlen(l->place);
	struct store_answer a = {0};
	struct err why = {0};
	int rc = 0;

	if (n <= STORE_PLACE_MAX) {
		memcpy(from, l->place, n + 1);
		memcpy(from + n + 1, l->key, strlen(l->key));
	}
	if (ask(l->s, &q, l->place, from, n + 1 + strlen(l->key), e))
		return -1;
	for (size_t i = 0; !a.last && !*why.msg; i++) {
		if (i > STORE_LIST_PAGE)
			return say_store_lost(l->s, l->place, e);
		if (take(l->s, l->place, &a, key, sizeof key - 1, &n, &why, e))
			return -1;
		if (*why.msg)
			return rc ? rc : err_set(e, "%s", why.msg);
		key[n] = '\0';
		if (!a.last && !rc)
			rc = take_object(l, &a, key, n, e) ? -1 : 0;
	}
	return rc ? rc : a.further;
}

int store_list(const struct store *s, const char *address, store_each *each, void *ctx,
               struct err *e)
{
	struct listing l = {.s = s, .place = address, .each = each, .ctx = ctx};
	int more;

	if (store_address_parse(&l.to, address, e))
		return -1;
	do
		more = list_page(&l, e);
	while (more > 0);
	return more;
}

/* -- read -------------------------------------------------------------------------------------- */

struct lookup {
	const char *address;
	bool seen, there;
};

/* The first key that begins so is the key itself. */
static int look_at_first(void *ctx, const struct store_object *o, struct err *e)
{
	struct lookup *l = ctx;

	l->seen = true;
	l->there = strcmp(o->address, l->address) == 0;
	return err_set(e, "no other is wanted");
}

/* Keys that may list only what is below a prefix get 403 for an object that is not there, not 404:
 * a request for an object names no prefix. */
static bool is_not_listed(const struct store *s, const char *address)
{
	struct lookup l = {.address = address};
	bool failed = store_list(s, address, look_at_first, &l, NULL) != 0;

	return l.seen ? !l.there : !failed;
}

int store_read(const struct store *s, const char *address, uint64_t at, const char *tag, void *p,
               size_t n, struct store_range *out, struct err *e)
{
	struct store_answer a = {0};
	struct err why;
	size_t got;

	*out = (struct store_range){0};
	snprintf(out->tag, sizeof out->tag, "%s", tag);
	do {
		struct store_question q = {.kind = STORE_ASK_READ, .at = at + out->n};
		q.n = n - out->n < STORE_READ_MAX ? n - out->n : STORE_READ_MAX;
		memcpy(q.tag, out->tag, sizeof q.tag);
		if (ask(s, &q, address, address, strlen(address), e) ||
		    take(s, address, &a, (char *)p + out->n, q.n, &got, &why, e))
			return -1;
		if (*why.msg) {
			if (at || out->n || !a.hidden || !is_not_listed(s, address))
				return err_set(e, "%s", why.msg);
			out->absent = true;
			return 0;
		}
		out->absent = a.absent;
		out->n += got;
		out->size = a.size;
		memcpy(out->tag, a.tag, sizeof out->tag);
	} while (got == STORE_READ_MAX && out->n < n && at + out->n < out->size);
	return 0;
}

/* -- beginnings of many ------------------------------------------------------------------------ */

struct head_round {
	const struct store *s;
	const struct store_heads *h;
	void *item[STORE_WAITING];
	bool waits[STORE_WAITING];
	unsigned n;
	bool all; /* were asked for */
	char *p;
};

/* Neither side waits for the other for good: the worker writes when it wants to, so we write only
 * what the socket takes at once, and read first. */
static bool may_ask_more(const struct head_round *r)
{
	struct pollfd p = {.fd = r->s->worker.fd, .events = POLLIN | POLLOUT};

	if (r->all || r->n == STORE_WAITING)
		return false;
	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	return !(p.revents & POLLIN) || r->n == 0;
}

static int ask_next_head(struct head_round *r, struct err *e)
{
	struct store_question q = {.kind = STORE_ASK_HEAD, .n = r->h->n};
	const char *place = NULL;
	void *item = NULL;

	if (!r->h->next(r->h->ctx, &place, &item)) {
		r->all = true;
		return 0;
	}
	while (r->waits[q.id])
		q.id++;
	if (ask(r->s, &q, place, place, strlen(place), e))
		return -1;
	r->item[q.id] = item;
	r->waits[q.id] = true;
	r->n++;
	return 0;
}

static int take_head(struct head_round *r, struct err *e)
{
	struct store_answer a;
	struct store_range range = {0};
	struct err why;

	if (take(r->s, "", &a, r->p, r->h->n, &range.n, &why, e))
		return -1;
	if (a.id >= STORE_WAITING || !r->waits[a.id])
		return say_store_lost(r->s, "", e);
	range.absent = a.absent;
	range.size = a.size;
	memcpy(range.tag, a.tag, sizeof range.tag);
	r->waits[a.id] = false;
	r->n--;
	r->h->each(r->h->ctx, r->item[a.id], r->p, &range, &why);
	return 0;
}

int store_heads(const struct store *s, const struct store_heads *h, struct err *e)
{
	struct head_round r = {.s = s, .h = h};
	int rc = 0;

	if (!s->worker.pid)
		return say_store_lost(s, "", e);
	if (h->n > STORE_PIECE_MAX || !(r.p = malloc(h->n + 1)))
		return err_set(e, "%s", strerror(h->n > STORE_PIECE_MAX ? EINVAL : ENOMEM));
	while (!rc && (!r.all || r.n))
		rc = may_ask_more(&r) ? ask_next_head(&r, e) : take_head(&r, e);
	free(r.p);
	return rc;
}

/* -- put and delete ---------------------------------------------------------------------------- */

int store_put_begin(const struct store *s, const struct store_put *p, struct err *e)
{
	struct store_question q = {.kind = STORE_ASK_PUT, .only_new = p->only_new};
	struct store_answer a;

	return ask_and_take(s, &q, p->address, &a, e);
}

/* The worker keeps what goes wrong, as a full disk, for the answer at the end. */
int store_put_write(const struct store *s, const void *p, size_t n, struct err *e)
{
	const struct store_question q = {.kind = STORE_ASK_PUT_MORE};
	size_t some;

	for (const char *c = p; n; c += some, n -= some) {
		some = n < STORE_PIECE_MAX ? n : STORE_PIECE_MAX;
		if (ask(s, &q, "", c, some, e))
			return -1;
	}
	return 0;
}

int store_put_end(const struct store *s, bool *exists, struct err *e)
{
	struct store_question q = {.kind = STORE_ASK_PUT_END};
	struct store_answer a = {0};
	int rc = ask_and_take(s, &q, "", &a, e);

	if (exists)
		*exists = !rc && a.exists;
	return rc;
}

void store_put_drop(const struct store *s)
{
	struct store_question q = {.kind = STORE_ASK_PUT_DROP};

	ask(s, &q, "", NULL, 0, NULL);
}

int store_delete(const struct store *s, const char *address, struct err *e)
{
	struct store_question q = {.kind = STORE_ASK_DELETE};
	struct store_answer a;

	return ask_and_take(s, &q, address, &a, e);
}

uint64_t store_requests(const struct store *s)
{
	struct store_question q = {.kind = STORE_ASK_COUNT};
	struct store_answer a = {0};

	return ask_and_take(s, &q, "", &a, NULL) ? 0 : a.requests;
}
