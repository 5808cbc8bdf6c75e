/* sha256: the SHA-256 digest of FIPS 180-4. */
#include "core/base/sha256.h"

#include <string.h>

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotr(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* One round. Instead of moving the eight words on, the caller names them in turned order. */
#define SHA256_ROUND(a, b, c, d, e, f, g, h, i)                                                    \
	do {                                                                                       \
		h += (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + (g ^ (e & (f ^ g))) +              \
		     round_constants[i] + w[i];                                                    \
		d += h;                                                                            \
		h += (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) | (c & (a | b)));         \
	} while (0)

static void add_block(uint32_t s[8], const unsigned char *p)
{
	uint32_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
	uint32_t w[64];

	for (int i = 0; i < 16; i++)
		w[i] = big_endian(p + i * 4);
	for (int i = 16; i < 64; i++) {
		uint32_t x = w[i - 15], y = w[i - 2];
		w[i] = w[i - 16] + (rotr(x, 7) ^ rotr(x, 18) ^ x >> 3) + w[i - 7] +
		       (rotr(y, 17) ^ rotr(y, 19) ^ y >> 10);
	}
	for (int i = 0; i < 64; i += 8) {
		SHA256_ROUND(a, b, c, d, e, f, g, h, i);
		SHA256_ROUND(h, a, b, c, d, e, f, g, i + 1);
		SHA256_ROUND(g, h, a, b, c, d, e, f, i + 2);
		SHA256_ROUND(f, g, h, a, b, c, d, e, i + 3);
		SHA256_ROUND(e, f, g, h, a, b, c, d, i + 4);
		SHA256_ROUND(d, e, f, g, h, a, b, c, i + 5);
		SHA256_ROUND(c, d, e, f, g, h, a, b, i + 6);
		SHA256_ROUND(b, c, d, e, f, g, h, a, i + 7);
	}
	s[0] += a;
	s[1] += b;
	s[2] += c;
	s[3] += d;
	s[4] += e;
	s[5] += f;
	s[6] += g;
	s[7] += h;
}

void sha256_begin(struct sha256 *s)
{
	static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

	memcpy(s->h, start, sizeof s->h);
	s->n = 0;
}

void sha256_add(struct sha256 *s, const void *data, size_t n)
{
	const unsigned char *p = data;
	size_t held = (size_t)(s->n % 64);

	s->n += n;
	if (held && n >= 64 - held) {
		memcpy(s->block + held, p, 64 - held);
		add_block(s->h, s->block);
		p += 64 - held;
		n -= 64 - held;
		held = 0;
	}
	if (!held)
		for (; n >= 64; n -= 64, p += 64)
			add_block(s->h, p);
	if (n)
		memcpy(s->block + held, p, n);
}

void sha256_end(struct sha256 *s, char hex[SHA256_HEX])
{
	static const char digits[] = "0123456789abcdef";
	static const unsigned char padding[64] = {0x80};
	unsigned char length[8];
	uint64_t bits = s->n * 8;

	for (int i = 0; i < 8; i++)
		length[i] = (unsigned char)(bits >> (56 - 8 * i));
	sha256_add(s, padding, 64 - (size_t)((s->n + 8) % 64));
	sha256_add(s, length, sizeof length);
	for (int i = 0; i < 64; i++)
		hex[i] = digits[s->h[i / 8] >> (28 - i % 8 * 4) & 15];
	hex[64] = '\0';
}
