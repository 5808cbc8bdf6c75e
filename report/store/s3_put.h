/*
 * s3_put: writes one object, whole or not at all. Objects above STORE_PART_AT go up in parts.
 */
#ifndef REPORT_STORE_S3_PUT_H
#define REPORT_STORE_S3_PUT_H

#include "report/store/s3_client.h"
#include "report/store/s3_spool.h"

/* Sends what was gathered, and drops it. *exists: there was one, and only a new one was wanted. */
int s3_put_send(struct s3_spool *p, struct s3_client *c, bool *exists, struct err *e);

#endif
