/*
 * s3_put: writes one object, whole or not at all. Objects above STORE_PART_AT go up in parts; such
 * an upload is aborted if it fails, or if the process that asked for it has ended.
 */
#ifndef REPORT_STORE_S3_PUT_H
#define REPORT_STORE_S3_PUT_H

#include "report/store/s3_client.h"
#include "report/store/s3_spool.h"

/* Sends what was gathered, and drops it. *exists: there was one, and only a new one was wanted. */
int s3_put_send(struct s3_spool *p, struct s3_client *c, bool *exists, struct err *e);

/* -- how an object is divided into parts, for its unit test; pure ------------------------------ */

#define S3_PUT_PARTS_MAX 10000 /* S3's own limit */

/* The size of each part but the last: STORE_PART, or more where there would be too many. */
uint64_t s3_put_part_size(uint64_t total);
size_t s3_put_parts(uint64_t total);

/* Appends the body of CompleteMultipartUpload, of n ETags without their quotes. */
void s3_put_xml(struct buf *out, const char (*tags)[STORE_TAG_MAX], size_t n);

/* The id of an upload, from the answer to its start. -1 with a sentence. */
#define S3_PUT_ID_MAX 2048
int s3_put_id(const char *xml, size_t n, char id[S3_PUT_ID_MAX], struct err *e);

#endif
