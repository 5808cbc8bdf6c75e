/* store_worker: the process that speaks to object stores. */
#include "report/store/store_worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "core/base/tmpfile.h"
#include "report/sandbox/landlock.h"
#include "report/sandbox/seccomp.h"
#include "report/sandbox/worker.h"
#include "report/store/s3_list.h"
#include "report/store/s3_put.h"
#include "report/store/s3_read.h"
#include "report/store/store_protocol.h"

struct head {
	struct s3_read read;
	struct desk *desk;
	unsigned id;
	size_t n;
	bool busy;
};

struct desk {
	int fd;
	bool lost; /* the process that asks has ended, or breaks the protocol */
	struct store_rights rights;
	struct s3_client client;
	struct s3_spool put;
	struct head head[STORE_WAITING];
	unsigned heads;
	char place[STORE_PLACE_MAX + 1], more[STORE_PIECE_MAX + 1];
};

/* -- answers ----------------------------------------------------------------------------------- */

static void put_answer(struct desk *d, struct store_answer *a, const void *p)
{
	a->requests = s3_client_sent(&d->client);
	if (!worker_put(d->fd, a, sizeof *a) || !worker_put(d->fd, p, a->n))
		d->lost = true;
}

static void put_result(struct desk *d, struct store_answer *a, int rc, const struct err *why)
{
	a->rc = rc;
	a->n = rc ? strlen(why->msg) : 0;
	put_answer(d, a, why->msg);
}

static void put_range(struct desk *d, unsigned id, size_t n, const char *p,
                      const struct store_range *range, const struct err *why)
{
	struct store_answer a = {.id = id,
	                         .absent = range->absent,
	                         .hidden = range->hidden,
	                         .n = range->n < n ? range->n : n,
	                         .size = range->size};

	memcpy(a.tag, range->tag, sizeof a.tag);
	if (*why->msg)
		put_result(d, &a, -1, why);
	else
		put_answer(d, &a, p);
}

/* -- questions --------------------------------------------------------------------------------- */

static int put_object(void *ctx, const struct s3_list_object *o, struct err *e)
{
	struct desk *d = ctx;
	struct store_answer a = {.n = strlen(o->key), .size = o->size, .modified = o->modified};

	s3_read_tag(o->etag, a.tag);
	put_answer(d, &a, o->key);
	return d->lost ? err_set(e, "nobody waits for this list") : 0;
}

static void answer_list(struct desk *d)
{
	struct store_address to;
	struct s3_list_page page = {.after = d->more, .each = put_object, .ctx = d};
	struct store_answer a = {.last = true};
	struct err why = {0};
	int rc = store_address_parse(&to, d->place, &why);

	page.prefix = to.key;
	rc = rc ? rc : s3_list_fetch(&d->client, &to, &page, &why);
	a.further = !rc && page.further;
	put_result(d, &a, rc, &why);
}

struct reading {
	struct desk *desk;
	size_t n;
};

static void on_read(struct s3_read *r, const char *p, const struct store_range *range,
                    const struct err *why)
{
	const struct reading *reading = r->ctx;

	put_range(reading->desk, 0, reading->n, p, range, why);
}

/* Of 0 bytes there is no range: one is read, and dropped. */
static void set_range(struct s3_read *r, const struct store_question *q)
{
	r->at = q->at;
	r->n = q->n ? q->n : 1;
	memcpy(r->tag, q->tag, sizeof r->tag);
}

static void answer_read(struct desk *d, const struct store_question *q)
{
	struct reading reading = {d, q->n};
	struct s3_read r = {.done = on_read, .ctx = &reading};
	struct store_answer a = {0};
	struct err why = {0};

	set_range(&r, q);
	if (s3_read_prepare(&r, d->place, &why) || s3_client_run(&d->client, &r.request, &why))
		put_result(d, &a, -1, &why);
}

static void on_head(struct s3_read *r, const char *p, const struct store_range *range,
                    const struct err *why)
{
	struct head *h = r->ctx;

	h->busy = false;
	h->desk->heads--;
	put_range(h->desk, h->id, h->n, p, range, why);
}

static void begin_head(struct desk *d, const struct store_question *q)
{
	struct head *h = d->head;
	struct store_answer a = {.id = q->id};
	struct err why = {0};

	while (h < d->head + STORE_WAITING && h->busy)
		h++;
	if (h == d->head + STORE_WAITING) {
		d->lost = true;
		return;
	}
	*h = (struct head){.desk = d, .id = q->id, .n = q->n, .read = {.done = on_head, .ctx = h}};
	set_range(&h->read, q);
	if (s3_read_prepare(&h->read, d->place, &why) ||
	    s3_client_send(&d->client, &h->read.request, &why)) {
		put_result(d, &a, -1, &why);
		return;
	}
	h->busy = true;
	d->heads++;
}

static void on_deleted(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct err *e = r->ctx;
	struct s3_error x;

	*e = *why;
	if (*why->msg || a->status / 100 == 2)
		return;
	s3_error_parse(&x, a->body, a->len);
	if (a->status != 404 || !s3_error_is(&x, "NoSuchKey"))
		s3_client_refused(r, a, e);
}

static void answer_delete(struct desk *d)
{
	struct err why = {0};
	struct s3_request r = {
	    .doing = S3_DELETING, .method = "DELETE", .query = "", .done = on_deleted, .ctx = &why};
	struct store_answer a = {0};
	int rc = store_address_parse(&r.to, d->place, &why);

	if (!rc && !*r.to.key)
		rc = err_set(&why, "%s: this address has no key", d->place);
	if (!rc)
		rc = s3_client_run(&d->client, &r, &why);
	put_result(d, &a, rc || *why.msg ? -1 : 0, &why);
}

