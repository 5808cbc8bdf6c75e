/*
 * redact_text: a text whose secrets are being hidden, lists of words, and the character classes of
 * the scanners.
 *
 * ASCII only: the C library's classes depend on the locale.
 */
#ifndef COLLECT_REDACT_REDACT_TEXT_H
#define COLLECT_REDACT_REDACT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The scanners read s, which never changes, and overwrite secrets in copy with NUL bytes. So a
 * secret may be found several times, in any order. */
struct redact_text {
	const char *s; /* n bytes and a NUL */
	size_t n;
	char *copy; /* of s; n bytes */
	/* Where the scan is: the quote that encloses it, and the quote around that, or NUL. */
	char open, outer;
	bool word; /* a command-line word without blanks: "|", "<" and ")" end no value in it */
};

/* Whether the bytes from..end - 1 are the mask "***" of an earlier redaction, in quotes or not, and
 * nothing else. */
static inline bool redact_masked(const struct redact_text *t, size_t from, size_t end)
{
	size_t stars = 0;

	for (size_t i = from; i < end; i++) {
		if (t->s[i] == '*')
			stars++;
		else if (!strchr("\\\"'`", t->s[i]))
			return false;
	}
	return stars == 3;
}

/* Hides the bytes from..end - 1; nothing if end <= from, or if they are hidden. Returns end. */
static inline size_t redact_hide(struct redact_text *t, size_t from, size_t end)
{
	if (end > from && !redact_masked(t, from, end))
		memset(t->copy + from, 0, end - from);
	return end;
}

/* Shows the bytes from..end - 1 again, which turned out not to be a secret. */
static inline void redact_show(struct redact_text *t, size_t from, size_t end)
{
	if (end > from)
		memcpy(t->copy + from, t->s + from, end - from);
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

/* A byte of an identifier. */
static inline bool redact_ident(char c)
{
	return redact_letter(c) || redact_digit(c);
}

/* A byte of a name, which may have letters of any language in UTF-8, "-" and ".". */
static inline bool redact_name_byte(char c)
{
	return redact_ident(c) || c == '-' || c == '.' || (unsigned char)c >= 0x80;
}

static inline char redact_at(const struct redact_text *t, size_t i)
{
	return i < t->n ? t->s[i] : '\0';
}

/* Whether c is the quote that closes one around the scan. */
static inline bool redact_closes(const struct redact_text *t, char c)
{
	return c && (c == t->open || c == t->outer);
}

/* Whether the text has this word at i, ignoring case. word is in lower case. */
static inline bool redact_is(const struct redact_text *t, size_t i, const char *word)
{
	for (; *word; word++, i++)
		if (i >= t->n || (redact_upper(t->s[i]) ? t->s[i] + 32 : t->s[i]) != *word)
			return false;
	return true;
}

/* -- lists of words, separated by blanks ------------------------------------------------------- */

/* Whether the list contains the word of n bytes. */
static inline bool redact_listed(const char *list, const char *word, size_t n)
{
	for (const char *p = list; *p; p += *p == ' ') {
		size_t same = 0;
		while (same < n && p[same] == word[same])
			same++;
		if (same == n && (p[n] == ' ' || p[n] == '\0'))
			return true;
		while (*p && *p != ' ')
			p++;
	}
	return false;
}

/* Returns the length of the first word of the list that the text at i begins with, ignoring case,
 * or 0. The list is in lower case. */
static inline size_t redact_begins(const struct redact_text *t, size_t i, const char *list)
{
	for (const char *p = list; *p; p += *p == ' ') {
		size_t n = 0;
		while (p[n] && p[n] != ' ' && i + n < t->n &&
		       (redact_upper(t->s[i + n]) ? t->s[i + n] + 32 : t->s[i + n]) == p[n])
			n++;
		if (p[n] == ' ' || p[n] == '\0')
			return n;
		while (*p && *p != ' ')
			p++;
	}
	return 0;
}

#endif
