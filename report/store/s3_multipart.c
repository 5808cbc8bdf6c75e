/* s3_multipart: writes a large object in parts. */
#include "report/store/s3_multipart.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/tmpfile.h"
#include "report/aws_keys/s3_xml.h"
#include "report/store/s3_proof.h"
#include "report/store/s3_read.h"

#define COMPLETE_TRIES 3

/* -- how it is divided ------------------------------------------------------------------------- */

uint64_t s3_multipart_part_size(uint64_t total)
{
	const uint64_t mib = (uint64_t)1 << 20;
	uint64_t least = total / S3_MULTIPART_MAX + 1;

	return least <= STORE_PART ? STORE_PART : (least + mib - 1) / mib * mib;
}

size_t s3_multipart_count(uint64_t total)
{
	uint64_t size = s3_multipart_part_size(total);

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

void s3_multipart_xml(struct buf *out, const char (*tags)[STORE_TAG_MAX], size_t n)
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
	    strlen(text) < S3_MULTIPART_ID_MAX)
		memcpy(id, text, strlen(text) + 1);
	return 0;
}

int s3_multipart_id(const char *xml, size_t n, char id[S3_MULTIPART_ID_MAX], struct err *e)
{
	id[0] = '\0';
	if (s3_xml_walk(xml, n, note_upload_id, id, e))
		return -1;
	return *id ? 0 : err_set(e, "the server gives no id for an upload in parts");
}

static int note_completed(void *ctx, const char *path, const char *text, struct err *e)
{
	struct s3_completed *c = ctx;

	(void)e;
	if (strcmp(path, "CompleteMultipartUploadResult") == 0)
		c->whole = true;
	else if (strcmp(path, "CompleteMultipartUploadResult/ETag") == 0)
		snprintf(c->etag, sizeof c->etag, "%s", text);
	else if (strcmp(path, "CompleteMultipartUploadResult/ChecksumCRC64NVME") == 0)
		snprintf(c->crc64, sizeof c->crc64, "%s", text);
	return 0;
}

void s3_multipart_completed(const char *xml, size_t n, struct s3_completed *out)
{
	*out = (struct s3_completed){.etag = ""};
	/* What came before the XML breaks off is of use all the same. */
	if (n)
		s3_xml_walk(xml, n, note_completed, out, NULL);
}

/* -- the upload -------------------------------------------------------------------------------- */

struct upload {
	struct s3_spool *put;
	struct s3_client *c;
	char id[S3_MULTIPART_ID_MAX];
	size_t n;
	char (*tags)[STORE_TAG_MAX];
	struct s3_digest md5s; /* of the parts' MD5s: what the ETag of the whole is made of */
	char md5[33];          /* of the part that is sent now */
	size_t digested;       /* parts whose ETag is their MD5 */
	const struct s3_sums *sums;
	struct s3_proof proof;
	bool known; /* it was read back */

	/* of the last request */
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
	u->why = (struct err){0};
	if (query.failed)
		rc = err_set(e, "%s", strerror(ENOMEM));
	else if (strcmp(r->method, "DELETE") == 0)
		rc = s3_client_clean_up(u->c, r, e);
	else
		rc = s3_client_run(u->c, r, e);
	buf_free(&query);
	if (rc)
		return -1;
	return *u->why.msg ? err_set(e, "%s", u->why.msg) : 0;
}

/* False, with the sentence in u, if the answer is not a success. */
static bool accepted(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct upload *u = r->ctx;

	u->why = *why;
	if (!*why->msg && a->status / 100 != 2)
		s3_client_refused(r, a, &u->why);
	return !*u->why.msg;
}

static void on_begun(struct s3_request *r, const struct http_reply *a, const struct err *why)
{
	struct upload *u = r->ctx;
	struct err e;

	if (accepted(r, a, why) && s3_multipart_id(a->body, a->len, u->id, &e))
		s3_client_failed(r, &e, &u->why);
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
		s3_client_failed(r, &e, &u->why);
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
	uint64_t size = s3_multipart_part_size(u->put->n);
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
static bool parts_prove(const struct upload *u, const struct s3_completed *done, const char *tag)
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
	struct s3_completed done;

	s3_multipart_completed(a->body, a->len, &done);
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

	if (!*why->msg)
		s3_error_parse(&x, a->body, a->len);
	if (accepted(r, a, why) && !*x.code)
		note_proof(u, a);
	else if (!*u->why.msg) {
		u->again = s3_error_is(&x, "InternalError") || s3_error_is(&x, "SlowDown") ||
		           s3_error_is(&x, "ServiceUnavailable");
		s3_client_refused(r, a, &u->why);
	}
	u->forgotten = !*why->msg && s3_error_is(&x, "NoSuchUpload");
}

static void on_look(struct s3_read *r, const char *p, const struct store_range *range,
                    const struct err *why)
{
	struct upload *u = r->ctx;
	const char *dash = strrchr(range->tag, '-');

	(void)p;
	u->known =
	    !*why->msg && range->size == u->put->n && dash && strtoul(dash + 1, NULL, 10) == u->n;
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

	s3_multipart_xml(&xml, (const char(*)[STORE_TAG_MAX])u->tags, u->n);
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
	if (*why->msg || a->status != 404)
		accepted(r, a, why);
}

static void abort_upload(struct upload *u, struct err *e)
{
	struct s3_request r = {.method = "DELETE", .done = on_aborted};
	struct err before = *e;

	if (ask_upload(u, &r, 0, NULL))
		err_set(e, "%s; the parts that were sent could not be removed", before.msg);
}

int s3_multipart_put(struct s3_spool *p, struct s3_client *c, const struct s3_sums *sums,
                     struct err *e)
{
	struct upload u = {.put = p, .c = c, .n = s3_multipart_count(p->n), .sums = sums};
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
