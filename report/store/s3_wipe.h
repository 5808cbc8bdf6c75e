/*
 * s3_wipe: frees memory that may hold a secret, after overwriting it.
 */
#ifndef REPORT_STORE_S3_WIPE_H
#define REPORT_STORE_S3_WIPE_H

#include "core/buf.h"

/* Both accept what is empty, and leave it empty. */
void s3_wipe_buf(struct buf *b);
void s3_wipe_text(char **text);

#endif
