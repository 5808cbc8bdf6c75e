/*
 * redact_plain: tells values that are plainly no secrets.
 */
#ifndef COLLECT_REDACT_REDACT_PLAIN_H
#define COLLECT_REDACT_REDACT_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a value is a path (./a, ../a, ~/a, /etc/x.pem, $HOME/x) or a file rather than a key. */
bool redact_plain_path(const char *value, size_t n);

/* Whether a value is made of words and short numbers, or is no single word: cell_type, X_pca,
 * part-0001, 2,2n, {"id": 1}. */
bool redact_plain_words(const char *value, size_t n);

/* Whether a value is that of a switch, a state or a method: true, none, enabled, oidc. */
bool redact_plain_switch(const char *value, size_t n);

#endif
