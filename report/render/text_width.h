/*
 * text_width: how many terminal columns a text occupies. Pure, and the same in every locale.
 */
#ifndef REPORT_RENDER_TEXT_WIDTH_H
#define REPORT_RENDER_TEXT_WIDTH_H

#include <stddef.h>

/* Returns the columns of the character at s: 0 if it combines with the one before, 2 if it is wide,
 * else 1. s has n > 0 bytes of UTF-8. Sets *len to the character's bytes (1 if it is invalid). */
size_t text_width(const char *s, size_t n, size_t *len);

/* Returns the columns of n bytes of s. */
size_t text_width_columns(const char *s, size_t n);

/* Returns how many bytes of s fit into a line of so many columns: up to the last space at which no
 * word is split, or, if the first word alone is too long, as much of it as fits, but at least one
 * character. Sets *next to the beginning of the next line, after the spaces. */
size_t text_width_fit(const char *s, size_t n, size_t columns, size_t *next);

#endif
