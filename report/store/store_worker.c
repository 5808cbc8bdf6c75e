/* store_worker: the process that speaks to object stores. */
#include "report/store/store_worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "core/base/tmpfile.h"
#include "report/sandbox/worker.h"
#include "report/store/s3_list.h"
#include "report/store/s3_put.h"
#include "report/store/s3_read.h"
#include "report/store/store_protocol.h"

struct head {
	struct s3_read read;
	struct server *server;
	unsigned id;
	size_t n;
	bool busy;
};

struct server {
	int fd;
	bool lost; /* the process that asks has ended, or breaks the protocol */
	struct store_rights rights;
	struct s3_client client;
	struct s3_spool put;
	struct head head[STORE_WAITING];
	unsigned heads;
	char place[STORE_PIECE_MAX + 1]; /* the bytes of a question */
	const char *after;               /* LIST: the key to start after */
};

/* -- answers ----------------------------------------------------------------------------------- */

static void put_answer(struct server *s, struct store_answer *a, const void *p, size_t n,
                       const struct err *why)
{
	a->requests = s3_client_sent(&s->client);
	if (!worker_send(s->fd, a, sizeof *a, p, n, why))
		s->lost = true;
}

/* A try may have failed before one that succeeded: why counts only if the end is a failure. */
static void put_result(struct server *s, struct store_answer *a, int failed, const struct err *why)
{
	if (failed && !*why->msg)
		s->lost = true; /* it must not be taken for success */
	else
		put_answer(s, a, NULL, 0, failed ? why : NULL);
}

static void put_range(struct server *s, unsigned id, size_t n, const char *p,
                      const struct store_range *range, const struct err *why)
{
	struct store_answer a = {
	    .id = id, .absent = range->absent, .hidden = range->hidden, .size = range->size};

	memcpy(a.tag, range->tag, sizeof a.tag);
	put_answer(s, &a, p, range->n < n ? range->n : n, why);
}

/* -- questions --------------------------------------------------------------------------------- */

static int put_object(void *ctx, const struct s3_list_object *o, struct err *e)
{
	struct server *s = ctx;
	struct store_answer a = {.size = o->size, .modified = o->modified};

	s3_read_tag(o->etag, a.tag);
	put_answer(s, &a, o->key, strlen(o->key), NULL);
	return s->lost ? err_set(e, "the process that asked for this list has ended") : 0;
}

static void answer_list(struct server *s)
{
	struct store_address to;
	struct s3_list_page page = {.after = s->after, .each = put_object, .ctx = s};
	struct store_answer a = {.last = true};
	struct err why = {0};
	int failed = store_address_parse(&to, s->place, &why);

	page.prefix = to.key;
	failed = failed || s3_list_fetch(&s->client, &to, &page, &why);
	a.further = !failed && page.further;
	put_result(s, &a, failed, &why);
}

/* A range cannot have 0 bytes: one is read, and dropped. */
static void set_range(struct s3_read *r, const struct store_question *q)
{
	r->at = q->at;
	r->n = q->n ? q->n : 1;
	memcpy(r->tag, q->tag, sizeof r->tag);
}

static void on_read(struct s3_read *r, const char *p, const struct store_range *range,
                    const struct err *why)
{
	struct head *h = r->ctx;

	h->busy = false;
	h->server->heads--;
	put_range(h->server, h->id, h->n, p, range, why);
}

/* STORE_ASK_READ waits for the end. */
static void begin_read(struct server *s, const struct store_question *q)
{
	struct head *h = s->head;
	struct store_answer a = {.id = q->id};
	struct err why = {0};
	int failed;

	while (h < s->head + STORE_WAITING && h->busy)
		h++;
	if (h == s->head + STORE_WAITING) {
		s->lost = true;
		return;
	}
	*h = (struct head){
	    .server = s, .id = q->id, .n = q->n, .busy = true, .read = {.done = on_read, .ctx = h}};
	s->heads++;
	set_range(&h->read, q);
	failed = s3_read_prepare(&h->read, s->place, &why);
	if (!failed && q->kind == STORE_ASK_HEAD)
		failed = s3_client_send(&s->client, &h->read.request, &why);
	else if (!failed)
		failed = s3_client_run(&s->client, &h->read.request, &why);
	if (failed) {
		h->busy = false;
		s->heads--;
		put_result(s, &a, -1, &why);
	}
}

struct deletion {
	int rc; /* 0: the object is gone; -1: why it is not */
	struct err why;
};

static void on_deleted(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct deletion *d = r->ctx;
	struct s3_error x;

	if (why) {
		d->rc = -1;
		d->why = *why;
		return;
	}
	s3_error_parse(&x, a->body, a->len);
	if (a->status / 100 != 2 && (a->status != 404 || !s3_error_is(&x, "NoSuchKey")))
		d->rc = s3_client_refused(r, a, &d->why);
}

static void answer_delete(struct server *s)
{
	struct deletion d = {0};
	struct s3_request r = {
	    .doing = S3_DELETING, .method = "DELETE", .query = "", .done = on_deleted, .ctx = &d};
	struct store_answer a = {0};

	if (store_address_parse(&r.to, s->place, &d.why))
		d.rc = -1;
	else if (!*r.to.key)
		d.rc = err_set(&d.why, "%s: this address has no key", s->place);
	else if (s3_client_run(&s->client, &r, &d.why))
		d.rc = -1;
	put_result(s, &a, d.rc, &d.why);
}

