/*
 * s3_multipart: writes a large object in parts. An upload that fails, or whose asking process
 * has ended, is aborted.
 */
#ifndef REPORT_STORE_S3_MULTIPART_H
#define REPORT_STORE_S3_MULTIPART_H

#include "report/store/s3_client.h"
#include "report/store/s3_spool.h"

/* sums: of all of it. 0: it is stored. */
int s3_multipart_put(struct s3_spool *p, struct s3_client *c, const struct s3_sums *sums,
                     struct err *e);

#endif
