/*
 * redact: a command line, a tag or a name as it may be written down: what looks like a password, a
 * token or a key is replaced by "***".
 *
 * A secret is known by what stands around it (redact_text), by the program and the option before it
 * (redact_command, redact_shell), by its name (redact_name) and by its own form (redact_token).
 * This is a guess. In doubt it hides too much, but it misses a secret that has neither a telling
 * name nor a known form.
 */
#ifndef COLLECT_REDACT_REDACT_H
#define COLLECT_REDACT_REDACT_H

#include "collect/redact/redact_command.h"
#include "core/buf.h"

/* A command line, word by word. {0} at its beginning. */
struct redact {
	struct redact_command command;
};

/* Appends the next word of the command line, redacted. */
void redact_word(struct redact *r, const char *word, struct buf *out);

/* Appends the value of a tag, a label or a variable of this name, redacted: whole where the name is
 * that of a secret, else what looks like one within it. */
void redact_value(const char *name, const char *value, struct buf *out);

/* Appends a name, a path or another text of n bytes at most, up to its first NUL, redacted. */
void redact_text(const char *text, size_t n, struct buf *out);

/* Appends the line of a mark, redacted. The " end" that ends a phase stays. */
void redact_mark(const char *line, size_t n, struct buf *out);

#endif
