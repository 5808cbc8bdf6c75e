/* s3_put: writes one object, whole or not at all. */
#include "report/store/s3_put.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "core/base/tmpfile.h"
#include "report/store/s3_multipart.h"
#include "report/store/s3_proof.h"
#include "report/store/s3_read.h"

#define CONFLICT_TRIES 4

/* -- in one request ---------------------------------------------------------------------------- */

struct put_answer {
	const struct s3_sums *sums;
	struct s3_proof proof;
	long status;
	bool known;     /* it was read back: it is stored */
	struct err why; /* empty: it was accepted */
};

static void on_put(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct put_answer *answer = r->ctx;

	struct s3_error x;

	answer->why = *why;
	answer->status = *why->msg ? 0 : a->status;
	if (*why->msg)
		return;
	s3_error_parse(&x, a->body, a->len);
	s3_proof_begin(&answer->proof, a, answer->sums);
	if (a->status / 100 != 2 || *x.code)
		s3_client_refused(r, a, &answer->why);
}

/* Azure wants to know what kind of blob it is. Its signatures have sv= and sig=. */
static bool is_azure(const char *url)
{
	const char *query = strchr(url, '?');

	return query && (strstr(query, "?sv=") || strstr(query, "&sv=")) &&
	       (strstr(query, "?sig=") || strstr(query, "&sig="));
}

static int put_once(struct s3_spool *p, struct s3_client *c, bool only_new, const char *digest,
                    struct put_answer *answer, struct err *e)
{
	struct s3_request r = {.to = p->to,
	                       .doing = S3_WRITING,
	                       .method = "PUT",
	                       .query = "",
	                       .headers = {s3_spool_type(p->place)},
	                       .sent_fd = p->fd,
	                       .sent_n = p->n,
	                       .digest = digest,
	                       .done = on_put,
	                       .ctx = answer};
	size_t n = 1;

	if (only_new)
		r.headers[n++] = "If-None-Match: *";
	if (p->kind == STORE_HTTPS) {
		r.place = p->place;
		r.doing = S3_SENDING;
		if (is_azure(p->place))
			r.headers[n++] = "x-ms-blob-type: BlockBlob";
	}
	return s3_client_run(c, &r, e);
}

/* -- only if there is none --------------------------------------------------------------------- */

struct piece {
	struct s3_spool *put;
	bool there, same;
	struct err why;
};

static void on_compared(struct s3_read *r, const char *p, const struct store_range *range,
                        const struct err *why)
{
	struct piece *piece = r->ctx;
	char ours[1024];
	size_t n = 0;

	piece->why = *why;
	piece->there = !*why->msg && !range->absent;
	piece->same = piece->there && range->size == piece->put->n;
	for (; piece->same && n < range->n; n += sizeof ours) {
		size_t some = range->n - n < sizeof ours ? range->n - n : sizeof ours;
		piece->same = !tmpfile_read(piece->put->fd, ours, some, (off_t)(r->at + n)) &&
		              memcmp(ours, p + n, some) == 0;
	}
}

static int read_piece(struct s3_spool *p, struct s3_client *c, uint64_t at, size_t n,
                      struct piece *piece, struct err *e)
{
	struct s3_read r = {.at = at, .n = n, .done = on_compared, .ctx = piece};

	*piece = (struct piece){.put = p};
	if (s3_read_prepare(&r, p->place, e) || s3_client_run(c, &r.request, e))
		return -1;
	return *piece->why.msg ? err_set(e, "%s", piece->why.msg) : 0;
}

/* If an answer was lost, the object that is there may be ours, of the try before. libcurl tries
 * again by itself when a kept connection turns out to be closed, so the number of tries does not
 * say it. With keys that may not read, it counts as another's. */
static bool is_ours(struct s3_spool *p, struct s3_client *c)
{
	struct piece piece = {.same = true};

	for (uint64_t at = 0, n = STORE_PIECE_MAX; piece.same && at < p->n; at += n) {
		n = at ? STORE_READ_MAX : STORE_PIECE_MAX; /* most differ soon */
		if (read_piece(p, c, at, n, &piece, NULL))
			return false;
	}
	return piece.same && p->n;
}

static int look_first(struct s3_spool *p, struct s3_client *c, bool *exists, struct err *e)
{
	struct piece piece;

	if (read_piece(p, c, 0, 1, &piece, e))
		return -1;
	*exists = piece.there;
	return 0;
}

static void pause_a_little(const struct s3_client *c, int n)
{
	struct pollfd p = {.fd = c->wake_fd, .events = POLLIN};

	poll(&p, 1, 200 << n);
}

/* 409: another client writes this object now; the store refuses one of both later. */
static int put_new(struct s3_spool *p, struct s3_client *c, const char *digest,
                   struct put_answer *answer, bool *exists, struct err *e)
{
	for (int n = 0; n < CONFLICT_TRIES; n++) {
		if (n)
			pause_a_little(c, n);
		if (put_once(p, c, true, digest, answer, e))
			return -1;
		if (answer->status != 409)
			break;
	}
	if (answer->status == 412) {
		*exists = p->kind != STORE_S3 || !is_ours(p, c);
		answer->known = !*exists;
		return 0;
	}
	if (answer->status == 501 && p->kind == STORE_S3) { /* it does not know the condition */
		if (look_first(p, c, exists, e) || *exists)
			return *exists ? 0 : -1;
		if (put_once(p, c, false, digest, answer, e))
			return -1;
	}
	return 0;
}

static int put_whole(struct s3_spool *p, struct s3_client *c, const char *digest,
                     struct put_answer *answer, bool *exists, struct err *e)
{
	int rc = p->only_new ? put_new(p, c, digest, answer, exists, e)
	                     : put_once(p, c, false, digest, answer, e);

	if (rc || *exists || answer->known)
		return rc;
	if (*answer->why.msg)
		return err_set(e, "%s", answer->why.msg);
	return s3_proof_look(p, c, &answer->proof, e);
}

static int put_in_parts(struct s3_spool *p, struct s3_client *c, const struct s3_sums *sums,
                        bool *exists, struct err *e)
{
	if (p->only_new && (look_first(p, c, exists, e) || *exists))
		return *exists ? 0 : -1;
	return s3_multipart_put(p, c, sums, e);
}

int s3_put_send(struct s3_spool *p, struct s3_client *c, bool *exists, struct err *e)
{
	struct s3_sums sums;
	struct put_answer answer = {.sums = &sums};
	char digest[SHA256_HEX];
	int rc;

	*exists = false;
	sha256_end(&p->digest, digest);
	s3_digest_end(&p->sums, &sums);
	if (!p->open || *p->why.msg)
		rc = err_set(e, "%s", p->open ? p->why.msg : "nothing was begun to be written");
	else if (p->kind == STORE_S3 && p->n > STORE_PART_AT)
		rc = put_in_parts(p, c, &sums, exists, e);
	else
		rc = put_whole(p, c, digest, &answer, exists, e);
	s3_spool_drop(p);
	return rc;
}
