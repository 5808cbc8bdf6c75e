/*
 * redact_name: decides whether a name of an option, variable, key or header is that of a secret,
 * and whether its value is plainly not a secret.
 */
#ifndef COLLECT_REDACT_REDACT_NAME_H
#define COLLECT_REDACT_REDACT_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum redact_name {
	REDACT_NAME_PLAIN,
	REDACT_NAME_COMMAND, /* "password-command": a secret if echo prints it */
	REDACT_NAME_MAYBE,   /* "key", "session": a secret if the value looks random */
	REDACT_NAME_LIKELY,  /* "cond-key": a secret unless the value is made of words, or a path */
	REDACT_NAME_KEY,     /* "api-key", "credentials": a secret unless the value is a path */
	REDACT_NAME_SECRET
};

/* Classifies a name of n bytes. "password", "DB_PASSWD", "apiKey", "x-auth-token" are secrets;
 * "max-tokens", "token-file", "token-classification", "no-password", "secretome", "monkey" are
 * not. query: it is a key in the query of a URL, where "sig" and "key" are secrets as well. Only
 * the last 64 bytes of a longer name count. */
enum redact_name redact_name(const char *name, size_t n, bool query);

/* Whether a value of n bytes with a name of this kind is a secret. The first bytes of a long value
 * suffice. */
bool redact_name_hides(enum redact_name kind, const char *value, size_t n);

/* Whether a value, in a text that ends with a NUL, is a pattern: \d+, [a-z]+, <pad>. After the name
 * of a password only what no password looks like is one: \S+, .*, [^&]+. */
bool redact_name_pattern(enum redact_name kind, const char *value);

/* Whether a value is made of words and short numbers, or contains quotes, brackets or blanks:
 * cell_type, X_pca, part-0001, 2,2n, {"id": 1}. */
bool redact_name_words(const char *value, size_t n);

#endif
