/*
 * s3_spool: what is to be written, until it is sent: in an unnamed temporary file, so its length
 * and digest are known before, and it can be sent again.
 */
#ifndef REPORT_STORE_S3_SPOOL_H
#define REPORT_STORE_S3_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/base/sha256.h"
#include "report/input/store_address.h"
#include "report/store/s3_digest.h"
#include "report/store/store_protocol.h"

struct s3_spool {
	int fd; /* of the temporary file; -1: there is none */
	bool open, only_new;
	char place[STORE_PLACE_MAX + 1];
	enum store_kind kind;
	struct store_address to;
	uint64_t n;
	struct sha256 digest; /* up to STORE_PART_AT */
	struct s3_digest sums;
	struct err why; /* what went wrong so far */
};

/* fd: a temporary file, which it takes over; -1: nothing can be written. */
void s3_spool_init(struct s3_spool *p, int fd);
void s3_spool_close(struct s3_spool *p);

int s3_spool_begin(struct s3_spool *p, const char *place, bool only_new, struct err *e);
void s3_spool_more(struct s3_spool *p, const void *bytes, size_t n);
void s3_spool_drop(struct s3_spool *p);

/* "Content-Type: …" by the ending of a key or of a URL's path. */
const char *s3_spool_type(const char *place);

#endif
