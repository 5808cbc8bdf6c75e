/*
 * s3_digest: the digests of what is sent that stores give back in their answers: MD5 (RFC 1321) and
 * CRC-64/NVME. Neither protects from forgery: they show that the store has received these bytes.
 *
 *	struct s3_digest d;
 *	s3_digest_begin(&d);
 *	s3_digest_add(&d, bytes, n);
 *	s3_digest_end(&d, &sums);
 */
#ifndef REPORT_STORE_S3_DIGEST_H
#define REPORT_STORE_S3_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct s3_digest {
	uint32_t md5[4];
	uint64_t crc64;
	uint64_t n; /* bytes so far */
	unsigned char block[64];
};

struct s3_sums {
	unsigned char md5[16], crc64[8]; /* crc64: big endian */
	char md5_hex[33];
};

void s3_digest_begin(struct s3_digest *d);
void s3_digest_add(struct s3_digest *d, const void *bytes, size_t n);
void s3_digest_end(struct s3_digest *d, struct s3_sums *out);

/* Whether a text with the values of headers (http_call.h: digests) has a sum as base64. */
bool s3_digest_named(const struct s3_sums *sums, const char *values);

#endif
