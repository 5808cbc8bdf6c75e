/*
 * redact_text: secrets in a text of any kind, by what stands around them: NAME=VALUE, "name":
 * "value", headers, user:password@host, addresses of webhooks, private keys, SQL, .netrc; and by
 * their own form.
 */
#ifndef COLLECT_REDACT_REDACT_TEXT_H
#define COLLECT_REDACT_REDACT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What is to be hidden is filled with NULs in copy, which is as long as the text and begins as a
 * copy of it. So it may be found more than once, in any order. */
struct redact_text {
	const char *s; /* ends in a NUL behind n bytes */
	size_t n;
	char *copy;
	bool word; /* a word of a command line without blanks: its "|", "<" and ")" end no value */
};

/* Hides from..end, if that is not empty. Returns end. */
static inline size_t redact_hide(struct redact_text *t, size_t from, size_t end)
{
	if (end > from)
		memset(t->copy + from, 0, end - from);
	return end;
}

static inline bool redact_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static inline bool redact_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static inline bool redact_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool redact_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* A letter of an identifier: "_" counts. */
static inline bool redact_letter(char c)
{
	return redact_lower(c) || redact_upper(c) || c == '_';
}

static inline bool redact_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline char redact_at(const struct redact_text *t, size_t i)
{
	return i < t->n ? t->s[i] : '\0';
}

/* Whether the text goes on with this at i, in small letters or capitals. */
static inline bool redact_is(const struct redact_text *t, size_t i, const char *word)
{
	for (; *word; word++, i++)
		if (i >= t->n ||
		    (t->s[i] >= 'A' && t->s[i] <= 'Z' ? t->s[i] + 32 : t->s[i]) != *word)
			return false;
	return true;
}

#endif
