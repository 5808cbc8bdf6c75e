/*
 * s3_put: writes one object, whole or not at all.
 *
 * What is to be written is gathered in an unnamed temporary file, so its length and digest are
 * known before it is sent, and it can be sent again. Objects above STORE_PART_AT go up in parts;
 * an upload that fails, or that nobody waits for any more, is aborted.
 */
#ifndef REPORT_STORE_S3_PUT_H
#define REPORT_STORE_S3_PUT_H

#include "core/sha256.h"
#include "report/store/s3_client.h"
#include "report/store/store_protocol.h"

struct s3_put {
	int fd; /* of the temporary file; -1: there is none */
	bool open, only_new;
	char place[STORE_PLACE_MAX + 1];
	enum store_kind kind;
	struct store_address to;
	uint64_t n;
	struct sha256 digest;
	struct err why; /* what went wrong so far */
};

/* fd: a temporary file, which it takes over; -1: every put fails. */
void s3_put_init(struct s3_put *p, int fd);
void s3_put_close(struct s3_put *p);

int s3_put_begin(struct s3_put *p, const char *place, bool only_new, struct err *e);
void s3_put_more(struct s3_put *p, const void *bytes, size_t n);
int s3_put_end(struct s3_put *p, struct s3_client *c, bool *exists, struct err *e);
void s3_put_drop(struct s3_put *p);

/* "Content-Type: …" by the ending of a key or of a URL's path. */
const char *s3_put_type(const char *place);

#endif
