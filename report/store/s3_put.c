/* s3_put: writes one object, whole or not at all. */
#include "report/store/s3_put.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/tmpfile.h"
#include "report/aws_keys/s3_xml.h"
#include "report/store/s3_read.h"

/* -- the proof that what is stored is what was sent -------------------------------------------- */

/* A status of 200 shows that something answered: a network's login page does so too, and the
 * default page of a server. The caller deletes what was sent afterwards, so more is asked for:
 *
 *	s3://     an ETag in the answer (of each part), and then HEAD, which must name the same size
 *	          and ETag. Where the keys may not ask (a policy with s3:PutObject alone), a
 *	          digest of what was sent proves it.
 *	https://  a digest; else HEAD with the same address, which must name the size. The
 *	          signature in such an address is mostly of PUT alone.
 *
 * Digests: the MD5 as ETag, Content-MD5 or in x-goog-hash; x-amz-checksum-crc64nvme. */

/* The evidence in the answer to the writing. */
struct s3_proof {
	long status;
	char tag[STORE_TAG_MAX]; /* "": none */
	bool digested;           /* it names a digest of what was sent */
	bool in_parts;           /* each of its parts had an ETag: the last answer needs none */
};

static void s3_proof_begin(struct s3_proof *given, const struct http_reply *a,
                           const struct s3_sums *sums)
{
	*given = (struct s3_proof){.status = a->status};
	s3_read_tag(a->etag, given->tag);
	given->digested =
	    strcasecmp(given->tag, sums->md5_hex) == 0 || s3_digest_named(sums, a->digests);
}

struct look {
	long status; /* 0: no answer */
	uint64_t size;
	char tag[STORE_TAG_MAX];
	struct err why;
};

static void on_size(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct look *l = r->ctx;

	*l = (struct look){.status = why ? 0 : a->status, .size = a->size};
	if (why)
		l->why = *why;
	else
		s3_read_tag(a->etag, l->tag);
}

static int say_unproven(const struct s3_spool *p, const char *what, struct err *e)
{
	char shown[STORE_SHOWN_MAX];

	return err_set(e, "%s: not known to be stored: %s", store_address_shown(p->place, shown),
	               what);
}

/* The answer to HEAD proves neither that the object is there nor that it is not. */
static int say_unseen(const struct s3_spool *p, const struct s3_proof *given, const struct look *l,
                      struct err *e)
{
	char what[320], status[64] = "";
	const char *why = "does not let us ask for its size";

	if (l->status / 100 == 2)
		why = "does not say its size";
	else if (p->kind == STORE_S3 && l->status == 403)
		why = "the keys may not ask for its size: they need s3:GetObject";
	if (l->status)
		snprintf(status, sizeof status, " (%ld to HEAD)", l->status);
	snprintf(what, sizeof what,
	         "the server answered %ld without a checksum of the file, and %s%s", given->status,
	         why, status);
	return say_unproven(p, what, e);
}

static int judge_look(const struct s3_spool *p, const struct s3_proof *given, const struct look *l,
                      struct err *e)
{
	char what[128];

	if (l->status == 404 || l->status == 410) {
		snprintf(what, sizeof what,
		         "the server answered %ld, and does not have it then (%ld to HEAD)",
		         given->status, l->status);
		return say_unproven(p, what, e);
	}
	if (l->status != 200 || l->size == UINT64_MAX)
		return given->digested ? 0 : say_unseen(p, given, l, e);
	if (l->size != p->n) {
		snprintf(what, sizeof what,
		         "the server has %" PRIu64 " bytes there, and %" PRIu64 " were sent",
		         l->size, p->n);
		return say_unproven(p, what, e);
	}
	if (*given->tag && *l->tag && strcmp(given->tag, l->tag) != 0)
		return say_unproven(p, "the server has another object there (another ETag)", e);
	return 0;
}

/* 0 if it is stored; -1 with a sentence that says why that is not known. */
static int s3_proof_look(const struct s3_spool *p, struct s3_client *c,
                         const struct s3_proof *given, struct err *e)
{
	struct look l = {0};
	struct s3_request r = {.to = p->to,
	                       .doing = S3_READING,
	                       .place = p->kind == STORE_HTTPS ? p->place : NULL,
	                       .method = "HEAD",
	                       .query = "",
	                       .done = on_size,
	                       .ctx = &l};
	char what[64];

	if (p->kind == STORE_HTTPS && given->digested)
		return 0;
	if (p->kind == STORE_S3 && !*given->tag && !given->in_parts) {
		snprintf(what, sizeof what, "the answer (%ld) has no ETag, as no object store's",
		         given->status);
		return say_unproven(p, what, e);
	}
	if (s3_client_run(c, &r, e))
		return -1;
	if (!l.status && !given->digested)
		return err_set(e, "%s", l.why.msg);
	return judge_look(p, given, &l, e);
}

