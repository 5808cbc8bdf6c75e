/*
 * buf: a string that grows, with a cap.
 *
 * Valid when zero, with the cap BUF_MAX_DEFAULT; set .max for another cap. .s is NULL until the
 * first addition, and NUL-terminated after that (.len does not count the NUL). A failure (cap
 * reached, no memory) is sticky: .failed is set and later additions do nothing, so the caller
 * checks once at the end. The content up to the failure stays readable.
 *
 *	struct buf b = {.max = 4096};
 *	buf_printf(&b, "%s/%s", folder, name);
 *	failed = b.failed || use(buf_cstr(&b));
 *	buf_free(&b);
 */
#ifndef CORE_BASE_BUF_H
#define CORE_BASE_BUF_H

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

/* The content as a C string, "" if empty. Borrowed until the next change. */
const char *buf_cstr(const struct buf *b);

/* Hands over the content, for free(3), and leaves b empty. NULL if b failed or without memory. */
char *buf_take(struct buf *b);

/* Empties b, keeping its memory. */
void buf_clear(struct buf *b);

void buf_free(struct buf *b);

/* Appends n bytes of text as valid UTF-8: invalid bytes become U+FFFD. */
void buf_utf8(struct buf *b, const char *text, size_t n);

#endif
