/*
 * redact_shell: finds secrets in a shell script, and in scripts quoted in it.
 */
#ifndef COLLECT_REDACT_REDACT_SHELL_H
#define COLLECT_REDACT_REDACT_SHELL_H

#include "collect/redact/redact_command.h"

/* Makes the whole text one word of a command line. */
void redact_shell_word(const struct redact_text *t, struct redact_word *w);

/* Hides the secrets of the commands in the text from begin to end. Takes linear time: quotes in
 * quotes are followed to a depth of four. */
void redact_shell_scan(struct redact_text *t, size_t begin, size_t end);

#endif
