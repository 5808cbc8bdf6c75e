/* s3_client: signed requests to buckets, from the worker process. */
#include "report/store/s3_client.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "report/store/store_protocol.h"

#define CLEAN_UP_MS 10000L
#define LIMIT_MAX_S ((double)(LONG_MAX / 2000))

static const char DIGEST_OF_NOTHING[] =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

static double wall_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void s3_client_open(struct s3_client *c, double limit_s, int wake_fd)
{
	bool limited = limit_s > 0 && limit_s < LIMIT_MAX_S;

	*c = (struct s3_client){.wake_fd = wake_fd};
	c->limit_ms = limited ? (long)(limit_s * 1000) : HTTP_MANY_NO_LIMIT;
	c->credentials = s3_credentials_new(&c->why); /* has copies */
	s3_credentials_forget();
	c->http = http_many_new(STORE_AT_ONCE, c->limit_ms, &c->why);
	if (c->credentials && c->http)
		s3_endpoint_find(&c->endpoint, c->ca, &c->why);
}

void s3_client_close(struct s3_client *c)
{
	http_many_free(c->http);
	s3_credentials_free(c->credentials);
	*c = (struct s3_client){.wake_fd = -1};
}

/* -- regions ----------------------------------------------------------------------------------- */

static struct s3_endpoint *home_of(struct s3_client *c, const char *bucket)
{
	for (size_t i = 0; i < c->homes; i++)
		if (strcmp(c->home[i].bucket, bucket) == 0)
			return &c->home[i].endpoint;
	return &c->endpoint;
}

/* Whether the bucket is elsewhere than where it was asked for. */
static bool move_bucket(struct s3_client *c, const char *bucket, const char *asked,
                        const char *region)
{
	struct s3_endpoint *p = home_of(c, bucket), new = *p;

	if (strcmp(p->region, asked) != 0) /* another request learnt it meanwhile */
		return true;
	if (!s3_endpoint_move(&new, region))
		return false;
	if (p == &c->endpoint) {
		size_t i = c->homes < S3_CLIENT_HOMES ? c->homes++ : S3_CLIENT_HOMES - 1;
		snprintf(c->home[i].bucket, sizeof c->home[i].bucket, "%s", bucket);
		p = &c->home[i].endpoint;
	}
	*p = new;
	return true;
}

static bool says_other_region(const struct http_reply *a, const struct s3_error *x)
{
	return a->status == 301 || a->status == 307 || s3_error_is(x, "PermanentRedirect") ||
	       s3_error_is(x, "AuthorizationHeaderMalformed") ||
	       s3_error_is(x, "IllegalLocationConstraintException") ||
	       s3_error_is(x, "InvalidRegion");
}

/* -- one request ------------------------------------------------------------------------------- */

static const char *request_place(const struct s3_request *r, char shown[STORE_SHOWN_MAX])
{
	char address[sizeof "s3://" + STORE_BUCKET_MAX + STORE_KEY_MAX];

	if (r->place)
		return store_address_shown(r->place, shown);
	snprintf(address, sizeof address, "s3://%s/%s", r->to.bucket, r->to.key);
	return store_address_shown(address, shown);
}

int s3_client_failed(const struct s3_request *r, const struct err *why, struct err *e)
{
	char shown[STORE_SHOWN_MAX];

	return err_set(e, "%s: %s", request_place(r, shown), why->msg);
}

void s3_client_release(struct s3_request *r)
{
	buf_free(&r->url);
	r->url = (struct buf){0};
	if (r->keys)
		explicit_bzero(r->keys, strlen(r->keys));
	if (r->sign.secret)
		explicit_bzero((char *)r->sign.secret, strlen(r->sign.secret));
	free(r->keys);
	r->keys = NULL;
	r->sign = (struct http_sign){0};
}

static void add_call_header(struct s3_request *r, const char *header)
{
	size_t i = 0;

	while (r->call.headers[i])
		i++;
	r->call.headers[i] = header;
}

