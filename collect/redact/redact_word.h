/*
 * redact_word: a word of a command, what it looks like, and hiding parts of it.
 *
 * k: the byte of the word from which on it is a value.
 */
#ifndef COLLECT_REDACT_REDACT_WORD_H
#define COLLECT_REDACT_REDACT_WORD_H

#include "collect/redact/redact_name.h"
#include "collect/redact/redact_text.h"

#define REDACT_WORD_MAX 256 /* bytes of a word that are examined */

/* The word at begin..end of the text. */
struct redact_word {
	struct redact_text *t;
	char s[REDACT_WORD_MAX + 1]; /* its first n bytes */
	size_t n, begin, end;
	bool shell; /* a word of a script, without quotes; else a whole argument */
};

/* Whether the list has the word. */
bool redact_word_is(const struct redact_word *w, const char *list);

/* Hides the value. A variable, which a shell replaces, is shown. */
void redact_word_hide(const struct redact_word *w, size_t k);

/* Hides the value if a name of this kind makes it a secret. */
void redact_word_value(const struct redact_word *w, size_t k, enum redact_name kind);

/* Hides the password in user:password, and the user if it is a token. separator: NUL for ':'. */
void redact_word_user(const struct redact_word *w, size_t k, char separator);

/* Shows the name of a secret, as in --secret=db-pass, unless it has the form of a token. */
void redact_word_show(const struct redact_word *w, size_t k);

/* 8080:80 and 1000:1000 are ports or user IDs, not user:password. */
bool redact_word_ports(const struct redact_word *w, size_t k);

/* app:app, me:users and the like are a user and a group; so are ports. */
bool redact_word_group(const struct redact_word *w, size_t k);

/* Numbers, process IDs, paths and files. */
bool redact_word_harmless(const struct redact_word *w, size_t k);

/* "set", "env:set", "hex.config", "Set-Item": a name and its value may follow. */
bool redact_word_sets(const struct redact_word *w);

/* "set-password", "user:password", "walletpassphrase": verbs before a new password. */
bool redact_word_names_password(const struct redact_word *w);

#endif
