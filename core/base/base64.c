/* base64: bytes as text. */
#include "core/base/base64.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_add(struct buf *out, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i += 3) {
		size_t left = n - i;
		unsigned v = (unsigned)p[i] << 16 | (left > 1 ? (unsigned)p[i + 1] << 8 : 0) |
		             (left > 2 ? p[i + 2] : 0);
		char four[4] = {digits[v >> 18], digits[v >> 12 & 63],
		                left > 1 ? digits[v >> 6 & 63] : '=',
		                left > 2 ? digits[v & 63] : '='};
		buf_add(out, four, sizeof four);
	}
}

#define SPACE " \t\r\n\f"

int base64_read(struct buf *out, const char *text, size_t n)
{
	unsigned v = 0, held = 0, ends = 0;

	for (size_t i = 0; i < n; i++) {
		const char *at = text[i] ? strchr(digits, text[i]) : NULL;
		if (text[i] && strchr(SPACE, text[i]))
			continue;
		if (text[i] == '=' && held > 1 && held + ends < 4) {
			ends++;
			continue;
		}
		if (!at || ends)
			return -1;
		v = v << 6 | (unsigned)(at - digits);
		if (++held < 4)
			continue;
		buf_add(out, (char[]){(char)(v >> 16), (char)(v >> 8), (char)v}, 3);
		v = held = 0;
	}
	if (held == 1 || (ends && held + ends != 4))
		return -1;
	v <<= 6 * (4 - held);
	buf_add(out, (char[]){(char)(v >> 16), (char)(v >> 8)}, held ? held - 1 : 0);
	return out->failed ? -1 : 0;
}
