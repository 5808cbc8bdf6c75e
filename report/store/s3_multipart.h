/*
 * s3_multipart: writes a large object in parts. An upload that fails, or whose asking process
 * has ended, is aborted.
 */
#ifndef REPORT_STORE_S3_MULTIPART_H
#define REPORT_STORE_S3_MULTIPART_H

#include "core/base/buf.h"
#include "report/store/s3_client.h"
#include "report/store/s3_spool.h"

/* sums: of all of it. 0: it is stored. */
int s3_multipart_put(struct s3_spool *p, struct s3_client *c, const struct s3_sums *sums,
                     struct err *e);

/* How it is divided, and the texts about that. Pure. */
#define S3_MULTIPART_MAX 10000 /* S3's own limit */

/* The size of each part but the last: STORE_PART, or more where there would be too many. */
uint64_t s3_multipart_part_size(uint64_t total);
size_t s3_multipart_count(uint64_t total);

/* The body of CompleteMultipartUpload, of n ETags without their quotes. */
void s3_multipart_xml(struct buf *out, const char (*tags)[STORE_TAG_MAX], size_t n);

/* The id of an upload, from the answer to its start. -1 with a sentence. */
#define S3_MULTIPART_ID_MAX 2048
int s3_multipart_id(const char *xml, size_t n, char id[S3_MULTIPART_ID_MAX], struct err *e);

/* What the answer to the end of an upload says of the object; "" where it does not. */
struct s3_completed {
	bool whole; /* it is such an answer, to its end */
	char etag[STORE_TAG_MAX + 2], crc64[32];
};
void s3_multipart_completed(const char *xml, size_t n, struct s3_completed *out);

#endif
