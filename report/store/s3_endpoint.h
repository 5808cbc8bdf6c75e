/*
 * s3_endpoint: which server a bucket is on: scheme, host, style and region.
 *
 * AWS_ENDPOINT_URL_S3, else AWS_ENDPOINT_URL, else endpoint_url of the profile: path style
 * (https://host/bucket/key). Without one: https://bucket.s3.REGION.amazonaws.com/key (amazonaws.com.cn
 * for cn-…); a bucket with a dot in its name in path style, because certificates do not cover it. Region:
 * AWS_REGION, AWS_DEFAULT_REGION, that of the profile, else us-east-1.
 */
#ifndef REPORT_STORE_S3_ENDPOINT_H
#define REPORT_STORE_S3_ENDPOINT_H

#include <stdbool.h>

#include "core/buf.h"
#include "core/err.h"
#include "report/store/store_address.h"

struct s3_endpoint {
	char base[512]; /* "https://host[:port][/path]", without a slash at its end; "": AWS' own */
	char region[64];
	bool clear; /* http:// */
};

/* Of the environment and the profile. -1 with a sentence that never quotes a password in a URL. */
int s3_endpoint_find(struct s3_endpoint *p, struct err *e);

/* Appends the URL of an object, or with key NULL of the bucket, and "?query" unless query is "". */
void s3_endpoint_url(const struct s3_endpoint *p, const char *bucket, const char *key,
                     const char *query, struct buf *out);

/* The server told the bucket's region (x-amz-bucket-region): whether requests should go there. */
bool s3_endpoint_move(struct s3_endpoint *p, const char *region);

#endif
