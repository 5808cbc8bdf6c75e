/*
 * s3_parts: how a large object is divided, and the list of its parts that completes it. Pure.
 */
#ifndef REPORT_STORE_S3_PARTS_H
#define REPORT_STORE_S3_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "report/store/store_protocol.h"

#define S3_PARTS_MAX 10000 /* S3's own limit */

/* The size of each part but the last: STORE_PART, or more where there would be too many. */
uint64_t s3_parts_size(uint64_t total);
size_t s3_parts_count(uint64_t total);

/* The body of CompleteMultipartUpload, of n ETags without their quotes. */
void s3_parts_xml(struct buf *out, const char (*tags)[STORE_TAG_MAX], size_t n);

/* The id of an upload, from the answer to its start. -1 with a sentence. */
#define S3_PARTS_ID_MAX 2048
int s3_parts_upload_id(const char *xml, size_t n, char id[S3_PARTS_ID_MAX], struct err *e);

/* What the answer to the end of an upload says of the object; "" where it does not. */
struct s3_completed {
	bool whole; /* it is such an answer, to its end */
	char etag[STORE_TAG_MAX + 2], crc64[32];
};
void s3_parts_completed(const char *xml, size_t n, struct s3_completed *out);

#endif
