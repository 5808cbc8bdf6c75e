/* utf8: the bytes of a character. */
#include "core/base/utf8.h"

#include <stdbool.h>

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

size_t utf8_length(const char *s, size_t n)
{
	unsigned first = n ? (unsigned char)s[0] : 0xff, second;
	size_t length = 1u + (first >= 0xc0) + (first >= 0xe0) + (first >= 0xf0);

	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4 || length > n)
		return 0;
	for (size_t i = 1; i < length; i++)
		if (!is_continuation(s[i]))
			return 0;
	second = (unsigned char)s[1];
	if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
	    (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
		return 0;
	return length;
}

size_t utf8_cut(const char *text, size_t n, size_t max)
{
	if (n <= max)
		return n;
	while (max > 0 && is_continuation(text[max]))
		max--;
	return max;
}

unsigned utf8_hidden(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;
	unsigned c;

	if (n >= 2 && p[0] == 0xc2 && p[1] < 0xa0)
		return p[1];
	if (n < 3 || p[0] != 0xe2)
		return 0;
	c = 0x2000u + ((unsigned)(p[1] & 0x3f) << 6) + (p[2] & 0x3f);
	return (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ? c : 0;
}
