/*
 * s3_client: signed requests to buckets, from the worker process.
 *
 * Keys are taken when a request is sent. A request is made once more with new keys if the server
 * says that these have expired, and once in another region if it says that the bucket is there.
 */
#ifndef REPORT_STORE_S3_CLIENT_H
#define REPORT_STORE_S3_CLIENT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/base/sha256.h"
#include "report/aws_keys/s3_credentials.h"
#include "report/aws_keys/s3_endpoint.h"
#include "report/http/http_many.h"
#include "report/input/store_address.h"
#include "report/store/s3_error.h"

#define S3_CLIENT_HOMES   16 /* buckets whose region is remembered */
#define S3_CLIENT_HEADERS 4
#define S3_CLIENT_DOUBTS  3 /* times that it is asked again after an odd answer */

struct s3_client {
	struct s3_credentials *credentials;
	struct s3_endpoint endpoint; /* of buckets that were not asked for yet */
	struct {
		char bucket[STORE_BUCKET_MAX];
		struct s3_endpoint endpoint;
	} home[S3_CLIENT_HOMES];
	size_t homes;
	char ca[PATH_MAX];   /* certificates to trust; "": the system's */
	unsigned generation; /* of the keys */
	struct http_many *http;
	long limit_ms;
	uint64_t uncounted; /* requests that http has not counted */
	int wake_fd; /* readable while a request runs: the process that asked ends, or stops it */
	struct err why; /* why there can be no request; or empty */
};

/* limit_s: for everything; 0: none. Failures are kept for the requests. */
void s3_client_open(struct s3_client *c, double limit_s, int wake_fd);
void s3_client_close(struct s3_client *c);

/* A request. All pointers are borrowed until done was called. */
struct s3_request {
	struct store_address to;
	bool of_bucket;      /* not of the key */
	enum s3_doing doing; /* for sentences */
	const char *place;   /* set: an https:// address, as it is; nothing is signed */
	const char *method;
	const char *query; /* sorted, k=v; "": none */
	const char *headers[S3_CLIENT_HEADERS];
	const char *sent; /* or else sent_fd */
	int sent_fd;
	uint64_t sent_at, sent_n;
	const char *digest; /* of what is sent; NULL: nothing is sent */
	size_t body_max;
	bool to_end; /* waited for even if the process that asked has ended */

	/* NULL, or whether an answer is so odd that it is asked for again. */
	bool (*doubts)(const struct s3_request *r, const struct http_reply *a);

	/* why: NULL if the server answered, with any status. */
	void (*done)(struct s3_request *r, const struct http_reply *a, const struct err *why);
	void *ctx;

	/* the client's own */
	struct s3_client *c;
	struct http_call call;
	struct http_sign sign;
	struct buf url;
	char *keys; /* access, secret and token */
	char region[64];
	char digest_header[32 + SHA256_HEX];
	unsigned generation;
	bool moved, refreshed, ended;
	int doubted;
};

/* Sends a request while others run: s3_client_work calls done. -1 with a sentence: it is not sent,
 * and done is not called. */
int s3_client_send(struct s3_client *c, struct s3_request *r, struct err *e);

/* Works on what was sent until something has ended or wake_fd is readable. */
void s3_client_work(struct s3_client *c);

/* Sends it and waits for its end, which done is called with: a failure there is none here. -1: it
 * could not be sent, or the process that asked has ended or stops it. */
int s3_client_run(struct s3_client *c, struct s3_request *r, struct err *e);

/* The same for a request that cleans up: also after the time limit, and if the process
 * that asked has ended. */
int s3_client_clean_up(struct s3_client *c, struct s3_request *r, struct err *e);

/* Frees what a request has, and wipes its keys; done is not called. For one that has not ended when
 * the client is closed. */
void s3_client_release(struct s3_request *r);

uint64_t s3_client_sent(const struct s3_client *c);

/* The sentence for an answer that reports an error. Always returns -1. */
int s3_client_refused(const struct s3_request *r, const struct http_reply *a, struct err *e);

/* Puts the address before the sentence of a request that was not answered. Always returns -1. */
int s3_client_failed(const struct s3_request *r, const struct err *why, struct err *e);

/* Appends "&name=" (without the '&' at the beginning) and the value, encoded. */
void s3_client_query(struct buf *out, const char *name, const char *value);

#endif
