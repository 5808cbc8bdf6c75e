/*
 * scan: bounded scanning of the kernel's text. Needs no NUL at its end, allocates nothing, and does
 * not depend on the locale.
 *
 * A struct scan is a cursor over bytes that the caller keeps. Every function stays within p..end. A
 * function that returns false has not moved the cursor. Blanks are spaces and tabs; only scan_line
 * crosses a newline.
 *
 *	struct scan s = scan_text(text, n), line;
 *	while (scan_line(&s, &line))
 *		if (scan_literal(&line, "MemTotal:") && scan_u64(&line, &kb)) ...
 */
#ifndef COLLECT_PROCFS_SCAN_H
#define COLLECT_PROCFS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan {
	const char *p, *end;
};

/* A cursor over n bytes. text may be NULL if n is 0. */
struct scan scan_text(const char *text, size_t n);

/* Takes the next line, without its newline, into *line. False at the end of the text. */
bool scan_line(struct scan *s, struct scan *line);

/* Skips blanks, then takes the bytes up to the next blank or newline. False if there are none. */
bool scan_word(struct scan *s, struct scan *word);

/* Skips n words. False if there are fewer. */
bool scan_skip(struct scan *s, size_t n);

void scan_blanks(struct scan *s);

/* The part of scan_literal that is not inlined. */
bool scan_literal_rest(struct scan *s, const char *literal);

/* Takes exactly this text, or nothing. Inline, because the first byte alone decides most calls. */
static inline bool scan_literal(struct scan *s, const char *literal)
{
	return (!*literal || (s->p < s->end && *s->p == *literal)) && scan_literal_rest(s, literal);
}

/* Skips blanks, then takes decimal digits. A number over 2^64 - 1 becomes 2^64 - 1. False for a
 * sign. */
bool scan_u64(struct scan *s, uint64_t *out);

/* The same with an optional minus. Saturates at both ends. */
bool scan_i64(struct scan *s, int64_t *out);

/* A number from 0 to INT_MAX (a pid, a device number); false if it is larger. */
bool scan_int(struct scan *s, int *out);

/* Skips blanks, then takes digits with an optional fraction ("12.50"); no sign, no exponent. */
bool scan_decimal(struct scan *s, double *out);

/* The value of a hexadecimal digit, or -1. */
int scan_hex(char c);

/* How many numbers the first line has, a list like "0-3,8,10-11" (7 numbers: CPUs, GPUs); NAN if it
 * is another text. */
double scan_list(const char *text, size_t n);

/* Copies the rest as a C string, cut off if it does not fit; returns whether it fits. size >= 1. */
bool scan_copy(struct scan s, char *out, size_t size);

/* Whether the rest is exactly this text. */
bool scan_is(struct scan s, const char *text);

#endif