static void answer_put(struct desk *d, const struct store_question *q)
{
	struct store_answer a = {0};
	struct err why = {0};
	bool exists = false;
	int rc;

	if (q->kind == STORE_ASK_PUT)
		rc = s3_spool_begin(&d->put, d->place, q->only_new, &why);
	else
		rc = s3_put_send(&d->put, &d->client, &exists, &why);
	a.exists = exists;
	put_result(d, &a, rc, &why);
}

/* False if the answer was that it is not allowed. */
static bool is_granted(struct desk *d, const struct store_question *q)
{
	struct store_answer a = {.id = q->id, .last = q->kind == STORE_ASK_LIST};
	char shown[STORE_SHOWN_MAX];
	struct err why;

	if (!q->place || store_rights_allow(&d->rights, q->kind, d->place))
		return true;
	err_set(&why, "%s: this address is not on the command line",
	        store_address_shown(d->place, shown));
	put_result(d, &a, -1, &why);
	return false;
}

static void answer_question(struct desk *d, const struct store_question *q)
{
	struct store_answer count = {0};

	switch (q->kind) {
	case STORE_ASK_LIST:
		answer_list(d);
		break;
	case STORE_ASK_READ:
		answer_read(d, q);
		break;
	case STORE_ASK_HEAD:
		begin_head(d, q);
		break;
	case STORE_ASK_PUT:
	case STORE_ASK_PUT_END:
		answer_put(d, q);
		break;
	case STORE_ASK_PUT_MORE:
		s3_spool_more(&d->put, d->more, q->more);
		break;
	case STORE_ASK_PUT_DROP:
		s3_spool_drop(&d->put);
		break;
	case STORE_ASK_DELETE:
		answer_delete(d);
		break;
	case STORE_ASK_COUNT:
		put_answer(d, &count, "");
		break;
	case STORE_ASK_STOP: /* what it was to end has ended */
		break;
	default:
		d->lost = true;
	}
}

static bool has_place(enum store_ask kind)
{
	return kind == STORE_ASK_LIST || kind == STORE_ASK_READ || kind == STORE_ASK_HEAD ||
	       kind == STORE_ASK_PUT || kind == STORE_ASK_DELETE;
}

/* A process that a hostile recording has taken over gets no more than it may ask. */
static bool is_question(const struct desk *d, const struct store_question *q)
{
	size_t more = q->kind == STORE_ASK_PUT_MORE ? STORE_PIECE_MAX
	              : q->kind == STORE_ASK_LIST   ? STORE_KEY_MAX - 1
	                                            : 0;
	size_t n = q->kind == STORE_ASK_READ   ? STORE_READ_MAX
	           : q->kind == STORE_ASK_HEAD ? STORE_PIECE_MAX
	                                       : 0;

	return q->place <= STORE_PLACE_MAX && q->more <= more && q->n <= n &&
	       (q->place || !has_place(q->kind)) && q->at <= INT64_MAX - STORE_READ_MAX &&
	       memchr(q->tag, '\0', sizeof q->tag) && (!d->heads || q->kind == STORE_ASK_HEAD);
}

static bool serve_question(struct desk *d)
{
	struct store_question q;

	if (!worker_take(d->fd, &q, sizeof q) || !is_question(d, &q) ||
	    !worker_take(d->fd, d->place, q.place) || !worker_take(d->fd, d->more, q.more))
		return false;
	d->place[q.place] = d->more[q.more] = '\0';
	if (is_granted(d, &q))
		answer_question(d, &q);
	return !d->lost;
}

/* Works on beginnings until there is a question. */
static bool wait_for_question(struct desk *d)
{
	struct pollfd p = {.fd = d->fd, .events = POLLIN};

	while (d->heads && !d->lost && poll(&p, 1, 0) == 0)
		s3_client_work(&d->client);
	return !d->lost;
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

/* Another worker's. */
static void forget_catalog_password(void)
{
	char *password = getenv("RTRACK_CATALOG_PASSWORD");

	if (password)
		explicit_bzero(password, strlen(password));
	unsetenv("RTRACK_CATALOG_PASSWORD");
}

/* Reading stays allowed, as name resolution, TLS and tokens need files; writing is not, but into
 * the temporary file, which is open. */
static void keep_network_and_reading(void)
{
	struct landlock r;

	landlock_begin(&r, LANDLOCK_WRITING);
	landlock_end(&r);
	seccomp_enter(SECCOMP_NETWORK);
}

static struct desk *open_desk(int fd, const struct store_worker_job *job)
{
	struct desk *d = calloc(1, sizeof *d);

	if (!d)
		return NULL;
	d->fd = fd;
	d->rights = job->rights;
	s3_spool_init(&d->put, tmpfile_temporary());
	return d;
}

static void serve_desk(struct desk *d, const struct store_worker_job *job)
{
	s3_client_open(&d->client, job->limit_s, d->fd);
	while (wait_for_question(d) && serve_question(d))
		;
	s3_spool_close(&d->put);
	s3_client_close(&d->client);
	for (size_t i = 0; i < STORE_WAITING; i++)
		if (d->head[i].busy)
			s3_client_release(&d->head[i].read.request);
	free(d);
}

void store_worker_answer(int fd, const struct store_worker_job *job)
{
	struct desk *d = open_desk(fd, job);

	if (d)
		serve_desk(d, job);
}

void store_worker_serve(int fd, const void *ctx)
{
	struct desk *d = open_desk(fd, ctx);

	if (!d)
		return;
	prctl(PR_SET_DUMPABLE, 0); /* a core dump would have the keys */
	outlive_signals();
	forget_catalog_password();
	keep_network_and_reading();
	serve_desk(d, ctx);
}
