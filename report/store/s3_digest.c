/* s3_digest: the digests of what is sent that stores give back in their answers. */
#include "report/store/s3_digest.h"

#include <stdio.h>
#include <string.h>

#include "core/base/base64.h"

/* -- MD5 --------------------------------------------------------------------------------------- */

/* floor(2³² × |sin(i + 1)|) */
static const uint32_t md5_constants[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static uint32_t little_endian(const unsigned char *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static void add_block(uint32_t s[4], const unsigned char *p)
{
	static const unsigned char turns[4][4] = {
	    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
	uint32_t a = s[0], b = s[1], c = s[2], d = s[3];

	for (unsigned i = 0; i < 64; i++) {
		uint32_t f, x;
		unsigned word, by = turns[i / 16][i % 4];
		switch (i / 16) {
		case 0:
			f = d ^ (b & (c ^ d));
			word = i;
			break;
		case 1:
			f = c ^ (d & (b ^ c));
			word = 5 * i + 1;
			break;
		case 2:
			f = b ^ c ^ d;
			word = 3 * i + 5;
			break;
		default:
			f = c ^ (b | ~d);
			word = 7 * i;
		}
		x = a + f + md5_constants[i] + little_endian(p + word % 16 * 4);
		a = d;
		d = c;
		c = b;
		b += x << by | x >> (32 - by);
	}
	s[0] += a;
	s[1] += b;
	s[2] += c;
	s[3] += d;
}

static void add_md5(struct s3_digest *d, const unsigned char *p, size_t n)
{
	size_t held = (size_t)(d->n % 64), some;

	for (; n; n -= some, p += some, held = (held + some) % 64) {
		some = n < 64 - held ? n : 64 - held;
		memcpy(d->block + held, p, some);
		if (held + some == 64)
			add_block(d->md5, d->block);
	}
}

/* -- CRC-64/NVME ------------------------------------------------------------------------------- */

#define CRC64_POLYNOMIAL UINT64_C(0x9a6c9329ac4bc9b5) /* reflected */

/* The table takes as long to make as 1 KiB of the bytes, which come in pieces of many. */
static uint64_t add_crc64(uint64_t crc, const unsigned char *p, size_t n)
{
	uint64_t table[256];

	for (unsigned i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? CRC64_POLYNOMIAL : 0);
	}
	for (size_t i = 0; i < n; i++)
		crc = crc >> 8 ^ table[(crc ^ p[i]) & 255];
	return crc;
}

/* -- both -------------------------------------------------------------------------------------- */

void s3_digest_begin(struct s3_digest *d)
{
	*d = (struct s3_digest){.md5 = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476},
	                        .crc64 = UINT64_MAX};
}

void s3_digest_add(struct s3_digest *d, const void *bytes, size_t n)
{
	d->crc64 = add_crc64(d->crc64, bytes, n);
	add_md5(d, bytes, n);
	d->n += n;
}

void s3_digest_end(struct s3_digest *d, struct s3_sums *out)
{
	static const unsigned char padding[64] = {0x80};
	uint64_t bits = d->n * 8, crc = ~d->crc64;
	size_t padded = 64 - (size_t)((d->n + 8) % 64);
	unsigned char length[8];

	for (int i = 0; i < 8; i++) {
		length[i] = (unsigned char)(bits >> 8 * i);
		out->crc64[i] = (unsigned char)(crc >> (56 - 8 * i));
	}
	add_md5(d, padding, padded);
	d->n += padded;
	add_md5(d, length, sizeof length);
	for (int i = 0; i < 16; i++) {
		out->md5[i] = (unsigned char)(d->md5[i / 4] >> i % 4 * 8);
		snprintf(out->md5_hex + 2 * i, 3, "%02x", out->md5[i]);
	}
}

static bool has_base64(const char *values, const void *sum, size_t n)
{
	struct buf text = {0};
	bool has;

	base64_add(&text, sum, n);
	has = !text.failed && strstr(values, buf_cstr(&text));
	buf_free(&text);
	return has;
}

bool s3_digest_named(const struct s3_sums *sums, const char *values)
{
	return has_base64(values, sums->md5, sizeof sums->md5) ||
	       has_base64(values, sums->crc64, sizeof sums->crc64);
}
