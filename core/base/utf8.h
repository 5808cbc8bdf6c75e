/*
 * utf8: the bytes of a character (RFC 3629). Pure.
 */
#ifndef CORE_BASE_UTF8_H
#define CORE_BASE_UTF8_H

#include <stddef.h>

/* The length of the character that the n bytes at s begin with: no surrogates, no overlong forms. 0
 * if they are not valid. A NUL ends any character. */
size_t utf8_length(const char *s, size_t n);

/* n, or where that is more than max the largest length up to max that ends between two characters
 * of the n bytes of text. */
size_t utf8_cut(const char *text, size_t n, size_t max);

/* The code of a character beyond ASCII that harms a terminal or a line: C1 controls (U+0080 to
 * U+009F) move the cursor too, U+2028 and U+2029 end lines, and U+202A to U+202E and U+2066 to
 * U+2069 change the direction of the text. 0 for any other, of n valid bytes at s. */
unsigned utf8_hidden(const char *s, size_t n);

#endif