#define COMPLETE_TRIES 3
#define CONFLICT_TRIES 4

/* -- in parts: how it is divided --------------------------------------------------------------- */

uint64_t s3_put_part_size(uint64_t total)
{
	const uint64_t mib = (uint64_t)1 << 20;
	uint64_t least = total / S3_PUT_PARTS_MAX + 1;

	return least <= STORE_PART ? STORE_PART : (least + mib - 1) / mib * mib;
}

size_t s3_put_parts(uint64_t total)
{
	uint64_t size = s3_put_part_size(total);

	return (size_t)((total + size - 1) / size);
}

static void add_xml_text(struct buf *out, const char *text)
{
	for (const char *p = text; *p; p++)
		switch (*p) {
		case '&':
			buf_str(out, "&amp;");
			break;
		case '<':
			buf_str(out, "&lt;");
			break;
		case '>':
			buf_str(out, "&gt;");
			break;
		default:
			buf_char(out, *p);
		}
}

void s3_put_xml(struct buf *out, const char (*tags)[STORE_TAG_MAX], size_t n)
{
	buf_str(out, "<CompleteMultipartUpload>");
	for (size_t i = 0; i < n; i++) {
		buf_printf(out, "<Part><PartNumber>%zu</PartNumber><ETag>&quot;", i + 1);
		add_xml_text(out, tags[i]);
		buf_str(out, "&quot;</ETag></Part>");
	}
	buf_str(out, "</CompleteMultipartUpload>");
}

static int note_upload_id(void *ctx, const char *path, const char *text, struct err *e)
{
	char *id = ctx;

	(void)e;
	if (strcmp(path, "InitiateMultipartUploadResult/UploadId") == 0 &&
	    strlen(text) < S3_PUT_ID_MAX)
		memcpy(id, text, strlen(text) + 1);
	return 0;
}

int s3_put_id(const char *xml, size_t n, char id[S3_PUT_ID_MAX], struct err *e)
{
	id[0] = '\0';
	if (s3_xml_walk(xml, n, note_upload_id, id, e))
		return -1;
	return *id ? 0 : err_set(e, "the server gives no id for an upload in parts");
}

/* The answer to the end of an upload; "" where it does not have a value. */
struct completed {
	bool whole; /* it is such an answer, to its end */
	char etag[STORE_TAG_MAX + 2], crc64[32];
};

static int note_completed(void *ctx, const char *path, const char *text, struct err *e)
{
	struct completed *c = ctx;

	(void)e;
	if (strcmp(path, "CompleteMultipartUploadResult") == 0)
		c->whole = true;
	else if (strcmp(path, "CompleteMultipartUploadResult/ETag") == 0)
		snprintf(c->etag, sizeof c->etag, "%s", text);
	else if (strcmp(path, "CompleteMultipartUploadResult/ChecksumCRC64NVME") == 0)
		snprintf(c->crc64, sizeof c->crc64, "%s", text);
	return 0;
}

static void read_completed(const char *xml, size_t n, struct completed *out)
{
	*out = (struct completed){.etag = ""};
	/* Elements before the place where the XML breaks off are of use all the same. */
	if (n)
		s3_xml_walk(xml, n, note_completed, out, NULL);
}

/* -- in parts: the upload ---------------------------------------------------------------------- */

struct upload {
	struct s3_spool *put;
	struct s3_client *c;
	char id[S3_PUT_ID_MAX];
	size_t n;
	char (*tags)[STORE_TAG_MAX];
	struct s3_digest md5s; /* of the parts' MD5s: what the ETag of the whole is made of */
	char md5[33];          /* of the part that is sent now */
	size_t digested;       /* parts whose ETag is their MD5 */
	const struct s3_sums *sums;
	struct s3_proof proof;
	bool known; /* it was read back */

	/* of the last request */
	int rc; /* 0: it was accepted; -1: why it was not */
	struct err why;
	char tag[STORE_TAG_MAX];
	bool again, forgotten;
};

/* One request of the upload; the answer is in u. */
static int ask_upload(struct upload *u, struct s3_request *r, size_t part, struct err *e)
{
	struct buf query = {0};
	int rc;

	if (part) {
		char number[24];
		snprintf(number, sizeof number, "%zu", part);
		s3_client_query(&query, "partNumber", number);
	}
	s3_client_query(&query, *u->id ? "uploadId" : "uploads", u->id);
	r->to = u->put->to;
	r->doing = S3_WRITING;
	r->query = buf_cstr(&query);
	r->ctx = u;
	u->rc = 0;
	if (query.failed)
		rc = err_set(e, "%s", strerror(ENOMEM));
	else if (strcmp(r->method, "DELETE") == 0)
		rc = s3_client_clean_up(u->c, r, e);
	else
		rc = s3_client_run(u->c, r, e);
	buf_free(&query);
	if (rc)
		return -1;
	return u->rc ? err_set(e, "%s", u->why.msg) : 0;
}

