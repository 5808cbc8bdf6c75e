/*
 * sha256: the SHA-256 digest of FIPS 180-4, as signatures of requests need it.
 */
#ifndef CORE_BASE_SHA256_H
#define CORE_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_HEX 65 /* 64 digits and a NUL */

struct sha256 {
	uint32_t h[8];
	uint64_t n; /* bytes so far */
	unsigned char block[64];
};

void sha256_begin(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *p, size_t n);

/* The digest in lower-case hexadecimal digits. */
void sha256_end(struct sha256 *s, char hex[SHA256_HEX]);

#endif
