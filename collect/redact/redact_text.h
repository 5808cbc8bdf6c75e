/*
 * redact_text: secrets in a text of any kind, by what stands around them: NAME=VALUE, "name":
 * "value", headers, user:password@host, addresses of webhooks, private keys, SQL, .netrc; and by
 * their own form.
 */
#ifndef COLLECT_REDACT_REDACT_TEXT_H
#define COLLECT_REDACT_REDACT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* What is to be hidden is filled with NULs in copy, which is as long as the text and begins as a
 * copy of it. So it may be found more than once, in any order. */
struct redact_text {
	const char *s; /* ends in a NUL behind n bytes */
	size_t n;
	char *copy;
	bool word; /* a word of a command line without blanks: its "|", "<" and ")" end no value */
};

/* Hides from..end, if that is not empty. Returns end. */
size_t redact_hide(struct redact_text *t, size_t from, size_t end);

/* Hides what is a secret anywhere in the text, in linear time. */
void redact_text_scan(struct redact_text *t);

static inline bool redact_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline bool redact_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

#endif
