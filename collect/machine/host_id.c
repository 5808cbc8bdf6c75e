/* host_id: an ID of the machine's installation that recordings may carry. */
#include "collect/machine/host_id.h"

#include <string.h>

#include "core/base/sha256.h"

#define ID    16 /* bytes */
#define BLOCK 64 /* of SHA-256 */

/* Drawn once at random. Another one gives every machine another host ID. */
static const unsigned char application[ID] = {0x5e, 0x0b, 0x8d, 0x21, 0xc7, 0x3f, 0x4a, 0x96,
                                              0xb1, 0x64, 0xe8, 0x1d, 0x70, 0x29, 0xaf, 0x53};

static int digit_value(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	                              : -1;
}

/* Reads the 2 * n digits of text. */
static bool read_hex(const char *text, size_t n, unsigned char *out)
{
	for (size_t i = 0; i < n; i++) {
		int high = digit_value(text[2 * i]), low = digit_value(text[2 * i + 1]);
		if (high < 0 || low < 0)
			return false;
		out[i] = (unsigned char)(high * 16 + low);
	}
	return true;
}

/* The digest of the key, padded with a byte, and a message. */
static void digest(const unsigned char key[ID], unsigned char pad, const void *message, size_t n,
                   unsigned char out[SHA256_HEX / 2])
{
	unsigned char block[BLOCK];
	struct sha256 s;
	char hex[SHA256_HEX];

	for (size_t i = 0; i < BLOCK; i++)
		block[i] = (i < ID ? key[i] : 0) ^ pad;
	sha256_begin(&s);
	sha256_add(&s, block, sizeof block);
	sha256_add(&s, message, n);
	sha256_end(&s, hex);
	(void)read_hex(hex, SHA256_HEX / 2, out);
}

bool host_id(const char *text, size_t n, char out[HOST_ID_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char id[ID], inner[SHA256_HEX / 2], outer[SHA256_HEX / 2], any = 0;

	*out = '\0';
	if (n < 2 * ID || (n > 2 * ID && text[2 * ID] != '\n') || !read_hex(text, ID, id))
		return false;
	for (size_t i = 0; i < ID; i++)
		any |= id[i];
	if (!any)
		return false;
	digest(id, 0x36, application, ID, inner);
	digest(id, 0x5c, inner, sizeof inner, outer);
	/* The bits of a UUID that say how it was made (RFC 9562): version 4. */
	outer[6] = (outer[6] & 0x0f) | 0x40;
	outer[8] = (outer[8] & 0x3f) | 0x80;
	for (size_t i = 0; i < ID; i++) {
		out[2 * i] = digits[outer[i] >> 4];
		out[2 * i + 1] = digits[outer[i] & 15];
	}
	out[HOST_ID_SIZE - 1] = '\0';
	return true;
}