/* The keys are copied: others may be taken while this request runs. */
static int sign_request(struct s3_request *r, struct err *e)
{
	const struct s3_keys *k = s3_credentials_get(r->c->credentials, wall_clock(), e);
	static const char token[] = "x-amz-security-token: ";
	size_t access, secret, size;

	if (!k)
		return -1;
	access = strlen(k->access) + 1;
	secret = strlen(k->secret) + 1;
	size = access + secret + sizeof token + strlen(k->token);
	r->keys = malloc(size);
	if (!r->keys)
		return err_set(e, "%s", strerror(ENOMEM));
	memcpy(r->keys, k->access, access);
	memcpy(r->keys + access, k->secret, secret);
	snprintf(r->keys + access + secret, sizeof token + strlen(k->token), "%s%s", token,
	         k->token);
	r->sign = (struct http_sign){r->keys, r->keys + access, r->region, "s3"};
	r->call.sign = &r->sign;
	snprintf(r->digest_header, sizeof r->digest_header, "x-amz-content-sha256: %s",
	         r->digest ? r->digest : DIGEST_OF_NOTHING);
	add_call_header(r, r->digest_header);
	if (*k->token)
		add_call_header(r, r->keys + access + secret);
	return 0;
}

static void on_reply(struct http_call *call, const struct http_reply *a, const struct err *why);

static int build_call(struct s3_request *r, struct err *e)
{
	const struct s3_endpoint *p = home_of(r->c, r->to.bucket);

	r->call = (struct http_call){
	    .method = r->method,
	    .sent = r->sent,
	    .sent_fd = r->sent_fd,
	    .sent_at = r->sent_at,
	    .sent_n = r->sent_n,
	    .body_max = r->body_max,
	    .done = on_reply,
	    .ctx = r,
	};
	for (size_t i = 0; i < S3_CLIENT_HEADERS && r->headers[i]; i++)
		add_call_header(r, r->headers[i]);
	if (r->place) {
		r->call.url = r->place;
		return 0;
	}
	r->call.clear = p->clear;
	r->call.ca_file = *r->c->ca ? r->c->ca : NULL;
	snprintf(r->region, sizeof r->region, "%s", p->region);
	r->generation = r->c->generation;
	s3_endpoint_url(p, r->to.bucket, r->of_bucket ? NULL : r->to.key, r->query, &r->url);
	r->call.url = buf_cstr(&r->url);
	if (r->url.failed)
		return err_set(e, "%s", strerror(ENOMEM));
	return sign_request(r, e);
}

int s3_client_send(struct s3_client *c, struct s3_request *r, struct err *e)
{
	struct err why = c->why;

	r->c = c;
	r->ended = false;
	if ((*why.msg && !r->place) || !c->http || build_call(r, &why) ||
	    http_many_add(c->http, &r->call, &why)) {
		s3_client_failed(r, &why, e);
		s3_client_release(r);
		r->ended = true;
		return -1;
	}
	return 0;
}

/* Whether it is of use to ask once more: elsewhere, or with other keys. */
static bool may_ask_again(struct s3_request *r, const struct http_reply *a)
{
	struct s3_client *c = r->c;
	struct s3_error x;

	if (r->doubts && r->doubted < S3_CLIENT_DOUBTS && r->doubts(r, a)) {
		r->doubted++;
		return true;
	}
	if (a->status < 300 || r->place)
		return false;
	s3_error_parse(&x, a->body, a->len);
	if (says_other_region(a, &x) && !r->moved) {
		r->moved = true;
		return move_bucket(c, r->to.bucket, r->region, *a->region ? a->region : x.region);
	}
	if (!s3_error_expired(&x) || r->refreshed)
		return false;
	r->refreshed = true;
	if (r->generation == c->generation) { /* else, another request has taken new ones */
		if (!s3_credentials_refresh(c->credentials))
			return false;
		c->generation++;
	}
	return true;
}

static void on_reply(struct http_call *call, const struct http_reply *a, const struct err *why)
{
	struct s3_request *r = call->ctx;
	struct err e;

	if (why) {
		s3_client_failed(r, why, &e);
		why = &e;
	} else if (may_ask_again(r, a)) {
		s3_client_release(r);
		if (s3_client_send(r->c, r, &e) == 0)
			return;
		why = &e;
	}
	r->ended = true;
	r->done(r, a, why);
	s3_client_release(r);
}

