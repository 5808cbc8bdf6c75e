/*
 * redact_value: where a value that begins somewhere in a text ends.
 */
#ifndef COLLECT_REDACT_REDACT_VALUE_H
#define COLLECT_REDACT_REDACT_VALUE_H

#include "collect/redact/redact_text.h"

/* The end of the value that begins at i, of a quoted one before its closing quote; *from is where
 * what is to be hidden begins. Quotes, $(…), ${…} and `…` that are glued to it belong to it. list:
 * it is one of JSON. */
size_t redact_value_end(const struct redact_text *t, char open, size_t i, size_t *from, bool list);

/* The end of a header's value: of the quote that it stands in, or of the line. */
size_t redact_value_line(const struct redact_text *t, size_t i, char quote);

/* Behind the close that closes what is opened before i, or the text's end. */
size_t redact_value_behind(const struct redact_text *t, size_t i, char open, char close);

/* The same, before it. */
size_t redact_value_inside(const struct redact_text *t, size_t i, char open, char close);

#endif
