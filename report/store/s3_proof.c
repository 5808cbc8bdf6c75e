/* s3_proof: whether a store has what was sent to it. */
#include "report/store/s3_proof.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/store/s3_read.h"

void s3_proof_begin(struct s3_proof *given, const struct http_reply *a, const struct s3_sums *sums)
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

	*l = (struct look){.status = *why->msg ? 0 : a->status, .size = a->size, .why = *why};
	if (!*why->msg)
		s3_read_tag(a->etag, l->tag);
}

static int say_unproven(const struct s3_spool *p, const char *what, struct err *e)
{
	char shown[STORE_SHOWN_MAX];

	return err_set(e, "%s: not known to be stored: %s", store_address_shown(p->place, shown),
	               what);
}

/* What HEAD says proves neither that it is there nor that it is not. */
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

int s3_proof_look(const struct s3_spool *p, struct s3_client *c, const struct s3_proof *given,
                  struct err *e)
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
