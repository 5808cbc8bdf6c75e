/* base64: bytes as text. */
#include "core/base64.h"

void base64_add(struct buf *out, const void *bytes, size_t n)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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
