/*
 * buf: a string that grows, with a cap.
 *
 * Valid when zero, then capped at BUF_MAX_DEFAULT; set .max to choose another cap. .s is NULL until
 * something was added, after that always NUL-terminated (the NUL is not counted in .len).
 * A failure (cap reached, no memory) is sticky: .failed is set, later additions do nothing, and the
 * caller asks once at the end. The content up to the failure stays readable.
 */
#ifndef CORE_BUF_H
#define CORE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#define BUF_MAX_DEFAULT ((size_t)64 << 20)

struct buf {
	char *s;
	size_t len, cap, max;
	bool failed;
};

void buf_add(struct buf *b, const void *p, size_t n);
void buf_str(struct buf *b, const char *s);
void buf_char(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The content as a C string: "" where nothing was added. Borrowed until the next change. */
const char *buf_cstr(const struct buf *b);

/* Hands the content over (free() it) and leaves b empty. NULL where b failed or no memory. */
char *buf_take(struct buf *b);

/* Empties b, keeping its memory. */
void buf_clear(struct buf *b);

void buf_free(struct buf *b);

/* Appends text as valid UTF-8: bytes that are not become U+FFFD. n bytes are looked at. */
void buf_utf8(struct buf *b, const char *text, size_t n);

#endif