void s3_client_work(struct s3_client *c)
{
	if (c->http)
		http_many_work(c->http, c->wake_fd, -1);
}

/* The caller blocks until the answer arrives. */
static bool has_gone(struct s3_client *c)
{
	struct pollfd p = {.fd = c->wake_fd, .events = POLLIN};

	return c->wake_fd >= 0 && poll(&p, 1, 0) > 0;
}

/* It has ended, or asks for something else: STORE_ASK_STOP. */
static int give_up(struct s3_client *c, struct s3_request *r, struct err *e)
{
	char byte;
	bool asks = recv(c->wake_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;

	c->uncounted += http_many_sent(c->http);
	http_many_free(c->http);
	c->http = NULL;
	s3_client_release(r);
	if (asks)
		c->http = http_many_new(STORE_AT_ONCE, c->limit_ms, &c->why);
	else
		err_set(&c->why, "the process that asked has ended");
	return err_set(e, "%s", asks ? "stopped" : c->why.msg);
}

int s3_client_run(struct s3_client *c, struct s3_request *r, struct err *e)
{
	if (s3_client_send(c, r, e))
		return -1;
	while (!r->ended) {
		if (!r->to_end && has_gone(c))
			return give_up(c, r, e);
		http_many_work(c->http, r->to_end ? -1 : c->wake_fd, -1);
	}
	return 0;
}

int s3_client_clean_up(struct s3_client *c, struct s3_request *r, struct err *e)
{
	struct http_many *before = c->http;
	struct err why = c->why;
	int rc;

	c->why.msg[0] = '\0';
	c->http = http_many_new(1, CLEAN_UP_MS, &c->why);
	r->to_end = true;
	rc = s3_client_run(c, r, e);
	if (c->http)
		c->uncounted += http_many_sent(c->http);
	http_many_free(c->http);
	c->http = before;
	c->why = why;
	return rc;
}

uint64_t s3_client_sent(const struct s3_client *c)
{
	return c->uncounted + (c->http ? http_many_sent(c->http) : 0);
}

/* -- sentences --------------------------------------------------------------------------------- */

static double http_date(const char *text)
{
	struct tm t = {0};

	return strptime(text, "%a, %d %b %Y %H:%M:%S GMT", &t) ? (double)timegm(&t) : NAN;
}

int s3_client_refused(const struct s3_request *r, const struct http_reply *a, struct err *e)
{
	static const char token[] = "x-amz-security-token: ";
	const char *secrets[4] = {NULL}, *sent = NULL;
	char shown[STORE_SHOWN_MAX];
	struct s3_error x;

	for (size_t i = 0; i < HTTP_HEADERS_MAX && r->call.headers[i]; i++)
		if (strncmp(r->call.headers[i], token, sizeof token - 1) == 0)
			sent = r->call.headers[i] + sizeof token - 1;
	if (r->keys) {
		secrets[0] = r->sign.secret;
		secrets[1] = r->sign.access;
		secrets[2] = sent;
	}
	s3_error_parse(&x, a->body, a->len);
	return s3_error_say(&(struct s3_refusal){.place = request_place(r, shown),
	                                         .doing = r->doing,
	                                         .status = a->status,
	                                         .request_id = a->request_id,
	                                         .secrets = secrets,
	                                         .server_now = http_date(a->date),
	                                         .now = wall_clock()},
	                    &x, e);
}

/* -- queries ----------------------------------------------------------------------------------- */

/* '/' is encoded as well: the signature is made over the query as it is in the URL. */
void s3_client_query(struct buf *out, const char *name, const char *value)
{
	struct buf v = {0};

	store_address_encode(&v, value);
	buf_printf(out, "%s%s=", out->len ? "&" : "", name);
	for (const char *p = buf_cstr(&v); *p; p++)
		if (*p == '/')
			buf_str(out, "%2F");
		else
			buf_char(out, *p);
	out->failed |= v.failed;
	buf_free(&v);
}
