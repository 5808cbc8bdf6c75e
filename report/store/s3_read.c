/* s3_read: a part of an object, by Range. */
#include "report/store/s3_read.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A server, or a proxy before it, may ignore Range and send all of it: small ones are taken. */
#define WHOLE_MAX ((size_t)1 << 20)
#define ERROR_MAX ((size_t)64 << 10) /* the XML of an error */

void s3_read_tag(const char *etag, char out[STORE_TAG_MAX])
{
	size_t n;

	if (strncmp(etag, "W/", 2) == 0)
		etag += 2;
	etag += *etag == '"';
	n = strlen(etag);
	n -= n && etag[n - 1] == '"';
	out[0] = '\0';
	if (n >= STORE_TAG_MAX)
		return;
	for (size_t i = 0; i < n; i++)
		if (!isgraph((unsigned char)etag[i]) || etag[i] == '"')
			return;
	memcpy(out, etag, n);
	out[n] = '\0';
}

static int say_unread(const struct s3_request *q, const char *what, struct err *e)
{
	struct err why;

	err_set(&why, "%s", what);
	return s3_client_failed(q, &why, e);
}

static int say_replaced(const struct s3_request *q, struct err *e)
{
	return say_unread(q, "it was replaced while it was being read", e);
}

static bool says_error(const struct http_reply *a, long status, const char *code)
{
	struct s3_error x;

	if (a->status != status)
		return false;
	s3_error_parse(&x, a->body, a->len);
	return s3_error_is(&x, code);
}

static bool is_other_part(const struct s3_read *r, const struct http_reply *a)
{
	uint64_t left = a->size > r->at ? a->size - r->at : 0;

	return a->at != r->at || a->len != (left < r->n ? left : r->n);
}

/* As from a cache with a part of it: the next answer may be right. */
static bool doubts_part(const struct s3_request *q, const struct http_reply *a)
{
	return a->status == 206 && is_other_part(q->ctx, a);
}

static int judge_part(const struct s3_read *r, const struct http_reply *a, struct store_range *out,
                      struct err *e)
{
	if (!a->ranged || a->size == UINT64_MAX || a->size <= r->at)
		return say_unread(&r->request, "the server does not say which part it sends", e);
	if (is_other_part(r, a))
		return say_unread(&r->request, "the server sends another part than was asked for",
		                  e);
	out->n = a->len;
	out->size = a->size;
	return 0;
}

static int judge_whole(const struct s3_read *r, const struct http_reply *a, struct store_range *out,
                       struct err *e)
{
	if (r->at)
		return say_unread(&r->request,
		                  "the server does not read parts of an object (Range)", e);
	/* As the page on which one signs in to a network. */
	if (!*out->tag)
		return say_unread(&r->request, "the answer is not an object: it has no ETag", e);
	out->n = a->len < r->n ? a->len : r->n;
	out->size = a->len;
	return 0;
}

/* 0, or -1 with a sentence. */
static int judge_reply(const struct s3_read *r, const struct http_reply *a, struct store_range *out,
                       struct err *e)
{
	int rc = -1;

	s3_read_tag(a->etag, out->tag);
	if (a->status == 412 ||
	    (a->status / 100 == 2 && *r->tag && *out->tag && strcmp(r->tag, out->tag) != 0))
		return say_replaced(&r->request, e);
	if (says_error(a, 404, "NoSuchKey")) {
		out->absent = true;
		out->tag[0] = '\0';
		return *r->tag ? say_replaced(&r->request, e) : 0;
	}
	if (a->status == 206)
		rc = judge_part(r, a, out, e);
	else if (a->status == 200)
		rc = judge_whole(r, a, out, e);
	else if (a->status == 416) {
		out->size = r->at ? UINT64_MAX : 0;
		if (a->ranged)
			out->size = a->size;
		memcpy(out->tag, r->tag, sizeof out->tag);
		rc = 0;
	} else {
		out->hidden = says_error(a, 403, "AccessDenied");
		s3_client_refused(&r->request, a, e);
	}
	return rc;
}

static void on_part(struct s3_request *q, const struct http_reply *a, const struct err *why)
{
	struct s3_read *r = q->ctx;
	struct store_range range = {0};
	struct err e;

	if (!why && judge_reply(r, a, &range, &e)) {
		range = (struct store_range){.hidden = range.hidden};
		why = &e;
	}
	r->done(r, range.n ? a->body : "", &range, why);
}

int s3_read_prepare(struct s3_read *r, const char *place, struct err *e)
{
	struct s3_request *q = &r->request;
	uint64_t last = r->at + (r->n ? r->n - 1 : 0);

	*q = (struct s3_request){.doing = S3_READING,
	                         .method = "GET",
	                         .query = "",
	                         .headers = {r->range_header},
	                         .body_max = r->n + (r->at ? ERROR_MAX : WHOLE_MAX),
	                         .doubts = doubts_part,
	                         .done = on_part,
	                         .ctx = r};
	if (store_address_parse(&q->to, place, e))
		return -1;
	snprintf(r->range_header, sizeof r->range_header, "Range: bytes=%" PRIu64 "-%" PRIu64,
	         r->at, last);
	snprintf(r->tag_header, sizeof r->tag_header, "If-Match: \"%s\"", r->tag);
	if (*r->tag)
		q->headers[1] = r->tag_header;
	return 0;
}
