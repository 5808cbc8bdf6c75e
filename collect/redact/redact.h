/*
 * redact: replaces everything that looks like a password, a token or a key in a command line, a tag
 * or a name by "***".
 *
 * A secret is recognised by its context (redact_scan), by the program and the option before it
 * (redact_command, redact_shell), by its name (redact_name) and by its own form (redact_token).
 * This is a heuristic: it rather hides too much, but it misses a secret whose name does not show
 * it and whose form is not known.
 */
#ifndef COLLECT_REDACT_REDACT_H
#define COLLECT_REDACT_REDACT_H

#include "collect/redact/redact_command.h"
#include "core/base/buf.h"

/* The state of a command line that is redacted word by word. {0} before the first word. */
struct redact {
	struct redact_command command;
};

/* Appends the next word of the command line, redacted. */
void redact_word(struct redact *r, const char *word, struct buf *out);

/* Appends the redacted value of a tag, a label or a variable. If the name is that of a secret, the
 * whole value is hidden, else only the secrets in it. */
void redact_value(const char *name, const char *value, struct buf *out);

/* Appends the redacted form of a name, a path or another text of at most n bytes, up to a NUL. */
void redact_text(const char *text, size_t n, struct buf *out);

/* Appends the redacted line of a phase mark. A trailing " end" is kept. */
void redact_mark(const char *line, size_t n, struct buf *out);

#endif
