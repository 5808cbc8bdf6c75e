/*
 * s3_wipe: frees memory that may hold a secret, after overwriting it.
 */
#ifndef REPORT_AWS_KEYS_S3_WIPE_H
#define REPORT_AWS_KEYS_S3_WIPE_H

#include "core/base/buf.h"

/* Both accept what is empty, and leave it empty. */
void s3_wipe_buf(struct buf *b);
void s3_wipe_text(char **text);

#endif
