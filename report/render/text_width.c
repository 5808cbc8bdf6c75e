/* text_width: how many terminal columns a text occupies. */
#include "report/render/text_width.h"

#include <stdint.h>

/* Code points from … to, ascending. wcwidth(3) would depend on the locale. */
struct range {
	uint32_t from, to;
};

static const struct range zero_width[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},
    {0x64b, 0x65f},   {0x200b, 0x200f}, {0x2060, 0x2064}, {0x20d0, 0x20ff},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef},
};
static const struct range wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
    {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
    {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

#define WITHIN(c, ranges) is_in_ranges(c, ranges, sizeof(ranges) / sizeof *(ranges))

static int is_in_ranges(uint32_t c, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n && r[i].from <= c; i++)
		if (c <= r[i].to)
			return 1;
	return 0;
}

size_t text_width(const char *s, size_t n, size_t *len)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t want = *p < 0xc0 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
	uint32_t c = *p;

	*len = 1;
	if (want == 1 || want > n)
		return 1;
	c &= 0x7fU >> want;
	for (size_t i = 1; i < want; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (p[i] & 0x3f);
	}
	*len = want;
	return WITHIN(c, zero_width) ? 0 : WITHIN(c, wide) ? 2 : 1;
}

size_t text_width_columns(const char *s, size_t n)
{
	size_t columns = 0, len;

	for (size_t i = 0; i < n; i += len)
		columns += text_width(s + i, n - i, &len);
	return columns;
}

size_t text_width_fit(const char *s, size_t n, size_t columns, size_t *next)
{
	size_t used = 0, space = 0, i = 0, len, end;

	for (; i < n; i += len) {
		used += text_width(s + i, n - i, &len);
		if (used > columns && s[i] != ' ' && i)
			break;
		if (s[i] == ' ' && i)
			space = i;
	}
	end = i >= n ? n : space ? space : i;
	for (*next = end; *next < n && s[*next] == ' ';)
		++*next;
	while (end && s[end - 1] == ' ')
		end--;
	return end;
}
