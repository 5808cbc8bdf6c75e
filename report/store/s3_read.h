/*
 * s3_read: a part of an object, by Range.
 */
#ifndef REPORT_STORE_S3_READ_H
#define REPORT_STORE_S3_READ_H

#include "report/store/s3_client.h"
#include "report/store/store_protocol.h"

struct s3_read {
	struct s3_request request;
	uint64_t at;
	size_t n;
	char tag[STORE_TAG_MAX]; /* "": any */
	/* Gets r->n bytes at p, or why there are none; NULL: they were read. */
	void (*done)(struct s3_read *r, const char *p, const struct store_range *range,
	             const struct err *why);
	void *ctx;

	char range_header[64], tag_header[32 + STORE_TAG_MAX]; /* its own */
};

/* Makes the request; at, n, tag, done and ctx are set by the caller. -1 with a sentence: this is
 * not the address of an object. */
int s3_read_prepare(struct s3_read *r, const char *place, struct err *e);

/* An ETag without its quotes; "" if it is too long or none. */
void s3_read_tag(const char *etag, char out[STORE_TAG_MAX]);

#endif
