/* err: one sentence that says what went wrong. */
#include "core/base/err.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/utf8.h"

#define RAW_MAX 6144 /* the longest path, and a sentence */
#define END     200  /* bytes kept of the end of a sentence that is too long */

/* Shortens raw, which vsnprintf may have cut at size bytes, to whole UTF-8 sequences. */
static void trim_cut(char *raw, size_t size)
{
	size_t n = strlen(raw), last = n ? utf8_cut(raw, n, n - 1) : 0;

	if (n + 1 == size && utf8_length(raw + last, n - last) != n - last)
		raw[last] = '\0';
}

/* Cuts the middle of a sentence longer than size - 1 bytes: a path may fill all of it, and the
 * reason stands at the end. */
static void drop_middle(char *raw, size_t size)
{
	static const char gap[] = "…";
	size_t n = strlen(raw), head, tail;

	if (n < size)
		return;
	head = utf8_cut(raw, n, size - END - sizeof gap);
	tail = n - END;
	while (utf8_cut(raw, n, tail) < tail)
		tail++;
	memcpy(raw + head, gap, sizeof gap - 1);
	memmove(raw + head + sizeof gap - 1, raw + tail, n - tail + 1);
}

static void print_safe(char *out, size_t size, const char *in)
{
	size_t at = 0;

	while (*in && at + 5 <= size) {
		size_t n = utf8_length(in, 4); /* the NUL ends a character too */
		if (n == 0 || (unsigned char)*in < 0x20 || *in == 0x7f || utf8_hidden(in, n)) {
			at += (size_t)snprintf(out + at, size - at, "\\x%02x", (unsigned char)*in);
			in++;
			continue;
		}
		memcpy(out + at, in, n);
		at += n;
		in += n;
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
