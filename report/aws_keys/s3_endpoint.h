/*
 * s3_endpoint: which server a bucket is on: scheme, host, style and region.
 *
 * AWS_ENDPOINT_URL_S3, else AWS_ENDPOINT_URL, else the profile's endpoint_url (of its services
 * first): path style (https://host/bucket/key), or virtual-host style where the profile says so
 * (s3.addressing_style). Without one: https://bucket.s3.REGION.amazonaws.com/key (amazonaws.com.cn
 * for cn-…); in path style a bucket that the certificate of such a host does not cover, as one with
 * a dot. Region: AWS_REGION, AWS_DEFAULT_REGION, that of the profile, else us-east-1.
 */
#ifndef REPORT_AWS_KEYS_S3_ENDPOINT_H
#define REPORT_AWS_KEYS_S3_ENDPOINT_H

#include <limits.h>
#include <stdbool.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/input/store_address.h"

enum s3_style {
	S3_STYLE_AUTO,    /* AWS' own: virtual where the bucket's name allows it; others: path */
	S3_STYLE_PATH,    /* https://host/bucket/key */
	S3_STYLE_VIRTUAL, /* https://bucket.host/key, where the bucket's name allows it */
};

struct s3_endpoint {
	char base[512]; /* "https://host[:port][/path]", without a slash at its end; "": AWS' own */
	char region[64];
	bool clear; /* http:// */
	enum s3_style style;
	bool dualstack, fips; /* of AWS' own */
};

/* Finds the endpoint in the environment and the profile. ca: certificates to trust (s3_profile_ca).
 * -1 with a sentence that never quotes a password in a URL. */
int s3_endpoint_find(struct s3_endpoint *p, char ca[PATH_MAX], struct err *e);

/* Appends the URL of an object, or with key NULL of the bucket, and "?query" unless query is "". */
void s3_endpoint_url(const struct s3_endpoint *p, const char *bucket, const char *key,
                     const char *query, struct buf *out);

/* The server answered with the bucket's region (x-amz-bucket-region): whether requests should go
 * there, or be signed for it. False if it is the same one, or no region's name. */
bool s3_endpoint_move(struct s3_endpoint *p, const char *region);

/* The suffix of AWS' hosts in a region: "amazonaws.com". */
const char *s3_endpoint_suffix(const char *region);

#endif
