/* err: one sentence that says what went wrong. */
#include "core/base/err.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define RAW_MAX 6144 /* the longest path, and a sentence */
#define END     200  /* bytes kept of the end of a sentence that is too long */

/* Length of the valid UTF-8 sequence at s (RFC 3629), or 0. The NUL at the end of the text ends any
 * sequence, so s needs no length. */
static size_t utf8_len(const unsigned char *s)
{
	size_t n = s[0] < 0x80   ? 1
	           : s[0] < 0xc2 ? 0
	           : s[0] < 0xe0 ? 2
	           : s[0] < 0xf0 ? 3
	           : s[0] < 0xf5 ? 4
	                         : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

/* C1 controls (U+0080 to U+009F) move the cursor too, U+2028 and U+2029 break lines, and U+202A to
 * U+202E and U+2066 to U+2069 change the direction of the text. */
static bool is_control(const unsigned char *s, size_t n)
{
	return *s < 0x20 || *s == 0x7f || n == 0 || (n == 2 && s[0] == 0xc2 && s[1] < 0xa0) ||
	       (n == 3 && s[0] == 0xe2 && s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||
	       (n == 3 && s[0] == 0xe2 && s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);
}

/* Shortens raw, which vsnprintf may have cut at size bytes, to whole UTF-8 sequences. */
static void trim_cut(char *raw, size_t size)
{
	size_t n = strlen(raw), from = n;

	if (n + 1 < size)
		return;
	while (from > 0 && n - from < 3 && ((unsigned char)raw[from - 1] & 0xc0) == 0x80)
		from--;
	if (from > 0 && (unsigned char)raw[from - 1] >= 0xc0 &&
	    !utf8_len((unsigned char *)raw + from - 1))
		raw[from - 1] = '\0';
}

static bool within_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Cuts the middle of a sentence longer than size - 1 bytes: a path may fill all of it, and the
 * reason stands at the end. */
static void drop_middle(char *raw, size_t size)
{
	static const char gap[] = "…";
	size_t n = strlen(raw), head = size - END - sizeof gap, tail;

	if (n < size)
		return;
	tail = n - END;
	while (head > 0 && within_character(raw[head]))
		head--;
	while (within_character(raw[tail]))
		tail++;
	memcpy(raw + head, gap, sizeof gap - 1);
	memmove(raw + head + sizeof gap - 1, raw + tail, n - tail + 1);
}

static void print_safe(char *out, size_t size, const char *in)
{
	size_t at = 0;

	for (const unsigned char *s = (const unsigned char *)in; *s;) {
		size_t n = utf8_len(s);
		if (at + 5 > size)
			break;
		if (is_control(s, n)) {
			at += (size_t)snprintf(out + at, size - at, "\\x%02x", *s);
			s++;
			continue;
		}
		memcpy(out + at, s, n);
		at += n;
		s += n;
	}
	out[at] = '\0';
}

int err_set(struct err *e, const char *fmt, ...)
{
	char raw[RAW_MAX];
	va_list ap;

	if (!e)
		return -1;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof raw, fmt, ap);
	va_end(ap);
	trim_cut(raw, sizeof raw);
	drop_middle(raw, sizeof e->msg - 4); /* ctunullpointer: sizeof reads nothing */
	print_safe(e->msg, sizeof e->msg, raw);
	return -1;
}

int err_wrap(struct err *e, const char *fmt, ...)
{
	char prefix[sizeof e->msg / 2], old[sizeof e->msg];
	va_list ap;

	if (!e)
		return -1;
	va_start(ap, fmt);
	vsnprintf(prefix, sizeof prefix, fmt, ap);
	va_end(ap);
	trim_cut(prefix, sizeof prefix);
	memcpy(old, e->msg, sizeof old);
	return err_set(e, "%s: %s", prefix, old);
}