/* False, with the sentence in u, if the answer is not a success. */
static bool accepted(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct upload *u = r->ctx;

	u->rc = -1;
	if (why)
		u->why = *why;
	else if (a->status / 100 != 2)
		s3_client_refused(r, a, &u->why);
	else
		u->rc = 0;
	return !u->rc;
}

static void on_begun(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct upload *u = r->ctx;
	struct err e;

	if (accepted(r, a, why) && s3_put_id(a->body, a->len, u->id, &e))
		u->rc = s3_client_failed(r, &e, &u->why);
}

static int begin_upload(struct upload *u, struct err *e)
{
	struct s3_request r = {.method = "POST",
	                       .headers = {s3_spool_type(u->put->place)},
	                       .done = on_begun,
	                       .to_end = true};

	return ask_upload(u, &r, 0, e);
}

static void on_part_sent(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct upload *u = r->ctx;
	struct err e;

	if (!accepted(r, a, why))
		return;
	s3_read_tag(a->etag, u->tag);
	if (!*u->tag) {
		err_set(&e, "the server gives no ETag for a part");
		u->rc = s3_client_failed(r, &e, &u->why);
	}
}

static int digest_part(struct upload *u, uint64_t at, uint64_t n, char digest[SHA256_HEX])
{
	struct s3_spool *p = u->put;
	struct s3_digest md5;
	struct s3_sums sums;
	struct sha256 s;
	char piece[16384];

	sha256_begin(&s);
	s3_digest_begin(&md5);
	while (n) {
		size_t some = n < sizeof piece ? (size_t)n : sizeof piece;
		if (tmpfile_read(p->fd, piece, some, (off_t)at))
			return -1;
		sha256_add(&s, piece, some);
		s3_digest_add(&md5, piece, some);
		at += some;
		n -= some;
	}
	sha256_end(&s, digest);
	s3_digest_end(&md5, &sums);
	s3_digest_add(&u->md5s, sums.md5, sizeof sums.md5);
	memcpy(u->md5, sums.md5_hex, sizeof u->md5);
	return 0;
}

static int send_parts(struct upload *u, struct err *e)
{
	uint64_t size = s3_put_part_size(u->put->n);
	char digest[SHA256_HEX];

	for (size_t i = 0; i < u->n; i++) {
		uint64_t at = i * size, left = u->put->n - at, n = left < size ? left : size;
		struct s3_request r = {.method = "PUT",
		                       .sent_fd = u->put->fd,
		                       .sent_at = at,
		                       .sent_n = n,
		                       .digest = digest,
		                       .done = on_part_sent};
		if (digest_part(u, at, n, digest))
			return err_set(e, "%s: the temporary file: %s", u->put->place,
			               strerror(errno));
		if (ask_upload(u, &r, i + 1, e))
			return -1;
		memcpy(u->tags[i], u->tag, STORE_TAG_MAX);
		u->digested += strcasecmp(u->tag, u->md5) == 0;
	}
	return 0;
}

/* Where the ETags of all parts are their MD5s, so is that of the whole: of these MD5s. radosgw
 * leaves it empty. */
static bool parts_prove(const struct upload *u, const struct completed *done, const char *tag)
{
	struct s3_digest md5s = u->md5s;
	struct s3_sums sums;
	char ours[STORE_TAG_MAX];

	s3_digest_end(&md5s, &sums);
	snprintf(ours, sizeof ours, "%s-%zu", sums.md5_hex, u->n);
	return done->whole && u->digested == u->n && (!*tag || strcmp(tag, ours) == 0);
}

static void note_proof(struct upload *u, const struct http_reply *a)
{
	struct http_reply said = {.status = a->status};
	struct completed done;

	read_completed(a->body, a->len, &done);
	snprintf(said.etag, sizeof said.etag, "%s", done.etag);
	snprintf(said.digests, sizeof said.digests, "%s", done.crc64);
	s3_proof_begin(&u->proof, &said, u->sums);
	u->proof.digested |= parts_prove(u, &done, u->proof.tag);
	u->proof.in_parts = true;
}

/* 200 may come before the end of the work, and the body be an error then. */
static void on_completed(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct upload *u = r->ctx;
	struct s3_error x;

	if (!why)
		s3_error_parse(&x, a->body, a->len);
	if (accepted(r, a, why) && !*x.code) {
		note_proof(u, a);
	} else if (!u->rc) {
		u->again = s3_error_is(&x, "InternalError") || s3_error_is(&x, "SlowDown") ||
		           s3_error_is(&x, "ServiceUnavailable");
		u->rc = s3_client_refused(r, a, &u->why);
	}
	u->forgotten = !why && s3_error_is(&x, "NoSuchUpload");
}