static void answer_put(struct server *s, const struct store_question *q)
{
	struct store_answer a = {0};
	struct err why = {0};
	bool exists = false;
	int rc;

	if (q->kind == STORE_ASK_PUT)
		rc = s3_spool_begin(&s->put, s->place, q->only_new, &why);
	else
		rc = s3_put_send(&s->put, &s->client, &exists, &why);
	a.exists = exists;
	put_result(s, &a, rc, &why);
}

static bool has_place(enum store_ask kind)
{
	return kind == STORE_ASK_LIST || kind == STORE_ASK_READ || kind == STORE_ASK_HEAD ||
	       kind == STORE_ASK_PUT || kind == STORE_ASK_DELETE;
}

/* False if the answer was that it is not allowed. */
static bool is_granted(struct server *s, const struct store_question *q)
{
	struct store_answer a = {.id = q->id, .last = q->kind == STORE_ASK_LIST};
	char shown[STORE_SHOWN_MAX];
	struct err why;

	if (!has_place(q->kind) || store_rights_allow(&s->rights, q->kind, s->place))
		return true;
	err_set(&why, "%s: this address is not on the command line",
	        store_address_shown(s->place, shown));
	put_result(s, &a, -1, &why);
	return false;
}

static void answer_question(struct server *s, const struct store_question *q, size_t n)
{
	struct store_answer count = {0};

	switch (q->kind) {
	case STORE_ASK_LIST:
		answer_list(s);
		break;
	case STORE_ASK_READ:
	case STORE_ASK_HEAD:
		begin_read(s, q);
		break;
	case STORE_ASK_PUT:
	case STORE_ASK_PUT_END:
		answer_put(s, q);
		break;
	case STORE_ASK_PUT_MORE:
		s3_spool_more(&s->put, s->place, n);
		break;
	case STORE_ASK_PUT_DROP:
		s3_spool_drop(&s->put);
		break;
	case STORE_ASK_DELETE:
		answer_delete(s);
		break;
	case STORE_ASK_COUNT:
		put_result(s, &count, 0, NULL);
		break;
	case STORE_ASK_STOP: /* what it was to end has ended */
		break;
	default:
		s->lost = true;
	}
}

/* How many bytes of an object may be asked for. */
static size_t most_bytes(enum store_ask kind)
{
	if (kind == STORE_ASK_READ)
		return STORE_READ_MAX;
	return kind == STORE_ASK_HEAD ? STORE_PIECE_MAX : 0;
}

/* Whether the n bytes of a question are what belongs to it. */
static bool take_place(struct server *s, enum store_ask kind, size_t n)
{
	size_t place;

	s->place[n] = '\0';
	s->after = "";
	place = strlen(s->place);
	if (!has_place(kind))
		return kind == STORE_ASK_PUT_MORE || !n;
	if (kind == STORE_ASK_LIST && place < n) {
		s->after = s->place + place + 1;
		place += 1 + strlen(s->after);
	}
	return place == n && *s->place && strlen(s->place) <= STORE_PLACE_MAX &&
	       strlen(s->after) < STORE_KEY_MAX;
}

/* A process that a hostile recording has taken over gets no more than it may ask. */
static bool serve_question(struct server *s)
{
	struct store_question q;
	size_t n;

	if (!worker_receive(s->fd, &q, sizeof q, s->place, STORE_PIECE_MAX, &n, NULL) ||
	    !take_place(s, q.kind, n) || q.n > most_bytes(q.kind) ||
	    q.at > INT64_MAX - STORE_READ_MAX || !memchr(q.tag, '\0', sizeof q.tag) ||
	    (s->heads && q.kind != STORE_ASK_HEAD))
		return false;
	if (is_granted(s, &q))
		answer_question(s, &q, n);
	return !s->lost;
}

/* Works on beginnings until there is a question. */
static bool wait_for_question(struct server *s)
{
	struct pollfd p = {.fd = s->fd, .events = POLLIN};

	while (s->heads && !s->lost && poll(&p, 1, 0) == 0)
		s3_client_work(&s->client);
	return !s->lost;
}

/* -- the process ------------------------------------------------------------------------------- */

/* A signal to the whole group, as Ctrl-C is, ends the process that asks; this one sees it, removes
 * the parts of an upload, and ends. */
static void outlive_signals(void)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		signal(ignored[i], SIG_IGN);
	prctl(PR_SET_PDEATHSIG, 0);
}

/* The catalog fetcher has it. */
static void forget_catalog_password(void)
{
	char *password = getenv("RTRACK_CATALOG_PASSWORD");

	if (password)
		explicit_bzero(password, strlen(password));
	unsetenv("RTRACK_CATALOG_PASSWORD");
}

static struct server *open_server(int fd, const struct store_worker_job *job)
{
	struct server *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->fd = fd;
	s->rights = job->rights;
	s3_spool_init(&s->put, tmpfile_temporary());
	return s;
}

static void serve_store(struct server *s, const struct store_worker_job *job)
{
	s3_client_open(&s->client, job->limit_s, s->fd);
	while (wait_for_question(s) && serve_question(s))
		;
	s3_spool_close(&s->put);
	s3_client_close(&s->client);
	for (size_t i = 0; i < STORE_WAITING; i++)
		if (s->head[i].busy)
			s3_client_release(&s->head[i].read.request);
	free(s);
}

void store_worker_answer(int fd, const struct store_worker_job *job)
{
	struct server *s = open_server(fd, job);

	if (s)
		serve_store(s, job);
}

void store_worker_serve(int fd, const void *ctx)
{
	struct server *s = open_server(fd, ctx);

	if (!s)
		return;
	prctl(PR_SET_DUMPABLE, 0); /* a core dump would have the keys */
	outlive_signals();
	forget_catalog_password();
	worker_keep_network(); /* the temporary file is open */
	serve_store(s, ctx);
}
