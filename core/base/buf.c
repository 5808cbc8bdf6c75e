/* buf: a string that grows, with a cap. */
#include "core/base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/utf8.h"

static bool reserve(struct buf *b, size_t more)
{
	size_t max = b->max ? b->max : BUF_MAX_DEFAULT;
	size_t cap = b->cap ? b->cap : 64;
	char *s;

	if (b->failed || more >= max || b->len + more + 1 > max) {
		b->failed = true;
		return false;
	}
	if (b->len + more + 1 <= b->cap)
		return true;
	while (cap < b->len + more + 1)
		cap *= 2;
	s = alloc_failed_note(realloc(b->s, cap));
	if (!s) {
		b->failed = true;
		return false;
	}
	b->s = s;
	b->cap = cap;
	return true;
}

void buf_add(struct buf *b, const void *p, size_t n)
{
	if (!reserve(b, n))
		return;
	if (n)
		memcpy(b->s + b->len, p, n);
	b->len += n;
	b->s[b->len] = '\0';
}

void buf_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_char(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		b->failed = true;
	else if (reserve(b, (size_t)n)) {
		vsnprintf(b->s + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

const char *buf_cstr(const struct buf *b)
{
	return b->s ? b->s : "";
}

char *buf_take(struct buf *b)
{
	char *s;

	if (!b->s)
		buf_add(b, "", 0);
	s = b->failed ? NULL : b->s;
	if (!s)
		free(b->s);
	*b = (struct buf){.max = b->max};
	return s;
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	b->failed = false;
	if (b->s)
		b->s[0] = '\0';
}

void buf_free(struct buf *b)
{
	free(b->s);
	*b = (struct buf){.max = b->max};
}

void buf_utf8(struct buf *b, const char *text, size_t n)
{
	size_t from = 0, i = 0;

	while (i < n) {
		bool ascii = (unsigned char)text[i] < 0x80; /* as most are */
		size_t len = ascii ? 1 : utf8_length(text + i, n - i);
		if (len) {
			i += len;
			continue;
		}
		buf_add(b, text + from, i - from);
		buf_str(b, "\xef\xbf\xbd");
		from = ++i;
	}
	buf_add(b, text + from, n - from);
}
