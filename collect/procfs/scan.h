/*
 * scan: bounded reading of the kernel's text, without locale, allocation or a NUL at the end.
 *
 * A struct scan is a cursor over bytes that the caller keeps. Every function stays within p..end;
 * one that returns false has not moved the cursor. Blanks are spaces and tabs; no function but
 * scan_line crosses a newline.
 */
#ifndef COLLECT_PROCFS_SCAN_H
#define COLLECT_PROCFS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan {
	const char *p, *end;
};

/* A cursor over n bytes. text may be NULL where n is 0. */
struct scan scan_text(const char *text, size_t n);

/* Takes the next line, without its newline, into *line. False at the end of the text. */
bool scan_line(struct scan *s, struct scan *line);

/* Skips blanks, then takes the bytes up to the next blank or newline. False where there are none.
 * */
bool scan_word(struct scan *s, struct scan *word);

/* Skips n words. False where there are fewer. */
bool scan_skip(struct scan *s, size_t n);

void scan_blanks(struct scan *s);

/* scan_literal's, where the first byte is the right one. */
bool scan_literal_rest(struct scan *s, const char *literal);

/* Takes exactly this text, or nothing. The first byte settles most: it is looked at in place. */
static inline bool scan_literal(struct scan *s, const char *literal)
{
	return (!*literal || (s->p < s->end && *s->p == *literal)) && scan_literal_rest(s, literal);
}

/* Skips blanks, then takes decimal digits. A number over 2^64 - 1 becomes 2^64 - 1; a sign is not a
 * number. */
bool scan_u64(struct scan *s, uint64_t *out);

/* The same with an optional minus; saturates at both ends. */
bool scan_i64(struct scan *s, int64_t *out);

/* A number of 0 to INT_MAX (a pid, a device number); false where it is larger. */
bool scan_int(struct scan *s, int *out);

/* Skips blanks, then takes digits with an optional fraction ("12.50"); no sign, no exponent. */
bool scan_decimal(struct scan *s, double *out);

/* The rest as a C string, cut where it does not fit; returns whether it did fit. size >= 1. */
bool scan_copy(struct scan s, char *out, size_t size);

/* The rest is exactly this text. */
bool scan_is(struct scan s, const char *text);

#endif
