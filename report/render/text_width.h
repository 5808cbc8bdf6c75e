/*
 * text_width: how many columns of a terminal text takes. Pure, and the same in every locale.
 */
#ifndef REPORT_RENDER_TEXT_WIDTH_H
#define REPORT_RENDER_TEXT_WIDTH_H

#include <stddef.h>

/* The columns of the character at s, which has n > 0 bytes of valid UTF-8 before it ends: 0 for
 * those that join the one before, 2 for wide ones. *len gets its bytes (1 where it is not valid).
 */
size_t text_width(const char *s, size_t n, size_t *len);

/* Of n bytes. */
size_t text_width_columns(const char *s, size_t n);

/* How many bytes of s go into one line of so many columns: up to the last space that leaves no word
 * cut, or where one word alone is too long, all of it that fits, but one character at least. *next
 * is where the next line begins: after the spaces. */
size_t text_width_fit(const char *s, size_t n, size_t columns, size_t *next);

#endif
