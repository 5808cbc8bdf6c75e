/*
 * redact_shell: secrets in a shell's script, and in scripts within it.
 */
#ifndef COLLECT_REDACT_REDACT_SHELL_H
#define COLLECT_REDACT_REDACT_SHELL_H

#include "collect/redact/redact_command.h"

/* A word of a command line that is the text as a whole. */
void redact_shell_word(const struct redact_text *t, struct redact_word *w);

/* Hides the secrets of the commands in the text from begin to end. In linear time: quotes within
 * quotes are followed to a depth of four. */
void redact_shell_scan(struct redact_text *t, size_t begin, size_t end);

#endif