static void on_look(struct s3_read *r, const char *p, const struct store_range *range,
                    const struct err *why)
{
	struct upload *u = r->ctx;
	const char *dash = strrchr(range->tag, '-');

	(void)p;
	u->known = !why && range->size == u->put->n && dash && strtoul(dash + 1, NULL, 10) == u->n;
}

/* If an answer was lost, the try before may have completed it. libcurl tries again by itself, too,
 * when a kept connection turns out to be closed. */
static int look_for_object(struct upload *u, struct err *e)
{
	struct s3_read r = {.n = 1, .done = on_look, .ctx = u};

	if (s3_read_prepare(&r, u->put->place, NULL) || s3_client_run(u->c, &r.request, NULL) ||
	    !u->known)
		return -1;
	*e = (struct err){0};
	return 0;
}

static int complete_upload(struct upload *u, struct err *e)
{
	struct buf xml = {0};
	char digest[SHA256_HEX];
	struct sha256 s;
	int rc = -1;

	s3_put_xml(&xml, (const char(*)[STORE_TAG_MAX])u->tags, u->n);
	sha256_begin(&s);
	sha256_add(&s, buf_cstr(&xml), xml.len);
	sha256_end(&s, digest);
	if (xml.failed)
		err_set(e, "%s", strerror(ENOMEM));
	for (int i = 0; !xml.failed && rc && i < COMPLETE_TRIES && (!i || u->again); i++) {
		struct s3_request r = {.method = "POST",
		                       .headers = {"Content-Type: application/xml"},
		                       .sent = xml.s,
		                       .sent_n = xml.len,
		                       .digest = digest,
		                       .done = on_completed,
		                       .to_end = true};
		u->again = u->forgotten = false;
		rc = ask_upload(u, &r, 0, e);
	}
	if (rc && u->forgotten)
		rc = look_for_object(u, e);
	buf_free(&xml);
	return rc;
}

static void on_aborted(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	if (why || a->status != 404)
		accepted(r, a, why);
}

static void abort_upload(struct upload *u, struct err *e)
{
	struct s3_request r = {.method = "DELETE", .done = on_aborted};
	struct err before = *e;

	if (ask_upload(u, &r, 0, NULL))
		err_set(e, "%s; the parts that were sent could not be removed", before.msg);
}

/* sums: of all of it. 0: it is stored. */
static int upload_in_parts(struct s3_spool *p, struct s3_client *c, const struct s3_sums *sums,
                           struct err *e)
{
	struct upload u = {.put = p, .c = c, .n = s3_put_parts(p->n), .sums = sums};
	int rc;

	u.tags = calloc(u.n, sizeof *u.tags);
	if (!u.tags)
		return err_set(e, "%s: %s", p->place, strerror(ENOMEM));
	s3_digest_begin(&u.md5s);
	rc = begin_upload(&u, e);
	if (!rc && (send_parts(&u, e) || complete_upload(&u, e))) {
		abort_upload(&u, e);
		rc = -1;
	}
	free(u.tags);
	return rc || u.known ? rc : s3_proof_look(p, c, &u.proof, e);
}

/* -- in one request ---------------------------------------------------------------------------- */

struct put_answer {
	const struct s3_sums *sums;
	struct s3_proof proof;
	long status;
	bool known; /* it was read back: it is stored */
	int rc;     /* 0: it was accepted; -1: why it was not */
	struct err why;
};

static void on_put(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct put_answer *answer = r->ctx;
	struct s3_error x;

	answer->status = why ? 0 : a->status;
	answer->rc = why ? -1 : 0;
	if (why) {
		answer->why = *why;
		return;
	}
	s3_error_parse(&x, a->body, a->len);
	s3_proof_begin(&answer->proof, a, answer->sums);
	if (a->status / 100 != 2 || *x.code)
		answer->rc = s3_client_refused(r, a, &answer->why);
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
	int rc; /* -1: why it could not be read */
	struct err why;
};

static void on_compared(struct s3_read *r, const char *p, const struct store_range *range,
                        const struct err *why)
{
	struct piece *piece = r->ctx;
	char ours[1024];
	size_t n = 0;

	if (why) {
		piece->rc = -1;
		piece->why = *why;
	}
	piece->there = !why && !range->absent;
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
	return piece->rc ? err_set(e, "%s", piece->why.msg) : 0;
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
	if (answer->rc)
		return err_set(e, "%s", answer->why.msg);
	return s3_proof_look(p, c, &answer->proof, e);
}

static int put_in_parts(struct s3_spool *p, struct s3_client *c, const struct s3_sums *sums,
                        bool *exists, struct err *e)
{
	if (p->only_new && (look_first(p, c, exists, e) || *exists))
		return *exists ? 0 : -1;
	return upload_in_parts(p, c, sums, e);
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
