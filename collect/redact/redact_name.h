/*
 * redact_name: which names of options, variables, keys and headers are those of secrets.
 */
#ifndef COLLECT_REDACT_REDACT_NAME_H
#define COLLECT_REDACT_REDACT_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum redact_name {
	REDACT_NAME_PLAIN,
	REDACT_NAME_MAYBE, /* "key", "session": a secret where the value looks random */
	REDACT_NAME_KEY,   /* "api-key", "credentials": a secret unless the value is a path */
	REDACT_NAME_SECRET
};

/* What n bytes name. "password", "DB_PASSWD", "apiKey", "x-auth-token" are secrets; "max-tokens",
 * "token-file", "no-password", "monkey" are not. query: a key of a URL's query, where "sig" and
 * "key" are secrets too. Of a name of more than 64 bytes the last 64 count. */
enum redact_name redact_name(const char *name, size_t n, bool query);

/* Whether a value of n bytes under such a name is a secret. Of a long value the first bytes
 * suffice. */
bool redact_name_hides(enum redact_name kind, const char *value, size_t n);

#endif
