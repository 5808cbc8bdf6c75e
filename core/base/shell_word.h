/*
 * shell_word: a word of a command line that people paste into a shell. Pure.
 */
#ifndef CORE_BASE_SHELL_WORD_H
#define CORE_BASE_SHELL_WORD_H

#include <stdbool.h>

#include "core/base/buf.h"

/* Appends the word so that a shell reads it as one word and unchanged: as it is, in '…', or, where
 * shell_word_is_visible is false, in $'…' with escapes (bash, zsh, ksh, POSIX.1-2024; not dash).
 * The result is one line of valid UTF-8. A word that begins with "-" stays an option. */
void shell_word_add(struct buf *out, const char *word);

/* Whether the word can be shown in a line as it is: valid UTF-8, no control characters, no hidden
 * ones (utf8_hidden). */
bool shell_word_is_visible(const char *word);

#endif
