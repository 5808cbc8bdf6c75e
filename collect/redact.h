/*
 * redact: a command line as it may be written down: what looks like a password, a token or a key is
 * replaced by "***".
 *
 * Seen are values of options (--password X, --password=X, mysql -pX), of variables and keys
 * (TOKEN=X, {"secret": "X"}, ?sig=X), headers (Authorization: X), the password of a URL
 * (//user:X@host) and of curl -u, addresses of webhooks, and words that tell by their form; all of
 * them also within a word that is a shell's script, but options of one letter. It is a guess from
 * names: what is called nothing is not seen.
 */
#ifndef COLLECT_REDACT_H
#define COLLECT_REDACT_H

#include <stddef.h>

#include "../core/buf.h"

/* Appends argv[i], masked. The words before it tell what it is. */
void redact_word(char *const *argv, size_t i, struct buf *out);

/* Appends the value of a tag, a label or a variable of this name, masked: whole where the name is
 * that of a secret, else what looks like one within it. */
void redact_value(const char *name, const char *value, struct buf *out);

#endif
