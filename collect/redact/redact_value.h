/*
 * redact_value: finds the end of a value in a text.
 *
 * All positions are byte offsets in t->s; t->n stands for the end of the text.
 */
#ifndef COLLECT_REDACT_REDACT_VALUE_H
#define COLLECT_REDACT_REDACT_VALUE_H

#include "collect/redact/redact_text.h"

/* Returns the end of the value that begins at i, and sets *from to the first byte to hide. For a
 * quoted value, both are inside the quotes. Directly attached quotes, $(…), ${…} and `…` are part
 * of the value. list: a value in JSON, which "," and brackets end. */
size_t redact_value_end(const struct redact_text *t, size_t i, size_t *from, bool list);

/* Returns the end of the reference to a variable, or to a command's output, if that is all of the
 * value at i: $TOKEN, ${TOKEN}, $(cat f), %TOKEN%, os.environ["TOKEN"]. Else returns i. A command
 * that prints its own arguments, as echo does, is not one. output: $(…) and code count. */
size_t redact_value_reference(const struct redact_text *t, size_t i, bool output);

/* Returns the position after the bracket that closes the one before i; nested pairs are skipped. */
size_t redact_value_behind(const struct redact_text *t, size_t i, char open, char close);

/* The same, but returns 0 if the bracket is not closed within 1024 bytes, so that a scan takes
 * linear time also where many values are not closed. */
size_t redact_value_near(const struct redact_text *t, size_t i, char open, char close);

/* Returns the position of the closing bracket. */
size_t redact_value_inside(const struct redact_text *t, size_t i, char open, char close);

#endif
